"""What the rare cards of the first set do, beside those of the starters: one module for each faction of the numbers."""
