"""Webhooks of accounts and events."""
