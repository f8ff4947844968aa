"""The decklists of a team together: the limit of copies across them, which is checked whenever one of them changes."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from engine.face.lists import of_one_deck
from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.decks.engine_gate import judge_team
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import team_lists
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage


class Rejudged(NamedTuple):
    """A decklist with other violations than before, and whether it was legal until then."""

    decklist: Decklist
    was_legal: bool


def judge_together(team: Entrant, stage: Stage) -> list[Rejudged]:
    """Check the current lists of a team against its limit; save those that changed, and return them.

    Call it with the team locked, so that no team mate submits meanwhile. It is fast: no text is read.
    """
    if stage.team_deck_limit is None:
        return []
    lists = [each for each in team_lists(team, stage) if each.checked]
    found = judge_team(stage, {person_of(each): each.cards for each in lists})
    changed = []
    for each in lists:
        violations = [*of_one_deck(each.violations), *found.get(person_of(each), [])]
        if violations != each.violations:
            was_legal = each.legal
            each.violations, each.legal = violations, not violations
            each.save(update_fields=["violations", "legal"])
            changed.append(Rejudged(each, was_legal))
    return changed


def person_of(decklist: Decklist) -> str:
    """The public id of the person whose list it is; "" for the list of an entrant of one."""
    return decklist.member.person.public_id if decklist.member else ""


def member_in_ledger(decklist: Decklist) -> dict[str, str]:
    """How the ledger says whose list it is: nothing for the list of an entrant of one."""
    return {"member": person_of(decklist)} if decklist.member else {}


def verdicts_in_ledger(
    event: Event, team: Entrant, changed: Iterable[Rejudged], by: User, now: datetime
) -> list[ledger.Entry]:
    """The entries for the lists that became legal or illegal."""
    return [
        ledger.Entry(
            event.public_id,
            by.public_id,
            "deck.judged_again",
            team.public_id,
            now,
            before={"legal": was_legal},
            after={"version": decklist.version, "legal": decklist.legal, **member_in_ledger(decklist)},
        )
        for decklist, was_legal in changed
        if decklist.legal != was_legal
    ]


def follow_leaving(sender: object, event: Event, team: Entrant, by: User, now: datetime, **_signal: Any) -> None:
    """Check the lists of a team again after a member left with theirs. Receives `events.signals.member_left`."""
    changed = judge_together(team, current_stage(event))
    if entries := verdicts_in_ledger(event, team, changed, by, now):
        ledger.record_all(entries)
