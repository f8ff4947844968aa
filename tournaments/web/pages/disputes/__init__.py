"""Disputed results and rulings."""
