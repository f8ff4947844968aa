"""Prices and payments."""
