"""The version of Arbitre: the site, the rules engine and the client are released together."""

VERSION = "0.1.0"
