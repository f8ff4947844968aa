"""Results: reports by players, entries at the desk, and corrections."""
