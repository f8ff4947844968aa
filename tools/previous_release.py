"""The previous release: it has to run on every new schema, while a new version is rolled out and when it is taken back.

`PREVIOUS` is its commit; it moves on with each release.
"""

import io
import subprocess
import tarfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PREVIOUS = "44050ae83cd9941d06b1df473624221e911bdde5"


class NoHistory(Exception):
    """The commit is not here, as in a shallow clone."""

    def __init__(self) -> None:
        super().__init__("the history of the project is not here")


def of_previous(*command: str) -> bytes:
    """What a git command says about the previous release. Raises NoHistory."""
    try:
        done = subprocess.run(["git", *command], cwd=TOP, capture_output=True)
    except FileNotFoundError:
        raise NoHistory from None
    if done.returncode:
        raise NoHistory
    return done.stdout


def unpack_previous(folder: Path) -> None:
    """Write the files of the previous release into a folder. Raises NoHistory."""
    with tarfile.open(fileobj=io.BytesIO(of_previous("archive", PREVIOUS))) as packed:
        packed.extractall(folder, filter="data")
