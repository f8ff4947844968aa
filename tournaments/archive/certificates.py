"""Swiss rounds that say they are proven: proven again, by code that shares nothing with the pairing."""

from tournaments.archive.faults import Fault, Faults
from tournaments.archive.floor import Floor
from tournaments.archive.sections import Row
from tournaments.events.models import Stage
from tournaments.play.models import Match
from tournaments.swiss.certificate import Position, Worth, refusals
from tournaments.swiss.proof import prove


def says_proven(floor: Floor, round_: Row) -> bool:
    """Whether a round was published as one of which no pairing is better."""
    return floor.stages[round_["stage"]]["kind"] == Stage.Kind.SWISS and bool(round_["certified"])


def certificate_faults(floor: Floor, round_: Row, line: int) -> Faults:
    """A round that says it is proven, and of which the tables are not the best by the results it was paired from."""
    floor = floor.as_of(round_["results_version"])
    options = round_["wishes"].get("options", {})
    awarded = options.get("awarded", {})
    tables = [floor.ids_at(match) for match in floor.matches[round_["number"]] if match["kind"] != Match.Kind.MISSED]
    seated = {player for ids in tables for player in ids}
    results = floor.results_at(round_["results_version"])
    known = floor.field(round_["stage"], results, before=round_["number"], gone=set(floor.entrants) - seated)
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
