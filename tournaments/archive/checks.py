"""What can be checked of an event file by itself: each check yields what does not hold."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from tournaments.accounts.models import Person, User
from tournaments.archive.faults import Fault, Faults
from tournaments.archive.floor import Floor, Result
from tournaments.archive.lines import canonical
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import SECTIONS, Row
from tournaments.archive.states import HAND, differing
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.scoring import read_scoring
from tournaments.events.visibility import read_visibility
from tournaments.play.field import round_seed, terms_of
from tournaments.play.models import Match
from tournaments.standings.services import row_as_json
from tournaments.swiss.bracket import NOBODY, to_seat
from tournaments.swiss.field import SwissError
from tournaments.swiss.pairing import ALGORITHM
from tournaments.swiss.pods import Pod, pair_pod
from tournaments.swiss.replies import verified
from tournaments.swiss.round_robin import round_robin
from tournaments.swiss.scoring import scoring_of
from tournaments.swiss.tables import ALGORITHM as TABLES
from tournaments.swiss.tables import seat_tables

BY_HAND = ("round.swapped", "round.bye_given", "round.seated", "round.mended", "round.kept")
# What the content of a file may make a computation raise: it is a fault of the file, never of the program.
BROKEN = (SwissError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
Tables = Counter[tuple[str, ...]]


def chain_faults(file: EventFile) -> Faults:
    """Lines that do not carry the hash of the line before them."""
    for number in file.unchained:
        yield Fault("line_unchained", number)


def reference_faults(file: EventFile) -> Faults:
    """Rows that name what is not in the file."""
    keys = {
        section.model: {_key(row, section.key) for row in file[section.name]} for section in SECTIONS if section.key
    }
    for section in SECTIONS:
        if section.key and len(keys[section.model]) < len(file[section.name]):
            yield Fault("listed_twice", where=section.name)
        for each in section.fields:
            model = each.related_model
            if model in (None, User, Person):
                continue
            for line, row in file.numbered(section.name):
                value = row[each.name]
                if value is not None and _flat([value]) not in keys[model]:
                    yield Fault("reference_missing", line, f"{section.name}.{each.name}")


def _key(row: Row, names: tuple[str, ...]) -> tuple[Any, ...]:
    return _flat([row[name] for name in names])


def _flat(parts: list[Any]) -> tuple[Any, ...]:
    return tuple(item for part in parts for item in (part if isinstance(part, list) else [part]))


def ledger_faults(file: EventFile) -> Faults:
    """Entries that are not what their hash says, or out of order; an end that is not the head's; notes changed."""
    previous, number = "", 0
    for line, row in file.numbered("ledger"):
        where = f"#{row['number']}"
        if row["number"] != number + 1:
            yield Fault("ledger_gap", line, where)
        if row["previous"] != previous:
            yield Fault("ledger_order", line, where)
        if ledger.entry_hash(_entry(file, row)) != row["hash"]:
            yield Fault("ledger_changed", line, where)
        previous, number = row["hash"], row["number"]
    if file.head["ledger"] != {"number": number, "hash": previous}:
        yield Fault("ledger_head", 1, f"#{number}")
    if file.head["event"] != file.event["public_id"]:
        yield Fault("reference_missing", 1, "head.event")
    digests = {row["number"]: row["note_digest"] for row in file["ledger"]}
    for line, row in file.numbered("note"):
        if digests.get(row["entry"]) != ledger.note_digest(row["salt"], row["text"]):
            yield Fault("note_changed", line, f"#{row['entry']}")


def _entry(file: EventFile, row: Row) -> LedgerEntry:
    return LedgerEntry(chain=file.event["public_id"], **{**row, "at": datetime.fromisoformat(row["at"])})


def setting_faults(file: EventFile) -> Faults:
    """Settings of the event that no page could read: its procedures, who sees what, what a match is worth."""
    line, row = file.numbered("event")[0]
    readers = (("procedures", read_procedures), ("visibility", read_visibility), ("scoring", read_scoring))
    for name, read in readers:
        try:
            read(row.get(name, {}))
        except InvalidInput as refusal:
            defects: list[Any] = refusal.details or [{}]
            for found in defects:
                place = found.get("path") or found.get("cell") or ""
                yield Fault(
                    "setting_invalid", line, f"event.{name}", f"{place} {found.get('code', 'wrong_type')}".strip()
                )


def result_faults(file: EventFile, floor: Floor) -> Faults:
    """Results that are not those the ledger told last."""
    told, now = floor.results_at(), floor.results_now()
    contested = {row["public_id"] for row in file["match"] if row["disputed"]}
    for line, row in file.numbered("match"):
        key = row["public_id"]
        if row["table"] is not None and key not in contested and told.get(key) != now.get(key):
            yield Fault(
                "result_unrecorded", line, key, differing("result", _result(told.get(key)), _result(now.get(key)))
            )


