"""What the tests of the engine need to know of Wakfu alone."""
