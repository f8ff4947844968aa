"""No page of an event takes more queries for many players than for few, in any state of the event."""

import pytest
from django.core.cache import cache
from django.test import Client

from bench._pages import PAGES, WHOLE
from bench._states import STATES
from tests.cast import Cast
from tests.web.pages import queries_of, signed_in
from tests.web.routes import address
from tournaments.web.urls import urlpatterns

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]

GROWS = ("account_data",)  # grows with the events of the account, by design
FEW, MANY = 60, 150  # players; a tenth of the tables have calls, checks and disputes
ROUTES = {pattern.name: pattern for pattern in urlpatterns}


@pytest.mark.parametrize("state", STATES)
def test_the_number_of_queries_does_not_grow_with_the_players(cast: Cast, state: str) -> None:
    pages = [page for page in (*PAGES, *WHOLE) if page.state == state and page.route not in GROWS]
    costs: list[dict[str, int]] = []
    for players in (FEW, MANY):
        scene = STATES[state](cast, players)
        costs.append({})
        for page in pages:
            cache.clear()  # rate limits are counted in the cache
            browser = Client() if page.role == "visitor" else signed_in(getattr(cast, page.role))
            costs[-1][str(page)] = queries_of(browser, address(ROUTES[page.route], scene, **page.said) + page.query)
    few, many = costs
    assert {page: (few[page], many[page]) for page in few if few[page] < many[page]} == {}