def _result(result: Result | None) -> str:
    """A result in few words, such as `2-0-0 played agreed`."""
    if result is None:
        return ""
    games = result.games
    score = "-".join(map(str, games)) if all(isinstance(each, int) for each in games) else str(games)
    return f"{score} {result.kind} {result.authority}"


def list_faults(file: EventFile) -> Faults:
    """Decklists and pools that are not those their digest names, or of which the ledger knows nothing."""
    kept = {
        entry["before"]["entrant"]: entry["object"]
        for entry in file["ledger"]
        if entry["code"] == "entrant.merged" and isinstance(entry["before"], dict)
    }
    for section, code in (("decklist", "deck.submitted"), ("pool", "pool.registered")):
        told = {
            (_merged(entry["object"], kept), entry["after"].get("version"), entry["after"].get("digest"))
            for entry in file["ledger"]
            if entry["code"] == code and isinstance(entry["after"], dict)
        }
        texts = {_key(row, ("entrant", "stage", "version")): row.get("text") for row in file[f"{section}.personal"]}
        for line, row in file.numbered(section):
            text = texts.get(_key(row, ("entrant", "stage", "version")))
            if not _is_digest(row, text):
                yield Fault("list_changed", line, f"{section} {row['entrant']} v{row['version']}")
            if (row["entrant"], row["version"], row["digest"]) not in told:
                yield Fault("list_unrecorded", line, f"{section} {row['entrant']} v{row['version']}")


def _merged(entrant: str, kept: Mapping[str, str]) -> str:
    """The entrant that an entrant was merged into, through every merge; a list goes over with it."""
    for _step in kept:
        entrant = kept.get(entrant, entrant)
    return entrant


def _is_digest(row: Row, text: str | None) -> bool:
    """Whether a list is the one its digest names. A list of a game without an engine is its text, if that is here."""
    if row.get("checked", True):
        cards = row["cards"] if "checked" in row else {"commander": None, "main": row["cards"]}
        return bool(hashlib.sha256(canonical(cards)).hexdigest() == row["digest"])
    return text is None or hashlib.sha256(text.encode()).hexdigest() == row["digest"]


def pairing_faults(file: EventFile, floor: Floor, stage: int, round_: Row, line: int) -> Faults:
    """A round whose seed is not its stage's, or whose tables are others when they are computed again."""
    where = f"round {round_['number']}"
    row = floor.stages[stage]
    thrown = sum(
        entry["code"] == "round.discarded" and entry["object"] == f"r{round_['number']}" for entry in file["ledger"]
    )
    seeds = {_seed(row, round_["number"], attempt) for attempt in range(thrown + 1)}
    if round_["seed"] not in seeds:
        yield Fault("seed_foreign", line, where)
    if round_["algorithm"].endswith(HAND):
        said = any(entry["code"] in BY_HAND and entry["object"] == f"r{round_['number']}" for entry in file["ledger"])
        if not said:
            yield Fault("hand_unrecorded", line, where)
        return
    floor = floor.as_of(round_["results_version"])
    found, computed = _tables_of(floor, round_), _computed(floor, stage, round_)
    if found not in computed:
        differs = (found - computed[0]) + (computed[0] - found)
        yield Fault("pairing_differs", line, where, "; ".join(" - ".join(ids) for ids in sorted(differs))[:500])


def _seed(stage: Row, number: int, attempt: int) -> int:
    return round_seed(Stage(seed=stage["seed"], number=stage["number"]), number, attempt)


def is_computable(round_: Row, stage: Row) -> bool:
    """Whether a round's algorithm is one of those known here."""
    known = {
        Stage.Kind.SWISS: ALGORITHM,
        Stage.Kind.PODS: f"pods-{ALGORITHM}",
        Stage.Kind.TABLES: TABLES,
        Stage.Kind.ROUND_ROBIN: "round-robin-1",
    }
    algorithm: str = round_["algorithm"]
    return algorithm.removesuffix(HAND) == known.get(stage["kind"], "bracket-1")


def _tables_of(floor: Floor, round_: Row) -> Tables:
    """Who sits together in a round, the byes included; who came later and missed it is left out."""
    return Counter(
        tuple(sorted(floor.ids_at(match)))
        for match in floor.matches[round_["number"]]
        if match["kind"] != Match.Kind.MISSED
    )


def _computed(floor: Floor, stage: int, round_: Row) -> list[Tables]:
    """The round as it is computed from the results it was paired from.

    In a bracket also from those of now: a corrected result seats the winner anew where nothing was played.
    """
    then = floor.results_at(round_["results_version"])
    row, number = floor.stages[stage], round_["number"]
    seated = {player for ids in _tables_of(floor, round_) for player in ids}
    gone = set(floor.entrants) - seated
    if row["kind"] == Stage.Kind.SWISS:
        return [_swiss(floor, stage, round_, gone)]
    if row["kind"] == Stage.Kind.TABLES:
        rounds, points = floor.table_rounds(stage, number, then)
        here = {player: points[player] for player in seated}
        found = seat_tables(here, rounds, seed=round_["seed"], usual=row["table_size"])
        return [_sorted(found.tables)]
    if row["kind"] == Stage.Kind.ROUND_ROBIN:
        met = round_robin(floor.entered(stage), twice=row["twice"])[number - row["first_round"]]
        here_ids = [tuple(player for player in pair if player in seated) for pair in met]
        return [_sorted(ids for ids in here_ids if ids)]
    if row["kind"] == Stage.Kind.PODS:
        return [_pods(floor, stage, round_, gone)]
    return [_bracket(floor, stage, number, results) for results in (then, floor.results_at())]


