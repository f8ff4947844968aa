"""What the other rare cards of the first set do: one module for each faction whose number is on the card."""
