"""Your own account: the people you act for, where you play, notifications, and API tokens."""

from typing import Any

from django.forms.models import model_to_dict
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.calendar_links import make_calendar_link, stop_calendar_link
from tournaments.accounts.guardians import add_person, change_person, person_for_guardian, persons_of, remove_person
from tournaments.accounts.models import ApiToken
from tournaments.accounts.selectors import tokens_of
from tournaments.accounts.services import change_language, create_token, own_person, revoke_token, stay_off_stream
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.account import (
    CalendarSerializer,
    DeviceInput,
    DeviceSerializer,
    MeInput,
    MeSerializer,
    NewTokenSerializer,
    NoticesInput,
    NoticesSerializer,
    PersonInput,
    PersonSerializer,
    PlayedSerializer,
    StreamInput,
    StreamSerializer,
    TokenInput,
    TokenSerializer,
)
from tournaments.events.selectors import entrants_of_account
from tournaments.exports.calendars import account_link
from tournaments.notices.access import device_for_owner
from tournaments.notices.devices import add_device, remove_device, try_device
from tournaments.notices.models import Channel
from tournaments.notices.sealing import public_key
from tournaments.notices.selectors import devices_of, wanted_kinds
from tournaments.notices.services import choose_notices
from tournaments.play.selectors import history_of_account, open_matches_of

PLAY = ApiToken.Scope.PLAY


