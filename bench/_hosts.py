"""Web hosts of a hall: their processes, and the network namespace in which they run, if they have one."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench._listeners import web_process
from bench._namespaces import Namespace
from bench._processes import family
from bench._relay import relay

SERVICES = ("DATABASE_URL", "CACHE_URL", "CELERY_BROKER_URL")
PORTS = {"postgres": 5432, "postgresql": 5432, "redis": 6379, "amqp": 5672}


@dataclass(frozen=True)
class Host:
    """A running web host. `pages` and `streams` are addresses, the latter empty if the same processes serve both."""

    pages: str
    streams: str
    pids: dict[str, int]
    relays: dict[str, int]
    space: Namespace | None

    def kill(self) -> None:
        """Kill all its processes. In a namespace its link is cut first, so that nobody learns that they have ended."""
        if self.space:
            self.space.cut()
        for pid in self.pids.values():
            for each in family(pid):
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)


@contextmanager
def web_host(suffix: str, workers: int, *, apart: bool, space: Namespace | None) -> Iterator[Host]:
    """Run a web host; the names of its processes end with the suffix.

    With `apart`, live streams have a process of their own beside the others. In a namespace, the host reaches the
    database and Redis through a relay.
    """
    with ExitStack() as stack:
        environment = dict(os.environ)
        relays = {}
        if space:
            environment |= {"ALLOWED_HOSTS": f"{os.environ.get('ALLOWED_HOSTS') or '127.0.0.1'},{space.inside}"}
            if targets := services(os.environ):
                ports, relays[f"relay{suffix}"] = stack.enter_context(relay(space.outside, list(targets.values())))
                for name, port in zip(targets, ports, strict=True):
                    environment[name] = elsewhere(os.environ[name], f"{space.outside}:{port}")
        address, inside = (space.inside, space.command) if space else ("127.0.0.1", ())
        started = {}
        for name, processes in (("web", workers), ("streams", 1))[: 1 + apart]:
            started[name] = stack.enter_context(web_process(processes, address, inside, environment))
        addresses = {name: f"{address}:{port}" for name, (port, _pid) in started.items()}
        pids = {f"{name}{suffix}": pid for name, (_port, pid) in started.items()}
        yield Host(addresses["web"], addresses.get("streams", ""), pids, relays, space)


def services(environment: Mapping[str, str]) -> dict[str, str]:
    """HOST:PORT of each service that is reached over the network, by the name of its setting."""
    found = {name: urlsplit(environment.get(name, "")) for name in SERVICES}
    return {
        name: f"{url.hostname}:{url.port or PORTS[url.scheme]}"
        for name, url in found.items()
        if url.scheme in PORTS and url.hostname
    }


def elsewhere(url: str, address: str) -> str:
    """The same address of a service, with another HOST:PORT."""
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}{at}{address}").geturl()
