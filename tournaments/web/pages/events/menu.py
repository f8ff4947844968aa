"""The menu of an event's staff pages, in groups; the pages needed in the current state of the event come first."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.events.models import Event, Stage
from tournaments.play.models import Round

Status = Event.Status


@dataclass(frozen=True)
class Link:
    """A link to a page."""

    words: str
    address: str


@dataclass(frozen=True)
class Group:
    """Links under a heading; `key` identifies the group in the template."""

    key: str
    words: str
    links: list[Link]


NEEDED_NOW: dict[str, tuple[str, ...]] = {
    Status.DRAFT: (
        "staff_details",
        "staff_stages",
        "staff_registration",
        "staff_format",
        "staff_team",
        "staff_entrants",
    ),
    Status.REGISTRATION: (
        "staff_applications",
        "staff_entrants",
        "staff_announcements",
        "staff_team",
        "printing",
        "decks",
    ),
    Status.LOCKED: ("staff_entrants", "decks", "judge", "staff_meeting", "staff_announcements", "printing"),
    Status.CHECK_IN: ("staff_entrants", "staff_meeting", "staff_announcements", "printing", "judge", "screens"),
    Status.RUNNING: (
        *("staff_draft", "staff_pools", "staff_round", "staff_results", "staff_late", "staff_entrants", "judge"),
        *("staff_announcements", "printing", "screens"),
    ),
    Status.FINISHED: ("standings", "staff_prizes", "exports", "decks", "statistics", "printing"),
}
"""The URL names of the pages needed in each state of an event, most used first. Other states use those of FINISHED."""

AFTERWARDS = ("standings", "staff_prizes", "staff_qualify", "exports", "decks", "statistics", "staff_ledger")


def menu_of(
    event: Event, stage: Stage, rounds: Sequence[Round], may: Collection[str], traits: Collection[str]
) -> list[Group]:
    """The groups of links for somebody who `may` do these actions.

    `traits` are those of the event among `approval`, `meeting`, `prizes`, `paid`, `draft` and `pooled`. No page is in
    two groups, and empty groups are left out.
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
    """Links to the rounds, newest first. While the event runs, the newest round itself is in the first group."""
    shown = rounds[:-1] if running else rounds
    return [
        Link(
            _("Round %(number)d") % {"number": round_.number},
            reverse("web:staff_round", args=[event.public_id, round_.number]),
        )
        for round_ in reversed(shown)
    ]


_Page = tuple[str, str, bool, list[int]]
"""A page of the menu: its URL name, its words, whether it is shown, and the numbers in its address."""


def _every(
    event: Event, stage: Stage, rounds: Sequence[Round], may: Collection[str], traits: Collection[str]
) -> dict[str, Link]:
    """All pages that this person may open, by URL name, in the order in which an event is set up."""
    newest = rounds[-1] if rounds and event.status == Status.RUNNING else None
    pages = [
        *_pages_of_setup(event, may),
        *_pages_before_play(stage, may, traits),
        *_pages_of_round(newest, may),
        *_pages_of_results(event, may, traits, begun=bool(rounds)),
    ]
    return {
        name: Link(words, reverse(f"web:{name}", args=[event.public_id, *numbers]))
        for name, words, shown, numbers in pages
        if shown
    }


def _pages_of_setup(event: Event, may: Collection[str]) -> list[_Page]:
    manage = "manage_event" in may
    return [
        ("staff_details", _("Details of the event"), manage, []),
        ("staff_stages", _("Stages"), manage, []),
        ("staff_format", _("Deck format"), manage, []),
        ("staff_cards", _("Cards"), manage and event.has_engine, []),
        ("staff_procedures", _("Procedures"), manage, []),
        ("staff_categories", _("Prize categories"), manage, []),
        ("staff_pairing", _("Pairing settings"), "run_desk" in may, []),
        ("staff_seeds", _("Seeds"), manage, []),
        ("staff_scheme", _("Tiebreaks"), manage, []),
        ("staff_visibility", _("Who sees what"), manage, []),
        ("staff_registration", _("Registration"), manage, []),
        ("staff_teams", _("Teams"), manage or event.is_team_event, []),
        ("staff_sites", _("Embedding"), manage, []),
        ("staff_team", _("Staff"), "invite_staff" in may, []),
        ("event_webhooks", _("Webhooks"), manage, []),
    ]


def _pages_before_play(stage: Stage, may: Collection[str], traits: Collection[str]) -> list[_Page]:
    return [
        ("staff_entrants", _("Entrants and lists"), True, []),
        ("staff_applications", _("Applications"), "run_desk" in may and "approval" in traits, []),
        ("staff_payments", _("Prices and payments"), "run_desk" in may and "paid" in traits, []),
        ("staff_meeting", _("Player meeting"), "meeting" in traits, []),
        ("staff_draft", _("Booster Draft"), "run_desk" in may and "draft" in traits, [stage.number]),
        ("staff_pools", _("Pools"), "pooled" in traits, []),
        ("staff_announcements", _("Announcements"), True, []),
        ("printing", _("Print"), True, []),
        ("screens", _("Screens"), True, []),
        ("judge", _("Judges"), "judge" in may, []),
    ]


def _pages_of_round(newest: Round | None, may: Collection[str]) -> list[_Page]:
    """The pages of the newest round, None unless the event runs."""
    if newest is None:
        return []
    of_round = [newest.number]
    open_ = newest.status == Round.Status.PUBLISHED
    return [
        ("staff_round", _("Round %(number)d") % {"number": newest.number}, True, of_round),
        ("staff_results", _("Results"), "run_desk" in may and open_, of_round),
        ("staff_late", _("Late players"), "note_lateness" in may and open_, of_round),
    ]


def _pages_of_results(event: Event, may: Collection[str], traits: Collection[str], *, begun: bool) -> list[_Page]:
    return [
        ("standings", _("Standings"), begun, []),
        ("staff_prizes", _("Prizes"), "prizes" in traits, []),
        ("staff_qualify", _("Qualification"), "manage_event" in may and event.is_over, []),
        ("exports", _("Exports"), True, []),
        ("decks", _("Decklists"), "read_decks" in may, []),
        ("statistics", _("Statistics"), "read_decks" in may and event.has_engine, []),
        ("staff_ledger", _("Ledger"), True, []),
    ]
