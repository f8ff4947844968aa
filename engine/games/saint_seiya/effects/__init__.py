"""Card effects of Saint Seiya: its own operations, and the host of the interpreter."""
