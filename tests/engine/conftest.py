"""No fixtures: the tests of the engine need neither Django nor a database."""
