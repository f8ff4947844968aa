"""Replays a log move by move, and everything that is searched, asked or recorded by replaying."""
