"""The three wheels, each installed in an empty environment far from the checkout and used there."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from engine.version import VERSION
from tests.contracts.project import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

FOLDERS = {"arbitre": ".", "arbitre-engine": "engine", "arbitre-client": "clients/python"}
# What would lead back to the checkout, or to its services.
KEPT_OUT = ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "VIRTUAL_ENV")


def _run(*command: str | Path, cwd: Path, expected: int = 0, input: str | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in KEPT_OUT}
    done = subprocess.run(command, cwd=cwd, env=environment, input=input, capture_output=True, text=True)
    assert done.returncode == expected, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build each distribution from the checkout, as `pip wheel` does for anybody."""
    folder = tmp_path_factory.mktemp("wheels")
    sources = [ROOT / source for source in FOLDERS.values()]
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, *sources, cwd=folder)
    found = {path.name.split("-")[0].replace("_", "-"): path for path in folder.iterdir()}
    assert found.keys() == FOLDERS.keys()
    return found


def _environment(folder: Path, wheel: Path) -> Path:
    """The programs of a new environment that has nothing but this wheel and what it requires."""
    _run(sys.executable, "-m", "venv", folder / "env", cwd=folder)
    programs = folder / "env" / "bin"
    _run(programs / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return programs


def _names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as packed:
        return set(packed.namelist())


def test_the_wheel_of_the_site_contains_all_that_its_packages_and_templates_hold(wheels: dict[str, Path]) -> None:
    listed = _run("git", "ls-files", "engine", "tournaments", "templates", cwd=ROOT).splitlines()
    beside = {"engine/pyproject.toml", "engine/README.md", "engine/LICENSE"}
    wanted = {
        name.replace("templates/", "tournaments/templates/", 1) if name.startswith("templates/") else name
        for name in listed
    } - beside
    messages = {f"tournaments/locale/{language}/LC_MESSAGES/django.mo" for language in ("fr", "it")}
    assert (wanted | messages) - _names(wheels["arbitre"]) == set()
    assert not [name for name in _names(wheels["arbitre"]) if name.startswith(("tests/", "bench/", "tools/"))]


def test_the_wheel_of_the_engine_audits_a_log_and_checks_a_list_with_msgspec_alone(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    programs = _environment(tmp_path, wheels["arbitre-engine"])
    command = programs / "arbitre-engine"
    assert _run(command, "--version", cwd=tmp_path) == f"arbitre-engine {VERSION}\n"
    assert _run(command, "--help", cwd=tmp_path).startswith("usage: arbitre-engine ")
    (tmp_path / "log.json").write_text(_run(command, "selfplay", "star-safir", "--seed", "7", cwd=tmp_path))
    report = json.loads(_run(command, "audit", "--json", "log.json", cwd=tmp_path))
    assert report["verdict"] == "confirmed"
    assert json.loads(_run(programs / "python", "-m", "engine", "audit", "--json", "log.json", cwd=tmp_path)) == report
    (tmp_path / "deck.txt").write_text(_run(command, "deck", "wakfu", "--seed", "7", cwd=tmp_path))
    _run(command, "check-deck", "wakfu", "deck.txt", cwd=tmp_path)
    packages = json.loads(_run(programs / "python", "-m", "pip", "list", "--format=json", cwd=tmp_path))
    assert {package["name"] for package in packages} - {"pip", "setuptools"} == {"arbitre-engine", "msgspec"}


def test_the_engine_from_its_wheel_has_types(wheels: dict[str, Path]) -> None:
    assert "engine/py.typed" in _names(wheels["arbitre-engine"])


def test_the_wheel_of_the_client_has_the_client(wheels: dict[str, Path], tmp_path: Path) -> None:
    programs = _environment(tmp_path, wheels["arbitre-client"])
    asked = "\n".join((
        "import arbitre_client",
        "try: arbitre_client.Arbitre('http://127.0.0.1:9', attempts=1).event('e-7kq2m9xw4c')",
        "except arbitre_client.NoAnswer: print('no answer')",
    ))
    assert _run(programs / "python", "-c", asked, cwd=tmp_path) == "no answer\n"


def test_the_wheel_of_the_site_serves_its_pages_with_templates_styles_and_translations(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    programs = _environment(tmp_path, wheels["arbitre"])
    (tmp_path / "home").mkdir()
    kept = {name: value for name, value in os.environ.items() if name not in (*KEPT_OUT, "VAR_DIR", "XDG_DATA_HOME")}
    own = kept | {"HOME": str(tmp_path / "home"), "PORT": "18400"}
    with subprocess.Popen(
        [programs / "arbitre", "run"], cwd=tmp_path, env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as site:
        assert site.stdout is not None and site.stderr is not None
        try:
            said = next((line for line in site.stdout if line.startswith("ready ")), "")
            assert said, site.stderr.read()
            address = said.split()[1]
            french = urllib.request.Request(f"{address}/", headers={"Accept-Language": "fr"})
            page = urllib.request.urlopen(french).read().decode()
            assert (
                f'Arbitre <span class="num">{VERSION}</span>' in page
                and '<html lang="fr">' in page
                and "Confidentialité" in page
            )
            styles = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
            assert urllib.request.urlopen(f"{address}{styles}").status == 200
            assert f"version {VERSION}" in urllib.request.urlopen(f"{address}/healthz").read().decode()
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(60)
    assert (tmp_path / "home" / ".local" / "share" / "arbitre" / "arbitre.sqlite3").is_file()
    assert "seed_demo" in _run(programs / "arbitre", "help", cwd=tmp_path)
