"""Scripts and styles under names that contain a hash of their content, so that browsers can cache them for years."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedOnceCollected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage with hashed names for the files that `collectstatic` has collected and compressed.

    A file that was not collected, as in tests, keeps its own name, and browsers ask each time whether it has changed.
    The same goes for every file with `DEBUG=1`.
    """

    def stored_name(self, name: str) -> str:
        """The name under which a file is served."""
        return str(self.hashed_files.get(self.hash_key(self.clean_name(name)), name))
