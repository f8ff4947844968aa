"""Prepared queries: the SQL is built once, and each value goes where the query uses it."""

import pytest

from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common.prepared import Prepared, SmallInt
from tournaments.events.models import Stage

pytestmark = pytest.mark.django_db


def test_values_go_where_the_query_uses_them_whatever_their_order(cast: Cast) -> None:
    found = Prepared(lambda email, pk: User.objects.filter(pk=pk, email=email), str, int)
    assert found.rows(cast.player.email, cast.player.pk) == [cast.player]
    assert found.rows(cast.player.email, cast.opponent.pk) == []


def test_a_constant_of_the_query_stays_in_it(cast: Cast) -> None:
    active = Prepared(lambda pk: User.objects.filter(pk=pk, is_active=True), int)
    assert active.rows(cast.player.pk) == [cast.player]
    User.objects.filter(pk=cast.player.pk).update(is_active=False)
    assert active.rows(cast.player.pk) == []


def test_a_value_for_a_small_column_is_compared_on_every_database() -> None:
    assert Prepared(lambda number: Stage.objects.filter(number__lte=number), SmallInt).rows(1) == []


def test_a_query_that_leaves_a_value_out_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not use value 1"):
        Prepared(lambda pk, email: User.objects.filter(pk=pk), int, str).rows(1, "a@example.org")
