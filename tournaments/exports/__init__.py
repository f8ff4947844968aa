"""Exports the tables of an event as CSV and JSON, for spreadsheets and other programs."""
