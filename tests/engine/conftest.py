"""The engine's tests touch no database."""
