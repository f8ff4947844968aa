"""Seeds of an event by the ratings of a league.

Events know nothing of leagues: the seeds are written to the entrants when an organizer asks for it, and stay until they
ask again.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant, Event
from tournaments.events.seeding import set_seeds
from tournaments.leagues.models import League
from tournaments.leagues.points import members_of, same_players
from tournaments.leagues.ratings import ratings_of
from tournaments.swiss.league import one


def take_seeds(*, event: Event, league: League, by: User, now: datetime) -> list[str]:
    """Seed the registered entrants of an event by their rating in a league, and return their public ids, best first.

    Entrants of several persons count with the mean of their ratings; entrants with an unrated person get no seed. Equal
    ratings are ordered by who registered first. Idempotent while nothing changes.

    Refused: `no_ratings` if the league has rated none of the entrants, and as `events.seeding.set_seeds`.
    """
    ratings = {row.player: row.rating for row in ratings_of(league).rows}
    same, members = same_players(league), members_of([event])
    found: list[tuple[float, str]] = []
    entrants = event.entrants.filter(status=Entrant.Status.REGISTERED).order_by("registered_at", "pk")
    for entrant in entrants.values_list("public_id", flat=True):
        theirs = [ratings.get(one(person, same)) for person in members.get(entrant, ())]
        known = [rating for rating in theirs if rating is not None]
        if known and len(known) == len(theirs):
            found.append((sum(known) / len(known), entrant))
    if not found:
        raise Refusal("no_ratings", _("This league has not rated any of the players yet."))
    # The sort is stable: equal ratings stay in the order of registration.
    order = [entrant for _rating, entrant in sorted(found, key=lambda each: -each[0])]
    return set_seeds(event=event, order=order, by=by, now=now, source=league.public_id)
