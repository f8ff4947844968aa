"""The steps of a draft in words."""

from django.utils.translation import gettext as _

from tournaments.swiss.draft import BETWEEN, BUILD, Step


def step_words(step: Step | None) -> str:
    """What everybody does in this step: which pick of which booster, and in which direction the rest is passed."""
    if step is None:
        return _("The draft is over")
    if step.phase == BUILD:
        return _("Build your decks")
    figures = {"booster": step.booster, "pick": step.pick}
    left = step.passing == "L"
    if step.phase == BETWEEN:
        words = _("Next: booster %(booster)d, to the left") if left else _("Next: booster %(booster)d, to the right")
    elif left:
        words = _("Booster %(booster)d, pick %(pick)d: pass to the left")
    else:
        words = _("Booster %(booster)d, pick %(pick)d: pass to the right")
    return words % figures
