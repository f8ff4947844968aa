"""Benchmarks: one script per figure, each with a peer for comparison in the same run."""
