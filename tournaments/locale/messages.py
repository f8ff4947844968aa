"""The French and Italian translations, with Babel alone: `python -m tournaments.locale.messages extract|compile|check`.

The messages in the sources are English, so English has no file of its own.

`extract` adds the messages of the sources that a file lacks, untranslated, and removes those that are gone.
`compile` writes the .mo files that Django reads.
`check` lists what is wrong: a message that a file lacks or no longer needs, and a translation that is missing, fuzzy,
the same as the English (unless it is in `ALIKE`), has other placeholders than the source, or breaks the typography of
the language: a straight apostrophe, or a breaking space before a colon. It also lists each English message that counts
something and has no singular, such as "%(cards)d cards".
"""

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

LOCALE = Path(__file__).resolve().parent
ROOT = LOCALE.parents[1]
LANGUAGES = ("fr", "it")  # the sources are English
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# The words that are the same in a language as in English.
ALIKE = {
    "fr": {
        "%(count)s point", "%(count)s table", "%(minutes)s min", "%(minutes)s minute",
        "%(n)s version", "%(name)s, version %(version)s", "Actions", "Altered Standard", "Boosters", "Club", "Clubs",
        "Code", "Concession", "Conventions",
        "Correction",
        "Decks", "Destination", "Disqualification", "Exports", "Format", "Impossible", "Match", "Minutes", "Pages",
        "Phase",
        "Places", "Plausible", "Play! Pokémon", "Points", "Position", "Saint Seiya", "Scribe", "Signature", "Standard",
        "Star Safir", "Stellar Nexus", "Structure", "Table", "Table %(table)s", "Types", "Verdict", "Version",
        "Version %(version)s", "Versions", "Wakfu 2008", "Wakfu 2011", "Webhook", "Webhooks", "impossible",
        "tables %(tables)s", "version %(number)s", "version %(version)s",
        "%(count)s photo", "+%(count)d bye", "Bye", "Contact", "Cookies", "Date", "Factions", "Infraction",
        "Message", "club",
        "Notifications", "Options", "Photos", "Place", "Pool", "Pools", "Qualification", "Question", "Questions",
        "Sideboard", "Signatures", "Tables", "Confirmation", "Description", "Invitation",
    },
    "it": {
        "%(minutes)s min", "%(where)s: %(why)s", "+%(count)d bye", "Account", "Altered Standard", "App", "Bye",
        "Check-in",
        "Club", "Password", "Play! Pokémon", "Saint Seiya", "Sideboard", "Standard", "Star Safir", "Stellar Nexus",
        "Wakfu 2008", "Wakfu 2011", "Webhook", "no",
        "Link", "Pool", "Replay", "Staff", "club", "File",
    },
}  # fmt: skip
_COUNT = re.compile(
    r"%\((\w+)\)[sd] (?:(?!of |to |has |is )\w+ )?"
    r"(?:boards|bytes|cards|characters|days|entrants|events|games|hours|lists|matches|members|minutes|moves|places|players|"
    r"points|rounds|seats|seconds|stages|tables|teams|times|votes)\b"
)
# Placeholders of limits, and of what is beyond a limit.
_NEVER_ONE = {"bytes", "capacity", "days", "length", "most", "show_value"}
# A constant, so that the files change when messages do and not with the calendar.
CREATED = datetime(2026, 1, 1, tzinfo=UTC)
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sdif]")
TYPEWRITTEN = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])|(?<=[\w})»]) [:;!?»]|« ")
"""A straight apostrophe, or a space beside punctuation at which a line may break."""
STRAIGHT = re.compile(r"(?<=[^\W\d_]|[})])'(?=[^\W\d_]|\s)")
"""A straight apostrophe in English: “player's”, “players' points”."""


def _file(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def _empty(language: str | None = None) -> Catalog:
    return Catalog(
        locale=language,
        domain="django",
        project="Arbitre",
        version="1",
        copyright_holder="Arbitre",
        header_comment="# Messages of Arbitre.",
        last_translator="Arbitre",
        language_team="Arbitre",
        creation_date=CREATED,
        revision_date=CREATED,
        msgid_bugs_address="Arbitre",
        fuzzy=False,
    )


def template() -> Catalog:
    """All messages of the sources, untranslated."""
    catalog = _empty()
    for name, _line, message, comments, context in extracted():
        catalog.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    return catalog


def extracted(root: Path = ROOT) -> list[tuple[str, int, str | tuple[str, ...], list[str], str | None]]:
    """Each message in the sources below `root`: file, line, text (or texts, if it has a plural), comments, context."""
    with (LOCALE / "babel.cfg").open() as config:
        methods, options = parse_mapping_cfg(config)  # type: ignore[no-untyped-call]  # Babel's

    def is_source(directory: str | Path) -> bool:
        """Whether to look into a directory: our packages and templates, and nothing that was installed or made."""
        parts = Path(directory).absolute().relative_to(root).parts  # a link is not followed: it may lead elsewhere
        return not parts or (parts[0] in ("tournaments", "templates") and "__pycache__" not in parts)

    found = extract_from_dir(root, methods, options, KEYWORDS, directory_filter=is_source)
    return sorted(found, key=lambda item: (item[0], item[1]))


def read(language: str) -> Catalog:
    """A language's file as it stands; empty when there is none yet."""
    path = _file(language)
    if not path.exists():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain="django")


