"""Checks again that certified Swiss rounds have the best possible pairing.

The proof is computed by `swiss.proof` and checked by `swiss.certificate`, which share no code with the pairing itself.
"""

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.sections import Row
from tournaments.archive.tournament import Tournament
from tournaments.events.models import Stage
from tournaments.play.models import Match
from tournaments.swiss.certificate import Position, Worth, refusals
from tournaments.swiss.proof import prove


def says_proven(tournament: Tournament, round_: Row) -> bool:
    """Whether a Swiss round was published with a proof that no pairing is better."""
    return tournament.stages[round_["stage"]]["kind"] == Stage.Kind.SWISS and bool(round_["certified"])


def certificate_faults(tournament: Tournament, round_: Row, line: int) -> Faults:
    """Yield a fault if the tables of a certified round are not the best for the results it was paired from.

    Yields `too_large_to_prove` if the round is too large for the proof to be computed; the caller does not count that
    as a fault.
    """
    tournament = tournament.as_of(round_["results_version"])
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
