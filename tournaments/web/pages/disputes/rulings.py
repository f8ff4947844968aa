"""Disputes in words, for judges and for the players: what was claimed, ruled and appealed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.accounts.selectors import names_of_accounts
from tournaments.audits.disputes import no_longer_disputable
from tournaments.audits.models import Dispute, Ruling
from tournaments.audits.selectors import Saying, disputes_of, statements_of
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.web.pages.results.desk import result_words
from tournaments.web.words.judging import DECISIONS, FIRST_RESULT
from tournaments.web.words.labels import labelled


@dataclass(frozen=True)
class RulingLine:
    """A ruling in words, with its reason and the digest of the state that it was based on.

    `head` is whether the head judge gave it.
    """

    words: str
    reason: str
    at: datetime
    by: str
    head: bool
    state: str


@dataclass(frozen=True)
class DisputeLine:
    """A dispute with what was said in it and its rulings."""

    dispute: Dispute
    match: Match
    sayings: list[Saying]
    rulings: list[RulingLine]
    stands: bool = False  # whether the result can no longer be disputed

    @property
    def last(self) -> RulingLine | None:
        """The ruling in force: the last one."""
        return self.rulings[-1] if self.rulings else None

    @property
    def appealed(self) -> bool:
        """Whether an appeal waits for the head judge."""
        return self.dispute.status == Dispute.Status.APPEALED

    @property
    def may_appeal(self) -> bool:
        """Whether the players can still appeal. A ruling of the head judge is final."""
        ruled = self.dispute.status == Dispute.Status.RULED
        return ruled and not self.stands and not any(line.head for line in self.rulings)


def dispute_lines(event: Event, matches: Iterable[Match], names: bool = True) -> list[DisputeLine]:
    """The disputes of matches in words, newest first. `names`: with the names of the judges, for staff."""
    disputes = list(disputes_of(matches))
    statements = statements_of(event, disputes)
    who = names_of_accounts({ruling.by_id for dispute in disputes for ruling in dispute.rulings.all()}) if names else {}
    stand = no_longer_disputable(dispute.match for dispute in disputes) if disputes else frozenset()
    return [_line(dispute, statements, who, dispute.match_id in stand) for dispute in disputes]


def decision_words(decision: str, *, first: bool) -> str:
    """A decision in words; `first` is whether the match had no result before, so that there was none to change."""
    return str(FIRST_RESULT if first and decision == Ruling.Decision.CHANGE else DECISIONS[decision])


def ruling_words(ruling: Ruling, *, first: bool = False) -> str:
    """The decision in words: “The result is changed: 2–1”."""
    decision = decision_words(ruling.decision, first=first)
    if ruling.games:
        return labelled(decision, result_words(ruling.games, ruling.kind))
    return labelled(decision, _("game %(n)d") % {"n": ruling.game} if ruling.game else _("the whole match"))


def _line(
    dispute: Dispute, statements: dict[tuple[str, int], Saying], who: dict[int, str], stands: bool
) -> DisputeLine:
    own = [saying for (public_id, _number), saying in statements.items() if public_id == dispute.public_id]
    rulings = []
    for ruling in dispute.rulings.all():
        saying = statements.get((dispute.public_id, ruling.entry))
        rulings.append(
            RulingLine(
                ruling_words(ruling, first=saying.first if saying else False),
                saying.said if saying else "",
                ruling.at,
                who.get(ruling.by_id, ""),
                ruling.head,
                ruling.state,
            )
        )
    return DisputeLine(dispute, dispute.match, [saying for saying in own if saying.what != "ruled"], rulings, stands)
