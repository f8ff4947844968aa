"""The rules engine for browsers: static files that `tools/browser_rules.py` makes, if it was run.

Without them, moves are recorded by the forms of the page.
"""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.templatetags.static import static

PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "packages.zip")


@dataclass(frozen=True)
class BrowserRules:
    """Where a browser gets the rules: the folder of Pyodide, and the archive of the engine.

    The first has the version in its name, the second (once collected) a hash of its content.
    """

    base: str
    archive: str

    @property
    def files(self) -> tuple[str, ...]:
        """The addresses of all files."""
        return (*(self.base + part for part in PARTS), self.archive)


@cache
def browser_rules() -> BrowserRules | None:
    """The files that were made; None if they were not."""
    archive = settings.BROWSER_RULES / "rules.zip"
    found = sorted(settings.BROWSER_RULES.glob("pyodide-*"))
    if not archive.is_file() or not found:
        return None
    return BrowserRules(f"{settings.STATIC_URL}rules/{found[-1].name}/", static("rules/rules.zip"))
