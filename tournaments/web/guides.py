"""Short guides shown on the first visit in each role. A button hides them; the account remembers that."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Guide:
    """A title, and a few sentences in the order in which the reader needs them."""

    title: Promise
    lines: tuple[Promise, ...]


LISTS_LINE = _("Submit your decklist while registration is open; every fault is shown at once.")
GUIDES: Mapping[str, Guide] = {
    "organizer": Guide(
        _("Running an event, in short"),
        (
            _("“Next” always names the next step: open registration, lock the lists, start, pair."),
            _("Give roles under Team: each role sees what it needs, and nobody rules on their own match."),
            _("Pairings are a draft until you publish them, and most steps can be undone while nothing needs them."),
            _("Procedures, tiebreaks and deck format come from the preset; look at them before you open registration."),
            _("Print has the slips of a round, for when the network fails; Exports has every table."),
        ),
    ),
    "scorekeeper": Guide(
        _("The desk, in short"),
        (
            _("Open the round, then its results desk: a table or a part of a name, Enter, the outcome. Then the next."),
            _("What players report and confirm themselves needs nothing from you; what they contest goes to a judge."),
            _("When all results are in, the next round is one button, and can be taken back for a minute."),
            _("Who leaves, comes late or needs a fixed table: Entrants and lists."),
        ),
    ),
    "judge": Guide(
        _("Judging, in short"),
        (
            _("Contested results wait in the queue of judges, with what each player says."),
            _("The page of a match shows both lists, the logs, and where the engine finds the first illegal move."),
            _("A ruling needs a reason; the result follows it, and a player may appeal to the head judge."),
            _("“Is this move legal?” answers for a board that you enter, even in the middle of a game."),
            _("You decide nothing about a match at which you sit."),
        ),
    ),
    "scribe": Guide(
        _("Recording games, in short"),
        (
            _("Choose the table and the game: the recorder offers the moves that the rules allow, for every seat."),
            _("Leave ? for cards that nobody saw. You can take back the last move at once."),
            _("For a ruling, call a judge: judges can open the same recording and enter it there."),
            _("Hand the recording in when the game is over. Until a judge has ruled, you can take it back."),
        ),
    ),
    "player": Guide(
        _("Your page, in short"),
        (
            _("This page is all you need: your table, your opponent, the time left. It keeps itself up to date."),
            LISTS_LINE,
            _("After a match one of you reports the result here, and the other confirms or contests it."),
            _("Is a result wrong? Say so here before the next round is paired: a judge looks into it."),
            _("Leaving early? Drop at the foot of this page, so that nobody waits for you."),
        ),
    ),
}
