"""Words for an event's procedures: sections, fields (`section.field`) and choices (`section.field.choice`)."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.events.procedures import Ending, Entry
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
    "match_end.unit": _("Still to play after time is called"),
    "match_end.count": _("How many"),
    "match_end.last": _("Who plays last"),
    "match_end.unfinished": _("Who wins an unfinished game"),
    "match_end.bracket": _("Who wins if a draw is not allowed"),
    "prizes.by": _("Prizes depend on"),
    "prizes.units": _("Prize pool"),
    "prizes.one_each": _("One prize per player, prize categories included"),
    "prizes.shares": _("Payout by rank"),
    "entry.kind": _("How players enter"),
    "entry.cents": _("Price"),
    "entry.currency": _("Currency"),
    "entry.hours": _("Hours to pay, if others wait for a place (0: no limit)"),
    "limited.boosters": _("Boosters per player"),
    "limited.passing": _("Passing direction of each booster (L: left, R: right)"),
    "limited.minutes": _("Minutes to draft and build decks"),
    "limited.pod": _("Players in a pod"),
    "limited.cards": _("Cards passed from each booster (0: no draft clock)"),
    "limited.card_seconds": _("Seconds per pick for each card left"),
    "limited.between_seconds": _("Seconds between two boosters"),
}

SETTLED: Mapping[str, Promise] = {"": _("not paid"), "paid": _("paid"), "voucher": _("voucher")}

CHOICES: Mapping[str, Promise] = {
    "match_end.unit.none": _("nothing"),
    "match_end.unit.turn": _("turns"),
    "match_end.unit.day": _("days"),
    "match_end.unit.table_round": _("rounds of the table"),
    "match_end.last.opponent": _("the active player’s opponent"),
    "match_end.last.active": _("the active player"),
    "match_end.last.everybody": _("both get the same number of turns"),
    "match_end.unfinished.draw": _("nobody: the game is a draw"),
    "match_end.unfinished.leader": _("the player who is ahead"),
    "match_end.unfinished.judge": _("a judge decides"),
    "match_end.bracket.leader": _("the player who is ahead"),
    "match_end.bracket.next_point": _("the player who gains the next point"),
    "match_end.bracket.judge": _("a judge decides"),
    "prizes.by.rank": _("rank"),
    "prizes.by.points": _("match points"),
    "entry.kind.free": _("free"),
    "entry.kind.paid": pgettext_lazy("an entry", "paid"),
    "entry.kind.voucher": _("by voucher"),
}


def ending_words(end: Ending) -> list[str]:
    """Sentences that say what happens when time is called."""
    # Built on each call, because the words depend on the language of the page.
    played = {
        "turn": lambda n: ngettext(
            "When time is called: finish the current turn, which does not count, then play %(n)d more turn.",
            "When time is called: finish the current turn, which does not count, then play %(n)d more turns.",
            n,
        ),
        "day": lambda n: ngettext(
            "When time is called: finish the current day, which does not count, then play %(n)d more day.",
            "When time is called: finish the current day, which does not count, then play %(n)d more days.",
            n,
        ),
        "table_round": lambda n: ngettext(
            "When time is called: finish the current round of the table, which does not count, then play %(n)d more.",
            "When time is called: finish the current round of the table, which does not count, then play %(n)d more.",
            n,
        ),
    }
    last = {
        "opponent": gettext("The active player’s opponent plays last."),
        "active": gettext("The active player plays last."),
        "everybody": gettext("Both players get the same number of turns."),
    }
    winner = {
        "draw": gettext("An unfinished game is then a draw."),
        "leader": gettext("The player who is then ahead wins."),
        "next_point": gettext("The player who gains the next point wins."),
        "judge": gettext("A judge decides about an unfinished game."),
    }
    if end.unit == "none" or not end.count:
        return [gettext("When time is called: stop at once; the current turn is not finished."), winner[end.winner]]
    return [played[end.unit](end.count) % {"n": end.count}, last[end.last], winner[end.winner]]


def late_words(steps: Sequence[tuple[str, int]]) -> list[str]:
    """Sentences that say what an empty seat costs, minute for minute. `steps`: see `play.services.tardiness`."""
    coming = [*steps[1:], ("", -1)]
    # Of two steps in the same minute, the later one applies.
    parts = [(name, at, until) for (name, at), (_next, until) in zip(steps, coming, strict=True) if at != until]
    sentences = [gettext("No penalty before %(until)d min.") % {"until": parts[0][1]}] if parts[0][1] else []
    words = {
        "late": gettext("From %(at)d to %(until)d min the player is late, without a penalty."),
        "game_loss": gettext("From %(at)d to %(until)d min the player loses a game."),
        "match_loss": gettext("From %(at)d min the player loses the match."),
    }
    return [*sentences, *(words[name] % {"at": at, "until": until} for name, at, until in parts)]


def entry_words(entry: Entry, prices: Sequence[Price] = (), *, online: bool = False) -> str:
    """What it costs to enter: the prices that are offered now, if any; `online` if it can be paid so."""
    if entry.kind == "free":
        return gettext("free")
    if entry.kind == "voucher":
        return gettext("by voucher")
    if not prices:
        return gettext("paid at the desk")
    price = " · ".join(price_words(price) for price in prices)
    if online:
        return gettext("%(price)s, paid online or at the desk") % {"price": price}
    return gettext("%(price)s, paid at the desk") % {"price": price}


# What is wrong with procedures, by the path and the code of the fault, else by the code alone.
_FAULTS: Mapping[tuple[str, str], Promise] = {
    ("tardiness", "out_of_order"): _(
        "The grace period must not be longer than the minutes until a game loss, nor these longer than the minutes "
        "until a match loss."
    ),
    ("limited", "out_of_bounds"): _(
        "Write one passing direction for each booster, and leave time to build a deck after the picks."
    ),
    ("limited.passing", "not_a_choice"): _("Use only L and R, 30 at most."),
    ("entry.currency", "not_a_choice"): _("Write the currency with three capitals, such as EUR."),
    ("prizes.shares", "out_of_order"): _("Write the lines from the first rank down, without overlaps."),
    ("prizes.shares", "too_many"): _("These are too many lines."),
    ("", "not_a_choice"): _("Choose one of the options."),
    ("", "out_of_bounds"): _("This number is too low or too high."),
    ("", "out_of_order"): _("These numbers are not in order."),
}


def fault_words(path: str, code: str) -> str:
    """What is wrong with a procedure: `path` is its section or field, `code` one of `events.procedures`."""
    return str(_FAULTS.get((path, code)) or _FAULTS.get(("", code)) or _("This value is not possible."))
