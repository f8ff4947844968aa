"""Signing up, in and out; the sign-in link; the account page; language and colours."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.accounts import addresses
from tournaments.accounts import services as accounts
from tournaments.accounts.guardians import change_person
from tournaments.accounts.models import ApiToken, User
from tournaments.common.clock import now
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.notices.selectors import wanted_kinds
from tournaments.play.selectors import history_of_account
from tournaments.web.answers import safe_next, wants_fragment
from tournaments.web.brakes import LETTERS, RESETS, address_of, braked
from tournaments.web.context import THEMES
from tournaments.web.devices import Guesses, remember_device
from tournaments.web.forms.account import (
    AddressForm,
    EraseForm,
    NewPasswordForm,
    NoticesForm,
    ResetForm,
    SignInForm,
    SignUpForm,
    TokenForm,
)
from tournaments.web.forms.persons import names_form
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.guides import GUIDES
from tournaments.web.joining import brake_sign_up
from tournaments.web.once import once
from tournaments.web.personal import data_of
from tournaments.web.secret_address import secret_address

BACKEND = "django.contrib.auth.backends.ModelBackend"
YEAR = 365 * 24 * 3600


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
        return _signed_in(request, form.user)
    status = 429 if form.wait else 422 if form.errors else 200
    context = {"form": form, "next": safe_next(request, "")}
    answer = render(request, "web/account/sign_in.html", context, status=status)
    if form.wait:
        answer["Retry-After"] = str(form.wait)
    return answer


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and sign in to it."""
    if request.method == "POST":
        brake_sign_up(request)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        brake_letters(form.cleaned_data["email"])
        with refusals_on(form):
            user = addresses.sign_up(**form.cleaned_data, language=_language_of(request), now=now())
            login(request, user, backend=BACKEND)
            messages.success(request, _welcome(user))
            return _signed_in(request, user)
    context = {"form": form, "next": safe_next(request, "")}
    return render(request, "web/account/sign_up.html", context, status=422 if form.errors else 200)


def _signed_in(request: HttpRequest, user: User) -> HttpResponse:
    """On to where one wanted to go; the browser is known from now on."""
    answer = redirect(safe_next(request, reverse("web:home")))
    remember_device(request, answer, user)
    return answer


def _welcome(user: User) -> str:
    if user.new_email:
        return _(
            "Welcome! Your account is ready. We've e-mailed you a link to confirm your address. "
            "Until you use it, %(name)s is your sign-in name."
        ) % {"name": user.sign_in_name}
    return _("Welcome! Your account is ready.")


def brake_letters(email: str) -> None:
    """Count a letter to a mailbox, whoever has it. Raises `too_many_attempts`."""
    if email:
        LETTERS.pass_or_refuse(email.lower())


