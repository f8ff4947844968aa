"""What the tests know of Saint Seiya."""
