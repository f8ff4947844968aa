"""Sign in, up and out, reset a password, and the account page with its settings."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.accounts import addresses
from tournaments.accounts import services as accounts
from tournaments.accounts.connections import providers
from tournaments.accounts.factors import forget_browser
from tournaments.accounts.guardians import change_person
from tournaments.accounts.models import ApiToken, User
from tournaments.common.clock import now
from tournaments.common.mail import sends_mail
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play.selectors import history_of_account
from tournaments.web.answers import language_of_page, safe_next, wants_fragment
from tournaments.web.context import THEMES
from tournaments.web.devices import Guesses, remember_device
from tournaments.web.form_tokens import accepted_once
from tournaments.web.forms.refusals import refusals_on
from tournaments.web.guides import GUIDES
from tournaments.web.joining import limit_sign_up
from tournaments.web.pages.account.forms import (
    AddressForm,
    EraseForm,
    NewPasswordForm,
    ResetForm,
    SignInForm,
    SignUpForm,
    TokenForm,
    offer_to_revoke_tokens,
)
from tournaments.web.pages.account.person_forms import names_form
from tournaments.web.pages.exports.calendars import calendars_of
from tournaments.web.personal import data_of
from tournaments.web.rate_limits import LETTERS, RESETS, address_of, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.secret_address import secret_address
from tournaments.web.sign_in import complete_sign_in

YEAR = 365 * 24 * 3600


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with an e-mail address or sign-in name and a password, then go to the page that asked for it (`next`)."""
    if wants_fragment(request):  # a page refreshed itself after its reader signed out: leave that page
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("web:sign_in")})
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid() and form.user is not None:
        return complete_sign_in(request, form.user, to=safe_next(request, reverse("web:home")))
    status = 429 if form.wait else 422 if form.errors else 200
    context = {
        "form": form,
        "next": safe_next(request, ""),
        "providers": providers(),
        "guardian_under": settings.GUARDIAN_UNDER,
    }
    answer = render(request, "web/account/sign_in.html", context, status=status)
    if form.wait:
        answer["Retry-After"] = str(form.wait)
    return answer


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account and sign in to it."""
    if request.method == "POST":
        limit_sign_up(request)  # before anything is checked: refused attempts count too
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        limit_emails(form.cleaned_data["email"])
        limit_emails(form.cleaned_data.get("guardian_email", ""))
        with refusals_on(form):
            user = addresses.sign_up(**form.cleaned_data, language=language_of_page(), now=now())
            messages.success(request, _welcome(user))
            return complete_sign_in(request, user, to=safe_next(request, reverse("web:home")))
    context = {"form": form, "next": safe_next(request, "")}
    return render(request, "web/account/sign_up.html", context, status=422 if form.errors else 200)


def _welcome(user: User) -> str:
    if user.new_email and not sends_mail():
        return _(
            "Welcome! Your account is ready. %(name)s is your sign-in name. This site sends no e-mails: "
            "ask its operator for the link that confirms your address."
        ) % {"name": user.sign_in_name}
    if user.new_email:
        return _(
            "Welcome! Your account is ready. We’ve e-mailed you a link to confirm your address. "
            "Until you use it, %(name)s is your sign-in name."
        ) % {"name": user.sign_in_name}
    return _("Welcome! Your account is ready.")


def _mailed(message: str) -> str:
    """The message after a link was e-mailed, or where to get the link if the site sends no e-mails."""
    return message if sends_mail() else _("This site sends no e-mails: ask its operator for the link.")


def limit_emails(email: str) -> None:
    """Count an e-mail to this address, whoever owns it. Raises TooMany `too_many_attempts` beyond the limit."""
    if email:
        LETTERS.count_or_refuse(email.strip().lower())


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out. Idempotent."""
    user = request.user
    answer = redirect("web:home")
    if user.is_authenticated:  # the sign-in may be older than the cookie that remembers browsers
        remember_device(request, answer, user)
        forget_browser(session_key=request.session.session_key)
    logout(request)
    messages.success(request, _("You are signed out."))
    return answer


