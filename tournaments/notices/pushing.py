"""Sends push notifications: to many push services at once, each notification at most once to each device."""

import base64
import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, islice

from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.common import outgoing
from tournaments.common.jobs import Progress, unseen
from tournaments.common.mail import PutOff, claim, prune, release
from tournaments.common.names import one_line
from tournaments.events.selectors import current_stage, off_stream
from tournaments.notices.models import Channel, Kind, PushSubscription
from tournaments.notices.notifications import Addressed, page_of, public_line
from tournaments.notices.sealing import sealed, signature
from tournaments.notices.selectors import reachable
from tournaments.notices.services import FRESH, Due, batches_of, due_now

AT_ONCE = 20  # requests to push services
BATCH = 200  # notifications claimed at a time
LONGEST_TITLE, LONGEST_BODY = 120, 400  # characters
GIVE_UP = timedelta(days=3)  # of nothing but failures
CALL_SECONDS = 15 * 60  # after that, the judge has come
URGENT = {Kind.PAIRING, Kind.DISPUTE, Kind.CALL}
ONE_BY_ONE = {Kind.ANNOUNCEMENT, Kind.DISPUTE, Kind.CALL}  # of the other kinds, a newer one replaces an older one
GONE = {404, 410}  # statuses by which a push service says that a subscription is over
NOT_SENT = {"unresolved", "refused"}  # codes of `Unreachable` after which nothing can have been delivered


@dataclass(frozen=True)
class Push:
    """A notification as a device shows it. `path` is opened by a click.

    One with the same `tag` replaces it, in the push service and on the screen. After `seconds` it is of no use.
    """

    title: str
    body: str
    path: str
    tag: str
    seconds: int
    urgent: bool

    def payload(self, language: str) -> bytes:
        """The JSON that the service worker reads, of less than 3,000 bytes."""
        said = {
            "title": one_line(self.title)[:LONGEST_TITLE],
            "body": "\n".join(one_line(line) for line in self.body.splitlines())[:LONGEST_BODY],
            "path": self.path,
            "tag": self.tag,
            "lang": language,
            "icon": static("web/app/icon-192.png"),
            "badge": static("web/app/badge-96.png"),
        }
        return json.dumps(said, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Message:
    """A notification on its way to one device, under the key by which it is sent only once."""

    device: PushSubscription
    key: str
    push: Push
    payload: bytes


def push(*, chain: str, number: int, now: datetime, progress: Progress = unseen) -> None:
    """Push a ledger entry to the devices of everybody whom it still concerns. No device gets it twice.

    Nothing is sent if it is more than `FRESH` too late. Raises `PutOff`, after all others were sent, if a push service
    will accept one only later.
    """
    due = due_now(chain=chain, number=number, channel=Channel.PUSH, now=now)
    if due is None:
        return
    prune(now)
    messages = _messages(due, now)
    put_off, sent = False, 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while batch := list(islice(messages, BATCH)):
            progress(min(99, 100 * sent // len(due.readers)))
            fresh = claim([message.key for message in batch], now)
            put_off |= _send([message for message in batch if message.key in fresh], pool, now)
            sent += len(batch)
    if put_off:
        raise PutOff("push")


def try_push(*, device: str, now: datetime) -> None:
    """Push a test notification to one device, given by its public id; nothing if it was removed."""
    found = PushSubscription.objects.filter(public_id=device).select_related("user").first()
    if found is None:
        return
    language = found.user.language
    with translation.override(language):
        path = reverse("web:account_notices")
        shown = Push(_("Notifications work"), _("This is how Arbitre notifies you."), path, "test", 600, True)
        message = Message(found, "", shown, shown.payload(language))
    with ThreadPoolExecutor(1) as pool:
        _send([message], pool, now)


def push_of(due: Due, addressed: Sequence[Addressed], off: Collection[int]) -> Push:
    """What a device shows of an entry that concerns these entrants or applications, in the active language."""
    event, entry, notification = due.event, due.entry, due.notification
    # A dict drops repetitions: a guardian of three players reads an announcement once.
    lines = dict.fromkeys(public_line(notification, event, entry, each, off) for each in addressed)
    kind = notification.kind
    about = entry.object if kind in ONE_BY_ONE else kind
    digest = hashlib.sha256(f"{event.public_id}:{kind}:{about}".encode()).digest()
    return Push(
        title=notification.subject(event, entry) if event.is_for_everybody else "Arbitre",
        body="\n".join(lines),
        path=page_of(notification, event),
        tag=base64.urlsafe_b64encode(digest[:18]).decode(),  # the Topic of a push has at most 32 such characters
        seconds=_seconds(due),
        urgent=kind in URGENT,
    )


def _seconds(due: Due) -> int:
    """How long a push service should keep it for a device that it cannot reach."""
    if due.notification.kind == Kind.PAIRING:
        return current_stage(due.event).round_minutes * 60
    return CALL_SECONDS if due.notification.kind == Kind.CALL else int(FRESH.total_seconds())


def _messages(due: Due, now: datetime) -> Iterator[Message]:
    off = frozenset(off_stream(due.event))
    devices = reachable(now).filter(user__in=due.readers).order_by("user", "pk")
    devices_of = {user: list(found) for user, found in groupby(devices, key=lambda device: device.user_id)}
    for user, addressed in batches_of(due):
        with translation.override(user.language):
            shown = push_of(due, addressed, off)
        payload = shown.payload(user.language)
        for device in devices_of.get(user.pk, ()):
            yield Message(device, f"push:{due.entry.chain}:{due.entry.number}:{device.public_id}", shown, payload)


def _send(messages: list[Message], pool: ThreadPoolExecutor, now: datetime) -> bool:
    """Send messages in parallel and note how their devices fared; returns whether any must be sent again later."""
    answers = list(pool.map(lambda message: _post(message, now), messages))
    accepted, gone, failed, later = [], [], [], []
    for message, answer in zip(messages, answers, strict=True):
        if isinstance(answer, int) and 200 <= answer < 300:
            accepted.append(message.device.pk)
        elif answer in GONE:
            gone.append(message.device.pk)
        else:
            failed.append(message.device.pk)
            if answer in NOT_SENT or (isinstance(answer, int) and (answer == 429 or answer >= 500)):
                later.append(message.key)
    devices = PushSubscription.objects.order_by()
    devices.filter(pk__in=accepted).update(pushed_at=now, failing_since=None)
    devices.filter(pk__in=gone).delete()
    devices.filter(pk__in=failed, failing_since=None).update(failing_since=now)
    devices.filter(pk__in=failed, failing_since__lte=now - GIVE_UP).delete()
    release(later)
    return bool(later)


def _post(message: Message, now: datetime) -> int | str:
    """Send one message; returns the status of the answer, or the code of `Unreachable`. No queries: it is a thread."""
    device, shown = message.device, message.push
    headers = {
        **signature(device.endpoint, now),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "user-agent": "Arbitre-Push/1",
        "ttl": str(shown.seconds),
        "urgency": "high" if shown.urgent else "normal",
        "topic": shown.tag,
    }
    try:
        body = sealed(message.payload, p256dh=device.p256dh, auth=device.auth)
        return outgoing.post(device.endpoint, body, headers)
    except outgoing.Unreachable as unreachable:
        return unreachable.code