def write(language: str, catalog: Catalog) -> None:
    """Write a language's file, its header of ours."""
    fresh = _empty(language)
    for message in catalog:
        if message.id:
            fresh[message.id] = message
    path = _file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, fresh, width=120, ignore_obsolete=True, include_lineno=False, sort_by_file=True)


def extract() -> int:
    """Bring all files in step with the sources."""
    sources = template()
    for language in LANGUAGES:
        catalog = read(language)
        catalog.update(sources, no_fuzzy_matching=True, update_header_comment=False, update_creation_date=False)
        write(language, catalog)
        missing = sum(not _is_translated(message) for message in catalog if message.id)
        print(f"{language}: {len(catalog)} messages, {missing} without translation")  # noqa: T201
    return 0


def compile_all() -> int:
    """Write the .mo files, each at once: somebody else may be reading it."""
    for language in LANGUAGES:
        compiled = _file(language).with_suffix(".mo")
        unfinished = compiled.with_suffix(f".{os.getpid()}.mo")
        with unfinished.open("wb") as file:
            write_mo(file, read(language))
        unfinished.replace(compiled)
    return 0


def check() -> int:
    """Say what is missing; 1 when anything is."""
    found = list(faults())
    for fault in found:
        print(fault)  # noqa: T201
    return 1 if found else 0


def faults() -> Iterator[str]:
    """Every message of a language that is absent, left over, or not translated well."""
    sources = template()
    yield from (f"no singular: {message.id!r}" for message in sources if counts_without_singular(message))
    yield from (f"typewritten: {message.id!r}" for message in sources if any(map(STRAIGHT.search, _texts(message)[0])))
    wanted = {(message.id, message.context) for message in sources if message.id}
    for language in LANGUAGES:
        yield from _faults_of(language, wanted)


def _faults_of(language: str, wanted: Set[tuple[object, object]]) -> Iterator[str]:
    catalog = read(language)
    there = {(message.id, message.context) for message in catalog if message.id}
    for identity, _context in sorted(wanted - there, key=str):
        yield f"{language}: run `extract`: missing {identity!r}"
    for identity, _context in sorted(there - wanted, key=str):
        yield f"{language}: run `extract`: left over {identity!r}"
    for message in catalog:
        if message.id and (fault := fault_of(message, ALIKE[language])):
            yield f"{language}: {fault} {message.id!r}"
    for text in sorted(ALIKE[language] - {_texts(message)[0][0] for message in catalog if message.id}):
        yield f"{language}: in ALIKE, and no message any more: {text!r}"


def counts_without_singular(message: Message) -> bool:
    """Whether a message counts something that may be one, and has no plural forms."""
    if message.pluralizable or not message.id:
        return False
    return bool(set(_COUNT.findall(str(message.id))) - _NEVER_ONE)


def fault_of(message: Message, alike: Collection[str]) -> str:
    """What is wrong with a translated message; empty when nothing is. `alike` may read as in English."""
    if message.fuzzy:
        return "fuzzy:"
    if not _is_translated(message):
        return "not translated:"
    ids, strings = _texts(message)
    known = {name for text in ids for name in _PLACEHOLDER.findall(text)}
    if any(set(_PLACEHOLDER.findall(text)) - known for text in strings):
        return "placeholders that the source does not have:"
    if not message.pluralizable and set(_PLACEHOLDER.findall(strings[0])) != known:
        return "placeholders left out:"
    if ids[0] not in alike and strings[0] == ids[0] and any(map(str.isalpha, _PLACEHOLDER.sub("", ids[0]))):
        return "the same as the English:"
    if any(map(TYPEWRITTEN.search, strings)):
        return "typewritten:"
    return ""


def _texts(message: Message) -> tuple[Sequence[str], Sequence[str]]:
    """The source and the translation of a message, one text for each number."""
    ids, strings = (each if isinstance(each, list | tuple) else (each or "",) for each in (message.id, message.string))
    return ids, strings


def _is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, list | tuple) else bool(message.string)


COMMANDS: dict[str, Callable[[], int]] = {"extract": extract, "compile": compile_all, "check": check}


def main(arguments: list[str]) -> int:
    """Run one command."""
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)  # noqa: T201
        return 2
    return COMMANDS[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
