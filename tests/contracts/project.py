"""The project's own files, as the contracts read them."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", ".hypothesis", "var", "__pycache__", "node_modules"}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is tracked, or would be; where there is no git, every file outside generated folders."""
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
    """The Python files of these folders of the project."""
    return [path for path in project_files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]


def text_of(path: Path) -> str:
    """A file's text; empty for what is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def headings(path: Path) -> set[str]:
    """The words of a page's headings, without their marks."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line.lstrip("#").strip().strip("`") for line in lines if line.startswith("#")}
