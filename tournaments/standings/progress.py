"""How one entrant does in an event: the match being played, the earlier ones, and the place in the standings."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import stages_begun
from tournaments.play.access import shown_rounds
from tournaments.play.loading import matches_of_entrant
from tournaments.play.models import Match, Round
from tournaments.play.selectors import newest_shown_round
from tournaments.standings.access import shows_standings
from tournaments.standings.selectors import standings_of


@dataclass(frozen=True)
class Place:
    """A row of the standings of a stage, which count its results up to round `after` of the event."""

    stage: Stage
    after: int
    row: Mapping[str, Any]


@dataclass(frozen=True)
class Progress:
    """What some readers may see of an entrant now.

    - `round`: the newest round, whose clock everybody may see; None before the first
    - `match`: the entrant's match in it, while it is played
    - `earlier`: all other matches, oldest first
    - `place`: None before the first standings, or if they are hidden
    - `pairings_hidden`, `standings_hidden`: whether the event does not show these now
    """

    round: Round | None
    match: Match | None
    earlier: list[Match]
    place: Place | None
    pairings_hidden: bool
    standings_hidden: bool


def progress_of(entrant: Entrant, event: Event, readers: Collection[str]) -> Progress:
    """The progress of an entrant of `event`; `readers` are kinds of reader, as `events.access.readers_of` returns them.

    The number of queries grows neither with the entrants nor with the rounds.
    """
    newest = newest_shown_round(event)
    shown = {round_.pk for round_ in shown_rounds(event, readers)}
    matches = [match for match in matches_of_entrant(event, entrant) if match.round_id in shown]
    open_ = newest.pk if newest is not None and newest.status == Round.Status.PUBLISHED else None
    place, hidden = _place(entrant, event, readers)
    return Progress(
        round=newest,
        match=next((match for match in matches if match.round_id == open_), None),
        earlier=[match for match in matches if match.round_id != open_],
        place=place,
        pairings_hidden=newest is not None and newest.pk not in shown,
        standings_hidden=hidden,
    )


def _place(entrant: Entrant, event: Event, readers: Collection[str]) -> tuple[Place | None, bool]:
    """The place in the last stage that ranks the entrant, and whether the standings of that stage are hidden."""
    for stage in reversed(stages_begun(event)):
        state = standings_of(stage)
        row = next((row for row in state.rows if row["entrant"] == entrant.public_id), None)
        if row is not None and shows_standings(readers, stage):
            return Place(stage, stage.first_round - 1 + state.round_number, row), False
        if row is not None:
            return None, True
    return None, False
