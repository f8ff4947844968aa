"""Helpers for tests of pages: sign in, build an address, read a response, count queries."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tournaments.accounts.models import User
from tournaments.web.shared import shelf


def signed_in(user: User) -> Client:
    """Return a test client that is signed in as `user`."""
    client = Client()
    client.force_login(user)
    return client


def address(name: str, *args: object) -> str:
    """Return the path of the page with this URL name in the `web` namespace."""
    return reverse(f"web:{name}", args=args)


def text(response: object) -> str:
    """Return the body of a response, decoded."""
    return response.content.decode()


def queries_of(client: Client, address: str, *, cached: bool = False) -> int:
    """Count the queries of a page, after loading it once: a first visit fills process-wide caches.

    The page is rendered again, because sending a rendered one takes the same queries however long it is. With `cached`,
    count what that takes.
    """
    assert client.get(address).status_code == 200, address
    if not cached:
        shelf.clear()
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)
