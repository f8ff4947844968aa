"""The tables in which the template filters of `templatetags.words` look codes up, by the name templates use.

A table gives each code a short name, a sentence and the look of its badge.
"""

from collections.abc import Mapping

from tournaments.web.words.clubs import CLUB_ENTRIES
from tournaments.web.words.entrants import APPLICATION, ENTRANT, INVITATION, TEAM
from tournaments.web.words.events import EVENT, ROLES, SCOPE
from tournaments.web.words.leagues import LEAGUE_ENTRIES, LEAGUE_RESULT, VISIBILITY
from tournaments.web.words.meaning import Meaning, described
from tournaments.web.words.payments import PAYMENT, PAYMENT_PROBLEM, REFUND
from tournaments.web.words.prizes import CATEGORY_RULES
from tournaments.web.words.profiles import OUTCOME
from tournaments.web.words.qualification import QUALIFICATION
from tournaments.web.words.results import AUTHORITY, BEHIND, EVIDENCE, KIND
from tournaments.web.words.rounds import ROUND
from tournaments.web.words.stages import BYES_ON_REQUEST, ORDERS, PROPOSALS, STRUCTURES

TABLES: Mapping[str, Mapping[str, Meaning]] = {
    "event": EVENT,
    "entrant": ENTRANT,
    "team": TEAM,
    "invitation": INVITATION,
    "application": APPLICATION,
    "round": ROUND,
    "kind": KIND,
    "authority": AUTHORITY,
    "evidence": EVIDENCE,
    "behind": BEHIND,
    "scope": SCOPE,
    "role": described(ROLES),
    "structure": described(STRUCTURES),
    "order": described(ORDERS),
    "on_request": described(BYES_ON_REQUEST),
    "proposal": described(PROPOSALS),
    "prize_category": described(CATEGORY_RULES),
    "qualification": QUALIFICATION,
    "visibility": VISIBILITY,
    "league_result": LEAGUE_RESULT,
    "league_entry": described(LEAGUE_ENTRIES),
    "outcome": OUTCOME,
    "club_entry": described(CLUB_ENTRIES),
    "payment": PAYMENT,
    "payment_problem": PAYMENT_PROBLEM,
    "refund": REFUND,
}
