"""RabbitMQ still holds the connection that a worker has lost."""

import secrets

import pytest
from kombu import Connection, Queue

from tests.workers import broker_url
from tournaments.common import broker  # noqa: F401 - it patches the transport

pytestmark = pytest.mark.services


def test_a_queue_that_a_lost_connection_still_holds_raises_a_connection_error() -> None:
    url = broker_url("amqp")
    name = f"test.{secrets.token_hex(6)}"
    with Connection(url) as lost, Connection(url) as again:
        Queue(name, exclusive=True, channel=lost.default_channel).declare()
        with pytest.raises(again.connection_errors, match="RESOURCE_LOCKED"):
            Queue(name, exclusive=True, channel=again.default_channel).declare()
