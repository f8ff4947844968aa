"""Cards and catalogues: how they are read, found and checked."""
