"""Every template can be read: a fault in one that no test renders is found here."""

import pytest
from django.template import engines

from tests.contracts.project import ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_compiles(name: str) -> None:
    assert engines["django"].get_template(name).origin.template_name == name


@pytest.mark.parametrize("name", [name for name in TEMPLATES if name.endswith(".html")])
def test_it_holds_no_inline_script_style_or_handler(name: str) -> None:
    """The content security policy would drop them silently."""
    text = (FOLDER / name).read_text()
    for forbidden in ("<style", " style=", " onclick=", " onchange=", " onsubmit=", "hx-on", "js:"):
        assert forbidden not in text, forbidden
