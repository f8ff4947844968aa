"""Words for prize categories: whose best wins one."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.models import Question
from tournaments.standings.models import PrizeCategory

Rule = PrizeCategory.Rule
CATEGORY_RULES: Mapping[str, Promise] = {
    Rule.ANSWER: gettext_lazy("Best of the players who gave a certain answer at registration"),
    Rule.CLUB: gettext_lazy("Best of a club, or of each club"),
    Rule.FACTION: gettext_lazy("Best of a faction, or of each faction"),
    Rule.PICKED: gettext_lazy("Best of players picked by hand"),
}


def rule_words(category: PrizeCategory) -> str:
    """Whose best wins a category, such as “Best of the club Corbeaux”."""
    if category.question is not None:
        if category.question.kind == Question.Kind.CONSENT:
            return _("Best of the players who ticked “%(question)s”") % {"question": category.question.label}
        answer = {"question": category.question.label, "answer": category.value}
        return _("Best of the players who answered “%(answer)s” to “%(question)s”") % answer
    if category.rule == Rule.CLUB:
        return _("Best of the club %(club)s") % {"club": category.value} if category.value else _("Best of each club")
    if category.rule == Rule.FACTION:
        named = {"faction": category.value}
        return _("Best of the faction %(faction)s") % named if category.value else _("Best of each faction")
    return _("Best of players picked by hand")
