"""Kombu's RabbitMQ transport, patched for a worker that connects again before RabbitMQ has closed its old connection.

The queue by which a worker is controlled belongs to one connection. After the network was away, RabbitMQ may hold the
old connection for a minute and refuse the queue to the new one, which kombu takes for a mistake of the program that
ends the worker. Here it counts as a connection error: the worker connects again until the old connection is gone.
"""

from amqp.exceptions import ResourceLocked
from kombu.transport import pyamqp


class Transport(pyamqp.Transport):
    """The transport behind `amqp://`."""

    connection_errors = (*pyamqp.Transport.connection_errors, ResourceLocked)


class SSLTransport(pyamqp.SSLTransport):
    """The transport behind `amqps://`."""

    connection_errors = (*pyamqp.SSLTransport.connection_errors, ResourceLocked)
