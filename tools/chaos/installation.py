"""A temporary installation to break: servers, proxies in front of them, the web and a worker."""

import asyncio
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tools.chaos import servers
from tools.chaos.network import Network, Proxy
from tools.chaos.processes import Program, family
from tools.chaos.servers import Server
from tools.previous_release import unpack_previous
from tools.services import free_port
from tournaments.config.launcher import WORKER, web
from tournaments.config.places import TOP

STACKS = {
    "sqlite": "SQLite, queue in files",
    "redis": "PostgreSQL, Redis",
    "rabbitmq": "PostgreSQL, Redis, RabbitMQ",
}
NEEDED = {
    "sqlite": (),
    "redis": (servers.postgresql, servers.redis),
    "rabbitmq": (servers.postgresql, servers.redis, servers.rabbitmq),
}
ROOM = "320m"  # size of the small disk
PATIENCE = 60.0  # seconds the web may take to answer
SERVICES = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")
OLD = "worker of the previous version"
INSIDE = TOP / "tools" / "chaos" / "inside"


class Installation:
    """One stack in a folder. `close` ends all its processes.

    - `environment`: that of this process, with direct addresses of the services
    - `proxies`: what web and worker go through, by name of the setting; clients go through the one named "web"
    - `small_disk`: whether the data is on a small disk that can be filled
    - `no_network`: why there is no network namespace, or empty
    """

    def __init__(self, stack: str, folder: Path, *, own_mounts: bool) -> None:
        """Start the servers. Raises servers.Missing if one cannot be started."""
        self.stack, self.folder = stack, folder
        self.disk, self.logs = folder / "disk", folder / "logs"
        self.var = self.disk / "var"
        self.clock, self.kill_point, self.slow = folder / "clock", folder / "kill", folder / "slow"
        self.proxies: dict[str, Proxy] = {}
        self.parts: dict[str, Program] = {}
        self.servers: dict[str, Server] = {}
        self.stopped: set[str] = set()  # parts that are not to run for now
        self.died: Counter[str] = Counter()  # parts that ended by themselves
        self.may_die = False  # a part was told to kill itself, which is then not counted in `died`
        self.lifted: list[float] = []  # when faults ended, by time.monotonic
        self._stack = ExitStack()
        self.network: Network | None = None
        self.no_network = ""
        for made in (self.disk, self.logs):
            made.mkdir()
        self.small_disk = own_mounts and self._mount()
        self.var.mkdir()
        self.clock.write_text("0")
        try:
            self._start_servers()
            self._join_network()
        except BaseException:
            self.close()
            raise
        self.environment = {
            "VAR_DIR": str(self.var),
            "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
            "LOG_LEVEL": "WARNING",
            "THROTTLE_USER": "100000/min",
            "THROTTLE_ANON": "100000/min",
            **self._addresses(),
        }

    @property
    def base(self) -> str:
        """The address at which clients reach the web, through its proxy."""
        return f"http://127.0.0.1:{self._front}"

    async def start(self) -> None:
        """Start the proxies, the web and the worker. Returns when the web answers."""
        outside = self.network.outside if self.network else "127.0.0.1"
        self._host = self.network.inside if self.network else "127.0.0.1"
        self._port = free_port()
        self.proxies["web"] = Proxy(self._host, self._port)
        self._front = await self.proxies["web"].start("127.0.0.1")
        environment = await self._environment_of_parts(outside)
        # As in compose: each worker process opens one connection and keeps it.
        of_worker = environment | {"DATABASE_POOL": "0"}
        self._add("web", self._web(), environment)
        self._add("worker", WORKER, of_worker)
        self._add(OLD, (*WORKER[:-1], "INFO"), of_worker, self.folder / "previous")
        self.stopped = {OLD}
        for name in ("web", "worker"):
            self.parts[name].start()
        await self.until_healthy()

    def _add(self, name: str, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path = TOP) -> None:
        command = [*(self.network.prefix if self.network else ()), sys.executable, *arguments]
        log = self.logs / f"{name.replace(' ', '-')}.log"
        self.parts[name] = Program(name, command, log=log, environment=environment, cwd=cwd)

    async def until_healthy(self) -> None:
        """Wait until the web and its database answer. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient(trust_env=False, timeout=5) as client:
            while True:
                with suppress(httpx.TransportError):
                    if (await client.get(f"{self.base}/healthz")).status_code == 200:
                        return
                await asyncio.sleep(0.1)

    async def watch(self) -> None:
        """Restart every part that ends by itself, as systemd and Docker do, and count it in `died`."""
        while True:
            for name, part in self.parts.items():
                if part.exit_code is not None and name not in self.stopped:
                    if not self.may_die:
                        self.died[f"{name} (exit code {part.exit_code})"] += 1
                    part.start()
            await asyncio.sleep(0.3)

    async def restart_server(self, name: str) -> None:
        """Start a server that was killed, and wait until it answers."""
        await asyncio.to_thread(self.servers[name].wait)

    async def revive_servers(self) -> None:
        """Start the servers that stopped because their disk was full."""
        for server in self.servers.values():
            if server.ended:
                await asyncio.to_thread(server.wait)

    async def stop(self, name: str) -> None:
        """End a part in an orderly way, and leave it so until `run`."""
        self.stopped.add(name)
        await asyncio.to_thread(self.parts[name].end)

    async def run(self, name: str) -> None:
        """Start a part that does not run; the worker of the previous version is unpacked first. Raises NoHistory."""
        if name == OLD and not (self.folder / "previous").exists():
            await asyncio.to_thread(unpack_previous, self.folder / "previous")
        self.parts[name].start()
        self.stopped.discard(name)

    def done_by_previous(self) -> int:
        """How many jobs a worker of the previous version has done so far, according to its log."""
        log = self.parts[OLD].log
        return log.read_text(errors="replace").count(" succeeded in ") if log.exists() else 0

    def kill(self, name: str) -> None:
        """SIGKILL a part with all its processes, and restart it at once."""
        self.parts[name].kill()
        self.parts[name].start()

    def limit_files(self, size: int) -> None:
        """Keep the parts from writing files beyond this many bytes; -1 for no limit."""
        for part in self._running():
            for pid in family(part.pid):
                with suppress(ProcessLookupError):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def close(self) -> None:
        """End the parts, the servers and the network, and unmount the disk."""
        for part in self._running():
            part.kill()
        self._stack.close()

    def _running(self) -> list[Program]:
        return [part for name, part in self.parts.items() if name not in self.stopped]

    # ------------------------------------------------------------------ what it is made of

    def _mount(self) -> bool:
        """Mount a small disk. It is private to this process's mount namespace and disappears with it."""
        command = ["mount", "-t", "tmpfs", "-o", f"size={ROOM},mode=755", "chaos", str(self.disk)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return False
        self._stack.callback(subprocess.run, ["umount", "--lazy", str(self.disk)], check=False)
        return True

    def _start_servers(self) -> None:
        for start in NEEDED[self.stack]:
            server = start(self.disk, self.logs)
            self.servers[server.name] = server
            self._stack.callback(server.close)
        for server in self.servers.values():
            server.wait()
        if "PostgreSQL" in self.servers:
            servers.create_database(self.servers["PostgreSQL"])

    def _join_network(self) -> None:
        try:
            self.network = Network()
            self._stack.callback(self.network.close)
        except OSError as error:
            self.no_network = str(error)

    def _addresses(self) -> dict[str, str]:
        """The settings that name the database, the queue and the cache."""
        if self.stack == "sqlite":
            found = {"DATABASE_URL": f"sqlite:///{self.var}/arbitre.sqlite3", "CELERY_BROKER_URL": "filesystem://"}
            return found | {"CACHE_URL": "locmem://"}
        cache = self.servers["Redis"].url
        queue = self.servers["RabbitMQ"].url if self.stack == "rabbitmq" else cache.removesuffix("0") + "1"
        database = servers.url_of_account(self.servers["PostgreSQL"])
        return {"DATABASE_URL": database, "CELERY_BROKER_URL": queue, "CACHE_URL": cache}

    async def _environment_of_parts(self, outside: str) -> dict[str, str]:
        """The environment of web and worker, with services behind proxies."""
        through = {}
        for name in SERVICES:
            url = urlsplit(self.environment[name])
            if url.hostname and url.port:
                proxy = self.proxies[name] = Proxy(url.hostname, url.port)
                port = await proxy.start(outside)
                through[name] = self.environment[name].replace(f"{url.hostname}:{url.port}", f"{outside}:{port}")
        return {
            **os.environ,
            **self.environment,
            **through,
            "CHAOS_CLOCK": str(self.clock),
            "CHAOS_KILL": str(self.kill_point),
            "CHAOS_SLOW": str(self.slow),
            "PYTHONPATH": str(INSIDE),
            "CELERY_SKIP_CHECKS": "1",
        }

    def _web(self) -> tuple[str, ...]:
        """The command of the web as in the launcher; with PostgreSQL two processes, as in compose."""
        workers = ("--workers", "2") if self.stack != "sqlite" else ()
        return (*web(self._port), "--host", self._host, *workers)
