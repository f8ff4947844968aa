"""Prize categories: prizes for the best junior, the best of each club or faction, or the best of those picked by hand.

A category is won by the best rank in the final ranking among the entrants that its rule takes in.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.names import as_name, one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event, Question
from tournaments.events.questions import TICKED
from tournaments.events.services import record
from tournaments.standings.models import PrizeCategory, PrizePick

Rule = PrizeCategory.Rule
MOST = 20
MOST_PICKED = 500
LONGEST_NAME, LONGEST_VALUE = 80, 100
TELLS = (Rule.ANSWER, Rule.CLUB)
"""The rules by which a winner makes known what only the desk could read."""
_OVER = (Event.Status.ARCHIVED, Event.Status.CANCELLED)


def categories_of(event: Event) -> list[PrizeCategory]:
    """The prize categories of an event, in the order in which they are given."""
    return list(event.prize_categories.select_related("question").prefetch_related("picks__entrant"))


def add_category(
    *,
    event: Event,
    name: str,
    rule: str,
    by: User,
    now: datetime,
    question: int | None = None,
    value: str = "",
    entrants: Collection[str] = (),
    makes_known: bool = False,
) -> PrizeCategory:
    """Add a prize category after the others.

    `question` and `value` are the number of a question with options, or with a sentence to tick, and the answer to it.
    For the rules `club` and `faction`, an empty `value` gives a prize to the best of each. `entrants` are public ids,
    for the rule `picked`.

    Raises InvalidInput `category_invalid` (with the names of the fields), and `makes_known` unless it is confirmed that
    winners show their club or their answer; Refusal `event_state`, `too_many_categories`.
    """
    with transaction.atomic():
        event = _open_event(event.pk)
        wanted, picked = _read(event, name, rule, question, value, entrants)
        if rule in TELLS and not makes_known:
            sentence = _("Everybody who sees the winners will learn this about them. Confirm that this is intended.")
            raise InvalidInput("makes_known", sentence)
        if event.prize_categories.count() >= MOST:
            raise Refusal("too_many_categories", _("An event has at most 20 prize categories: remove one first."))
        last = event.prize_categories.aggregate(number=Max("number"), position=Max("position"))
        number, position = ((last[each] or 0) + 1 for each in ("number", "position"))
        category = PrizeCategory.objects.create(event=event, number=number, position=position, **wanted)
        _pick(category, picked)
        # Names and clubs stay out of the ledger, where they could never be changed again.
        after = {"number": number, "rule": rule, "question": question, "picked": len(picked)}
        record(event, by, "prize.category_added", now, after=after)
    return category


def change_category(
    *,
    category: PrizeCategory,
    by: User,
    now: datetime,
    name: str | None = None,
    entrants: Collection[str] | None = None,
) -> PrizeCategory:
    """Change the name of a category, or who is picked for it; what is not given stays. Idempotent.

    Raises InvalidInput `category_invalid`, Refusal `event_state`.
    """
    with transaction.atomic():
        event = _open_event(category.event_id)
        category = event.prize_categories.get(pk=category.pk)
        fresh = category.name if name is None else as_name(name, LONGEST_NAME + 1)
        before = sorted(category.picks.values_list("entrant__public_id", flat=True))
        wanted = before if entrants is None else sorted(set(entrants))
        picked = _entrants(event, wanted)
        _refuse({"name": not 0 < len(fresh) <= LONGEST_NAME, "entrants": _wrongly_picked(category.rule, picked)})
        changed = [*(["name"] if fresh != category.name else []), *(["entrants"] if wanted != before else [])]
        if changed:
            category.name = fresh
            category.save(update_fields=["name"])
            category.picks.all().delete()
            _pick(category, picked or [])
            record(event, by, "prize.category_changed", now, after={"number": category.number, "fields": changed})
    return category


def move_category(*, category: PrizeCategory, earlier: bool, by: User, now: datetime) -> None:
    """Give a category one place earlier, or later. At the end of the list nothing changes. Refused: `event_state`."""
    with transaction.atomic():
        event = _open_event(category.event_id)
        order = list(event.prize_categories.all())
        at = next((place for place, each in enumerate(order) if each.pk == category.pk), None)
        to = None if at is None else at - 1 if earlier else at + 1
        if at is None or to is None or not 0 <= to < len(order):
            return
        order[at], order[to] = order[to], order[at]
        for position, each in enumerate(order, start=1):
            event.prize_categories.filter(pk=each.pk).update(position=position)
        record(event, by, "prize.category_moved", now, after={"order": [each.number for each in order]})


def remove_category(*, category: PrizeCategory, by: User, now: datetime) -> None:
    """Remove a category. Idempotent. Refused: `event_state`."""
    with transaction.atomic():
        event = _open_event(category.event_id)
        if event.prize_categories.filter(pk=category.pk).delete()[0]:
            record(event, by, "prize.category_removed", now, after={"number": category.number})


def askable(event: Event) -> list[Question]:
    """The questions of an event by whose answers a category can go: those with options, or with a sentence to tick."""
    kinds = (Question.Kind.CHOICE, Question.Kind.CONSENT)
    return list(event.questions.filter(removed_at=None, kind__in=kinds))


def _open_event(pk: int) -> Event:
    event = Event.objects.select_for_update().get(pk=pk)
    if event.status in _OVER:
        raise Refusal("event_state", _("The event is over."))
    return event


def _read(
    event: Event, name: str, rule: str, question: int | None, value: str, entrants: Collection[str]
) -> tuple[dict[str, Any], list[Entrant]]:
    """The fields of a new category, checked, and the entrants picked for it."""
    name, value = as_name(name, LONGEST_NAME + 1), one_line(value)
    asked = next((each for each in askable(event) if each.number == question), None)
    if asked is not None and asked.kind == Question.Kind.CONSENT:
        value = value or TICKED
    options = [] if asked is None else asked.options or [TICKED]
    picked = _entrants(event, sorted(set(entrants)))
    by_answer = rule == Rule.ANSWER
    _refuse({
        "name": not 0 < len(name) <= LONGEST_NAME,
        "rule": rule not in Rule.values,
        "question": asked is None if by_answer else question is not None,
        "value": value not in options if by_answer else len(value) > (0 if rule == Rule.PICKED else LONGEST_VALUE),
        "entrants": _wrongly_picked(rule, picked),
    })
    return {"name": name, "rule": rule, "question": asked if by_answer else None, "value": value}, picked or []


def _wrongly_picked(rule: str, picked: Sequence[Entrant] | None) -> bool:
    return picked is None or (bool(picked) and rule != Rule.PICKED)


def _refuse(faults: dict[str, bool]) -> None:
    wrong = [name for name, is_wrong in faults.items() if is_wrong]
    if wrong:
        sentence = _("A prize category needs a name and a complete rule.")
        raise InvalidInput("category_invalid", sentence, details=wrong)


def _entrants(event: Event, wanted: Sequence[str]) -> list[Entrant] | None:
    """The entrants with these public ids; None if one is not in the event, or there are too many."""
    if len(wanted) > MOST_PICKED:
        return None
    found = list(event.entrants.filter(public_id__in=wanted))
    return found if len(found) == len(wanted) else None


def _pick(category: PrizeCategory, picked: Collection[Entrant]) -> None:
    PrizePick.objects.bulk_create(PrizePick(category=category, entrant=entrant) for entrant in picked)
