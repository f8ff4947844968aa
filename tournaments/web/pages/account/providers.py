"""Sign in with an account at another site, by OpenID Connect, and connect such an account. allauth does the work."""

from collections.abc import Callable
from typing import Any, TypeVar

import jwt
from allauth.account.decorators import reauthentication_required
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.internal.flows.connect import disconnect, validate_disconnect
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from requests import RequestException

from tournaments.common.refusals import Refusal
from tournaments.web.secret_address import secret_address

PAGE = reverse_lazy("mfa_index")
View = TypeVar("View", bound=Callable[..., HttpResponse])


confirmed_again: Callable[[View], View] = reauthentication_required(app="allauth.socialaccount")


class Provider(OpenIDConnectOAuth2Adapter):
    """A provider whose id tokens are always verified.

    allauth trusts the connection on which a token came, and takes an answer without an id token.
    """

    def complete_login(self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any) -> SocialLogin:
        """Read who it is. Raises ProviderException if the id token and the profile are about different people."""
        login = super().complete_login(request, app, token, **kwargs)
        data = login.account.extra_data
        if "id_token" not in data or data["userinfo"].get("sub") != data["id_token"].get("sub"):
            raise ProviderException("no id token, or one about somebody else")
        return login

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        config = self.openid_config
        try:
            claims: dict[str, Any] = jwtkit.verify_and_decode(
                credential=id_token,
                keys_url=config["jwks_uri"],
                issuer=config["issuer"],
                audience=app.client_id,
                lookup_kid=jwtkit.lookup_kid_jwk,
            )
        except (KeyError, ValueError, jwt.PyJWTError) as fault:
            raise OAuth2Error("unreadable id token") from fault
        return claims


@never_cache
@require_POST
def provider_sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Go to a provider to sign in there. With `process=connect`, its account is connected to the reader's."""
    if request.POST.get("process") == "connect":
        return _connect(request, provider_id)
    return _leave(request, provider_id)


@login_required
@confirmed_again
def _connect(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _leave(request, provider_id)


def _leave(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Show a page that leads to the provider.

    A redirect would be blocked, because forms of this site may only lead to this site (`form-action`).
    """
    answer = _asked(OAuth2LoginView, request, provider_id)
    if answer.status_code != 302:
        return answer
    return render(request, "web/account/leave.html", {"url": answer["Location"]})


@never_cache
@secret_address
@require_safe
def provider_callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Come back from a provider: sign in, make an account, or connect one."""
    return _asked(OAuth2CallbackView, request, provider_id)


def _asked(view: Any, request: HttpRequest, provider_id: str) -> HttpResponse:
    answered: Callable[[HttpRequest], HttpResponse] = view.adapter_view(Provider(request, provider_id))
    try:
        return answered(request)
    except SocialApp.DoesNotExist:
        raise Http404
    except (RequestException, KeyError, ValueError):
        sentence = _("The other site cannot be reached. Try again later, or sign in another way.")
        raise Refusal("provider_unavailable", sentence)


@require_POST
@login_required
@confirmed_again
def provider_disconnect(request: HttpRequest, pk: int) -> HttpResponse:
    """Disconnect an account at another site, unless nothing else is left to sign in with."""
    connection = get_object_or_404(SocialAccount, user=request.user, pk=pk)
    try:
        validate_disconnect(request, connection)
    except ValidationError as refused:
        messages.error(request, refused.messages[0])
    else:
        disconnect(request, connection)
    return redirect(PAGE)
