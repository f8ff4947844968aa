"""The documentation is complete: it describes every setting, command, make target and job, and no link is broken."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.project import ROOT, headings, project_files, python_files
from tournaments.locale.messages import template

SETTINGS = ROOT / "docs" / "settings.md"
OPERATIONS = [ROOT / "docs" / f"{name}.md" for name in ("commands", "backup", "running", "scaling")]
ALARMS = ROOT / "docs" / "alarms.md"
JOBS = ROOT / "docs" / "jobs.md"
PAGES = [path for path in project_files() if path.suffix == ".md"]


def _calls(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the function name and the first argument of each call whose first argument is a string."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function, first = node.func, node.args[0].value
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if isinstance(first, str):
                yield name, first


def settings_read() -> list[str]:
    """List the environment variables that the settings read."""
    calls = _calls(ROOT / "tournaments" / "config" / "settings.py")
    return sorted({first for _name, first in calls if re.fullmatch(r"[A-Z][A-Z_]+", first)})


def commands() -> list[str]:
    """List the project's own management commands."""
    found = (path for path in python_files("tournaments") if path.parent.name == "commands")
    return sorted(path.stem for path in found if path.stem != "__init__")


def targets() -> list[str]:
    """List the targets of the Makefile that are meant for people: those with a `##` comment."""
    return sorted(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def kinds(function: str) -> set[str]:
    """Return the kinds of job that are passed to `function`: `enqueue`, `handler` or `batch_handler`."""
    naming = (path for path in python_files("tournaments") if f"{function}(" in path.read_text(encoding="utf-8"))
    calls = (call for path in naming for call in _calls(path))
    return {first for name, first in calls if name == function}


HANDLED = kinds("handler") | kinds("batch_handler")


def local_links(page: Path) -> list[str]:
    """List the targets of a page's links and images, without those to the web."""
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"\]\(([^)\s]+)\)", prose)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(page)}


@pytest.mark.parametrize("name", settings_read())
def test_every_setting_has_a_heading_in_the_docs(name: str) -> None:
    assert name in headings(SETTINGS)


def test_no_heading_describes_a_setting_that_does_not_exist() -> None:
    described = {heading for heading in headings(SETTINGS) if re.fullmatch(r"[A-Z][A-Z_]+", heading)}
    assert described <= {*settings_read(), "PORT", "VAR_DIR"}


@pytest.mark.parametrize("name", commands())
def test_every_management_command_has_a_heading_in_the_docs(name: str) -> None:
    assert sum(f"manage.py {name}" in headings(page) for page in OPERATIONS) == 1


LOGGED = re.compile(r'\blogger\.(?:warning|error|exception)\(\s*"([^"]+)"')


def faults_logged() -> list[str]:
    """List the first fixed words of each message that is logged as a warning or worse."""
    found = set()
    for message in {text for path in python_files("tournaments") for text in LOGGED.findall(path.read_text("utf-8"))}:
        parts = [part.strip(" :;,()") for part in re.split(r"%s|;", message)]
        found.add(next((part for part in parts if len(part) > 10), max(parts, key=len)))
    return sorted(found - {"on", "in the API"})  # these follow the code of an outage


@pytest.mark.parametrize("text", faults_logged())
def test_every_fault_in_the_log_is_among_the_alarms(text: str) -> None:
    assert text in ALARMS.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", targets())
def test_every_make_target_is_described(name: str) -> None:
    assert any(f"`make {name}`" in (ROOT / page).read_text() for page in ("README.md", "CONTRIBUTING.md"))


def test_every_enqueued_kind_of_job_has_a_handler() -> None:
    assert kinds("enqueue") and kinds("enqueue") <= HANDLED


