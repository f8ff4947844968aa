"""Faults of PostgreSQL, Redis and RabbitMQ, and of the connections to them.

As in `faults`, each function injects one, holds it for a moment, ends it, and returns how often it was injected.
"""

import asyncio

from tools.chaos import servers
from tools.chaos.target import Chaos

WRITTEN = ("play_match", "play_report", "events_entrant", "payments_payment", "common_ledgerhead", "common_job")


async def connections_ended(chaos: Chaos) -> int:
    """PostgreSQL terminates every connection, three times in a row."""
    for _time in range(3):
        await asyncio.to_thread(servers.end_connections, chaos.installation.servers["PostgreSQL"])
        await asyncio.sleep(chaos.rng.random())
    return 3


async def postgresql_killed(chaos: Chaos) -> int:
    """SIGKILL the whole PostgreSQL server, which recovers from its log."""
    return await _server_killed(chaos, "PostgreSQL")


async def redis_killed(chaos: Chaos) -> int:
    """SIGKILL Redis, which loses the cache, and the queue if that is in it."""
    return await _server_killed(chaos, "Redis")


async def rabbitmq_killed(chaos: Chaos) -> int:
    """SIGKILL the RabbitMQ node."""
    return await _server_killed(chaos, "RabbitMQ")


async def _server_killed(chaos: Chaos, name: str) -> int:
    chaos.installation.servers[name].kill()
    await asyncio.sleep(chaos.rng.uniform(0, 2))
    await chaos.installation.restart_server(name)
    return 1


async def database_cut(chaos: Chaos) -> int:
    """Connections to PostgreSQL are reset and refused."""
    return await _cut(chaos, ("DATABASE_URL",), chaos.rng.uniform(1, 7))


async def redis_cut(chaos: Chaos) -> int:
    """Connections to Redis are reset and refused: no queue, no cache."""
    return await _cut(chaos, ("CELERY_BROKER_URL", "CACHE_URL"), chaos.rng.uniform(1, 5))


async def rabbitmq_cut(chaos: Chaos) -> int:
    """Connections to RabbitMQ are reset and refused: no queue."""
    return await _cut(chaos, ("CELERY_BROKER_URL",), chaos.rng.uniform(1, 5))


async def _cut(chaos: Chaos, names: tuple[str, ...], seconds: float) -> int:
    proxies = [chaos.installation.proxies[name] for name in names]
    for proxy in proxies:
        proxy.cut()
    await asyncio.sleep(seconds)
    for proxy in proxies:
        proxy.restore()
    return 1


async def connections_reset(chaos: Chaos) -> int:
    """Connections to all services are reset, six times in a row."""
    for _time in range(6):
        for name, proxy in chaos.installation.proxies.items():
            if name != "web":
                proxy.drop()
        await asyncio.sleep(chaos.rng.random())
    return 6


async def services_slow(chaos: Chaos) -> int:
    """Everything sent to a service or received from it takes 50 ms longer."""
    slowed = [proxy for name, proxy in chaos.installation.proxies.items() if name != "web"]
    for proxy in slowed:
        proxy.delay = 0.05
    await asyncio.sleep(4)
    for proxy in slowed:
        proxy.restore()
    return 1


async def read_only(chaos: Chaos) -> int:
    """PostgreSQL accepts no writes, as while another server takes over."""
    server = chaos.installation.servers["PostgreSQL"]
    try:
        await asyncio.to_thread(servers.set_read_only, server, True)
        await asyncio.sleep(chaos.rng.uniform(2, 5))
    finally:
        await asyncio.to_thread(servers.set_read_only, server, False)
    return 1


async def table_locked(chaos: Chaos) -> int:
    """Somebody locks a table that is written, as a migration does, at times for longer than a page waits for it."""
    table, seconds = chaos.rng.choice(WRITTEN), chaos.rng.uniform(2, 8)
    return await asyncio.to_thread(servers.lock_table, chaos.installation.servers["PostgreSQL"], table, seconds)


async def connections_used_up(chaos: Chaos) -> int:
    """Others have all connections that PostgreSQL allows, and those of web and worker were ended."""
    server, seconds = chaos.installation.servers["PostgreSQL"], chaos.rng.uniform(2, 7)
    await asyncio.to_thread(servers.use_up_connections, server, seconds)
    return 1


async def redis_full(chaos: Chaos) -> int:
    """Redis refuses to store anything more."""
    server = chaos.installation.servers["Redis"]
    try:
        await asyncio.to_thread(servers.limit_memory, server, 1)
        await asyncio.sleep(chaos.rng.uniform(2, 5))
    finally:
        await asyncio.to_thread(servers.limit_memory, server, 0)
    return 1
