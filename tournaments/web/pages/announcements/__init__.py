"""Announcements by the staff."""
