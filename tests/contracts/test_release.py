"""What is released: one version for the site, the engine and the clients, and a licence in each distribution."""

import json
import re
import tomllib
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from engine.__main__ import main
from engine.version import VERSION
from tests.contracts.project import ROOT

DISTRIBUTIONS = ("pyproject.toml", "engine/pyproject.toml", "clients/python/pyproject.toml")


def package() -> dict[str, Any]:
    """The package.json of the TypeScript client."""
    read: dict[str, Any] = json.loads((ROOT / "clients/typescript/package.json").read_text(encoding="utf-8"))
    return read


def assert_licensed(file: str) -> None:
    """Check that the licence is next to a distribution's description."""
    licence = (ROOT / file).with_name("LICENSE").read_text(encoding="utf-8")
    assert licence == (ROOT / "LICENSE").read_text(encoding="utf-8") and licence.startswith("MIT License\n")


def test_all_distributions_have_one_version() -> None:
    site, alone, client = (tomllib.loads((ROOT / file).read_text(encoding="utf-8")) for file in DISTRIBUTIONS)
    assert client["project"]["version"] == package()["version"] == VERSION
    assert (
        ROOT / site["tool"]["hatch"]["version"]["path"] == ROOT / "engine" / alone["tool"]["hatch"]["version"]["path"]
    )


def test_the_engine_alone_requires_msgspec_as_the_site_does() -> None:
    site, alone, _ = (tomllib.loads((ROOT / file).read_text(encoding="utf-8"))["project"] for file in DISTRIBUTIONS)
    assert len(alone["dependencies"]) == 1 and alone["dependencies"][0].startswith("msgspec")
    assert set(alone["dependencies"]) < set(site["dependencies"])


@pytest.mark.parametrize("file", DISTRIBUTIONS)
def test_each_distribution_says_its_licence_and_contains_it(file: str) -> None:
    project = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))["project"]
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    assert_licensed(file)


def test_the_typescript_client_says_its_licence_contains_it_and_depends_on_nothing() -> None:
    assert package()["license"] == "MIT" and "dependencies" not in package()
    assert_licensed("clients/typescript/package.json")


def test_the_engine_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"arbitre-engine {VERSION}\n")


@pytest.mark.django_db
def test_pages_and_the_schema_of_the_api_say_the_version() -> None:
    page = Client().get("/privacy/").content.decode()
    assert f'Arbitre <span class="num">{VERSION}</span>' in page
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == VERSION


def test_the_newest_release_of_the_changelog_is_this_version_and_says_how_to_upgrade() -> None:
    released = re.findall(
        r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )
    assert released[0] == VERSION and len(released) == len(set(released))
    upgrading = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
    assert re.findall(r"^### ([\d.]+)$", upgrading, re.M) == released


def test_the_fragments_of_the_next_changelog_have_kinds_that_exist() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]["type"]
    kinds = {kind["directory"] for kind in described}
    fragments = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name not in ("README.md", ".gitkeep")]
    assert [name for name in fragments if not re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(kinds)})\.md", name)] == []
    table = (ROOT / "changelog.d" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == kinds
