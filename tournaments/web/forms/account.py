"""Forms of the account pages, and the brake on guessed passwords."""

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import ApiToken, User
from tournaments.web.brakes import ACCOUNT_GUESSES
from tournaments.web.devices import Guesses
from tournaments.web.meanings import SCOPE
from tournaments.web.words import NOTICES


class SignInForm(forms.Form):
    """E-mail address or sign-in name, and password.

    After too many failures the right password is refused too, for a while, but not in a browser that signed in before.
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
        self.wait = 0  # seconds, once passwords were tried too often

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("email") or not data.get("password"):
            return data
        guesses = Guesses(self.request, data["email"])
        self.wait = guesses.wait()
        if self.wait:
            hour = self.wait >= ACCOUNT_GUESSES.seconds
            minutes = _("Too many attempts. Try again in ten minutes.")
            told = _("Too many attempts. Try again in an hour.") if hour else minutes
            raise forms.ValidationError(told, code="too_many_attempts")
        self.user = authenticate(self.request, username=data["email"], password=data["password"])
        if self.user is None:
            guesses.failed()
            raise forms.ValidationError(
                _("This account and this password do not go together. Check both, or choose a new password."),
                code="sign_in_failed",
            )
        guesses.succeeded()
        return data


class SignUpForm(forms.Form):
    """A new account and the person behind it."""

    given_name = forms.CharField(
        label=gettext_lazy("First name or nickname"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    family_name = forms.CharField(
        label=gettext_lazy("Last name"),
        help_text=gettext_lazy("Others see its first letter alone, unless you choose a public name."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy("For notices, and for a new password when the old one is forgotten. It may stay empty."),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    sign_in_name = forms.CharField(
        label=gettext_lazy("Sign-in name"),
        help_text=gettext_lazy(
            "You sign in with it until your e-mail address is confirmed. Leave blank to be given one; without an "
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
    """A new password is asked for."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class NewPasswordForm(SetPasswordForm):
    """The new password, typed twice."""

    new_password1 = forms.CharField(
        label=gettext_lazy("New password"),
        help_text=gettext_lazy("At least 10 characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    new_password2 = forms.CharField(
        label=gettext_lazy("The new password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class AddressForm(forms.Form):
    """Another e-mail address for the account; its password is typed again, where it has one."""

    email = forms.EmailField(
        label=gettext_lazy("New e-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="address_%s", **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        typed = str(self.cleaned_data["password"])
        if not self.user.check_password(typed):
            raise forms.ValidationError(_("This is not the password of this account."), code="confirmation_wrong")
        return typed


class EraseForm(forms.Form):
    """Erasing the account: what one signs in with is typed again."""

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
            raise forms.ValidationError(_("This is not what you sign in with."), code="confirmation_wrong")
        return typed


class NoticesForm(forms.Form):
    """Of what an account is told by letter."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Write to me about"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        choices=list(NOTICES.items()),
    )


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label=gettext_lazy("What it is for"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [(scope, SCOPE[scope].long) for scope in ApiToken.Scope.values]
