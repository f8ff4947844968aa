"""Lists and reads the project's own files, for the tests in this folder."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", ".hypothesis", "var", "__pycache__", "node_modules"}


@cache
def project_files() -> tuple[Path, ...]:
    """List the files that are tracked by git or would be; without git, all files outside generated folders."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listing.returncode == 0:
        files = [ROOT / name for name in listing.stdout.splitlines()]
    else:
        files = [path for path in ROOT.rglob("*") if not _generated(path.relative_to(ROOT))]
    return tuple(sorted(path for path in files if path.is_file()))


def _generated(path: Path) -> bool:
    return bool(NOT_OURS & set(path.parts)) or any(part.endswith("_cache") for part in path.parts)


def python_files(*folders: str) -> list[Path]:
    """List the Python files in these top-level folders."""
    return [path for path in project_files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]


def text_of(path: Path) -> str:
    """Return the text of a file; empty if it is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def headings(path: Path) -> set[str]:
    """Return the headings of a Markdown page, without `#` and backticks."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line.lstrip("#").strip().strip("`") for line in lines if line.startswith("#")}