class Account(Resource):
    """The account that makes the request."""

    scopes = (PLAY,)
    account_needed = True

    @operation("GET", "me/", name="me", answers=MeSerializer)
    def me(self, request: Request) -> Response:
        """Your account, and your entries in events that are not over, with their matches in the current round."""
        return self._me()

    @operation("PATCH", "me/", takes=MeInput, answers=MeSerializer)
    def me_change(self, request: Request) -> Response:
        """Set the language of your pages and e-mails. The language of API responses follows `Accept-Language`."""
        change_language(user=self.user, **self.read())
        return self._me()

    def _me(self) -> Response:
        user = self.user
        token: Any = self.request.auth
        entrants = list(entrants_of_account(user))
        scopes = token.scopes if token else ApiToken.Scope.values
        account = {"id": user.public_id, "language": user.language, "scopes": scopes}
        context = {"matches": open_matches_of(entrants), "own": {entrant.pk for entrant in entrants}}
        return self.answer({"account": account, "entrants": entrants}, **context)

    @operation("GET", "persons/", name="persons", lists=PersonSerializer)
    def persons_list(self, request: Request) -> Response:
        """The people you act for: yourself first, then those you added."""
        return self.answer(persons_of(self.user))

    @operation("POST", "persons/", takes=PersonInput, answers=PersonSerializer, status=201)
    def persons_create(self, request: Request) -> Response:
        """Add somebody without an account, such as a child, whom you register and for whom you report results."""
        made = add_person(guardian=self.user, **self.read())
        return self.answer(made)

    @operation("PUT", "persons/<slug:person_id>/", name="person", takes=PersonInput, answers=PersonSerializer)
    def persons_change(self, request: Request, person_id: str) -> Response:
        """Correct the names of a person you act for."""
        person = person_for_guardian(self.user, person_id)
        change_person(person=person, **self.changed(model_to_dict(person, list(PersonInput().fields))))
        return self.answer(person)

    @operation("DELETE", "persons/<slug:person_id>/")
    def persons_erase(self, request: Request, person_id: str) -> Response:
        """Erase the names of a person permanently; results stay. Not for yourself: erase your account instead."""
        remove_person(person=person_for_guardian(self.user, person_id), **self.arguments())
        return self.answer()

    @operation("GET", "me/notices/", name="notices", answers=NoticesSerializer)
    def notices(self, request: Request) -> Response:
        """The kinds of notifications sent to your e-mail address and to your devices."""
        return self._notices()

    @operation("PUT", "me/notices/", takes=NoticesInput, answers=NoticesSerializer)
    def notices_choose(self, request: Request) -> Response:
        """Receive e-mails of exactly these kinds, and notifications on your devices of the kinds in `push`."""
        chosen = self.read()
        for name, channel in (("kinds", Channel.LETTER), ("push", Channel.PUSH)):
            if name in chosen:
                choose_notices(user=self.user, kinds=chosen[name], channel=channel)
        return self._notices()

    def _notices(self) -> Response:
        user = self.user
        return self.answer({
            "kinds": wanted_kinds(user),
            "push": wanted_kinds(user, Channel.PUSH),
            "confirmed": user.email_confirmed_at is not None,
            "push_key": public_key(),
        })

    @operation("GET", "me/devices/", name="devices", lists=DeviceSerializer)
    def devices_list(self, request: Request) -> Response:
        """The devices that show your notifications, oldest first, without their keys."""
        return self.answer(devices_of(self.user))

    @operation("POST", "me/devices/", takes=DeviceInput, answers=DeviceSerializer, status=201)
    def devices_add(self, request: Request) -> Response:
        """Show your notifications on a device, by its push subscription (RFC 8030) for our `push_key`."""
        return self.answer(add_device(user=self.user, now=self.now, **self.read()))

    @operation("DELETE", "me/devices/<slug:device_id>/", name="device")
    def devices_remove(self, request: Request, device_id: str) -> Response:
        """Stop showing notifications on a device."""
        remove_device(device=device_for_owner(self.user, device_id))
        return self.answer()

    @operation("POST", "me/devices/<slug:device_id>/test/", name="device_test")
    def devices_test(self, request: Request, device_id: str) -> Response:
        """Send a test notification to a device."""
        try_device(device=device_for_owner(self.user, device_id), now=self.now)
        return self.answer()

    @operation("GET", "me/history/", name="history", pages=PlayedSerializer)
    def history(self, request: Request) -> Response:
        """Your entries in all events, newest first, with the number of matches that count."""
        return self.answer(history_of_account(self.user))

    @operation("GET", "me/calendar/", name="calendar", answers=CalendarSerializer)
    def calendar(self, request: Request) -> Response:
        """The secret address of the calendar with your events; null while there is none."""
        return self.answer({"address": account_link(self.user) or None})

    @operation("POST", "me/calendar/", answers=CalendarSerializer, status=201, not_kept=("address",))
    def calendar_make(self, request: Request) -> Response:
        """Create an address for your calendar. The previous one no longer works."""
        make_calendar_link(user=self.user)
        return self.answer({"address": account_link(self.user)})

    @operation("DELETE", "me/calendar/")
    def calendar_stop(self, request: Request) -> Response:
        """Make the address of your calendar invalid. Idempotent."""
        stop_calendar_link(user=self.user)
        return self.answer()

    @operation("GET", "me/stream/", name="stream", answers=StreamSerializer)
    def stream(self, request: Request) -> Response:
        """Whether your name is kept off big screens and out of public exports."""
        return self.answer({"off": own_person(self.user).off_stream})

    @operation("PUT", "me/stream/", takes=StreamInput, answers=StreamSerializer)
    def stream_choose(self, request: Request) -> Response:
        """Keep your name off big screens and out of public exports, or allow it there."""
        off = self.read()["off"]
        stay_off_stream(person=own_person(self.user), off=off)
        return self.answer({"off": off})


class Tokens(Resource):
    """API tokens. Only a signed-in person manages them: a leaked token must not be able to create others."""

    account_needed = True
    session_only = True

    @operation("GET", "tokens/", name="tokens", lists=TokenSerializer)
    def tokens_list(self, request: Request) -> Response:
        """Your tokens, newest first, without their secrets."""
        return self.answer(tokens_of(self.user))

    @operation("POST", "tokens/", takes=TokenInput, answers=NewTokenSerializer, status=201, not_kept=("secret",))
    def tokens_create(self, request: Request) -> Response:
        """Create a token. Its secret is only in this response."""
        token, secret = create_token(user=self.user, now=self.now, **self.read())
        token.secret = secret  # type: ignore[attr-defined]
        return self.answer(token)

    @operation("DELETE", "tokens/<int:token_id>/", name="token")
    def tokens_revoke(self, request: Request, token_id: int) -> Response:
        """Revoke a token. Idempotent."""
        token = tokens_of(self.user).filter(pk=token_id).first()
        if token is None:
            raise Http404
        revoke_token(token=token, now=self.now)
        return self.answer()
