"""One's own account: what one plays, and API tokens."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.accounts.selectors import tokens_of
from tournaments.accounts.services import create_token, revoke_token
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.account import MeSerializer, NewTokenSerializer, TokenInput, TokenSerializer
from tournaments.events.selectors import entrants_of_account
from tournaments.play.selectors import open_matches_of


class MeView(Endpoint):
    """The account that asks."""

    account_needed = True

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Your account, your entrants in events that are not over, and where each sits now."""
        entrants = list(entrants_of_account(request.user))
        scopes = request.auth.scopes if request.auth else ApiToken.Scope.values
        account = {"id": request.user.public_id, "language": request.user.language, "scopes": scopes}
        context = {"matches": open_matches_of(entrants), "own": {entrant.pk for entrant in entrants}}
        return Response(MeSerializer({"account": account, "entrants": entrants}, context=context).data)


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
