"""Words for an event's procedures: sections, fields (`section.field`) and choices (`section.field.choice`)."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournaments.events.procedures import Ending, Entry
from tournaments.payments.money import shown
from tournaments.payments.selectors import Price
from tournaments.web.words.payments import price_words

SECTIONS: Mapping[str, Promise] = {
    "meeting": _("Player meeting"),
    "tardiness": _("Late players"),
    "late_entry": _("Late entry"),
    "match_end": _("When time is called"),
    "prizes": _("Prizes"),
    "entry": _("Entry fee"),
    "limited": _("Boosters"),
}

FIELDS: Mapping[str, Promise] = {
    "meeting.held": _("A player meeting is held before round 1"),
    "tardiness.grace": _("Grace period (minutes)"),
    "tardiness.game_loss": _("Minutes until a game loss"),
    "tardiness.match_loss": _("Minutes until a match loss"),
    "late_entry.allowed": _("Allow late entries"),
    "late_entry.last_round": _("Last round for late entries (0: the last one planned)"),
    "match_end.unit": _("What is played after time is called"),
    "match_end.count": _("How many"),
    "match_end.last": _("Who has the last one"),
    "match_end.unfinished": _("Who wins an unfinished game"),
    "match_end.bracket": _("Who wins if no match may be drawn"),
    "prizes.by": _("Given by"),
    "prizes.units": _("Prize pool"),
    "prizes.one_each": _("Each player takes one prize at most, also with prize categories"),
    "prizes.shares": _("Payout by rank"),
    "entry.kind": _("Free or paid"),
    "entry.cents": _("Price in cents"),
    "entry.currency": _("Currency"),
    "entry.hours": _("Hours to pay, if others wait for a place (0: no limit)"),
    "limited.boosters": _("Boosters of a player"),
    "limited.passing": _("Passing, booster by booster (L, R)"),
    "limited.minutes": _("Minutes to draft and build"),
    "limited.pod": _("Players in a pod"),
    "limited.cards": _("Cards of a booster that are passed (0: no clock for the draft)"),
    "limited.card_seconds": _("Seconds of a pick for each card left"),
    "limited.between_seconds": _("Seconds from one booster to the next"),
}

SETTLED: Mapping[str, Promise] = {"": _("not paid"), "paid": _("paid"), "voucher": _("voucher")}

CHOICES: Mapping[str, Promise] = {
    "match_end.unit.none": _("nothing"),
    "match_end.unit.turn": _("turns"),
    "match_end.unit.day": _("days"),
    "match_end.unit.table_round": _("rounds of the table"),
    "match_end.last.opponent": _("the opponent of whose turn it is"),
    "match_end.last.active": _("whose turn it is"),
    "match_end.last.everybody": _("both get the same number of turns"),
    "match_end.unfinished.draw": _("nobody: it is drawn"),
    "match_end.unfinished.leader": _("whoever is ahead"),
    "match_end.unfinished.judge": _("a judge decides"),
    "match_end.bracket.leader": _("whoever is ahead"),
    "match_end.bracket.next_point": _("whoever gains the next point"),
    "match_end.bracket.judge": _("a judge decides"),
    "prizes.by.rank": _("rank"),
    "prizes.by.points": _("match points"),
    "entry.kind.free": _("free"),
    "entry.kind.paid": _("paid"),
    "entry.kind.voucher": _("by voucher"),
}


def ending_words(end: Ending) -> list[str]:
    """Sentences that say what happens when time is called."""
    # Built on each call, because the words depend on the language of the page.
    played = {
        "turn": lambda n: ngettext("%(n)d more turn is played.", "%(n)d more turns are played.", n),
        "day": lambda n: ngettext("%(n)d more day is played.", "%(n)d more days are played.", n),
        "table_round": lambda n: ngettext(
            "%(n)d more round of the table is played.", "%(n)d more rounds of the table are played.", n
        ),
    }
    last = {
        "opponent": gettext("The opponent of the player whose turn it is takes the last one."),
        "active": gettext("The player whose turn it is takes the last one."),
        "everybody": gettext("Both players get the same number of turns."),
    }
    winner = {
        "draw": gettext("A game that is still unfinished is a draw."),
        "leader": gettext("Whoever is ahead then wins."),
        "next_point": gettext("Whoever scores the next point wins."),
        "judge": gettext("If the game is still unfinished, a judge decides."),
    }
    if end.unit == "none" or not end.count:
        return [gettext("Play stops when time is called."), winner[end.winner]]
    return [played[end.unit](end.count) % {"n": end.count}, last[end.last], winner[end.winner]]


def entry_words(entry: Entry, prices: Sequence[Price] = (), *, online: bool = False) -> str:
    """What it costs to enter: the prices that are offered now, or the plain fee; `online` if it can be paid so."""
    if entry.kind == "free":
        return gettext("free")
    if entry.kind == "voucher":
        return gettext("by voucher")
    price = " · ".join(price_words(price) for price in prices) or shown(entry.cents, entry.currency)
    if online:
        return gettext("%(price)s, paid online or at the desk") % {"price": price}
    return gettext("%(price)s, paid at the desk") % {"price": price}
