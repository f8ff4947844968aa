"""Make the rules engine for browsers: Pyodide, and the engine with what draws boards, as static files in `build/rules`.

Pyodide comes from the npm registry and msgspec's build for it from PyPI, both as `npm` and `pip` are set up on this
machine.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "rules"
PYODIDE = "314.0.7"
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # of the package that npm fetches
PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"  # of that Pyodide
# What the engine needs besides Python.
PACKAGES = ("msgspec==0.22.0 --hash=sha256:a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",)
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ARCHIVE = "rules.zip"
SOURCES = ("engine", "tournaments/boards")
LEFT_OUT = ("engine/cli",)
ENDINGS = (".py", ".toml", ".json")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pyodide", type=Path, help="the npm package of Pyodide, if it is here already")
    parser.add_argument("--refresh", action="store_true", help="only pack the engine again, if the rest is there")
    args = parser.parse_args()
    if args.refresh:
        if OUT.is_dir():
            pack_sources(OUT / ARCHIVE)
        return 0
    if args.pyodide is None and shutil.which("npm") is None:
        print("npm is needed to fetch Pyodide (on Debian: npm). Without it, games are recorded by forms only.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "rules"
        pyodide = made / f"pyodide-{PYODIDE}"
        pyodide.mkdir(parents=True)
        unpack(args.pyodide or fetched(Path(folder)), pyodide)
        pack_packages(Path(folder), pyodide / "packages.zip")
        pack_sources(made / ARCHIVE)
        shutil.rmtree(OUT, ignore_errors=True)
        OUT.parent.mkdir(exist_ok=True)
        shutil.copytree(made, OUT)
    total = sum(file.stat().st_size for file in OUT.rglob("*") if file.is_file())
    print(f"{OUT.relative_to(ROOT)}: {total / 1e6:.1f} MB")
    return 0


def fetched(folder: Path) -> Path:
    """Return the package of Pyodide, fetched by npm."""
    command = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return folder / done.stdout.strip().splitlines()[-1]


def unpack(package: Path, folder: Path) -> None:
    """Take from the package what a browser needs. Stops if the package is not the one that was pinned."""
    if hashlib.sha256(package.read_bytes()).hexdigest() != PYODIDE_SHA256:
        sys.exit(f"{package.name} is not the package of Pyodide {PYODIDE} that was pinned: its SHA-256 is another one")
    with tarfile.open(package) as archive:
        for name in PARTS:
            part = archive.extractfile(f"package/{name}")
            assert part is not None, name
            (folder / name).write_bytes(part.read())


def pack_packages(folder: Path, into: Path) -> None:
    """Fetch what the engine needs besides Python, and write it as one archive."""
    where, wanted = folder / "packages", folder / "packages.txt"
    wanted.write_text("\n".join(PACKAGES))
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
            "--python-version", PYTHON, "--platform", PLATFORM, "--dest", str(where),
            "--require-hashes", "--requirement", str(wanted),
        ],
        check=True,
    )  # fmt: skip
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for wheel in sorted(where.glob("*.whl")):
            with zipfile.ZipFile(wheel) as inside:
                for name in sorted(inside.namelist()):
                    add(archive, name, inside.read(name))


def pack_sources(into: Path) -> None:
    """Write the engine and what draws boards as one archive, the same bytes for the same content."""
    aside = into.with_suffix(f".{os.getpid()}")  # two processes may do this at once
    with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as archive:
        add(archive, "tournaments/__init__.py", b"")
        for source in SOURCES:
            for file in sorted((ROOT / source).rglob("*")):
                name = file.relative_to(ROOT).as_posix()
                if file.suffix in ENDINGS and not name.startswith(LEFT_OUT):
                    add(archive, name, file.read_bytes())
    aside.replace(into)


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file without the time at which it was written."""
    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    sys.exit(main())
