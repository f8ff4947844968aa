"""The network of a chaos run: proxies, and a network namespace where the system allows it."""

import asyncio
import random
import secrets
import shutil
import subprocess
import time

from tournaments.config.launcher import end_with_parent

LOSS = 0.15  # share of packets, in each direction
RESENT = 0.2  # seconds until a lost packet is sent again, where proxies simulate packet loss


class Proxy:
    """A TCP proxy in front of the web or of a service. Its attributes apply until `restore`.

    - `is_cut`: connections are reset
    - `silent`: nothing passes, and neither side is notified
    - `delay`: seconds before anything passes
    - `loss`: the share of chunks that arrive `RESENT` seconds late
    - `unanswered`: the share of answers that are discarded, with their connection, when the server sends them
    - `thrown_away`: the number of answers discarded so far
    """

    def __init__(self, host: str, port: int) -> None:
        self._upstream = (host, port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.thrown_away = 0
        self.restore()

    def restore(self) -> None:
        """Pass everything on immediately again."""
        self.is_cut = self.silent = False
        self.delay = self.loss = self.unanswered = 0.0

    async def start(self, host: str) -> int:
        """Listen on a free port of this address, and return the port."""
        self._server = await asyncio.start_server(self._serve, host, 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def drop(self) -> None:
        """Reset every connection."""
        for writer in list(self._writers):
            writer.transport.abort()

    def cut(self) -> None:
        """Reset every connection and accept no new one, until `restore`."""
        self.is_cut = True
        self.drop()

    async def close(self) -> None:
        """Stop accepting connections and drop the existing ones."""
        self.restore()
        if self._server is not None:
            self._server.close()
        self.drop()
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self.is_cut:
                raise ConnectionResetError
            upstream_reader, upstream = await asyncio.open_connection(*self._upstream)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, upstream}
        try:
            await asyncio.gather(
                self._pass(reader, upstream, answers=False), self._pass(upstream_reader, writer, answers=True)
            )
        except asyncio.CancelledError:
            return  # the run is over; asyncio would log this as an error
        finally:
            for each in (writer, upstream):
                self._writers.discard(each)
                each.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        try:
            while data := await reader.read(65_536):
                if answers and random.random() < self.unanswered:
                    self.thrown_away += 1
                    writer.transport.abort()
                    return
                await self._hold_up()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def _hold_up(self) -> None:
        if self.delay:
            await asyncio.sleep(self.delay)
        if random.random() < self.loss:
            await asyncio.sleep(RESENT)
        while self.silent:
            await asyncio.sleep(0.05)


class Network:
    """A network namespace connected to ours by a pair of interfaces; packets are lost inside it.

    It exists as long as its first process, which ends with this one. Raises OSError if the system does not allow it.
    """

    def __init__(self) -> None:
        missing = [name for name in ("unshare", "nsenter", "ip", "iptables") if not shutil.which(name)]
        if missing:
            raise OSError(f"{missing[0]} is not installed")
        third, name = secrets.randbelow(256), f"chaos{secrets.token_hex(3)}"
        self.outside, self.inside = f"10.213.{third}.1", f"10.213.{third}.2"
        self._first = subprocess.Popen(
            ["unshare", "--net", "sleep", "infinity"], stderr=subprocess.DEVNULL, preexec_fn=end_with_parent
        )
        time.sleep(0.3)
        self.prefix = ("nsenter", f"--net=/proc/{self._first.pid}/ns/net")
        try:
            self._join(name)
            self.lose(LOSS)
            self.restore()
        except OSError:
            self.close()
            raise

    def _join(self, name: str) -> None:
        peer = ("type", "veth", "peer", "name", "eth0", "netns", str(self._first.pid))
        _run("ip", "link", "add", name, *peer)
        _run("ip", "address", "add", f"{self.outside}/30", "dev", name)
        _run("ip", "link", "set", name, "up")
        self._within("ip", "address", "add", f"{self.inside}/30", "dev", "eth0")
        self._within("ip", "link", "set", "eth0", "up")
        self._within("ip", "link", "set", "lo", "up")

    def lose(self, share: float) -> None:
        """Lose this share of all packets in each direction."""
        chance = ("-m", "statistic", "--mode", "random", "--probability", str(share)) if share < 1 else ()
        self._within("iptables", "-A", "INPUT", "-i", "eth0", *chance, "-j", "DROP")
        self._within("iptables", "-A", "OUTPUT", "-o", "eth0", *chance, "-j", "DROP")

    def restore(self) -> None:
        """Stop losing packets."""
        self._within("iptables", "-F")

    def close(self) -> None:
        """End the namespace; its interfaces go with it."""
        self._first.kill()
        self._first.wait()

    def _within(self, *command: str) -> None:
        _run(*self.prefix, *command)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{command[0]}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else 'failed'}")