@pytest.mark.parametrize("kind", sorted(HANDLED))
def test_every_kind_of_job_has_a_heading_in_the_docs(kind: str) -> None:
    assert any(kind in heading for heading in headings(JOBS))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_local_link_is_broken(page: Path) -> None:
    broken = []
    for link in local_links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_example_can_be_read(page: Path) -> None:
    """An example in Python or JSON that was wrapped like a paragraph, or cut, can no longer be pasted."""
    examples = re.findall(r"^```(python|json)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for language, text in examples:
        assert (ast.parse if language == "python" else json.loads)(text), text


def test_every_decision_is_listed_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    for page in (ROOT / "docs" / "decisions").glob("*.md"):
        assert f"decisions/{page.name}" in index


ARCHITECTURE = ROOT / "docs" / "architecture.md"
OPENED = {".", "engine", "tournaments", "tournaments/web", "tournaments/api"}  # folders whose subfolders the tree names


def folders() -> set[str]:
    """List the project's folders with files in them, at any depth, without hidden ones."""
    parents = {parent for path in project_files() for parent in path.relative_to(ROOT).parents}
    return {str(parent) for parent in parents if parent.parts and not parent.parts[0].startswith(".")}


def tree() -> list[str]:
    """List the paths in the tree of `docs/architecture.md`."""
    section = ARCHITECTURE.read_text(encoding="utf-8").split("\n## Where to find things\n")[1].split("\n## ")[0]
    found: list[str] = []
    above: dict[int, str] = {}
    for indent, name in re.findall(r"^    ( *)(\S+)", section, re.MULTILINE):
        above[len(indent)] = name
        if name != "the":  # "the rest"
            found.append("".join(above[depth] for depth in sorted(above) if depth <= len(indent)))
    return found


def layered() -> set[str]:
    """Return the packages in the table of layers of `docs/architecture.md`."""
    section = ARCHITECTURE.read_text(encoding="utf-8").split("\n## Layers\n")[1].split("\n## ")[0]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ")][2:]
    return {name for row in rows for name in re.findall(r"`([a-z]+)`", row)}


def test_every_path_in_the_tree_of_the_architecture_exists() -> None:
    missing = [path for path in tree() if not list(ROOT.glob(re.sub(r"<\w+>", "*", path)))]
    assert tree() and not missing


def test_the_tree_of_the_architecture_names_every_folder() -> None:
    named = {re.sub(r"/<.*", "", path).rstrip("/") for path in tree()}
    named |= {f"tournaments/{name}" for name in layered()}  # apps are in the table of layers
    found = {folder for folder in folders() if str(Path(folder).parent) in OPENED or folder in OPENED}
    assert found - named == set()


def test_the_table_of_layers_names_every_app_and_no_other() -> None:
    apps = {Path(folder).name for folder in folders() if str(Path(folder).parent) == "tournaments"}
    assert layered() == apps | {"engine"}


# Words that the guides emphasize as examples: what people type, and labels of other programs.
EXAMPLES = {"adult", "browser", "child", "deck", "early bird", "email", "emma", "liste", "mazzo", "player #"}


def _label(text: str) -> str:
    """A label without its figures, end marks and capitals: `Pair round 2` and `Pair round %(number)d` are one."""
    text = re.sub(r"%\(\w+\)[sd]|\d+", "#", text)
    return " ".join(re.sub(r"[…:?.]|^#? of #$", "", text).replace("’", "'").split()).lower()


def test_the_guides_call_buttons_and_pages_by_their_names() -> None:
    messages = [message.id for message in template() if message.id]
    texts = [text for each in messages for text in (each if isinstance(each, (tuple, list)) else [each])]
    known = {_label(text) for text in texts} | EXAMPLES
    # A link that begins or goes on with names is called by its other words.
    known |= {part for text in texts for part in (_label(text).partition(" #")[0], _label(text).removeprefix("# "))}
    named = []
    for guide in ("organizer", "player", "judge", "spectator"):
        page = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
        prose = re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.DOTALL)
        named += [(guide, " ".join(text.split())) for text in re.findall(r"(?<![*\w])\*([^*]{1,80})\*(?![*\w])", prose)]
    assert ("organizer", "Next round") in named
    # Labels begin with a capital; other words are emphasized for their own sake.
    labels = [(guide, text) for guide, text in named if text[0].isupper() and len(text) > 3]
    assert [(guide, text) for guide, text in labels if _label(text) not in known] == []
