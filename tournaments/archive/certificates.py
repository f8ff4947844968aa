"""Checks again that certified rounds have the best possible pairing.

For Swiss rounds the proof is computed by `swiss.proof` and checked by `swiss.certificate`, which share no code with the
pairing itself. For multiplayer tables it is found again: by counting, or else by the solver, if it is installed.
"""

from tournaments.archive.checks import seated_at
from tournaments.archive.faults import Fault, Faults
from tournaments.archive.sections import Row
from tournaments.archive.tournament import Tournament
from tournaments.events.models import Stage
from tournaments.play.models import Match
from tournaments.swiss import table_solver
from tournaments.swiss.certificate import Position, Worth, refusals
from tournaments.swiss.proof import prove
from tournaments.swiss.tables import recounted

PROVABLE = (Stage.Kind.SWISS, Stage.Kind.TABLES)
UNPROVEN = ("too_large_to_prove", "needs_solver")


def says_proven(tournament: Tournament, round_: Row) -> bool:
    """Whether a Swiss round, or one of multiplayer tables, was published as proven: no pairing is better."""
    return tournament.stages[round_["stage"]]["kind"] in PROVABLE and bool(round_["certified"])


def certificate_faults(tournament: Tournament, round_: Row, line: int) -> Faults:
    """Yield a fault if the tables of a certified round are not the best for the results it was paired from.

    Yields a fault of `UNPROVEN` if the proof cannot be computed here; the caller does not count that as a fault.
    """
    tournament = tournament.as_of(round_["results_version"])
    if tournament.stages[round_["stage"]]["kind"] == Stage.Kind.TABLES:
        yield from _table_faults(tournament, round_, line)
        return
    options = round_["wishes"].get("options", {})
    awarded = options.get("awarded", {})  # byes given before the pairing, which is not about them
    tables = [
        tournament.ids_at(match) for match in tournament.matches[round_["number"]] if match["kind"] != Match.Kind.MISSED
    ]
    seated = {player for ids in tables for player in ids}
    results = tournament.results_at(round_["results_version"])
    known = tournament.field(round_["stage"], results, before=round_["number"], gone=set(tournament.entrants) - seated)
    position = Position(
        seated - awarded.keys(), known.rounds, options.get("forbidden", ()), Worth.of(options.get("scoring", {}))
    )
    certificate = prove(position)
    where = f"round {round_['number']}"
    if certificate is None:
        yield Fault("too_large_to_prove", line, where)
        return
    pairs = [ids for ids in tables if len(ids) > 1]
    byes = [ids[0] for ids in tables if len(ids) == 1 and ids[0] not in awarded]
    if len(byes) > 1:
        yield Fault("certificate_refused", line, where, f"{len(byes)} byes")
        return
    for why in refusals(position, pairs, byes[0] if byes else None, certificate)[:1]:
        yield Fault("certificate_refused", line, where, why)


def _table_faults(tournament: Tournament, round_: Row, line: int) -> Faults:
    where = f"round {round_['number']}"
    points, rounds, tables = seated_at(tournament, round_)
    found = recounted(points, rounds, tables)
    if found.tables != tuple(map(tuple, tables)):
        yield Fault("certificate_refused", line, where, f"{found.cost}")
    elif not found.certified and table_solver.available():
        yield Fault("too_large_to_prove", line, where)
    elif not found.certified:
        yield Fault("needs_solver", line, where)
