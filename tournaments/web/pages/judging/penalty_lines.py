"""Penalties in words: what each is for, what it costs in this structure, and when it is served."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.events.models import Event, Stage
from tournaments.judging.models import Penalty
from tournaments.judging.selectors import notes_of
from tournaments.play.models import Loss, Match
from tournaments.web.pages.judging.call_lines import judge_name
from tournaments.web.words.judging import INFRACTIONS, LEVELS, SERVED

LOOKS = {"record": "", "waits": "warn", "served": "bad", "withdrawn": ""}


@dataclass(frozen=True)
class PenaltyLine:
    """A penalty in words. `note` and `judge` are filled in for staff only."""

    penalty: Penalty
    infraction: object
    level: object
    cost: str
    served: object
    look: str
    judge: str
    note: str

    @property
    def stands(self) -> bool:
        """Whether it can still be withdrawn, as far as can be told from the penalty itself.

        The service may still refuse it, for example if it decided a match of a closed round.
        """
        over = self.penalty.level == Penalty.Level.DISQUALIFICATION
        return self.penalty.withdrawn_at is None and not over


def penalty_lines(event: Event, penalties: Iterable[Penalty], *, staff: bool = True) -> list[PenaltyLine]:
    """Penalties in words. With `staff`, one more query reads the judges' notes."""
    listed = list(penalties)
    notes = notes_of(event, listed) if staff else {}
    return [
        PenaltyLine(
            penalty=penalty,
            infraction=INFRACTIONS.get(penalty.infraction, penalty.infraction),
            level=LEVELS[penalty.level],
            cost=loss_words(penalty.loss) if penalty.loss and penalty.loss.seat else "",
            served=SERVED[penalty.served],
            look=LOOKS[penalty.served],
            judge=judge_name(penalty.by) if staff else "",
            note=notes.get(penalty.entry, ""),
        )
        for penalty in listed
    ]


def loss_words(loss: Loss) -> str:
    """Where and what a penalty loss costs. The loss must be assigned to a seat; reads its match, round and stage."""
    assert loss.seat is not None, "told of what is served"
    match = loss.seat.match
    where = {"round": match.round.number, "game": loss.game or 0}
    if match.round.stage.is_tables:
        return _("round %(round)d: the last rank at the table") % where
    if loss.what == Loss.What.MATCH:
        return _("round %(round)d: the match") % where
    if loss.later:
        return _("round %(round)d: game %(game)d, if it is played") % where
    return _("round %(round)d: game %(game)d") % where


def costs_here(stage: Stage) -> list[str]:
    """Sentences that say what the penalty levels cost in a stage."""
    if stage.is_tables:
        return [_("At a multiplayer table, a game loss or a match loss means the last rank at the table.")]
    if stage.event.has_boards:
        return [_("Enter a game lost at a board in the result of that board.")]
    if stage.best_of == 1:
        return [_("In a best of 1, a game loss is a match loss.")]
    return [
        _("In a best of %(games)d, a game loss counts as a win for the opponent; enough of them decide the match.")
        % {"games": stage.best_of}
    ]


def losses_here(match: Match | None, *, staff: bool = False) -> list[str]:
    """Sentences about penalty losses at this match, for the players or, with full names, for staff."""
    if match is None:
        return []
    losses = Loss.objects.filter(seat__match=match).select_related("entrant", "seat__match__round__stage")
    return [loss_sentence(loss, staff=staff) for loss in losses.prefetch_related("entrant__member_set__person")]


def loss_sentence(loss: Loss, *, staff: bool = False) -> str:
    """The sentence about one penalty loss, which the result has to include."""
    named = {"name": loss.entrant.full_name if staff else loss.entrant.name, "game": loss.game or 0}
    if loss.what == Loss.What.MATCH:
        return _("%(name)s has lost this match by a penalty.") % named
    if loss.later:
        return _("%(name)s loses game %(game)d by a penalty, if it is played.") % named
    return _("%(name)s has lost game %(game)d without playing it: the result has to include it.") % named
