"""Every template compiles, including those that no test renders."""

import pytest
from django.template import engines

from tests.contracts.project import ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles(name: str) -> None:
    assert engines["django"].get_template(name).origin.template_name == name


@pytest.mark.parametrize("name", [name for name in TEMPLATES if name.endswith(".html")])
def test_no_template_has_inline_scripts_styles_or_handlers(name: str) -> None:
    """The content security policy would block them silently."""
    text = (FOLDER / name).read_text()
    for forbidden in ("<style", " style=", " onclick=", " onchange=", " onsubmit=", "hx-on", "js:"):
        assert forbidden not in text, forbidden
