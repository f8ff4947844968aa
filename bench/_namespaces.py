"""Network namespaces for web hosts, so that one can be cut off as if its machine had lost power.

Each namespace has an address such as 10.231.N.2 of its own, and a pair of virtual interfaces connects it to this side,
10.231.N.1. Its name contains the pid of the process that made it: what a killed run left behind is removed by the next.
"""

import ipaddress
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "arbitre-hall"
RANGES = tuple(ipaddress.IPv4Network(f"10.231.{third}.0/24") for third in range(256))


@dataclass(frozen=True)
class Namespace:
    """A network namespace: its number in this run, the pid of the run, and its range of addresses."""

    number: int
    pid: int
    range: ipaddress.IPv4Network

    @property
    def name(self) -> str:
        """Its name for `ip netns`."""
        return f"{PREFIX}-{self.pid}-{self.number}"

    @property
    def link(self) -> str:
        """The interface on this side. Linux allows 15 characters."""
        return f"ah{self.pid}-{self.number}"

    @property
    def outside(self) -> str:
        """The address of this side, where the namespace reaches the services."""
        return str(self.range[1])

    @property
    def inside(self) -> str:
        """The address of the namespace."""
        return str(self.range[2])

    @property
    def command(self) -> tuple[str, ...]:
        """What to put in front of a command that is to run in the namespace."""
        return ("ip", "netns", "exec", self.name)

    def cut(self) -> None:
        """Take the link down: whatever is sent to the namespace, or from it, is lost without an answer."""
        # The inner end, because without the outer one packets would take the default route.
        _ip("-netns", self.name, "link", "set", f"{self.link}i", "down")

    def _make(self) -> None:
        inner = f"{self.link}i"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.link, "type", "veth", "peer", "name", inner, "netns", self.name)
        _ip("address", "add", f"{self.outside}/24", "dev", self.link)
        _ip("link", "set", self.link, "up")
        _ip("-netns", self.name, "address", "add", f"{self.inside}/24", "dev", inner)
        _ip("-netns", self.name, "link", "set", inner, "up")
        _ip("-netns", self.name, "link", "set", "lo", "up")


@contextmanager
def namespaces(count: int) -> Iterator[list[Namespace]]:
    """Create network namespaces, and remove them at the end.

    Raises OSError with a sentence that says why if the system does not allow it.
    """
    if not shutil.which("ip"):
        raise OSError("Network namespaces need the program `ip`, which is not installed.")
    if os.geteuid():
        raise OSError("Network namespaces need root.")
    remove_stale()
    with ExitStack() as stack:
        made = []
        for number in range(1, count + 1):
            space = Namespace(number, os.getpid(), free_range(_ip("-4", "route", "show", "table", "all"), os.getpid()))
            stack.callback(_remove, space.name, space.link)  # also if it is only half made
            space._make()
            made.append(space)
        yield made


def free_range(routes: str, start: int) -> ipaddress.IPv4Network:
    """The first range that no route leads into, beginning with number `start`. Raises OSError if there is none."""
    used = [found for word in routes.split() if (found := _network(word))]
    turn = start % len(RANGES)
    for each in RANGES[turn:] + RANGES[:turn]:
        if not any(each.overlaps(other) for other in used):
            return each
    raise OSError("Network namespaces need a free range in 10.231.0.0/16, and all are in use.")


def remove_stale() -> None:
    """Remove the namespaces of runs that have been killed."""
    for name in re.findall(rf"^{PREFIX}-\d+-\d+", _ip("netns", "list"), re.MULTILINE):
        _, _, pid, number = name.split("-")
        if not Path(f"/proc/{pid}").exists():
            _remove(name, f"ah{pid}-{number}")


def _remove(name: str, link: str) -> None:
    for command in (("link", "delete", link), ("netns", "delete", name)):
        with suppress(OSError):  # it was never made
            _ip(*command)


def _network(word: str) -> ipaddress.IPv4Network | None:
    try:
        return ipaddress.IPv4Network(word, strict=False)
    except ValueError:
        return None


def _ip(*arguments: str) -> str:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"Network namespaces are not available: ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
