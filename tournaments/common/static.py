"""Scripts and styles under names that contain a hash of their content, so that browsers can cache them for years."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedOnceCollected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage with hashed names for the files that `collectstatic` has collected and compressed.

    A file that was not collected, as in tests, keeps its own name, and browsers ask each time whether it has changed.
    The same goes for every file with `DEBUG=1`.
    """

    def stored_name(self, name: str) -> str:
        """The name under which a file is served."""
        return str(self.hashed_files.get(self.hash_key(self.clean_name(name)), name))

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress the files that have changed since they were last compressed, which takes seconds for all of them."""
        yield from super().compress_files([path for path in paths if not self._compressed(path)])

    def _compressed(self, path: str) -> bool:
        """Whether the compressed file is there. It has the time of the file, to about a microsecond."""
        file = Path(self.path(path))
        done = file.with_name(f"{file.name}.gz")
        return done.exists() and abs(done.stat().st_mtime - file.stat().st_mtime) < 0.001
