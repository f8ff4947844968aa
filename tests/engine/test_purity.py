"""What the engine may not do: import the web, use floats or clocks, let the order of a set or a hash show."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
PURE = sorted([*ENGINE.joinpath("core").rglob("*.py"), *ENGINE.joinpath("games").rglob("*.py")])
CLOCKS = ("time", "datetime", "secrets", "uuid", "os", "socket", "threading", "asyncio")
DICE = ("core/selfplay.py",)


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
    """The module without what only the type checker reads."""
    return ast.Module([node for node in tree.body if not is_typing_block(node)], [])


def unordered(node: ast.AST) -> bool:
    """Whether an expression gives a set."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return called or isinstance(node, (ast.Set, ast.SetComp))


@pytest.mark.parametrize("file", PURE, ids=name)
def test_no_float_no_hash_no_set_order_no_clock(file: Path) -> None:
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
def test_only_the_standard_library_is_imported(file: Path) -> None:
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
def test_the_games_of_the_engine_are_told_whatever_was_imported_first(imports: str) -> None:
    code = f"{imports}; import engine; print(engine.games())"
    result = subprocess.run([sys.executable, "-c", code], cwd=ENGINE.parent, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "('altered', 'saint-seiya', 'star-safir', 'stellar-nexus', 'wakfu')"