def _language_of(request: HttpRequest) -> str:
    language = get_language() or settings.LANGUAGE_CODE
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; twice is once."""
    user = request.user
    answer = redirect("web:home")
    if user.is_authenticated:  # whoever signed in before browsers were remembered
        remember_device(request, answer, user)
    logout(request)
    messages.success(request, _("You are signed out."))
    return answer


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
            return _signed_in(request, user)
    context = {"next": safe_next(request, ""), "refusal": refusal}
    return render(request, "web/account/link.html", context, status=refusal.status if refusal else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reset_ask(request: HttpRequest) -> HttpResponse:
    """Ask for a new password. The answer is the same whether or not there is such an account."""
    form = ResetForm(request.POST or None)
    asked = request.method == "POST" and form.is_valid()
    if asked:
        email = form.cleaned_data["email"]
        if not Guesses(request, email).is_closed_here():  # else the letter is the way in, whatever others asked for
            RESETS.pass_or_refuse(address_of(request))
        brake_letters(email)
        addresses.ask_for_reset(email=email, now=now())
    context = {"form": form, "asked": asked}
    return render(request, "web/account/reset_ask.html", context, status=422 if form.errors else 200)


@method_decorator(secret_address, name="dispatch")
class ResetView(PasswordResetConfirmView):
    """Choose a new password by the link of a letter; Django takes the token out of the address first."""

    template_name = "web/account/reset.html"
    form_class = NewPasswordForm
    token_generator = addresses.RESET_TOKENS
    success_url = reverse_lazy("web:home")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        response = super().form_valid(form)
        addresses.note_reset(user=self.user, now=now())
        remember_device(self.request, response, self.user)
        messages.success(self.request, _("Your new password is set, and you are signed in."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 422 if context.get("form") and context["form"].errors else 200 if self.validlink else 409
        return super().render_to_response(context, status=status, **kwargs)


@secret_address
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Confirm an e-mail address by the link of a letter: looking at it does nothing, its button does."""
    user = addresses.user_of_address_link(public_id)
    refusal = None
    if request.method == "POST":
        try:
            addresses.confirm_address(user=user, token=token, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            messages.success(request, _("Your e-mail address is confirmed."))
            return redirect("web:account" if request.user.is_authenticated else "web:home")
    status = refusal.status if refusal else 200
    return render(request, "web/account/address.html", {"refusal": refusal}, status=status)


@sensitive_post_parameters("password")
@login_required
@require_POST
@braked(LETTERS)
def account_address(request: HttpRequest) -> HttpResponse:
    """Name another e-mail address; it counts once the link of its letter is used."""
    form = AddressForm(request.POST, user=request.user)
    if form.is_valid():
        brake_letters(form.cleaned_data["email"])
        with refusals_on(form):
            addresses.change_address(user=request.user, email=form.cleaned_data["email"], now=now())
            messages.success(request, _("A letter is on its way to the new address: its link confirms it."))
            return redirect("web:account")
    return _account(request, address_form=form)


@login_required
@require_POST
@braked(LETTERS)
def account_confirm(request: HttpRequest) -> HttpResponse:
    """Have the link of confirmation sent again."""
    brake_letters(request.user.new_email or request.user.email or "")
    addresses.ask_for_confirmation(user=request.user, now=now())
    messages.success(request, _("The letter is on its way."))
    return redirect("web:account")


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
        "name_form": names_form(person),
        "token_form": TokenForm(initial={"scopes": [ApiToken.Scope.READ]}),
        "address_form": AddressForm(user=request.user),
        "notices_form": NoticesForm(initial={"kinds": wanted_kinds(request.user)}),
        "erase_form": EraseForm(expected=request.user.signs_in_as),
        "tokens": request.user.api_tokens.order_by("revoked_at", "-created_at"),
        "now": now(),
        **more,
    }
    refused = any(form.errors for name, form in more.items() if name.endswith("_form"))
    return render(request, "web/account/account.html", context, status=422 if refused else 200)


@login_required
@require_POST
def account_name(request: HttpRequest) -> HttpResponse:
    """Correct your names, and choose how much of them others see."""
    person = accounts.own_person(request.user)
    form = names_form(person, request.POST)
    if not form.is_valid():
        return _account(request, name_form=form)
    change_person(person=person, **form.cleaned_data)
    messages.success(request, _("Your names are saved."))
    return redirect("web:account")


@never_cache
@login_required
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Where the account's persons have played, and how it went."""
    page = Paginator(history_of_account(request.user), 50).get_page(request.GET.get("page"))
    return render(request, "web/account/history.html", {"page_of": page})


@login_required
@require_POST
def account_stream(request: HttpRequest) -> HttpResponse:
    """Choose whether the name is on big screens and in public exports."""
    accounts.stay_off_stream(person=accounts.own_person(request.user), off="off" in request.POST)
    messages.success(request, _("Your choice is kept."))
    return redirect("web:account")


@login_required
@require_POST
def guide_read(request: HttpRequest, name: str) -> HttpResponse:
    """Put away what the first visit of a role explains."""
    if name not in GUIDES:
        raise Http404
    accounts.put_guide_away(user=request.user, guide=name)
    return redirect(safe_next(request, reverse("web:home")))


@login_required
@require_POST
def guides_again(request: HttpRequest) -> HttpResponse:
    """Have every page explained again."""
    accounts.show_guides_again(user=request.user)
    messages.success(request, _("Each page explains itself again."))
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
    form = EraseForm(request.POST, expected=request.user.signs_in_as)
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


@csrf_exempt  # on pages that are the same for all there is no token; what another site could do here is change words
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


@csrf_exempt
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the device says; kept in a cookie."""
    theme = request.POST.get("theme", "")
    response = redirect(safe_next(request, reverse("web:home")))
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response
