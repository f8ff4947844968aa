"""Events of every structure beside the demonstration, made inside a site by the services; prints their addresses.

`manage.py shell` runs it on the site's own database.
"""

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, a_table_event, play_out
from tests.cast import Cast, make_cast
from tournaments.accounts.models import User
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.play import services as play


def make(cast: Cast, organizer: User) -> dict[str, str]:
    """The addresses of the events by name, and of a match of a bracket (`corrected`) and of a table of several."""
    single = a_bracket(cast, players=6, named="Ada", third_place=True)
    semis = a_published_round(single, cast.organizer)
    play_out(semis, cast.organizer)
    a_published_round(single, cast.organizer)
    double = a_bracket(cast, players=5, named="Bea", kind="double_elimination")
    play_out(a_published_round(double, cast.organizer), cast.organizer)
    robin = a_running_event(cast, players=6, named="Cid", kind="round_robin")
    play_out(a_published_round(robin, cast.organizer), cast.organizer)
    pods = a_running_event(cast, players=7, named="Dan", kind="pods")
    play.pair_round(stage=current_stage(pods), by=cast.organizer, now=NOW)
    tables = a_table_event(cast, players=5, named="Eve")
    table = a_published_round(tables, cast.organizer).matches.get()
    places = [[rank, 10 - rank] for rank in range(1, 6)]
    play.override_result(match=table, by=cast.organizer, games=places, now=NOW)
    swiss = a_running_event(cast, players=5, named="Fay")
    play_out(a_published_round(swiss, cast.organizer), cast.organizer)
    a_published_round(swiss, cast.organizer)
    play.enter_late(event=swiss, given_name="Late", family_name="", by=cast.organizer, now=NOW)
    events: dict[str, Event] = {
        "single": single, "double": double, "robin": robin, "pods": pods, "tables": tables, "mended": swiss,
    }  # fmt: skip
    for event in events.values():
        grant_role(event=event, email=organizer.email, role="organizer", by=cast.organizer, now=NOW)
    found = {name: f"/e/{event.public_id}/" for name, event in events.items()}
    corrected = semis.matches.filter(table__isnull=False).order_by("table")[0]
    return {**found, "corrected": f"/m/{corrected.public_id}/", "table": f"/m/{table.public_id}/"}


def told() -> str:
    """The addresses as lines, for who runs this on a site."""
    demonstration = demo_event()
    assert demonstration is not None, "it is seeded"
    made = make(make_cast(), demo_people(demonstration)["organizer"])
    return "\n".join(f"{name} {address}" for name, address in made.items())
