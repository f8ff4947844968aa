"""Signing up, in and out; the sign-in link; the account page; language and colours."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.accounts import services as accounts
from tournaments.accounts.models import ApiToken, User
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.web.answers import safe_next, wants_fragment
from tournaments.web.brakes import SIGN_UPS, address_of
from tournaments.web.context import THEMES
from tournaments.web.forms.account import EraseForm, PublicNameForm, SignInForm, SignUpForm, TokenForm
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.once import once
from tournaments.web.personal import data_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
YEAR = 365 * 24 * 3600
View = Callable[..., HttpResponse]


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by e-mail address and password, and go on to where one wanted to go."""
    if wants_fragment(request):  # a live fragment whose reader is signed out by now: the whole page goes
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("web:sign_in")})
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.user)
        return redirect(safe_next(request, reverse("web:home")))
    status = 429 if form.throttled else 422 if form.errors else 200
    context = {"form": form, "next": safe_next(request, "")}
    return render(request, "web/account/sign_in.html", context, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and sign in to it."""
    if request.method == "POST":
        SIGN_UPS.pass_or_refuse(address_of(request))
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            user = accounts.create_account(**form.cleaned_data, language=_language_of(request))
            login(request, user, backend=BACKEND)
            messages.success(request, _("Welcome! Your account is ready."))
            return redirect(safe_next(request, reverse("web:home")))
    context = {"form": form, "next": safe_next(request, "")}
    return render(request, "web/account/sign_up.html", context, status=422 if form.errors else 200)


def _language_of(request: HttpRequest) -> str:
    language = get_language() or settings.LANGUAGE_CODE
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; twice is once."""
    logout(request)
    messages.success(request, _("You are signed out."))
    return redirect("web:home")


def secret_address(view: View) -> View:
    """Keep an address that holds a secret out of caches, indexes and the referrer of what follows it.

    `strict-origin` and not `no-referrer`: under the latter browsers send `Origin: null` with the form, which the
    check against forged requests must refuse. The path, and with it the secret, is sent to nobody either way.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex"
        return response

    return guarded


@secret_address
@sensitive_variables("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, secret: str) -> HttpResponse:
    """Sign in by a link: looking at it spends nothing, its button does."""
    refusal = None
    if request.method == "POST":
        try:
            user = accounts.redeem_sign_in_link(secret=secret, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            login(request, user, backend=BACKEND)
            return redirect(safe_next(request, reverse("web:home")))
    context = {"next": safe_next(request, ""), "refusal": refusal}
    return render(request, "web/account/link.html", context, status=refusal.status if refusal else 200)


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The own account: public name, language, API tokens."""
    return _account(request)


def _account(request: HttpRequest, **more: Any) -> HttpResponse:
    person = accounts.own_person(request.user)
    context = {
        "person": person,
        "name_form": PublicNameForm(initial={"public_name": person.public_name}),
        "token_form": TokenForm(initial={"scopes": [ApiToken.Scope.READ]}),
        "erase_form": EraseForm(expected=request.user.email),
        "tokens": request.user.api_tokens.order_by("revoked_at", "-created_at"),
        "now": now(),
        **more,
    }
    form = more.get("name_form") or more.get("token_form") or more.get("erase_form")
    return render(request, "web/account/account.html", context, status=422 if form and form.errors else 200)


@login_required
@require_POST
def account_name(request: HttpRequest) -> HttpResponse:
    """Choose the name others see."""
    form = PublicNameForm(request.POST)
    if not form.is_valid():
        return _account(request, name_form=form)
    accounts.change_public_name(person=accounts.own_person(request.user), **form.cleaned_data)
    messages.success(request, _("Your public name is changed."))
    return redirect("web:account")


@never_cache
@login_required
@require_safe
def account_data(request: HttpRequest) -> HttpResponse:
    """All that is kept of the account and its persons, as a file."""
    response = JsonResponse(data_of(request.user), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = 'attachment; filename="arbitre-my-data.json"'
    return response


@never_cache
@login_required
@require_POST
def account_erase(request: HttpRequest) -> HttpResponse:
    """Erase the account for good, once its e-mail address was typed again."""
    form = EraseForm(request.POST, expected=request.user.email)
    if not form.is_valid():
        return _account(request, erase_form=form)
    accounts.erase_account(user=request.user, now=now())
    logout(request)
    messages.success(request, _("Your data is erased."))
    return redirect("web:home")


@never_cache
@login_required
@require_POST
@once
def token_create(request: HttpRequest) -> HttpResponse:
    """Make an API token and show its secret, this once: it is stored nowhere, so this page is not redirected."""
    form = TokenForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            token, secret = accounts.create_token(user=request.user, now=now(), **form.cleaned_data)
            return _account(request, made=token, secret=secret)
    return _account(request, token_form=form)


@login_required
@require_POST
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an API token of one's own."""
    token = get_object_or_404(request.user.api_tokens, pk=pk)
    accounts.revoke_token(token=token, now=now())
    messages.success(request, _("The token is revoked."))
    return redirect("web:account")


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Read the pages in another language: kept in a cookie, and with the account when signed in."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise InvalidInput("language_unknown", _("This language is not available."))
    if isinstance(request.user, User):
        accounts.change_language(user=request.user, language=language)
    translation.activate(language)
    response = redirect(safe_next(request, reverse("web:home")))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, language, max_age=YEAR, samesite="Lax", secure=request.is_secure()
    )
    return response


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the device says; kept in a cookie."""
    theme = request.POST.get("theme", "")
    response = redirect(safe_next(request, reverse("web:home")))
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response
