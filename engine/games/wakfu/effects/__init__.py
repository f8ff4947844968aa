"""What Wakfu adds to the interpreter of effects."""
