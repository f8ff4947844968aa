"""The tables in which the template filters of `templatetags.words` look codes up, by the name templates use.

A table gives each code a short name, a sentence and the look of its badge.
"""

from collections.abc import Mapping

from tournaments.web.words.entrants import ENTRANT
from tournaments.web.words.events import EVENT, ROLES, SCOPE
from tournaments.web.words.leagues import LEAGUE_ENTRIES, LEAGUE_RESULT, VISIBILITY
from tournaments.web.words.meaning import Meaning, described
from tournaments.web.words.results import AUTHORITY, BEHIND, EVIDENCE, KIND
from tournaments.web.words.rounds import ROUND
from tournaments.web.words.stages import BYES_ON_REQUEST, ORDERS, PROPOSALS, STRUCTURES

TABLES: Mapping[str, Mapping[str, Meaning]] = {
    "event": EVENT,
    "entrant": ENTRANT,
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
    "visibility": VISIBILITY,
    "league_result": LEAGUE_RESULT,
    "league_entry": described(LEAGUE_ENTRIES),
}
