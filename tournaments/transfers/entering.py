"""Enters the players of a file in an event."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.names import FullName, as_name, split_name
from tournaments.decks.entry_lists import enter_lists_of
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.entry_files import MAX_NAME, address_in, is_address, valid_address
from tournaments.events.models import Entrant, Event
from tournaments.transfers.brought import BroughtPlayer


def name_of(player: BroughtPlayer, number: int) -> FullName:
    """The name of a player in its parts: as the file keeps them apart, or split as pasted names are.

    Who has no name, or an e-mail address for one, is called by a number: names are public.
    """
    name = FullName(as_name(player.given_name, MAX_NAME), as_name(player.family_name, MAX_NAME))
    if not name.given:
        name = split_name(as_name(player.name, 2 * MAX_NAME) or name.family)
    if not name.given or is_address(f"{name.given} {name.family}"):
        return FullName(_("Player %(number)d") % {"number": number}, "")
    return FullName(name.given[:MAX_NAME], name.family[:MAX_NAME], name.family_first)


def enter_players(
    *, event: Event, players: Sequence[BroughtPlayer], by: User, now: datetime, source: str = ""
) -> dict[str, Entrant]:
    """Enter everybody in a new event, and return the entrants by the key that the file has for each.

    Their decklists are submitted at once, before the event goes on to a state in which lists are locked. What became of
    them is found by `source` (`decks.entry_lists.submitted`). Addresses are kept, and nobody is invited yet.
    """
    people = [_newcomer(player, number) for number, player in enumerate(players, 1)]
    entered = enter_people(event=event, people=people, by=by, now=now, source=source)
    enter_lists_of(event=event, now=now)
    return {player.key: entrant for player, entrant in zip(players, entered.entrants, strict=True)}


def _newcomer(player: BroughtPlayer, number: int) -> Newcomer:
    name = name_of(player, number)
    return Newcomer(
        given_name=name.given,
        family_name=name.family,
        family_first=name.family_first,
        club="" if is_address(player.club) else player.club,
        email=valid_address(player.email) or address_in(player.name or player.given_name),
        decklist=player.decklist,
        line=number,
    )
