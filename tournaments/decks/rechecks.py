"""Check the registered decklists of an event by another card catalogue, before the event is moved to it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from tournaments.decks.engine_gate import describe, has_cards, is_pooled, judge, judge_team, read_list
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import Choice, current_lists, current_pools
from tournaments.decks.team_decks import person_of
from tournaments.events.models import Event, Stage
from tournaments.events.selectors import current_stage


@dataclass(frozen=True)
class Recheck:
    """What another catalogue makes of a decklist: its cards, their digest, and the broken rules.

    `event` is the event as if it had that catalogue.

    If the catalogue lacks cards of the list, they come from its text, read again. If that cannot be read with the
    catalogue, the cards stay as they were, and the list is illegal.
    """

    event: Event
    decklist: Decklist
    cards: Mapping[str, Any]
    digest: str
    violations: list[dict[str, Any]]
    legal: bool

    @property
    def changes_verdict(self) -> bool:
        """Whether the list becomes legal, or no longer is."""
        return self.legal != self.decklist.legal

    @property
    def entrant(self) -> str:
        """The public id of the entrant."""
        return self.decklist.entrant.public_id

    def as_json(self, language: str, *, reasons: bool) -> dict[str, Any]:
        """The recheck for pages and the API; `reasons` is whether the reader may know what is in the list."""
        said = {"entrant": self.entrant, "name": self.decklist.full_name, "legal": self.legal}
        return {**said, "violations": describe(self.event, self.violations, language) if reasons else []}


def rechecks(event: Event, choice: Choice) -> list[Recheck]:
    """Check the current decklists of an event by another catalogue. Reads only, and may take long."""
    stage = _with_catalogue(event, choice)
    pools = {pool.entrant_id: pool.cards for pool in current_pools(stage)} if is_pooled(stage) else {}
    lists = (
        current_lists(stage)
        .select_related("entrant__event", "member__person")
        .prefetch_related("entrant__member_set__person")
    )
    found = [_recheck(stage, decklist, pools.get(decklist.entrant_id)) for decklist in lists.filter(checked=True)]
    return _with_team_limit(stage, found)


def _with_team_limit(stage: Stage, found: list[Recheck]) -> list[Recheck]:
    """Add what the decks of each team hold too often together."""
    teams: defaultdict[int, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for each in found:
        if each.decklist.member:
            teams[each.decklist.entrant_id][person_of(each.decklist)] = each.cards
    too_often = {key: judge_team(stage, decks) for key, decks in teams.items()}
    return [_limited(each, too_often.get(each.decklist.entrant_id, {})) for each in found]


def _limited(again: Recheck, of_team: Mapping[str, list[dict[str, Any]]]) -> Recheck:
    more = of_team.get(person_of(again.decklist), [])
    return replace(again, violations=[*again.violations, *more], legal=again.legal and not more) if more else again


def pools_fit(event: Event, choice: Choice) -> bool:
    """Whether another catalogue has all cards of the registered pools."""
    stage = _with_catalogue(event, choice)
    return all(has_cards(stage.event, pool.cards) for pool in current_pools(stage))


def _with_catalogue(event: Event, choice: Choice) -> Stage:
    """The current stage, as if the event had another catalogue already. It must not be saved."""
    stage, other = current_stage(event), copy(event)
    other.catalog, other.catalog_sha256 = choice.catalog, choice.sha256
    stage.event = other
    return stage


def _recheck(stage: Stage, decklist: Decklist, pool: Mapping[str, int] | None) -> Recheck:
    cards = decklist.cards
    known = has_cards(stage.event, _refs(cards))
    if not known:
        reading = read_list(stage, decklist.text, "en", pool)
        if not reading.faults:
            found = reading.violations
            return Recheck(stage.event, decklist, reading.cards, reading.digest, found, not found)
    violations = judge(stage, cards, pool)
    return Recheck(stage.event, decklist, cards, decklist.digest, violations, known and not violations)


def _refs(cards: Mapping[str, Any]) -> Collection[str]:
    lead = cards.get("commander")
    return {*cards.get("main", {}), *cards.get("side", {}), *([lead] if lead else [])}
