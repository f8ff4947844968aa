"""Late entry by the procedures of an event: whether, and up to which round."""

import pytest

from tests.builders import NOW, a_published_round, a_running_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.events.models import Event
from tournaments.play.services import enter_late

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rule", "open_"), [({}, True), ({"last_round": 2}, True), ({"last_round": 1}, False), ({"allowed": False}, False)]
)
def test_after_round_1_who_comes_late_is_let_in_as_the_procedures_say(
    cast: Cast, rule: dict[str, object], open_: bool
) -> None:
    event = a_running_event(cast, players=2)
    Event.objects.update(procedures={"late_entry": rule})
    a_published_round(event, cast.organizer)
    if open_:
        assert enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW).seats.count() == 1
    else:
        with assert_refused("late_entry_closed"):
            enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
