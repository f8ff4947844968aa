"""The pages of an event's staff in groups: what is needed now comes first, whatever the state of the event."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.events.models import Event, Stage
from tournaments.play.models import Round

Status = Event.Status


@dataclass(frozen=True)
class Link:
    """A page: its words and its address."""

    words: str
    address: str


@dataclass(frozen=True)
class Group:
    """Pages under a heading; `key` names it in the page."""

    key: str
    words: str
    links: list[Link]


NEEDED_NOW: dict[str, tuple[str, ...]] = {
    Status.DRAFT: ("staff_details", "staff_stages", "staff_format", "staff_team", "staff_entrants"),
    Status.REGISTRATION: ("staff_entrants", "staff_announcements", "staff_team", "printing", "decks"),
    Status.LOCKED: ("staff_entrants", "decks", "judge", "staff_meeting", "staff_announcements", "printing"),
    Status.CHECK_IN: ("staff_entrants", "staff_meeting", "staff_announcements", "printing", "judge", "screens"),
    Status.RUNNING: (
        *("staff_draft", "staff_pools", "staff_round", "staff_results", "staff_late", "staff_entrants", "judge"),
        *("staff_announcements", "printing", "screens"),
    ),
    Status.FINISHED: ("standings", "staff_prizes", "exports", "decks", "statistics", "printing"),
}
"""By the state of the event, the pages used every day; the everyday ones first. Other states are those of the end."""

AFTERWARDS = ("standings", "staff_prizes", "exports", "decks", "statistics", "staff_ledger")


def menu_of(
    event: Event, stage: Stage, rounds: Sequence[Round], may: Collection[str], traits: Collection[str]
) -> list[Group]:
    """The groups of links for somebody who `may` make these gestures; `traits` of the event: meeting, prizes, draft,
    pooled. No page stands in two groups, and a group without pages is left out.
    """
    every = _every(event, stage, rounds, may, traits)
    wanted = NEEDED_NOW.get(event.status, NEEDED_NOW[Status.FINISHED])
    now = [name for name in wanted if name in every]
    later = [name for name in AFTERWARDS if name in every and name not in now]
    setting_up = [name for name in every if name not in now and name not in later]
    found = [
        Group("now", _("Needed now"), _links(every, now)),
        Group("setting-up", _("Setting up"), _links(every, setting_up)),
        Group("afterwards", _("After the event"), _links(every, later)),
        Group("rounds", _("Earlier rounds"), _earlier(event, rounds, running="staff_round" in now)),
    ]
    return [group for group in found if group.links]


def _links(every: dict[str, Link], names: Iterable[str]) -> list[Link]:
    return [every[name] for name in names]


def _earlier(event: Event, rounds: Sequence[Round], *, running: bool) -> list[Link]:
    """The desks of the rounds but for the newest, which is needed now while the event is running."""
    shown = rounds[:-1] if running else rounds
    return [
        Link(
            _("Round %(number)d") % {"number": round_.number},
            reverse("web:staff_round", args=[event.public_id, round_.number]),
        )
        for round_ in reversed(shown)
    ]


def _every(
    event: Event, stage: Stage, rounds: Sequence[Round], may: Collection[str], traits: Collection[str]
) -> dict[str, Link]:
    """All pages this person may open at this event, by the name of their route, in the order of setting up."""
    newest = rounds[-1] if rounds and event.status == Status.RUNNING else None
    open_ = newest is not None and newest.status == Round.Status.PUBLISHED
    of_round = [newest.number] if newest else []
    manage, desk = "manage_event" in may, "run_desk" in may
    rows: list[tuple[str, str, bool, list[int]]] = [
        ("staff_details", _("Details of the event"), manage, []),
        ("staff_stages", _("Stages"), manage, []),
        ("staff_format", _("Deck format"), manage, []),
        ("staff_cards", _("Cards"), manage and event.has_engine, []),
        ("staff_procedures", _("Procedures"), manage, []),
        ("staff_pairing", _("What pairing minds"), desk, []),
        ("staff_scheme", _("Tiebreaks"), manage, []),
        ("staff_visibility", _("Who sees what"), manage, []),
        ("staff_team", _("Team"), "invite_staff" in may, []),
        ("event_webhooks", _("Webhooks"), manage, []),
        ("staff_entrants", _("Entrants and lists"), True, []),
        ("staff_meeting", _("Player meeting"), "meeting" in traits, []),
        ("staff_draft", _("Booster Draft"), desk and "draft" in traits, [stage.number]),
        ("staff_pools", _("Pools"), "pooled" in traits, []),
        ("staff_announcements", _("Announcements"), True, []),
        ("printing", _("Print"), True, []),
        ("screens", _("Screens"), True, []),
        ("judge", _("Judges"), "judge" in may, []),
        ("staff_round", _("Round %(number)d") % {"number": newest.number} if newest else "", bool(newest), of_round),
        ("staff_results", _("Results desk"), desk and open_, of_round),
        ("staff_late", _("Late players"), "note_lateness" in may and open_, of_round),
        ("standings", _("Standings"), bool(rounds), []),
        ("staff_prizes", _("Prizes"), "prizes" in traits, []),
        ("exports", _("Exports"), True, []),
        ("decks", _("Decklists"), "read_decks" in may, []),
        ("statistics", _("Statistics"), "read_decks" in may and event.has_engine, []),
        ("staff_ledger", _("Ledger"), True, []),
    ]
    return {
        name: Link(words, reverse(f"web:{name}", args=[event.public_id, *more]))
        for name, words, shown, more in rows
        if shown
    }
