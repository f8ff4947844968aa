"""The looks of codes as badges, and the sentence behind each code. The short words themselves stand in `words.py`."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.models import ApiToken
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import registration_at
from tournaments.play.models import Match, Round
from tournaments.web import words


class Meaning(NamedTuple):
    """What a code says in short and in a sentence, and the look of its badge: ok, warn, bad, info or none."""

    short: Promise | str
    long: Promise | str = ""
    look: str = ""


def _with(short: Mapping[str, Promise], **more: tuple[Promise | str, str]) -> dict[str, Meaning]:
    """The short words of a table, with sentences and looks by code."""
    return {code: Meaning(said, *more.get(code or "none", ("", ""))) for code, said in short.items()}


EVENT = _with(
    words.EVENT_STATES,
    draft=(_("Only the staff see this event."), "warn"),
    registration=(_("Players register and submit their decklists."), "ok"),
    locked=(_("Registration is closed and no decklist changes any more."), "info"),
    check_in=(_("Players say that they are there."), "info"),
    running=(_("Rounds are being played."), "ok"),
    finished=(_("The standings are final."), ""),
    archived=(_("The event is over and put away."), ""),
    cancelled=(_("The event does not take place."), "bad"),
)

ENTRANT = _with(
    words.ENTRANT_STATES,
    registered=(_("In the event."), "ok"),
    waiting=(_("The event is full: a place is given when somebody drops."), "warn"),
    dropped=(_("Not paired any more; results so far stay."), ""),
)

ROUND = _with(
    words.ROUND_STATES,
    draft=(_("Only the staff see these pairings."), "warn"),
    published=(_("The pairings are public."), "ok"),
    closed=(_("All results are in."), ""),
)

KIND = _with(
    words.KINDS,
    bye=(_("No opponent this round: counts as a win."), ""),
    half_bye=(_("No opponent this round: counts as a draw."), ""),
    zero_bye=(_("No opponent this round: counts as a loss."), ""),
    missed=(_("Not there for this round: counts as a loss."), ""),
    no_show=(_("The opponent did not come."), ""),
    forfeit=(_("Given up without play."), ""),
    concession=(_("One player gave the match up."), ""),
    intentional_draw=(_("Both players agreed on a draw."), ""),
    penalty_loss=(_("A judge's penalty decided the match."), ""),
    double_loss=(_("Nobody wins this match."), ""),
    time=(_("The match ended when the time was over."), ""),
    disqualified=(_("A player was disqualified."), ""),
)

AUTHORITY: Mapping[str, Meaning] = {
    Match.Authority.NONE: Meaning(_("No result yet"), words.AUTHORITIES[Match.Authority.NONE], ""),
    Match.Authority.CLAIMED: Meaning(
        _("Reported"), _("One player reported it; the opponent has not answered yet."), "warn"
    ),
    Match.Authority.AGREED: Meaning(_("Agreed"), _("Both players stand behind this result."), "ok"),
    Match.Authority.WITNESSED: Meaning(_("Entered by the desk"), _("The scorekeeper entered this result."), "ok"),
    Match.Authority.RULED: Meaning(_("Ruled"), _("A judge decided this result."), "ok"),
}

EVIDENCE: Mapping[str, Meaning] = {
    Match.Evidence.NONE: Meaning(_("No proof"), words.EVIDENCE[Match.Evidence.NONE], ""),
    Match.Evidence.PLAUSIBLE: Meaning(_("Plausible"), words.EVIDENCE[Match.Evidence.PLAUSIBLE], "info"),
    Match.Evidence.CONSISTENT: Meaning(_("Consistent"), words.EVIDENCE[Match.Evidence.CONSISTENT], "info"),
    Match.Evidence.REPLAYED: Meaning(_("Replayed"), words.EVIDENCE[Match.Evidence.REPLAYED], "ok"),
}

BEHIND: Mapping[str, Meaning] = {
    "": Meaning(""),
    "player": Meaning(_("one player")),
    "players": Meaning(_("both players")),
    "desk": Meaning(_("the desk")),
    "judge": Meaning(_("a judge")),
}

SCOPE: Mapping[str, Meaning] = {
    ApiToken.Scope.READ: Meaning(_("Read"), _("Read what this account may see.")),
    ApiToken.Scope.PLAY: Meaning(_("Play"), _("Register, submit decklists, report results.")),
    ApiToken.Scope.JUDGE: Meaning(_("Judge"), _("Rule on results and read audits.")),
    ApiToken.Scope.ORGANIZE: Meaning(_("Organize"), _("Create and run events.")),
}

# Kinds of result a player may give, as the form offers them.
PLAYER_KINDS: Mapping[str, Promise] = {
    Match.Kind.PLAYED: _("Played out"),
    Match.Kind.CONCESSION: _("Concession: one player gave up"),
    Match.Kind.INTENTIONAL_DRAW: _("Intentional draw: both agreed not to play"),
}

VISIBILITY = _with(
    words.VISIBILITIES,
    private=(_("Private: you alone"), "warn"),
    unlisted=(_("Unlisted: who has the address"), "info"),
    public=(_("Public: everybody, in the list of leagues"), "ok"),
)

LEAGUE_RESULT = _with(
    words.LEAGUE_RESULTS,
    counts=(_("Among the best results, or all count."), "ok"),
    dropped=(_("Better results take the places that count."), ""),
    double=(_("The player was entered twice here: the better entry counts."), "warn"),
)

TABLES: Mapping[str, Mapping[str, Meaning]] = {
    "event": EVENT,
    "entrant": ENTRANT,
    "round": ROUND,
    "kind": KIND,
    "authority": AUTHORITY,
    "evidence": EVIDENCE,
    "behind": BEHIND,
    "scope": SCOPE,
    "role": _with(words.ROLES),
    "structure": _with(words.STRUCTURES),
    "order": _with(words.ORDERS),
    "on_request": _with(words.BYES_ON_REQUEST),
    "proposal": _with(words.PROPOSALS),
    "visibility": VISIBILITY,
    "league_result": LEAGUE_RESULT,
    "league_entry": _with(words.LEAGUE_ENTRIES),
}

# Statuses that the pages ask about by name.
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)
BEFORE_PLAY = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)
OPEN_ROUND = Round.Status.PUBLISHED
PLAYING = Entrant.Status.REGISTERED


def state_words(event: Event, now: datetime) -> str:
    """What the state of an event means to players: by the clock, and without a word of lists that are not collected."""
    collects = event.lists != Event.Lists.NONE
    when = registration_at(event, now)
    if event.status == Event.Status.REGISTRATION and when == "later":
        return str(_("Registration is not open yet."))
    if event.status == Event.Status.REGISTRATION and when == "closed":
        return str(_("Registration is closed."))
    if event.status == Event.Status.REGISTRATION and not collects:
        return str(_("Players can register."))
    if event.status == Event.Status.LOCKED and not collects:
        return str(_("Registration is closed."))
    return str(EVENT[event.status].long)
