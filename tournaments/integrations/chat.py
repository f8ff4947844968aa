"""Messages in words for Discord and Slack, in the language of the webhook's owner.

They go to channels that anybody may read, so they say no more than the public page of the event shows at that moment.
"""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.announcements.models import Announcement
from tournaments.common.mail import address_of
from tournaments.common.models import LedgerEntry
from tournaments.common.names import one_line
from tournaments.events.models import Event
from tournaments.events.selectors import off_stream, public_names
from tournaments.events.visibility import PUBLIC
from tournaments.integrations.models import Delivery, Webhook
from tournaments.play.models import Round
from tournaments.standings.access import shows_all_standings, shows_standings
from tournaments.standings.selectors import final_rows, ranking_of

DISCORD, SLACK = Webhook.Format.DISCORD, Webhook.Format.SLACK
LONGEST = {DISCORD: 2000, SLACK: 3000}  # characters of a message
SHOWN = 8  # ranks of the standings
# The hosts of each service, and how the paths of its webhooks begin.
PLACES = {
    DISCORD: (("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"), "/api/webhooks/"),
    SLACK: (("hooks.slack.com", "hooks.slack-gov.com"), "/services/"),
}
_MARKUP = re.compile(r"([\\*_~`|>#\[\]()<+-])")
_NO_WIDTH = "\u200b"  # behind an @, nobody is mentioned
Lines = list[str]


def fits(format_: str, url: str) -> bool:
    """Whether a URL is that of a webhook of this service. Our own format goes anywhere."""
    if format_ == Webhook.Format.ARBITRE:
        return True
    hosts, path = PLACES[Webhook.Format(format_)]
    parts = urlsplit(url)
    local = settings.WEBHOOK_LOCALHOST and parts.hostname in ("localhost", "127.0.0.1")
    return (parts.hostname in hosts or local) and parts.path.startswith(path)


def message_of(delivery: Delivery) -> dict[str, Any] | None:
    """The body of a message, as its service takes it; None if there is nothing to say, or nothing the public may know.

    Standings are computed here, so it must not be called inside a transaction.
    """
    webhook = delivery.webhook
    with translation.override(webhook.owner.language):
        if not delivery.chain:
            return written(webhook.format, [_("Arbitre can post here.")], address_of("/"))
        event = Event.objects.get(public_id=delivery.chain)
        entry = LedgerEntry.objects.get(chain=delivery.chain, number=delivery.number or 0)
        lines = WORDS[entry.code](event, entry) if event.is_for_everybody else []
    link = address_of(reverse("web:event", args=[event.public_id]))
    return written(webhook.format, lines, link) if lines else None


def written(format_: str, lines: Lines, link: str) -> dict[str, Any]:
    """The body for a service: the lines, of which the last ones are left out where there is no room, and a link.

    What people typed can neither mention anybody nor change how the text looks.
    """
    room = LONGEST[Webhook.Format(format_)] - len(link) - 3
    kept: Lines = []
    for line in map(_escaped_for(format_), lines):
        if len("\n".join([*kept, line])) > room:
            break
        kept.append(line)
    if format_ == DISCORD:
        content = "\n".join([*kept, f"<{link}>"])
        return {"content": content, "allowed_mentions": {"parse": []}}
    return {"text": "\n".join([*kept, link]), "mrkdwn": False, "link_names": False, "unfurl_links": False}


def _escaped_for(format_: str) -> Callable[[str], str]:
    return _for_discord if format_ == DISCORD else _for_slack


def _for_discord(line: str) -> str:
    return _MARKUP.sub(r"\\\1", one_line(line)).replace("@", "@" + _NO_WIDTH)


def _for_slack(line: str) -> str:
    text = one_line(line).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("@", "@" + _NO_WIDTH)


def _round(event: Event, entry: LedgerEntry, status: Round.Status) -> Round | None:
    """The round of an entry, if it still has this status: what was undone is not told."""
    rounds = Round.objects.filter(stage__event=event, status=status).select_related("stage__event")
    return rounds.filter(number=int(entry.object.removeprefix("r"))).first()


def _published(event: Event, entry: LedgerEntry) -> Lines:
    round_ = _round(event, entry, Round.Status.PUBLISHED)
    words = {"number": round_.number, "event": event.name} if round_ else {}
    return [_("Round %(number)s of %(event)s is published.") % words] if round_ else []


def _closed(event: Event, entry: LedgerEntry) -> Lines:
    round_ = _round(event, entry, Round.Status.CLOSED)
    if round_ is None:
        return []
    lines = [_("Round %(number)s of %(event)s is over.") % {"number": round_.number, "event": event.name}]
    if shows_standings({PUBLIC}, round_.stage):
        rows = ranking_of(round_.stage).rows[:SHOWN]
        lines += [f"{row.rank}. {name} ({row.points})" for row, name in zip(rows, _names(event, rows), strict=True)]
    return lines


def _finished(event: Event, entry: LedgerEntry) -> Lines:
    if not event.is_over:
        return []
    lines = [_("%(event)s is over.") % {"event": event.name}]
    if shows_all_standings({PUBLIC}, event):
        names = _public_names(event)
        first = [names[row["entrant"]] for row in final_rows(event) if row["rank"] == 1]
        if first:
            lines.append(_("Winner: %(name)s") % {"name": " / ".join(first[:SHOWN])})
    return lines


def _announced(event: Event, entry: LedgerEntry) -> Lines:
    made = Announcement.objects.filter(public_id=entry.object, withdrawn_at=None, stage=None, match=None).first()
    return [_("Announcement: %(event)s") % {"event": event.name}, made.text] if made else []


def _names(event: Event, rows: Any) -> list[str]:
    names = _public_names(event)
    return [names[row.player] for row in rows]


def _public_names(event: Event) -> dict[str, str]:
    """The names that everybody may read, by public id; withheld for players who keep theirs off screens."""
    withheld = set(off_stream(event).values())
    return {key: _("name withheld") if key in withheld else name for key, name in public_names(event).items()}


def _of_event(words: Callable[[], str]) -> Callable[[Event, LedgerEntry], Lines]:
    return lambda event, entry: [words() % {"event": event.name}]


WORDS: dict[str, Callable[[Event, LedgerEntry], Lines]] = {
    "event.opened": _of_event(lambda: _("Registration is open: %(event)s")),
    "event.started": _of_event(lambda: _("%(event)s has started")),
    "event.finished": _finished,
    "event.cancelled": _of_event(lambda: _("%(event)s is cancelled")),
    "round.published": _published,
    "round.closed": _closed,
    "result.contested": _of_event(lambda: _("A result is contested: %(event)s")),
    "announcement.made": _announced,
}
