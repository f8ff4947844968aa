"""Every page that shows an event costs as many queries for a long list as for a short one, in each of its states."""

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

GROWS = ("account_data",)  # with the events of its account
FEW, MANY = 60, 150  # players: a tenth of the tables have calls, checks and disputes
ROUTES = {pattern.name: pattern for pattern in urlpatterns}


@pytest.mark.parametrize("state", STATES)
def test_a_page_costs_the_same_queries_for_few_players_and_for_many(cast: Cast, state: str) -> None:
    pages = [page for page in (*PAGES, *WHOLE) if page.state == state and page.route not in GROWS]
    costs: list[dict[str, int]] = []
    for players in (FEW, MANY):
        scene = STATES[state](cast, players)
        costs.append({})
        for page in pages:
            cache.clear()  # the brakes
            browser = Client() if page.role == "visitor" else signed_in(getattr(cast, page.role))
            costs[-1][str(page)] = queries_of(browser, address(ROUTES[page.route], scene, **page.said) + page.query)
    few, many = costs
    assert {page: (few[page], many[page]) for page in few if few[page] != many[page]} == {}
