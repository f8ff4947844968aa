"""What the rare cards of the first set do, one module for each faction; `encoded` says how to read a case."""
