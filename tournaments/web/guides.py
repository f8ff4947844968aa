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


LISTS_LINE = _("Submit your decklist while registration is open; all problems are shown at once.")
GUIDES: Mapping[str, Guide] = {
    "organizer": Guide(
        _("Running an event, in short"),
        (
            _("“Next” always shows the next step: open registration, lock the lists, start, pair."),
            _("Give roles on the Staff page: each role can see what it needs, and nobody rules on their own match."),
            _(
                "Pairings are a draft until you publish them, and you can undo most steps "
                "until something depends on them."
            ),
            _("Procedures, tiebreaks and deck format come from the preset. Check them before you open registration."),
            _("Print has the match slips of a round in case the network fails. Exports has every table."),
        ),
    ),
    "scorekeeper": Guide(
        _("The desk, in short"),
        (
            _(
                "Open the round, then Results. Type a table or part of a name, press Enter, "
                "choose the result. Then the next."
            ),
            _(
                "You have nothing to do for results that players report and confirm themselves. "
                "Contested results go to a judge."
            ),
            _("When all results are final, one button starts the next round. You can undo it for a minute."),
            _("For players who leave, arrive late or need a fixed table, use Entrants and lists."),
        ),
    ),
    "judge": Guide(
        _("Judging, in short"),
        (
            _("Contested results wait in the judges’ queue, with what each player says."),
            _("The page of a match shows both lists, the logs, and where the engine finds the first illegal move."),
            _("A ruling needs a reason. The result follows the ruling, and a player may appeal to the head judge."),
            _("Under “Is this move legal?”, enter a board to get an answer, even in the middle of a game."),
            _("You cannot rule on your own match."),
        ),
    ),
    "scribe": Guide(
        _("Recording games, in short"),
        (
            _("Choose the table and the game: the recorder offers the legal moves of each seat."),
            _("Leave ? for cards that nobody saw. You can undo the last move at once."),
            _("For a ruling, call a judge: judges can open the same recording and enter it there."),
            _("Hand in the recording when the game is over. Until a judge has ruled, you can take it back."),
        ),
    ),
    "player": Guide(
        _("Your page, in short"),
        (
            _("This page is all you need: your table, your opponent, the time left. It updates by itself."),
            LISTS_LINE,
            _("After a match one of you reports the result here, and the other confirms or contests it."),
            _("Is a result wrong? Report it here before the next round is paired, and a judge will look into it."),
            _("Leaving early? Drop at the foot of this page, so that nobody waits for you."),
        ),
    ),
}
