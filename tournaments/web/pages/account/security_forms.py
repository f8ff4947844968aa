"""Forms of the pages about signing in: allauth's, with our labels."""

from typing import Any

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import ReauthenticateForm
from allauth.account.forms import SetPasswordForm as AllauthSetPasswordForm
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateCodeForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.core.cache import cache
from django.utils.translation import gettext_lazy

from tournaments.web.allauth_adapters import SecondFactorAdapter

CODE_LIVES = 120  # seconds: longer than a code is accepted, with the tolerance for clocks that are not quite right


def current_password() -> forms.CharField:
    """The field for the password that the account has."""
    return forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


def code_field(help_text: Any) -> forms.CharField:
    """The field for a code of an authenticator app, or a recovery code."""
    attrs = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
    return forms.CharField(
        label=gettext_lazy("Code"), help_text=help_text, max_length=20, widget=forms.TextInput(attrs=attrs)
    )


class ConfirmForm(ReauthenticateForm):
    """Type the password again."""

    password = current_password()


class _NewPassword(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = gettext_lazy("New password")
        self.fields["password1"].help_text = gettext_lazy("At least 10 characters.")
        self.fields["password2"].label = gettext_lazy("Repeat new password")
        for name in ("password1", "password2"):
            self.fields[name].widget.attrs.pop("placeholder", None)


class ChangePasswordForm(_NewPassword, AllauthChangePasswordForm):
    """The current password, and the new one twice."""

    oldpassword = current_password()


class SetPasswordForm(_NewPassword, AllauthSetPasswordForm):
    """The first password of an account, twice."""


class _CodeOnce(BaseAuthenticateForm):
    """A code is accepted once. allauth remembers a code for 30 seconds, but with a tolerance it holds for longer."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP:
            used = f"second-factor:{self.user.pk}:{''.join(code.split())}"
            if not cache.add(used, True, CODE_LIVES):
                raise SecondFactorAdapter().validation_error("incorrect_code")
        return code


ANY_CODE = gettext_lazy("The code that your authenticator app shows, or one of your recovery codes.")


class SecondFactorForm(_CodeOnce, AuthenticateForm):
    """Give a code after a password or a link, to sign in."""

    code = code_field(ANY_CODE)


class ConfirmCodeForm(_CodeOnce, ReauthenticateCodeForm):
    """Give a code before a change to how the account signs in."""

    code = code_field(ANY_CODE)


class AddAppForm(ActivateTOTPForm):
    """Prove that an authenticator app has the secret, by a code that it shows."""

    code = code_field(gettext_lazy("The six digits that the app shows now."))


class AddPasskeyForm(AddWebAuthnForm):
    """Name a new passkey. The browser's answer is filled in by passkeys.js."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Such as the device it is on, so that you recognize it in the list."),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    passwordless = forms.BooleanField(
        label=gettext_lazy("Sign in with it alone, without a password"),
        help_text=gettext_lazy("Turn this off for a security key that cannot store passkeys."),
        required=False,
        initial=True,
    )
