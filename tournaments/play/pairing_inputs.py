"""What the pairing of a round is computed from besides the results.

That is the stage's pairing settings, forbidden pairs, clubs, seeds, awarded byes and fixed tables. The inputs of a
round are stored with it, so that its pairing can be verified later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.letters import folded
from tournaments.common.refusals import Refusal
from tournaments.events.hall_tables import tables_of
from tournaments.events.models import Entrant, Stage
from tournaments.events.scoring import read_scoring
from tournaments.play.field import field_of, worth_of
from tournaments.play.merged_entrants import merges_after, undo_merge
from tournaments.play.models import AwardedBye, Match, Round
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.options import FOLD, SLIDE, STANDING, Options
from tournaments.swiss.pairing import ALGORITHM


@dataclass(frozen=True)
class PairingInputs:
    """The inputs of a pairing: options, forbidden pairs, and the club and seed of players by public id.

    `places` are the tables of the hall; empty if tables are counted from 1.
    """

    options: Options = field(default_factory=Options)
    forbidden: tuple[tuple[str, str], ...] = ()
    clubs: Mapping[str, str] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    places: tuple[int, ...] = ()

    def on(self, known: Field) -> Field:
        """The field with clubs and seeds added to its players."""
        if not (self.clubs or self.seeds):
            return known
        players = (
            replace(player, club=self.clubs.get(player.id, ""), seed=self.seeds.get(player.id, 0))
            for player in known.players
        )
        return Field(tuple(players), known.rounds)

    def as_json(self) -> dict[str, Any]:
        """The form stored in `Round.wishes`, without values that are the default.

        `options` has the shape of the command line of `tournaments.swiss`.
        """
        plain = Options()
        names = ("order", "scheme", "last", "clubs", "sides", "awarded", "tables")
        options = {name: getattr(self.options, name) for name in names}
        changed: dict[str, Any] = {name: value for name, value in options.items() if value != getattr(plain, name)}
        if scoring := self.options.scoring.as_json():
            changed["scoring"] = scoring
        if self.forbidden:
            changed["forbidden"] = [list(pair) for pair in self.forbidden]
        stored = {"options": changed, "clubs": dict(self.clubs), "seeds": dict(self.seeds)}
        return {name: value for name, value in stored.items() if value}


def pairing_inputs_of(stage: Stage, number: int, entrants: Sequence[Entrant]) -> PairingInputs:
    """The inputs that apply now to round `number` of a stage; only registered ones of `entrants` count."""
    playing = {entrant.public_id: entrant for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    places = tables_of(stage)
    tables = fixed_tables(playing.values(), places)
    scoring = worth_of(stage)
    if stage.kind != Stage.Kind.SWISS:
        return PairingInputs(Options(tables=tables, scoring=scoring), places=places)
    last = stage.rounds_planned is not None and number - stage.first_round + 1 == stage.rounds_planned
    order = STANDING if last and stage.last_by_standing else stage.pairing_order
    asked = AwardedBye.objects.filter(stage=stage, number=number).values_list("entrant__public_id", "kind")
    pairs = stage.event.forbidden_pairs.values_list("first__public_id", "second__public_id")
    return PairingInputs(
        options=Options(
            order=order,
            scheme=stage.scheme if order == STANDING else Options().scheme,
            last=last and stage.clubs_apart,
            clubs=stage.clubs_apart,
            sides=stage.even_sides,
            awarded={player: kind for player, kind in sorted(asked) if player in playing},
            tables=tables,
            # The floor of win percentages only separates players with equal points, so it matters only where the
            # pairing follows the standings.
            scoring=replace(scoring, floor=read_scoring(stage.event.scoring).floor) if order == STANDING else scoring,
        ),
        forbidden=tuple(sorted(pair for pair in pairs if set(pair) <= playing.keys())),
        clubs=_clubs(playing.values()) if stage.clubs_apart and not last else {},
        seeds=_seeds(stage, playing) if order in (FOLD, SLIDE) else {},
        places=places,
    )


def _seeds(stage: Stage, playing: Mapping[str, Entrant]) -> dict[str, int]:
    """The seeds of a stage; for a first Swiss stage, which has no entries, those that the organizer gave."""
    if stage.number == 1:
        return {player: entrant.seed for player, entrant in playing.items() if entrant.seed is not None}
    return dict(stage.entries.values_list("entrant__public_id", "seed"))


def fixed_tables(entrants: Any, places: Sequence[int] = ()) -> dict[str, int]:
    """The fixed table of each entrant who has one, by public id. Tables outside `places` are ignored."""
    here = set(places)
    return {
        entrant.public_id: entrant.fixed_table
        for entrant in entrants
        if entrant.fixed_table is not None and (not here or entrant.fixed_table in here)
    }


def cannot_pair(error: SwissError) -> Refusal:
    """The refusal for a field that has no pairing (`cannot_pair`), or too few tables (`tables_short`)."""
    if error.code == "tables_short":
        return Refusal("tables_short", _("There are more pairings than tables: give the stage more tables."))
    return Refusal("cannot_pair", _("These entrants cannot be paired."), details=[error.code])


def _clubs(entrants: Any) -> dict[str, str]:
    """A number for the club of each player, by public id; case, accents and spacing are ignored.

    Numbers instead of names, because the inputs are stored with the round: a club may be a family, and a person's data
    can be erased.
    """
    named = {entrant.public_id: " ".join(folded(entrant.club).split()) for entrant in entrants if entrant.club}
    numbers = {club: str(number) for number, club in enumerate(sorted(set(named.values())), 1)}
    return {player: numbers[club] for player, club in sorted(named.items())}


def awarded_in(round_: Round) -> dict[str, str]:
    """The kinds of the byes that were awarded in a paired round, by public id."""
    awarded: dict[str, str] = round_.wishes.get("options", {}).get("awarded", {})
    return awarded


def is_reproducible(round_: Round) -> bool:
    """Whether a round can be computed again: a Swiss round of the current algorithm without manual edits."""
    # A manual edit appends `+hand` to the algorithm, so the comparison rules edited rounds out too.
    return round_.stage.kind == Stage.Kind.SWISS and round_.algorithm == ALGORITHM


def inputs_of(round_: Round) -> dict[str, Any]:
    """A round and everything it was paired from, in the form that `python -m tournaments.swiss verify` reads.

    Players who were not seated in the round are marked as dropped. Results corrected since appear as they are now.
    Entrants merged since appear as two again.
    """
    matches = list(round_.matches.exclude(kind=Match.Kind.MISSED).prefetch_related("seats__entrant").order_by("table"))
    seated = [[seat.entrant.public_id for seat in sorted(m.seats.all(), key=lambda s: s.number)] for m in matches]
    awarded = awarded_in(round_)
    there = {player for players in seated for player in players}
    known = field_of(round_.stage, before=round_.number)
    clubs, seeds = round_.wishes.get("clubs", {}), round_.wishes.get("seeds", {})
    # An awarded bye is an input (an option); only the bye that the pairing itself gave is an output.
    byes = [players[0] for players in seated if len(players) == 1 and players[0] not in awarded]
    inputs: dict[str, Any] = {
        "players": [{"id": player.id, "dropped": player.id not in there} for player in known.players],
        "rounds": [
            {
                "matches": [
                    {"a": m.a, "b": m.b, "score": f"{m.games_a}-{m.games_b}-{m.drawn}", "kind": m.kind} for m in matches
                ]
            }
            for matches in known.rounds
        ],
        "options": {"seed": round_.seed, **round_.wishes.get("options", {})},
        "version": round_.algorithm,
        "pairs": [players for players in seated if len(players) == 2],
        "bye": byes[0] if byes else None,
    }
    for merged in merges_after(round_.stage.event.public_id, round_.results_version):
        undo_merge(inputs, round_.number, merged)
    for player in inputs["players"]:
        player |= {"club": clubs.get(player["id"], ""), "seed": seeds.get(player["id"], 0)}
    return inputs
