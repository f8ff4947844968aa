"""What tests of pages share: a signed-in browser, and the queries of a page."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tournaments.accounts.models import User


def signed_in(user: User) -> Client:
    """A browser in which this account is signed in."""
    client = Client()
    client.force_login(user)
    return client


def address(name: str, *args: object) -> str:
    """The address of a page by its name."""
    return reverse(f"web:{name}", args=args)


def text(response: object) -> str:
    """The page that was answered."""
    return response.content.decode()


def queries_of(client: Client, address: str) -> int:
    """How many queries a page costs, its second time (the first fills caches of the process)."""
    assert client.get(address).status_code == 200, address
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)
