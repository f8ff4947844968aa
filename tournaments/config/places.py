"""Where this installation has its files: at the top of a checkout, or inside the packages that a wheel installed."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
TOP = PACKAGE.parent  # of the checkout; of the installed packages
FROM_A_WHEEL = (PACKAGE / "templates").is_dir()  # a checkout has its templates at the top
TEMPLATES = (PACKAGE if FROM_A_WHEEL else TOP) / "templates"
# The rules engine for browsers, which a checkout has if `tools/browser_rules.py` has made it.
BROWSER_RULES = PACKAGE / "browser_rules" if FROM_A_WHEEL else TOP / "build" / "rules"


def var_dir() -> Path:
    """The folder that an installation writes to: VAR_DIR, or `var` in a checkout, or one of the user."""
    given = os.environ.get("VAR_DIR", "").strip()
    if given:
        return Path(given).expanduser().absolute()
    if not FROM_A_WHEEL:
        return TOP / "var"
    data = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(data) if data else Path.home() / ".local" / "share") / "arbitre"
