"""Forms of the account pages. The sign-in form also enforces the rate limits on failed sign-ins."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import ApiToken, User
from tournaments.notices.models import KINDS, Channel
from tournaments.web.devices import Guesses
from tournaments.web.forms.choices import choice_field
from tournaments.web.rate_limits import ACCOUNT_GUESSES
from tournaments.web.words.events import SCOPE
from tournaments.web.words.notices import NOTICES


class SignInForm(forms.Form):
    """Sign in with an e-mail address or sign-in name, and a password.

    After too many failures even the right password is refused for a while, except in a browser that has signed in to
    this account before (see `web.devices`).
    """

    email = forms.CharField(
        label=gettext_lazy("E-mail address or sign-in name"),
        help_text=gettext_lazy("Use your sign-in name until your e-mail address is confirmed."),
        max_length=254,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "inputmode": "email", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.user: User | None = None
        self.wait = 0  # seconds until the next attempt, after too many failures

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("email") or not data.get("password"):
            return data
        guesses = Guesses(self.request, data["email"])
        # Checked before the password, so that an attempt beyond the limit does not reveal whether it was right.
        self.wait = guesses.wait()
        if self.wait:
            hour = self.wait >= ACCOUNT_GUESSES.seconds
            minutes = _("Too many attempts. Try again in ten minutes.")
            message = _("Too many attempts. Try again in an hour.") if hour else minutes
            raise forms.ValidationError(message, code="too_many_attempts")
        self.user = authenticate(self.request, username=data["email"], password=data["password"])
        if self.user is None:
            guesses.failed()
            raise forms.ValidationError(
                _("This account and this password do not match. Check both, or choose a new password."),
                code="sign_in_failed",
            )
        guesses.succeeded()
        return data


class SignUpForm(forms.Form):
    """Create an account and the person behind it. Whoever leaves the guardian's address blank says to be old enough."""

    def __init__(self, *sent: Any, **more: Any) -> None:
        super().__init__(*sent, **more)
        age = settings.GUARDIAN_UNDER
        if not age:
            return
        self.fields["guardian_email"] = forms.EmailField(
            label=_("Guardian’s e-mail, if you are younger than %(age)d") % {"age": age},
            help_text=_(
                "Your guardian has to consent before you can enter events. By leaving this blank, you "
                "declare that you are %(age)d or older."
            )
            % {"age": age},
            required=False,
            widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        )

    given_name = forms.CharField(
        label=gettext_lazy("First name or nickname"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    family_name = forms.CharField(
        label=gettext_lazy("Last name"),
        help_text=gettext_lazy("Others only see its first letter, unless you choose a public name."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy(
            "For notifications, and for a new password if you forget the old one. You can leave it blank."
        ),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    sign_in_name = forms.CharField(
        label=gettext_lazy("Sign-in name"),
        help_text=gettext_lazy(
            "You sign in with this until your e-mail address is confirmed. Leave blank to be given one; if you give no "
            "e-mail address, choose one."
        ),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=gettext_lazy("At least 10 characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class ResetForm(forms.Form):
    """Ask for a link to set a new password."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # Django takes no argument at run time
    """The new password, typed twice."""

    new_password1 = forms.CharField(
        label=gettext_lazy("New password"),
        help_text=gettext_lazy("At least 10 characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    new_password2 = forms.CharField(
        label=gettext_lazy("Repeat new password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


def offer_to_revoke_tokens(form: forms.Form, user: User) -> None:
    """Add the box `revoke_tokens` to a form that sets a new password, if the account has API tokens that work."""
    if user.api_tokens.filter(revoked_at=None).exists():
        form.fields["revoke_tokens"] = forms.BooleanField(
            required=False,
            label=gettext_lazy("Revoke all API tokens"),
            help_text=gettext_lazy("Programs that use your account will need new ones."),
        )


class AddressForm(forms.Form):
    """Change the account's e-mail address. The password has to be typed again, if the account has one."""

    email = forms.EmailField(
        label=gettext_lazy("New e-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, user: User) -> None:
        super().__init__(data, auto_id="address_%s")
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        typed = str(self.cleaned_data["password"])
        if not self.user.check_password(typed):
            raise forms.ValidationError(_("This is not the password of this account."), code="confirmation_wrong")
        return typed


class EraseForm(forms.Form):
    """Confirm erasing the account by typing its e-mail address or sign-in name (`expected`)."""

    email = forms.CharField(
        label=gettext_lazy("Type your e-mail address or sign-in name to confirm"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "email"}),
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_email(self) -> str:
        typed = str(self.cleaned_data["email"]).strip()
        if typed.casefold() != self.expected.casefold():
            raise forms.ValidationError(
                _("This is neither your e-mail address nor your sign-in name."), code="confirmation_wrong"
            )
        return typed


class NoticesForm(forms.Form):
    """Choose the kinds of notification by e-mail and on devices."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("E-mail me about"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        choices=[(kind, NOTICES[kind]) for kind in KINDS[Channel.LETTER]],
    )
    push = forms.MultipleChoiceField(
        label=gettext_lazy("Notify my devices about"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        choices=[(kind, NOTICES[kind]) for kind in KINDS[Channel.PUSH]],
    )


class TokenForm(forms.Form):
    """Create an API token."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Permissions"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "scopes").choices = [(scope, SCOPE[scope].long) for scope in ApiToken.Scope.values]
