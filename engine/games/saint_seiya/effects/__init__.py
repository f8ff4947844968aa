"""Saint Seiya on the interpreter of effects."""
