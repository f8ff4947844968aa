"""Tests of clubs, their staff, series of events and conventions."""
