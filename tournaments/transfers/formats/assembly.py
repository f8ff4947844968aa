"""Checks what was read from a file as a whole, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.transfers.brought import SWISS, Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats.bounds import MAX_ROUNDS, check_count, unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import are_games


def assembled(
    format: str,
    players: Iterable[BroughtPlayer],
    stages: Iterable[BroughtStage] = (),
    losses: Losses | None = None,
    *,
    name: str = "",
    place: str = "",
    starts_at: datetime | None = None,
    best_of: int | None = None,
    apart: Iterable[tuple[str, str]] = (),
) -> Brought:
    """What was read, checked: keys are unique, matches name known players, and nobody plays twice in a round.

    Stages without a round, played or planned, are left out. Raises `InvalidInput` `transfer_unreadable` with the place.
    """
    made = Brought(
        format,
        tuple(players),
        tuple(stage for stage in stages if stage.rounds or stage.rounds_planned),
        name,
        place,
        starts_at,
        best_of,
        tuple(apart),
        losses.all() if losses else (),
    )
    _check_players(made.players)
    if made.rounds > MAX_ROUNDS:
        raise unreadable(_("The file has more than 30 rounds."))
    keys = {player.key for player in made.players}
    number = 0
    for stage in made.stages:
        for matches in stage.rounds:
            number += 1
            _check_round(matches, keys, number)
            if stage.kind == SWISS and number < made.rounds:
                _check_finished(matches, number)
    return made


def _check_players(players: Sequence[BroughtPlayer]) -> None:
    if not players:
        raise unreadable(_("There is no player in this file."))
    check_count(len(players))
    seen: set[str] = set()
    for number, player in enumerate(players, 1):
        where = _("Player no. %(number)d") % {"number": number}
        if not player.key:
            raise unreadable(_("This player has neither a name nor a number."), where)
        if player.key in seen:
            raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": player.key}, where)
        seen.add(player.key)


def _check_round(matches: Sequence[BroughtMatch], keys: set[str], number: int) -> None:
    seen: set[str] = set()
    for match in matches:
        if not 1 <= len(match.seats) <= 2 or (match.games and not are_games(*match.games)):
            raise unreadable(_("This match cannot be read."), _where(number, match))
        for seat in match.seats:
            if seat not in keys:
                why = _("“%(key)s” is not in the list of players.") % {"key": seat}
                raise unreadable(why, _where(number, match))
            if seat in seen:
                why = _("“%(key)s” plays twice in this round.") % {"key": seat}
                raise unreadable(why, _where(number, match))
            seen.add(seat)


def _check_finished(matches: Sequence[BroughtMatch], number: int) -> None:
    for match in matches:
        if match.games is None:
            raise unreadable(_("This match has no result, but there are later rounds."), _where(number, match))


def _where(number: int, match: BroughtMatch) -> str:
    told = {"number": number, "players": " – ".join(match.seats)}
    return _("Round %(number)d, %(players)s") % told