def _swiss(floor: Floor, stage: int, round_: Row, gone: set[str]) -> Tables:
    wishes = round_["wishes"]
    clubs, seeds = wishes.get("clubs", {}), wishes.get("seeds", {})
    options = wishes.get("options", {})
    known = floor.field(stage, floor.results_at(round_["results_version"]), before=round_["number"], gone=gone)
    given = _tables_of(floor, round_)
    awarded = options.get("awarded", {})
    byes = [ids[0] for ids in given if len(ids) == 1 and ids[0] not in awarded]
    told = verified({
        "players": [
            {"id": each.id, "dropped": each.dropped, "club": clubs.get(each.id, ""), "seed": seeds.get(each.id, 0)}
            for each in known.players
        ],
        "rounds": [
            {
                "matches": [
                    {"a": m.a, "b": m.b, "score": f"{m.games_a}-{m.games_b}-{m.drawn}", "kind": m.kind} for m in matches
                ]
            }
            for matches in known.rounds
        ],
        "options": {"seed": round_["seed"], **options},
        "version": round_["algorithm"],
        "pairs": [list(ids) for ids in given if len(ids) == 2],
        "bye": byes[0] if byes else None,
    })
    computed = Counter(given)
    for change in told["differs"]:
        for side, more in (("published", -1), ("computed", 1)):
            if change[side] is not None:
                ids = tuple(sorted(change[side])) if isinstance(change[side], list) else (change[side],)
                computed[ids] += more
    return +computed


def _pods(floor: Floor, stage: int, round_: Row, gone: set[str]) -> Tables:
    pods: dict[int, list[tuple[int, str]]] = {}
    for entry in floor.entries[stage]:
        pods.setdefault(entry["pod"], []).append((entry["place"], entry["entrant"]))
    tables: list[tuple[str, ...]] = []
    told = round_["wishes"].get("options", {})
    then = floor.results_at(round_["results_version"])
    for _number, seats in sorted(pods.items()):
        pod = Pod(tuple(player for _place, player in sorted(seats)))
        known = floor.field(stage, then, before=round_["number"], gone=gone, among=pod.players)
        if known.live():
            found = pair_pod(pod, known, seed=round_["seed"], scoring=scoring_of(told.get("scoring", {})))
            tables += [*found.pairs, *([(found.bye,)] if found.bye is not None else [])]
    return _sorted(tables)


def _bracket(floor: Floor, stage: int, number: int, results: Any) -> Tables:
    _made, slots = floor.bracket(stage, results, number)
    here = [(slot.winner,) if slot.state == "walkover" else (slot.a, slot.b) for slot in to_seat(slots)]
    return _sorted([tuple(player for player in ids if player not in (None, NOBODY)) for ids in here])


def _sorted(tables: Any) -> Tables:
    return Counter(tuple(sorted(ids)) for ids in tables)


def standings_faults(floor: Floor, row: Row, line: int) -> Faults:
    """Standings that are others when they are computed again from the results."""
    stage = floor.stages[row["stage"]]
    rows = [row_as_json(each) for each in floor.ranking(row["stage"], floor.results_now())]
    if (row["scheme"], row["terms"]) != (stage["scheme"], list(terms_of(stage["scheme"]))):
        yield Fault("standings_differ", line, f"stage {row['stage']}", row["scheme"][:60])
    for told, computed in zip(row["rows"], rows, strict=False):
        kept = {"byes": computed["byes"], **told}  # files of before say nothing of byes
        if kept != computed:
            yield Fault("standings_differ", line, f"stage {row['stage']}", _row_differs(computed, kept))
    if len(row["rows"]) != len(rows):
        yield Fault("standings_differ", line, f"stage {row['stage']}")


def _row_differs(computed: Row, kept: Row) -> str:
    """The first column of a row of standings that is another, and whose row it is."""
    name = next((name for name in computed if kept.get(name) != computed[name]), "columns")
    return differing(f"{computed['entrant']} {name}", computed.get(name), kept.get(name))


@contextmanager
def guarded(faults: Callable[[Fault], None], line: int, where: str) -> Iterator[None]:
    """Take what a computation raises over the content of a file as a fault of the file."""
    try:
        yield
    except BROKEN as error:
        faults(Fault("cannot_compute", line, where, getattr(error, "code", type(error).__name__)))
