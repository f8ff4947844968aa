"""One script a figure, each beside a peer in the same run."""
