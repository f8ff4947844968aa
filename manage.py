#!/usr/bin/env python
"""Django's command line for Arbitre."""

from tournaments.config.manage import main

if __name__ == "__main__":
    main()
