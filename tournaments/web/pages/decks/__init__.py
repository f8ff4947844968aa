"""Decklists, pools and deck formats."""
