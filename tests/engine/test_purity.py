"""What the engine must not do: import Django, use floats or clocks, depend on the order of sets or on hash values.

A replay must give the same digest on every machine and in every process, years later.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
PURE = sorted([*ENGINE.joinpath("core").rglob("*.py"), *ENGINE.joinpath("games").rglob("*.py")])
# Modules through which the time or the state of the machine could get into a replay.
CLOCKS = ("time", "datetime", "secrets", "uuid", "os", "socket", "threading", "asyncio")
DICE = ("core/replay/selfplay.py",)  # the only module that may use `random`: it makes games and never judges one


def name(file: Path) -> str:
    return file.relative_to(ENGINE).as_posix()


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def is_typing_block(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def executed(tree: ast.Module) -> ast.Module:
    """Return the module without its top-level `if TYPE_CHECKING` blocks, which never run."""
    return ast.Module([node for node in tree.body if not is_typing_block(node)], [])


def unordered(node: ast.AST) -> bool:
    """Return whether an expression is visibly a set, whose order depends on hashes."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return called or isinstance(node, (ast.Set, ast.SetComp))


@pytest.mark.parametrize("file", PURE, ids=name)
def test_pure_modules_use_no_floats_hashes_set_order_or_clocks(file: Path) -> None:
    tree = executed(ast.parse(file.read_text(encoding="utf-8")))
    for node in ast.walk(tree):
        where = f"{name(file)}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), where
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("hash", "float", "id", "deepcopy"), where
            if node.func.id in ("list", "tuple", "enumerate", "iter", "next") and node.args:
                assert not unordered(node.args[0]), where
        if isinstance(node, (ast.For, ast.comprehension)):
            assert not unordered(node.iter), where
    found = list(imports(tree))
    assert not [module for module in found if module.split(".")[0] in CLOCKS], name(file)
    if name(file) not in DICE:
        assert "random" not in found, name(file)


@pytest.mark.parametrize("file", sorted(ENGINE.rglob("*.py")), ids=name)
def test_only_the_standard_library_and_msgspec_are_imported(file: Path) -> None:
    for module in imports(ast.parse(file.read_text(encoding="utf-8"))):
        assert module.split(".")[0] in (*sys.stdlib_module_names, "engine", "msgspec"), f"{name(file)}: {module}"


def test_importing_the_engine_does_not_import_django() -> None:
    code = (
        "import sys; sys.modules['django'] = None; import engine; engine.load('star-safir');"
        "print(any(m.split('.')[0] in ('django', 'tournaments') and v for m, v in sys.modules.items()))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


@pytest.mark.parametrize(
    "imports",
    [
        "import engine",
        "import engine, engine.games.star_safir.deck",
        "import engine.games.star_safir.deck, engine",
        "import engine.games, engine",
        "from engine.games.star_safir import game; import engine; engine.load('star-safir')",
        "from engine import games; import engine.games.star_safir.moves.combat, engine; assert engine.games is games",
    ],
)
def test_every_game_is_listed_whatever_was_imported_first(imports: str) -> None:
    code = f"{imports}; import engine; print(engine.games())"
    result = subprocess.run([sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "('altered', 'saint-seiya', 'star-safir', 'stellar-nexus', 'wakfu')"
