"""Prepared queries: the SQL is built once, and each value goes where the query uses it."""

import pytest
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from tests.builders import a_running_event
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common.prepared import Keys, Names, Prepared, SmallInt
from tournaments.events.models import StaffRole, Stage

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


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 8, 300])
def test_a_list_of_keys_finds_each_once(cast: Cast, count: int) -> None:
    found = Prepared(lambda keys, after: User.objects.filter(pk__in=keys, pk__gt=after).order_by("pk"), Keys, int)
    users = list(User.objects.order_by("pk"))[: min(count, 5)]
    keys = ([user.pk for user in users] * count)[:count]
    assert found.rows(keys, 0) == users[:count]


def test_a_list_of_texts_may_come_in_any_order(cast: Cast) -> None:
    found = Prepared(lambda names: User.objects.filter(public_id__in=names).order_by("pk"), Names)
    names = [cast.player.public_id, "u-nobody", cast.organizer.public_id]
    assert set(found.rows(names)) == {cast.player, cast.organizer} == set(found.rows(names[::-1]))


def test_related_rows_and_annotations_come_with_it(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = a_running_event(cast)
    staff = Prepared(
        lambda event: (
            StaffRole.objects
            .filter(event=event)
            .select_related("user", "event")
            .annotate(name=F("user__sign_in_name"))
            .order_by("pk")
        ),
        int,
    )
    for _ in range(2):
        with django_assert_num_queries(1):
            rows = staff.rows(event.pk)
            assert [row.user.public_id for row in rows] and {row.event.public_id for row in rows} == {event.public_id}
            assert [row.name for row in rows] == [row.user.sign_in_name for row in rows]
    assert rows == list(StaffRole.objects.filter(event=event).order_by("pk"))
