"""One's own account: what one plays, and API tokens."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.guardians import add_person, change_person, person_for_guardian, persons_of, remove_person
from tournaments.accounts.models import ApiToken
from tournaments.accounts.selectors import tokens_of
from tournaments.accounts.services import change_language, create_token, own_person, revoke_token, stay_off_stream
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.account import (
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
from tournaments.notices.selectors import wanted_kinds
from tournaments.notices.services import choose_notices
from tournaments.play.selectors import history_of_account, open_matches_of

PLAY = ApiToken.Scope.PLAY


class MeView(Endpoint):
    """The account that asks."""

    account_needed = True
    scopes = (PLAY,)

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Your account, your entrants in events that are not over, and where each sits now."""
        return self._answer(request)

    @extend_schema(operation_id="me_change", request=MeInput, responses=MeSerializer)
    def patch(self, request: Request) -> Response:
        """Choose the language of your pages and letters; the API answers in that of `Accept-Language`."""
        change_language(user=request.user, **self.read(MeInput))
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        entrants = list(entrants_of_account(request.user))
        scopes = request.auth.scopes if request.auth else ApiToken.Scope.values
        account = {"id": request.user.public_id, "language": request.user.language, "scopes": scopes}
        context = {"matches": open_matches_of(entrants), "own": {entrant.pk for entrant in entrants}}
        return Response(MeSerializer({"account": account, "entrants": entrants}, context=context).data)


class PersonsView(Endpoint):
    """Those for whom you act."""

    scopes = (PLAY,)
    account_needed = True

    @extend_schema(operation_id="persons_list", responses=PersonSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Yourself first, then those you added."""
        return Response(PersonSerializer(persons_of(request.user), many=True).data)

    @extend_schema(operation_id="persons_create", request=PersonInput, responses={201: PersonSerializer})
    def post(self, request: Request) -> Response:
        """Somebody without an account, such as a child, for whom you register and report."""
        made = add_person(guardian=request.user, **self.read(PersonInput))
        return Response(PersonSerializer(made).data, status=201)


class PersonView(Endpoint):
    """One of them."""

    scopes = (PLAY,)
    account_needed = True

    @extend_schema(operation_id="persons_change", request=PersonInput, responses=PersonSerializer)
    def put(self, request: Request, person_id: str) -> Response:
        """Correct the names: what is left out is empty."""
        person = person_for_guardian(request.user, person_id)
        change_person(person=person, **self.read(PersonInput))
        return Response(PersonSerializer(person).data)

    @extend_schema(operation_id="persons_erase", responses={204: None})
    def delete(self, request: Request, person_id: str) -> Response:
        """Erase the names for good; results stay. Not yourself: that is done with the account."""
        remove_person(person=person_for_guardian(request.user, person_id), by=request.user, now=self.now)
        return Response(status=204)


class NoticesView(Endpoint):
    """Of what one is told by letter."""

    account_needed = True
    scopes = (ApiToken.Scope.PLAY,)

    @extend_schema(operation_id="notices", responses=NoticesSerializer)
    def get(self, request: Request) -> Response:
        """The kinds of notices that come to your address."""
        return self._answer(request)

    @extend_schema(operation_id="notices_choose", request=NoticesInput, responses=NoticesSerializer)
    def put(self, request: Request) -> Response:
        """Get letters of these kinds, and of no other."""
        choose_notices(user=request.user, kinds=self.read(NoticesInput)["kinds"])
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        confirmed = request.user.email_confirmed_at is not None
        return Response(NoticesSerializer({"kinds": wanted_kinds(request.user), "confirmed": confirmed}).data)


class HistoryView(Endpoint):
    """Where one has played."""

    account_needed = True

    @extend_schema(operation_id="history", parameters=PAGING, responses=page_of("Played", PlayedSerializer))
    def get(self, request: Request) -> Response:
        """Your entrants in all events, the newest first, with the matches that count."""
        return self.page(history_of_account(request.user), PlayedSerializer)


class StreamView(Endpoint):
    """Whether one keeps off big screens and public exports."""

    account_needed = True
    scopes = (ApiToken.Scope.PLAY,)

    @extend_schema(operation_id="stream", responses=StreamSerializer)
    def get(self, request: Request) -> Response:
        """Your choice."""
        return Response(StreamSerializer({"off": own_person(request.user).off_stream}).data)

    @extend_schema(operation_id="stream_choose", request=StreamInput, responses=StreamSerializer)
    def put(self, request: Request) -> Response:
        """Keep your name off big screens and out of public exports, or let it be there."""
        off = self.read(StreamInput)["off"]
        stay_off_stream(person=own_person(request.user), off=off)
        return Response(StreamSerializer({"off": off}).data)


class TokensView(Endpoint):
    """API tokens, managed by a signed-in person alone."""

    account_needed = True
    session_only = True
    not_kept = ("secret",)

    @extend_schema(operation_id="tokens_list", responses=TokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Your tokens, newest first; never their secrets."""
        return Response(TokenSerializer(tokens_of(request.user), many=True).data)

    @extend_schema(operation_id="tokens_create", request=TokenInput, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token. Its secret is in this answer and nowhere else."""
        token, secret = create_token(user=request.user, now=self.now, **self.read(TokenInput))
        token.secret = secret
        return Response(NewTokenSerializer(token).data, status=201)


class TokenView(Endpoint):
    """One token."""

    account_needed = True
    session_only = True

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token. Twice is once."""
        token = tokens_of(request.user).filter(pk=token_id).first()
        if token is None:
            raise Http404
        revoke_token(token=token, now=self.now)
        return Response(status=204)
