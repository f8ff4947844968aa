"""Event files: export, import and verification."""
