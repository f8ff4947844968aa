"""What the tests of the engine need to know of Stellar Nexus alone."""
