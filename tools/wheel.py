"""What `pip wheel .` does first: compile the messages, and add the rules for browsers if `make rules` made them."""

import importlib
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Prepared(BuildHookInterface[Any]):
    """Run by hatchling when the wheel of the site is built; see pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the messages and add `build/rules` as `tournaments/browser_rules`."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        importlib.import_module("tournaments.locale.messages").compile_all()
        rules = Path(self.root) / "build" / "rules"
        if rules.is_dir():
            build_data["force_include"][str(rules)] = "tournaments/browser_rules"
