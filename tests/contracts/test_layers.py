"""The layers of the code: imports go only downward, and the engine and the pairing code do not need Django."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from tests.contracts.project import ROOT, python_files


def test_imports_go_only_downward(tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run(
        [linter, "--no-logo", "--cache-dir", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_engine_and_the_swiss_pairing_can_be_imported_without_django() -> None:
    code = "import engine, tournaments.swiss.pairing, sys; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_modules_of_the_engine_import_each_other_in_a_circle_even_for_types_alone() -> None:
    graph = grimp.build_graph("engine", exclude_type_checking_imports=False)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_no_module_imports_a_private_name_of_another() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.module}.{name.name}"
        for path in python_files("engine", "tournaments", "clients", "tools")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name.startswith("_") and node.module != "__future__"
    ]
    assert not found
