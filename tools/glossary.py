"""Find words that the glossary says to avoid: `python -m tools.glossary`.

The tables of docs/glossary.md are the only list of these words. They are looked for in the messages of templates and
Python files, in the French and Italian translations, in the sentences of the rules engine, in the English guides, and
in the descriptions of the API, which are the docstrings of its views and serializers.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tournaments.locale.messages import extracted  # noqa: E402

LANGUAGES = ("en", "fr", "it")
ALLOWED = "Where these words are right"  # the heading of the table of exceptions
NO_GUIDES = {"glossary.md", "api.md"}  # the second has the names of the API, which stay
_ENTRY = re.compile(r"\b(en|fr|it):")
_SENTENCE = re.compile(r'\b(en|fr|it) = "((?:[^"\\]|\\.)*)"')
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}")
_CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>")
_CONTEXT = "\x04"  # between a text and its context, as in a .mo file
_LABEL = re.compile(r"\[(.+)\]")  # a word to avoid only where it is a whole label
_LABELS = re.compile(r"\*+([^*]+)\*+|[“«\"]\s*([^“”«»\"]+?)\s*[”»\"]|(?<=\|)([^|]+)(?=\|)")


class Avoided(NamedTuple):
    """A word or phrase to avoid in one language, and what to say instead."""

    language: str
    phrase: str
    instead: str
    pattern: re.Pattern[str]
    is_label: bool


class Glossary(NamedTuple):
    """What the tables say: the words to avoid, and for each language the phrases in which they are right."""

    avoided: tuple[Avoided, ...]
    allowed: dict[str, tuple[re.Pattern[str], ...]]

    def found(self, language: str, text: str) -> Iterator[Avoided]:
        """Yield each avoided word that `text` contains outside an allowed phrase."""
        text, _, context = _PLACEHOLDER.sub(" ", plain(text)).partition(_CONTEXT)
        label = f"{text} ({context})"
        for allowed in self.allowed[language]:
            text, label = allowed.sub(" ", text), allowed.sub(" ", label)
        labels = [label, *("".join(part) for part in _LABELS.findall(text))]
        for word in self.avoided:
            if word.language == language and any(map(word.pattern.search, labels if word.is_label else [text])):
                yield word


class Finding(NamedTuple):
    """An avoided word in a file. Lines count from 1."""

    path: str
    line: int
    word: Avoided
    text: str

    def __str__(self) -> str:
        word = self.word
        return f"{self.path}:{self.line}: {word.language}: “{word.phrase}” (say “{word.instead}”): {self.text}"


def plain(text: str) -> str:
    """Return the text with straight apostrophes and ordinary spaces, as the patterns have them."""
    return text.replace("’", "'").replace("\N{NO-BREAK SPACE}", " ")


def pattern(phrase: str) -> re.Pattern[str]:
    """Return the expression for a phrase: `*` stands for any letters, `…` for up to four words.

    A phrase in brackets matches a label that says nothing else, except for figures and its context in parentheses.
    """
    if label := _LABEL.fullmatch(phrase):
        return re.compile(rf"^[\W\d]*{pattern(label[1]).pattern}[\W\d]*(?:\([^)]*\)\W*)?$", re.IGNORECASE)
    words = (
        re.escape(plain(phrase)).replace(r"\*", r"\w*").replace(r"\ …\ ", r"(?:\s+\S+){0,4}\s+").replace(r"\ ", r"\s+")
    )
    return re.compile(rf"(?<![\w-]){words}(?![\w-])", re.IGNORECASE)


def read(page: Path) -> Glossary:
    """Return what the tables of the glossary say. Raises ValueError for a row that cannot be read."""
    avoided: list[Avoided] = []
    allowed: dict[str, list[re.Pattern[str]]] = {language: [] for language in LANGUAGES}
    heading = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if len(cells) < 2 or set(cells[0]) == {"-"} or cells[0] in ("English", "language"):
            continue
        if heading == ALLOWED:
            if cells[0] not in LANGUAGES:
                raise ValueError(f"{page.name}:{number}: the first cell must be en, fr or it: {line}")
            allowed[cells[0]].append(pattern(cells[1]))
        else:
            if len(cells) != 4:
                raise ValueError(f"{page.name}:{number}: a row needs four cells: {line}")
            avoided += _row(cells, f"{page.name}:{number}")
    return Glossary(tuple(avoided), {language: tuple(phrases) for language, phrases in allowed.items()})


def _row(cells: list[str], where: str) -> Iterator[Avoided]:
    parts = _ENTRY.split(cells[3])
    if parts[0].strip():
        raise ValueError(f"{where}: the last cell must begin with en:, fr: or it:")
    for language, phrases in zip(parts[1::2], parts[2::2], strict=True):
        instead = cells[LANGUAGES.index(language)]
        for phrase in filter(None, (each.strip(" ;") for each in phrases.split(","))):
            yield Avoided(language, phrase, instead, pattern(phrase), bool(_LABEL.fullmatch(phrase)))


def texts(root: Path) -> Iterator[tuple[str, int, str, str]]:
    """Yield each text that people read below `root`: file, line, language, text."""
    for name, line, message, _comments, context in extracted(root):
        for text in message if isinstance(message, tuple) else (message,):
            yield name, line, "en", _in_context(text, context)
    yield from _translations(root)
    yield from _engine(root)
    yield from _guides(root)
    yield from _api(root)


def _in_context(text: str, context: str | None) -> str:
    return f"{text}{_CONTEXT}{context}" if context else text


def _translations(root: Path) -> Iterator[tuple[str, int, str, str]]:
    for path in sorted((root / "tournaments" / "locale").glob("*/LC_MESSAGES/django.po")):
        language = path.parts[-3]
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                strings = message.string if isinstance(message.string, list | tuple) else (message.string,)
                for text in strings if message.id else ():
                    yield _name(path, root), message.lineno or 0, language, _in_context(text or "", message.context)


def _engine(root: Path) -> Iterator[tuple[str, int, str, str]]:
    for path in sorted((root / "engine").rglob("*.toml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for language, text in _SENTENCE.findall(line):
                yield _name(path, root), number, language, text


def _guides(root: Path) -> Iterator[tuple[str, int, str, str]]:
    pages = [*sorted((root / "docs").glob("*.md")), root / "README.md", root / "CONTRIBUTING.md"]
    for path in pages:
        if path.name in NO_GUIDES or not path.exists():
            continue
        fenced = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and not line.startswith("    "):
                yield _name(path, root), number, "en", _CODE.sub(" ", line)


def _api(root: Path) -> Iterator[tuple[str, int, str, str]]:
    for path in sorted((root / "tournaments" / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
                yield _name(path, root), node.lineno, "en", _CODE.sub(" ", text)
            elif isinstance(node, ast.keyword) and node.arg == "help_text" and isinstance(node.value, ast.Constant):
                yield _name(path, root), node.value.lineno, "en", _CODE.sub(" ", str(node.value.value))


def _name(path: Path, root: Path) -> str:
    return str(path.relative_to(root))


def findings(root: Path = ROOT) -> Iterator[Finding]:
    """Yield every avoided word in the texts below `root`."""
    glossary = read(root / "docs" / "glossary.md")
    for path, line, language, text in texts(root):
        for word in glossary.found(language, text):
            yield Finding(path, line, word, " ".join(text.partition(_CONTEXT)[0].split()))


def main() -> int:
    """Print what was found; 1 if anything was."""
    found = list(findings())
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
