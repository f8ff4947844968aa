"""The words of an event's procedures: sections, fields by path, choices."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SECTIONS: Mapping[str, Promise] = {
    "meeting": _("Player meeting"),
    "tardiness": _("Late players"),
    "late_entry": _("Late entry"),
    "match_end": _("When time is called"),
    "cut": _("In the cut"),
    "prizes": _("Prizes"),
    "entry": _("Entry"),
    "limited": _("Boosters"),
}

FIELDS: Mapping[str, Promise] = {
    "meeting.held": _("A player meeting is held before round 1"),
    "tardiness.grace": _("Minutes at an empty seat before anything is said"),
    "tardiness.game_loss": _("Minutes until a game is lost"),
    "tardiness.match_loss": _("Minutes until the match is lost"),
    "late_entry.allowed": _("Who comes late is let in"),
    "late_entry.last_round": _("Last round to come in (0: the last one planned)"),
    "match_end.unit": _("What is played once time is called"),
    "match_end.count": _("How many"),
    "match_end.last": _("Who has the last one"),
    "match_end.unfinished": _("Who wins a game that is not over"),
    "match_end.bracket": _("Who wins where no match is drawn"),
    "cut.lists_exchanged": _("Opponents read each other's list"),
    "cut.starts": _("Who starts the first game"),
    "prizes.by": _("Given by"),
    "prizes.units": _("Units there are"),
    "prizes.shares": _("Shares"),
    "entry.kind": _("Entry"),
    "entry.cents": _("Price in cents"),
    "entry.currency": _("Currency"),
    "limited.boosters": _("Boosters of a player"),
    "limited.passing": _("Passing, booster by booster (L, R)"),
    "limited.minutes": _("Minutes to draft and build"),
    "limited.pod": _("Players of a pod"),
}

CHOICES: Mapping[str, Promise] = {
    "match_end.unit.none": _("nothing"),
    "match_end.unit.turn": _("turns"),
    "match_end.unit.day": _("days"),
    "match_end.unit.table_round": _("rounds of the table"),
    "match_end.last.opponent": _("the opponent of whose turn it is"),
    "match_end.last.active": _("whose turn it is"),
    "match_end.last.everybody": _("everybody plays as often"),
    "match_end.unfinished.draw": _("nobody: it is drawn"),
    "match_end.unfinished.leader": _("who leads"),
    "match_end.unfinished.judge": _("a judge decides"),
    "match_end.bracket.leader": _("who leads"),
    "match_end.bracket.next_point": _("who gains the next point"),
    "match_end.bracket.judge": _("a judge decides"),
    "cut.starts.random": _("by chance"),
    "cut.starts.higher_seed": _("the better seed"),
    "cut.starts.higher_seed_chooses": _("the better seed chooses"),
    "prizes.by.rank": _("rank"),
    "prizes.by.points": _("match points"),
    "entry.kind.free": _("free"),
    "entry.kind.paid": _("paid at the desk"),
    "entry.kind.voucher": _("by voucher"),
}
