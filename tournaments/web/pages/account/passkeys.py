"""Passkeys: sign in with one, and add, rename and remove those of an account. allauth does the work."""

from typing import Any

from allauth.mfa.webauthn import views as allauth_passkeys
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.web.pages.account.form_status import FormStatus
from tournaments.web.pages.account.security_forms import AddPasskeyForm

PAGE = reverse_lazy("mfa_index")


@method_decorator(never_cache, name="dispatch")
class PasskeySignInView(allauth_passkeys.LoginWebAuthnView):
    """Sign in with a passkey. A GET by passkeys.js answers with the question for the browser, as JSON."""


@method_decorator(never_cache, name="dispatch")
class AddPasskeyView(FormStatus, allauth_passkeys.AddWebAuthnView):
    """Add a passkey."""

    form_class = AddPasskeyForm
    template_name = "web/account/passkey_add.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Keep the submitted form, with its errors, which allauth leaves out."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | kwargs


@method_decorator(never_cache, name="dispatch")
class ConfirmPasskeyView(FormStatus, allauth_passkeys.ReauthenticateWebAuthnView):
    """Use a passkey before a change to how the account signs in."""

    template_name = "web/account/confirm.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the other ways to confirm, which allauth leaves out."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"reauthentication_alternatives": self.get_reauthentication_alternatives()}

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again."""
        messages.error(self.request, _("This passkey was not accepted. Try again."))
        return redirect(self.request.get_full_path())


class RemovePasskeyView(allauth_passkeys.RemoveWebAuthnView):
    """Remove a passkey. Only its POST is routed."""

    success_url = PAGE


class RenamePasskeyView(allauth_passkeys.EditWebAuthnView):
    """Rename a passkey. Only its POST is routed."""

    success_url = PAGE

    def form_invalid(self, form: Any) -> HttpResponse:
        """Keep the old name."""
        messages.error(self.request, _("Give the passkey a name."))
        return redirect(PAGE)


remove_passkey = require_POST(RemovePasskeyView.as_view())
rename_passkey = require_POST(RenamePasskeyView.as_view())
