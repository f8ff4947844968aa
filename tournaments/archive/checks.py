"""The checks of an event file that compute something again: hashes, references, results, pairings, standings.

Each `…_faults` function yields the faults that it finds. `states.py` and `records.py` compare rows with the ledger.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from tournaments.accounts.models import Person, User
from tournaments.archive.faults import Fault, Faults
from tournaments.archive.lines import canonical
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import SECTIONS, Row
from tournaments.archive.states import HAND, differing
from tournaments.archive.tournament import Result, Tournament
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
from tournaments.swiss.tables import SOLVED, recounted, seat_tables

# Ledger codes of manual changes to a round.
BY_HAND = ("round.swapped", "round.bye_given", "round.seated", "round.mended", "round.kept")
# A file may contain anything, so a computation on its content may raise these: faults of the file, not of the program.
BROKEN = (SwissError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
Tables = Counter[tuple[str, ...]]  # how often these entrants, in sorted order, sit together: order of tables is ignored


def chain_faults(file: EventFile) -> Faults:
    """Yield a fault for each line that does not have the hash of the previous line."""
    for number in file.unchained:
        yield Fault("line_unchained", number)


def reference_faults(file: EventFile) -> Faults:
    """Yield faults for references to rows that are not in the file, and for sections in which a key occurs twice."""
    keys = {
        section.model: {_key(row, section.key) for row in file[section.name]} for section in SECTIONS if section.key
    }
    for section in SECTIONS:
        if section.key and len(keys[section.model]) < len(file[section.name]):
            yield Fault("listed_twice", where=section.name)
        for each in section.fields:
            model = each.related_model
            # Accounts are in no file, and persons only in the personal part, which may be missing.
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
    """Verify the chain of the ledger: numbers, previous hashes, hashes, the head, and the digests of notes."""
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
    """Yield invalid settings of the event, on which pages would fail: procedures, visibility and scoring.

    `detail` has the place of the invalid value and the code of the defect.
    """
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


def result_faults(file: EventFile, tournament: Tournament) -> Faults:
    """Yield matches whose result is not the last one that the ledger recorded. Disputed matches are skipped."""
    recorded, now = tournament.results_at(), tournament.results_now()
    contested = {row["public_id"] for row in file["match"] if row["disputed"]}
    for line, row in file.numbered("match"):
        key = row["public_id"]
        if row["table"] is not None and key not in contested and recorded.get(key) != now.get(key):
            yield Fault(
                "result_unrecorded", line, key, differing("result", _result(recorded.get(key)), _result(now.get(key)))
            )


def _result(result: Result | None) -> str:
    """A result as a short text, such as `2-0-0 played agreed`; empty for none."""
    if result is None:
        return ""
    games = result.games
    score = "-".join(map(str, games)) if all(isinstance(each, int) for each in games) else str(games)
    return f"{score} {result.kind} {result.authority}"


def list_faults(file: EventFile) -> Faults:
    """Yield decklists and pools that do not match their digest, or that the ledger did not record."""
    merged_into = {
        entry["before"]["entrant"]: entry["object"]
        for entry in file["ledger"]
        if entry["code"] == "entrant.merged" and isinstance(entry["before"], dict)
    }
    for section, code in (("decklist", "deck.submitted"), ("pool", "pool.registered")):
        recorded = {
            (_merged(entry["object"], merged_into), *_named_in(entry["after"]))
            for entry in file["ledger"]
            if entry["code"] == code and isinstance(entry["after"], dict)
        }
        texts = {_key(row, ("entrant", "stage", "version")): row.get("text") for row in file[f"{section}.personal"]}
        for line, row in file.numbered(section):
            text = texts.get(_key(row, ("entrant", "stage", "version")))
            if not _is_digest(row, text):
                yield Fault("list_changed", line, f"{section} {row['entrant']} v{row['version']}")
            if (row["entrant"], row["version"], row["digest"], _person_of(row)) not in recorded:
                yield Fault("list_unrecorded", line, f"{section} {row['entrant']} v{row['version']}")


def _named_in(after: Mapping[str, Any]) -> list[Any]:
    """What an entry says of the list that was submitted."""
    return [after.get(name) for name in ("version", "digest", "member")]


def _person_of(row: Row) -> str | None:
    """The person whose decklist it is in a team; None for a pool, and for the list of an entrant of one."""
    member = row.get("member")
    return str(member[-1]) if member else None


def _merged(entrant: str, merged_into: Mapping[str, str]) -> str:
    """The entrant that remains after all merges of `entrant`; decklists and pools move to it.

    `merged_into` maps each merged entrant to the one that it was merged into.
    """
    for _step in merged_into:  # bounded, since a forged file may merge entrants in a circle
        entrant = merged_into.get(entrant, entrant)
    return entrant


def _is_digest(row: Row, text: str | None) -> bool:
    """Whether a decklist or pool matches its digest.

    The digest is of the cards. For a game without an engine (not `checked`) it is of the text, which is only in the
    personal part: without that, the digest cannot be checked.
    """
    if row.get("checked", True):
        cards = row["cards"] if "checked" in row else {"commander": None, "main": row["cards"]}
        return bool(hashlib.sha256(canonical(cards)).hexdigest() == row["digest"])
    return text is None or hashlib.sha256(text.encode()).hexdigest() == row["digest"]


def pairing_faults(file: EventFile, tournament: Tournament, stage: int, round_: Row, line: int) -> Faults:
    """Yield faults if the seed of a round does not come from its stage, or if pairing it again gives other tables.

    A round that was changed by hand cannot be paired again; its change must be in the ledger.
    """
    where = f"round {round_['number']}"
    row = tournament.stages[stage]
    discarded = sum(
        entry["code"] == "round.discarded" and entry["object"] == f"r{round_['number']}" for entry in file["ledger"]
    )
    # Pairing again after a draft was discarded may use a new seed: one more is possible for each discarded draft.
    seeds = {_seed(row, round_["number"], attempt) for attempt in range(discarded + 1)}
    if round_["seed"] not in seeds:
        yield Fault("seed_foreign", line, where)
    if round_["algorithm"].endswith(HAND):
        recorded = any(
            entry["code"] in BY_HAND and entry["object"] == f"r{round_['number']}" for entry in file["ledger"]
        )
        if not recorded:
            yield Fault("hand_unrecorded", line, where)
        return
    tournament = tournament.as_of(round_["results_version"])
    if round_["algorithm"] == SOLVED:
        yield from _cost_faults(tournament, round_, line)
        return
    found, computed = _tables_of(tournament, round_), _computed(tournament, stage, round_)
    if found not in computed:
        differs = (found - computed[0]) + (computed[0] - found)
        yield Fault("pairing_differs", line, where, "; ".join(" - ".join(ids) for ids in sorted(differs))[:500])


def _cost_faults(tournament: Tournament, round_: Row, line: int) -> Faults:
    """Count tables again that a solver found, as another version of it might find others that are as good."""
    found = recounted(*seated_at(tournament, round_), effort=0)
    said = {level: round_["cost"].get(level) for level in found.cost}
    if said != found.cost:
        yield Fault("cost_differs", line, f"round {round_['number']}", f"{found.cost}")


def seated_at(tournament: Tournament, round_: Row) -> tuple[dict[str, int], list[list[list[str]]], list[list[str]]]:
    """The points and tables before a round of multiplayer tables, and its own tables: the arguments of `recounted`."""
    then = tournament.results_at(round_["results_version"])
    rounds, points = tournament.table_rounds(round_["stage"], round_["number"], then)
    tables = [list(ids) for ids in _tables_of(tournament, round_) if len(ids) > 1]
    return {player: points[player] for ids in tables for player in ids}, rounds, tables


def _seed(stage: Row, number: int, attempt: int) -> int:
    return round_seed(Stage(seed=stage["seed"], number=stage["number"]), number, attempt)


def is_computable(round_: Row, stage: Row) -> bool:
    """Whether this installation has the version of the algorithm that a round was paired with."""
    known = {
        Stage.Kind.SWISS: ALGORITHM,
        Stage.Kind.PODS: f"pods-{ALGORITHM}",
        Stage.Kind.TABLES: TABLES,
        Stage.Kind.ROUND_ROBIN: "round-robin-1",
    }
    algorithm: str = round_["algorithm"]
    algorithm = algorithm.removesuffix(HAND)
    solved = stage["kind"] == Stage.Kind.TABLES and algorithm == SOLVED
    return solved or algorithm == known.get(stage["kind"], "bracket-1")


def _tables_of(tournament: Tournament, round_: Row) -> Tables:
    """The tables of a round, byes included. Late entrants have a `missed` match for it, which is left out."""
    return Counter(
        tuple(sorted(tournament.ids_at(match)))
        for match in tournament.matches[round_["number"]]
        if match["kind"] != Match.Kind.MISSED
    )


def _computed(tournament: Tournament, stage: int, round_: Row) -> list[Tables]:
    """Compute the tables of a round from the results it was paired from; any one of the returned ones is valid.

    A bracket is also computed from the current results, since correcting a result reseats matches that have none yet.
    """
    then = tournament.results_at(round_["results_version"])
    row, number = tournament.stages[stage], round_["number"]
    # Whoever has no seat in the round (a drop, a late entry) was not there to be paired.
    seated = {player for ids in _tables_of(tournament, round_) for player in ids}
    gone = set(tournament.entrants) - seated
    if row["kind"] == Stage.Kind.SWISS:
        return [_swiss(tournament, stage, round_, gone)]
    if row["kind"] == Stage.Kind.TABLES:
        rounds, points = tournament.table_rounds(stage, number, then)
        here = {player: points[player] for player in seated}
        found = seat_tables(here, rounds, seed=round_["seed"], usual=row["table_size"], effort=0)
        return [_sorted(found.tables)]
    if row["kind"] == Stage.Kind.ROUND_ROBIN:
        met = round_robin(tournament.entered(stage), twice=row["twice"])[number - row["first_round"]]
        here_ids = [tuple(player for player in pair if player in seated) for pair in met]
        return [_sorted(ids for ids in here_ids if ids)]
    if row["kind"] == Stage.Kind.PODS:
        return [_pods(tournament, stage, round_, gone)]
    return [_bracket(tournament, stage, number, results) for results in (then, tournament.results_at())]


def _swiss(tournament: Tournament, stage: int, round_: Row, gone: set[str]) -> Tables:
    inputs = round_["wishes"]
    clubs, seeds = inputs.get("clubs", {}), inputs.get("seeds", {})
    options = inputs.get("options", {})
    known = tournament.field(
        stage, tournament.results_at(round_["results_version"]), before=round_["number"], gone=gone
    )
    published = _tables_of(tournament, round_)
    awarded = options.get("awarded", {})
    byes = [ids[0] for ids in published if len(ids) == 1 and ids[0] not in awarded]
    reply = verified({
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
        "pairs": [list(ids) for ids in published if len(ids) == 2],
        "bye": byes[0] if byes else None,
    })
    computed = Counter(published)
    for change in reply["differs"]:
        for side, more in (("published", -1), ("computed", 1)):
            if change[side] is not None:
                ids = tuple(sorted(change[side])) if isinstance(change[side], list) else (change[side],)
                computed[ids] += more
    return +computed


def _pods(tournament: Tournament, stage: int, round_: Row, gone: set[str]) -> Tables:
    pods: dict[int, list[tuple[int, str]]] = {}
    for entry in tournament.entries[stage]:
        pods.setdefault(entry["pod"], []).append((entry["place"], entry["entrant"]))
    tables: list[tuple[str, ...]] = []
    options = round_["wishes"].get("options", {})
    then = tournament.results_at(round_["results_version"])
    for _number, seats in sorted(pods.items()):
        pod = Pod(tuple(player for _place, player in sorted(seats)))
        known = tournament.field(stage, then, before=round_["number"], gone=gone, among=pod.players)
        if known.live():
            found = pair_pod(pod, known, seed=round_["seed"], scoring=scoring_of(options.get("scoring", {})))
            tables += [*found.pairs, *([(found.bye,)] if found.bye is not None else [])]
    return _sorted(tables)


def _bracket(tournament: Tournament, stage: int, number: int, results: Any) -> Tables:
    _made, slots = tournament.bracket(stage, results, number)
    here = [(slot.winner,) if slot.state == "walkover" else (slot.a, slot.b) for slot in to_seat(slots)]
    return _sorted([tuple(player for player in ids if player not in (None, NOBODY)) for ids in here])


def _sorted(tables: Any) -> Tables:
    return Counter(tuple(sorted(ids)) for ids in tables)


def standings_faults(tournament: Tournament, row: Row, line: int) -> Faults:
    """Yield faults if computing the standings of a stage again from its results gives other rows."""
    stage = tournament.stages[row["stage"]]
    rows = [row_as_json(each) for each in tournament.ranking(row["stage"], tournament.results_now())]
    if (row["scheme"], row["terms"]) != (stage["scheme"], list(terms_of(stage["scheme"]))):
        yield Fault("standings_differ", line, f"stage {row['stage']}", row["scheme"][:60])
    for written, computed in zip(row["rows"], rows, strict=False):
        row_in_file = {"byes": computed["byes"], **written}  # older files do not have `byes`
        if row_in_file != computed:
            yield Fault("standings_differ", line, f"stage {row['stage']}", _row_differs(computed, row_in_file))
    if len(row["rows"]) != len(rows):
        yield Fault("standings_differ", line, f"stage {row['stage']}")


def _row_differs(computed: Row, row_in_file: Row) -> str:
    """The first column in which two rows of standings differ, with the entrant and both values."""
    name = next((name for name in computed if row_in_file.get(name) != computed[name]), "columns")
    return differing(f"{computed['entrant']} {name}", computed.get(name), row_in_file.get(name))


@contextmanager
def guarded(faults: Callable[[Fault], None], line: int, where: str) -> Iterator[None]:
    """Report an exception that the content of the file caused (see `BROKEN`) as the fault `cannot_compute`."""
    try:
        yield
    except BROKEN as error:
        faults(Fault("cannot_compute", line, where, getattr(error, "code", type(error).__name__)))