@secret_address
@sensitive_variables("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, secret: str) -> HttpResponse:
    """Sign in with a link. Opening it does not use it up; pressing its button does.

    Mail programs and messengers open links to preview them, which must not use them up.
    """
    refusal = None
    if request.method == "POST":
        try:
            user = accounts.redeem_sign_in_link(secret=secret, now=now())
        except Refusal as refused:
            refusal = refused
        else:
            return complete_sign_in(request, user, to=safe_next(request, reverse("web:home")))
    context = {"next": safe_next(request, ""), "refusal": refusal}
    return render(request, "web/account/link.html", context, status=refusal.status if refusal else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reset_ask(request: HttpRequest) -> HttpResponse:
    """Ask for a link to set a new password. The response is the same whether or not there is such an account."""
    form = ResetForm(request.POST or None)
    asked = request.method == "POST" and form.is_valid()
    if asked:
        email = form.cleaned_data["email"]
        # An account locked by somebody's guesses needs the e-mail to get in, however many others asked for one.
        if not Guesses(request, email).is_closed_here():
            RESETS.count_or_refuse(address_of(request))
        limit_emails(email)
        addresses.ask_for_reset(email=email, now=now())
    context = {"form": form, "asked": asked}
    return render(request, "web/account/reset_ask.html", context, status=422 if form.errors else 200)


@method_decorator(secret_address, name="dispatch")
class ResetView(PasswordResetConfirmView):
    """Set a new password through the link in an e-mail.

    Django moves the token from the address to the session before the page is shown.
    """

    template_name = "web/account/reset.html"
    form_class = NewPasswordForm
    token_generator = addresses.RESET_TOKENS
    success_url = reverse_lazy("web:home")

    def get_form(self, form_class: Any = None) -> "SetPasswordForm[User]":
        """The form, with the offer to revoke API tokens; a link that is not valid has no account."""
        form: SetPasswordForm[User] = super().get_form(form_class)
        if self.validlink:
            offer_to_revoke_tokens(form, form.user)
        return form

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        super().form_valid(form)
        if form.cleaned_data.get("revoke_tokens"):
            accounts.revoke_tokens(user=form.user, now=now())
        addresses.note_reset(user=form.user, now=now())
        response = complete_sign_in(self.request, form.user, to=str(self.success_url))
        messages.success(self.request, _("Your new password is set."))
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        status = 422 if context.get("form") and context["form"].errors else 200 if self.validlink else 409
        return super().render_to_response(context, status=status, **kwargs)


@secret_address
@sensitive_variables("token")
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Confirm an e-mail address through the link in an e-mail. Opening it does nothing; its button confirms."""
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
@rate_limited(LETTERS)
def account_address(request: SignedInRequest) -> HttpResponse:
    """Change the e-mail address. The new one takes effect when the link sent to it is used."""
    form = AddressForm(request.POST, user=request.user)
    if form.is_valid():
        limit_emails(form.cleaned_data["email"])
        with refusals_on(form):
            addresses.change_address(user=request.user, email=form.cleaned_data["email"], now=now())
            messages.success(request, _mailed(_("We have e-mailed a link to the new address to confirm it.")))
            return redirect("web:account")
    return _account(request, address_form=form)


@login_required
@require_POST
@rate_limited(LETTERS)
def account_confirm(request: SignedInRequest) -> HttpResponse:
    """Send the confirmation link again."""
    limit_emails(request.user.new_email or request.user.email or "")
    addresses.ask_for_confirmation(user=request.user, now=now())
    messages.success(request, _mailed(_("The e-mail is on its way.")))
    return redirect("web:account")


@never_cache
@login_required
@require_safe
def account(request: SignedInRequest) -> HttpResponse:
    """The account page: names, e-mail address, API tokens, erasure."""
    return _account(request)


def _account(request: SignedInRequest, **more: Any) -> HttpResponse:
    person = accounts.own_person(request.user)
    context = {
        "person": person,
        "name_form": names_form(person),
        "token_form": TokenForm(initial={"scopes": [ApiToken.Scope.READ]}),
        "address_form": AddressForm(user=request.user),
        "erase_form": EraseForm(expected=request.user.signs_in_as),
        "tokens": request.user.api_tokens.order_by("revoked_at", "-created_at", "-pk"),
        "now": now(),
        **calendars_of(request.user),
        **more,
    }
    refused = any(form.errors for name, form in more.items() if name.endswith("_form"))
    return render(request, "web/account/account.html", context, status=422 if refused else 200)


@login_required
@require_POST
def account_name(request: SignedInRequest) -> HttpResponse:
    """Change the reader's names, and choose how much of them others see."""
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
    """The events that the account's persons have played, with their results."""
    page = Paginator(history_of_account(request.user), 50).get_page(request.GET.get("page"))
    return render(request, "web/account/history.html", {"page_of": page})


@login_required
@require_POST
def account_stream(request: SignedInRequest) -> HttpResponse:
    """Choose whether the reader's name is shown on big screens and in public exports."""
    accounts.stay_off_stream(person=accounts.own_person(request.user), off="off" in request.POST)
    messages.success(request, _("Your choice is saved."))
    return redirect("web:account")


@login_required
@require_POST
def guide_read(request: SignedInRequest, name: str) -> HttpResponse:
    """Hide the guide for a role."""
    if name not in GUIDES:
        raise Http404
    accounts.hide_guide(user=request.user, guide=name)
    return redirect(safe_next(request, reverse("web:home")))


@login_required
@require_POST
def guides_again(request: SignedInRequest) -> HttpResponse:
    """Show all guides again."""
    accounts.show_guides_again(user=request.user)
    messages.success(request, _("The help of every page is shown again."))
    return redirect("web:account")


@never_cache
@login_required
@require_safe
def account_data(request: SignedInRequest) -> HttpResponse:
    """Download everything stored about the account and its persons, as a JSON file."""
    response = JsonResponse(data_of(request.user), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = 'attachment; filename="arbitre-my-data.json"'
    return response


@never_cache
@login_required
@require_POST
def account_erase(request: SignedInRequest) -> HttpResponse:
    """Erase the account permanently. Its e-mail address or sign-in name has to be typed to confirm."""
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
@accepted_once
def token_create(request: SignedInRequest) -> HttpResponse:
    """Create an API token and show its secret.

    The secret is not stored and cannot be shown again, so this POST answers with a page instead of a redirect.
    """
    form = TokenForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            token, secret = accounts.create_token(user=request.user, now=now(), **form.cleaned_data)
            return _account(request, made=token, secret=secret)
    return _account(request, token_form=form)


@login_required
@require_POST
def token_revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    """Revoke one of the reader's API tokens."""
    token = get_object_or_404(request.user.api_tokens, pk=pk)
    accounts.revoke_token(token=token, now=now())
    messages.success(request, _("The token is revoked."))
    return redirect("web:account")


# No CSRF check: pages that are cached for everybody have no token, and a forged request could only change the language.
@csrf_exempt
@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Choose the language of the pages; stored in a cookie, and in the account if signed in."""
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


@csrf_exempt  # for the same reason as `set_language`
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Choose the light or dark theme, or the one of the device; stored in a cookie."""
    theme = request.POST.get("theme", "")
    response = redirect(safe_next(request, reverse("web:home")))
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True)
    return response
