"""Forms of the account pages, and the brake on guessed passwords."""

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import ApiToken, User
from tournaments.web.brakes import FAILURES, GUESSES, address_of
from tournaments.web.meanings import SCOPE


class SignInForm(forms.Form):
    """E-mail address and password. After too many failures the right password is refused too, for a while."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "username"})
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
        self.throttled = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("email") or not data.get("password"):
            return data
        address, email = address_of(self.request), data["email"].strip().lower()
        if GUESSES.is_on(email, address) or FAILURES.is_on(address):
            self.throttled = True
            raise forms.ValidationError(_("Too many attempts. Try again in ten minutes."), code="too_many_attempts")
        self.user = authenticate(self.request, username=data["email"], password=data["password"])
        if self.user is None:
            GUESSES.count(email, address)
            FAILURES.count(address)
            raise forms.ValidationError(
                _("This e-mail address and this password do not go together."), code="sign_in_failed"
            )
        GUESSES.free(email, address)
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
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=gettext_lazy("At least 10 characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class PublicNameForm(forms.Form):
    """The name that others see."""

    public_name = forms.CharField(
        label=gettext_lazy("Public name"),
        help_text=gettext_lazy("Empty: your first name and the first letter of your last name."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class EraseForm(forms.Form):
    """Erasing the account: its e-mail address is typed again."""

    email = forms.CharField(
        label=gettext_lazy("Type your e-mail address to confirm"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "email"}),
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_email(self) -> str:
        typed = str(self.cleaned_data["email"]).strip()
        if typed.casefold() != self.expected.casefold():
            raise forms.ValidationError(_("This is not the e-mail address of this account."), code="confirmation_wrong")
        return typed


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
