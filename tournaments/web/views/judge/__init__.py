"""Pages of judges: disputes, matches to rule on, logs and what the engine found in them."""
