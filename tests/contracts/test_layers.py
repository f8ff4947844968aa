"""The floors of the house, and its two pure ones."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.contracts.project import ROOT, python_files


def test_imports_go_only_downward(tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    answer = subprocess.run(
        [linter, "--no-logo", "--cache-dir", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_engine_and_the_swiss_arithmetic_start_without_django() -> None:
    code = "import engine, tournaments.swiss.pairing, sys; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_module_takes_what_another_keeps_to_itself() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.module}.{name.name}"
        for path in python_files("engine", "tournaments", "clients", "tools")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name.startswith("_") and node.module != "__future__"
    ]
    assert not found
