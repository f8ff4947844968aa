"""Readers for the files of other programs, one module for each. Plain values, no database."""
