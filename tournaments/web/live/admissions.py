"""Who may have a stream in this process: checked in batches, kept while the event is followed, and doubted on news."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from asgiref.sync import sync_to_async

from tournaments.common.clock import now
from tournaments.web.live.address import Reader
from tournaments.web.live.rights import Granted, Key, Rights, concerned

MARGIN = timedelta(minutes=1)  # a change is stamped before it is committed, perhaps by another host's clock
MOST_KEPT = 20_000  # readers of an event; beyond that, all are checked again when they come back


class Admissions:
    """What has been granted to the readers of the events that a process follows.

    Call `follow` for an event before anybody is admitted to it, so that no change of rights falls between.
    """

    def __init__(self, rights: Rights) -> None:
        self._check = sync_to_async(rights.check, thread_sensitive=False)
        self._changes = sync_to_async(rights.changes, thread_sensitive=False)
        self._accounts_of = sync_to_async(rights.accounts_of, thread_sensitive=False)
        self._granted: dict[str, dict[Reader, Granted]] = {}
        self._asked: dict[Key, asyncio.Future[Granted | None]] = {}
        self._checking: asyncio.Task[None] | None = None
        self._doubts = 0  # how often somebody's rights may have changed: what was read meanwhile is read again
        self._heard: frozenset[int] = frozenset()
        self._since: datetime = now()

    def follow(self, event: str) -> None:
        """Keep what is granted at an event from now on."""
        if event not in self._granted:
            self._granted[event] = {}
            self._doubts += 1  # a check under way may have read before the position that is followed from now on

    def leave(self, event: str) -> None:
        """Forget what was granted at an event that nobody follows any more."""
        self._granted.pop(event, None)

    async def admitted(self, event: str, reader: Reader) -> Reader | None:
        """The reader as whom a stream may be opened; None if it may not. Raises what reading the database raises.

        Where everybody may see the stream, its reader counts as one without a session.
        """
        as_anybody = [reader._replace(session="")] if reader.audience == "public" else []
        for each in dict.fromkeys([*as_anybody, reader]):
            if await self._grant(event, each) is not None:
                return each
        return None

    async def _grant(self, event: str, reader: Reader) -> Granted | None:
        kept = self._granted.get(event, {}).get(reader)
        if kept is not None:
            return kept
        asked = self._asked.setdefault((event, reader), asyncio.get_running_loop().create_future())
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._check_asked())
        return await asyncio.shield(asked)

    async def _check_asked(self) -> None:
        """Check everybody who waits, all at once: after a restart a whole hall comes back."""
        while self._asked:
            asked, self._asked = self._asked, {}
            try:
                found = await self._read(asked)
            except Exception as error:
                for future in asked.values():
                    future.set_exception(error)
                    future.exception()  # whoever waited for it may have left
                continue
            for (event, reader), grant in found.items():
                self._keep(event, reader, grant)
                asked[event, reader].set_result(grant)

    async def _read(self, keys: Iterable[Key]) -> Mapping[Key, Granted | None]:
        while True:
            doubts = self._doubts
            found = await self._check(list(keys))
            if doubts == self._doubts:
                return found

    def _keep(self, event: str, reader: Reader, grant: Granted | None) -> None:
        known = self._granted.get(event)
        if known is None:
            return
        if grant is None:
            known.pop(reader, None)
        else:
            if len(known) >= MOST_KEPT:
                known.clear()
            known[reader] = grant

    async def lost(self, news: Mapping[str, frozenset[str]]) -> set[Key]:
        """Check the readers again whose rights may have changed, and return those who may not have a stream any more.

        `news` says, for each event with news, who may have other rights there: see `positions.News`. If reading fails,
        nothing is lost: the next call has to name the same news.
        """
        began, found = now(), await self._heard_of()
        moved = frozenset(whose for key, whose in found.items() if key not in self._heard)
        doubted = {event: moved | news.get(event, frozenset()) for event in self._granted}
        if any(doubted.values()):
            self._doubts += 1
        again = [
            (event, reader)
            for event, whose in doubted.items()
            if whose
            for reader in concerned(self._granted.get(event, {}), await self._with_accounts(event, whose))
        ]
        lost: set[Key] = set()
        for (event, reader), grant in (await self._read(again) if again else {}).items():
            self._keep(event, reader, grant)
            if grant is None:
                lost.add((event, reader))
        self._heard, self._since = frozenset(found), began
        return lost

    async def _heard_of(self) -> Mapping[int, str]:
        """The latest changes of rights outside of ledgers; no query if all readers are without a session."""
        if not any(reader.session for known in self._granted.values() for reader in known):
            return {}
        return await self._changes(self._since - MARGIN)

    async def _with_accounts(self, event: str, whose: frozenset[str]) -> frozenset[str]:
        """The same, with the accounts of new entrants: staff who enter become players."""
        entrants = [name for name in whose if name.startswith("p-")]
        staff = any(reader.audience == "staff" for reader in self._granted.get(event, {}))
        return whose | await self._accounts_of(entrants) if entrants and staff else whose
