"""Make an event of every structure on a running site, next to the demonstration.

Run by `manage.py shell` on the site's own database, since tests cannot reach it; the addresses are passed back as text.
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
    """Return addresses by name: events, a match of the bracket (`corrected`) and a multiplayer table (`table`)."""
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
    play.enter_result(match=table, by=cast.organizer, games=places, now=NOW)
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
    """Create the events and return their names and addresses, one per line."""
    demonstration = demo_event()
    assert demonstration is not None, "it is seeded"
    made = make(make_cast(), demo_people(demonstration)["organizer"])
    return "\n".join(f"{name} {address}" for name, address in made.items())
