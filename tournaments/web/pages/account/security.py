"""How an account signs in: its password, its second factor, its passkeys, and the browsers it is signed in on."""

from typing import Any, cast

from allauth.account import views as allauth_account
from allauth.mfa.models import Authenticator
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from ua_parser import parse

from tournaments.accounts.connections import connections_of, providers
from tournaments.accounts.services import revoke_tokens
from tournaments.common.clock import now
from tournaments.web.pages.account.form_status import FormStatus
from tournaments.web.pages.account.forms import offer_to_revoke_tokens
from tournaments.web.pages.account.security_forms import ChangePasswordForm, ConfirmForm, SetPasswordForm
from tournaments.web.requests import SignedInRequest

PAGE = reverse_lazy("mfa_index")


@never_cache
@login_required
@require_safe
def security(request: SignedInRequest) -> HttpResponse:
    """The ways to sign in to the account, with the buttons that add and remove them."""
    factors = Authenticator.objects.filter(user=request.user).order_by("pk")
    kinds: dict[str, list[Any]] = {}
    for factor in factors:
        kinds.setdefault(factor.type, []).append(factor)
    names = providers()
    codes = kinds.get(Authenticator.Type.RECOVERY_CODES)
    context = {
        "app": kinds.get(Authenticator.Type.TOTP),
        "passkeys": kinds.get(Authenticator.Type.WEBAUTHN, []),
        "codes_left": len(codes[0].wrap().get_unused_codes()) if codes else None,
        "browsers": [(session, browser_name(session.user_agent)) for session in browsers_of(request)],
        "providers": names,
        "connections": [(each, names.get(each.provider, each.provider)) for each in connections_of(request.user)],
    }
    return render(request, "web/account/security.html", context)


def browser_name(user_agent: str) -> str:
    """What a browser calls itself in its header, in short, such as "Firefox Mobile · Android"; "" if it is unknown.

    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0")
    'Firefox · Linux'
    """
    read = parse(user_agent)
    parts = (read.user_agent.family if read.user_agent else "", read.os.family if read.os else "")
    return " · ".join(part for part in parts if part)


def browsers_of(request: HttpRequest) -> list[UserSession]:
    """The browsers that the reader's account is signed in on, newest first.

    Sessions that ended are removed from the list. This browser is added if its session is older than the list is.
    """
    found = UserSession.objects.purge_and_list(request.user)
    if not any(session.is_current() for session in found):
        UserSession.objects.create_from_request(request)
        found = UserSession.objects.purge_and_list(request.user)
    return sorted(found, key=lambda session: session.created_at, reverse=True)


@login_required
@require_POST
def browsers_end(request: HttpRequest) -> HttpResponse:
    """Sign out on every other browser."""
    end_sessions(request, [session for session in browsers_of(request) if not session.is_current()])
    messages.success(request, _("All other browsers are signed out."))
    return redirect(PAGE)


@login_required
@require_POST
def browser_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign out on one browser."""
    end_sessions(request, [get_object_or_404(UserSession, user=request.user, pk=pk)])
    messages.success(request, _("The browser is signed out."))
    return redirect(PAGE)


@method_decorator(never_cache, name="dispatch")
class ConfirmView(FormStatus, allauth_account.ReauthenticateView):
    """Type the password again before a change to how the account signs in."""

    form_class = ConfirmForm
    template_name = "web/account/confirm.html"


@method_decorator((never_cache, login_required), name="dispatch")
class ChangePasswordView(FormStatus, allauth_account.PasswordChangeView):
    """Change the password, which signs out every other browser."""

    form_class = ChangePasswordForm
    template_name = "web/account/password.html"
    success_url = PAGE

    def get_form(self, form_class: Any = None) -> ChangePasswordForm:
        """The form, with the offer to revoke API tokens."""
        form: ChangePasswordForm = super().get_form(form_class)
        offer_to_revoke_tokens(form, cast(SignedInRequest, self.request).user)
        return form

    def form_valid(self, form: ChangePasswordForm) -> HttpResponse:
        """Set the password, and revoke the API tokens if so chosen."""
        if form.cleaned_data.get("revoke_tokens"):
            revoke_tokens(user=cast(SignedInRequest, self.request).user, now=now())
        answer: HttpResponse = super().form_valid(form)
        return answer


@method_decorator(never_cache, name="dispatch")
class SetPasswordView(FormStatus, allauth_account.PasswordSetView):
    """Choose a password for an account that has none."""

    form_class = SetPasswordForm
    template_name = "web/account/password.html"
    success_url = PAGE
