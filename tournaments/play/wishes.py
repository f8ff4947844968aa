"""What the pairing of a round is asked for: the stage's options, and what staff and players said of single entrants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant, Stage
from tournaments.events.scoring import read_scoring
from tournaments.events.tables import tables_of
from tournaments.play.field import field_of, worth_of
from tournaments.play.merges import merges_after, take_apart
from tournaments.play.models import AwardedBye, Match, Round
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.options import FOLD, SLIDE, STANDING, Options
from tournaments.swiss.pairing import ALGORITHM


@dataclass(frozen=True)
class Wishes:
    """The options of `swiss.pair`, the forbidden pairs, and what the field says of a player: club and seed, by id.

    `places` are the tables of the hall, none where they are counted from 1.
    """

    options: Options = field(default_factory=Options)
    forbidden: tuple[tuple[str, str], ...] = ()
    clubs: Mapping[str, str] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    places: tuple[int, ...] = ()

    def on(self, known: Field) -> Field:
        """The field with clubs and seeds on its players."""
        if not (self.clubs or self.seeds):
            return known
        players = (
            replace(player, club=self.clubs.get(player.id, ""), seed=self.seeds.get(player.id, 0))
            for player in known.players
        )
        return Field(tuple(players), known.rounds)

    def as_json(self) -> dict[str, Any]:
        """As a round keeps them: `options` in the shape of the command line; what is not asked for is left out."""
        plain = Options()
        names = ("order", "scheme", "last", "clubs", "sides", "awarded", "tables")
        options = {name: getattr(self.options, name) for name in names}
        told: dict[str, Any] = {name: value for name, value in options.items() if value != getattr(plain, name)}
        if scoring := self.options.scoring.as_json():
            told["scoring"] = scoring
        if self.forbidden:
            told["forbidden"] = [list(pair) for pair in self.forbidden]
        kept = {"options": told, "clubs": dict(self.clubs), "seeds": dict(self.seeds)}
        return {name: value for name, value in kept.items() if value}


def wishes_of(stage: Stage, number: int, entrants: Sequence[Entrant]) -> Wishes:
    """What holds now for round `number` of a stage; of these entrants, those who play."""
    playing = {entrant.public_id: entrant for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    places = tables_of(stage)
    tables = fixed_tables(playing.values(), places)
    scoring = worth_of(stage)
    if stage.kind != Stage.Kind.SWISS:
        return Wishes(Options(tables=tables, scoring=scoring), places=places)
    last = stage.rounds_planned is not None and number - stage.first_round + 1 == stage.rounds_planned
    order = STANDING if last and stage.last_by_standing else stage.pairing_order
    asked = AwardedBye.objects.filter(stage=stage, number=number).values_list("entrant__public_id", "kind")
    pairs = stage.event.forbidden_pairs.values_list("first__public_id", "second__public_id")
    seeds = stage.entries.values_list("entrant__public_id", "seed") if order in (FOLD, SLIDE) else ()
    return Wishes(
        options=Options(
            order=order,
            scheme=stage.scheme if order == STANDING else Options().scheme,
            last=last and stage.clubs_apart,
            clubs=stage.clubs_apart,
            sides=stage.even_sides,
            awarded={player: kind for player, kind in sorted(asked) if player in playing},
            tables=tables,
            # The floor parts players of equal points alone, so it counts only where standings order them.
            scoring=replace(scoring, floor=read_scoring(stage.event.scoring).floor) if order == STANDING else scoring,
        ),
        forbidden=tuple(sorted(pair for pair in pairs if set(pair) <= playing.keys())),
        clubs=_clubs(playing.values()) if stage.clubs_apart and not last else {},
        seeds=dict(seeds),
        places=places,
    )


def fixed_tables(entrants: Any, places: Sequence[int] = ()) -> dict[str, int]:
    """The table that an entrant needs, by id; one that this stage does not have is not kept."""
    here = set(places)
    return {
        entrant.public_id: entrant.fixed_table
        for entrant in entrants
        if entrant.fixed_table is not None and (not here or entrant.fixed_table in here)
    }


def cannot_pair(error: SwissError) -> Refusal:
    """Why a field has no pairing, or no room."""
    if error.code == "tables_short":
        return Refusal("tables_short", _("There are more pairings than tables: give the stage more of them."))
    return Refusal("cannot_pair", _("This field cannot be paired."), details=[error.code])


def _clubs(entrants: Any) -> dict[str, str]:
    """A number for each club, so that a round keeps no name; capitals and spaces make no other club."""
    named = {entrant.public_id: " ".join(entrant.club.split()).casefold() for entrant in entrants if entrant.club}
    numbers = {club: str(number) for number, club in enumerate(sorted(set(named.values())), 1)}
    return {player: numbers[club] for player, club in sorted(named.items())}


def awarded_in(round_: Round) -> dict[str, str]:
    """The kind of bye of each entrant to whom one was awarded in a paired round, by id."""
    awarded: dict[str, str] = round_.wishes.get("options", {}).get("awarded", {})
    return awarded


def computable(round_: Round) -> bool:
    """Whether a round can be computed again: Swiss, by the algorithm of now, and not changed by hand."""
    return round_.stage.kind == Stage.Kind.SWISS and round_.algorithm == ALGORITHM


def inputs_of(round_: Round) -> dict[str, Any]:
    """A round with all that it was paired from, as `python -m tournaments.swiss verify` reads it.

    Who was not seated in it was gone, or not there yet. Results corrected since are those of now; entries merged since
    are two.
    """
    matches = list(round_.matches.exclude(kind=Match.Kind.MISSED).prefetch_related("seats__entrant").order_by("table"))
    seated = [[seat.entrant.public_id for seat in sorted(m.seats.all(), key=lambda s: s.number)] for m in matches]
    awarded = awarded_in(round_)
    there = {player for players in seated for player in players}
    known = field_of(round_.stage, before=round_.number)
    clubs, seeds = round_.wishes.get("clubs", {}), round_.wishes.get("seeds", {})
    byes = [players[0] for players in seated if len(players) == 1 and players[0] not in awarded]
    told: dict[str, Any] = {
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
        take_apart(told, round_.number, merged)
    for player in told["players"]:
        player |= {"club": clubs.get(player["id"], ""), "seed": seeds.get(player["id"], 0)}
    return told
