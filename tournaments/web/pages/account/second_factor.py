"""The second factor: asked for when signing in, and set up on the page about signing in. allauth does the work."""

from typing import Any

from allauth.mfa.base import views as allauth_mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as allauth_codes
from allauth.mfa.totp import views as allauth_totp
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.web.pages.account.form_status import FormStatus
from tournaments.web.pages.account.security_forms import AddAppForm, ConfirmCodeForm, SecondFactorForm

PAGE = reverse_lazy("mfa_index")


@method_decorator(never_cache, name="dispatch")
class SecondFactorView(FormStatus, allauth_mfa.AuthenticateView):
    """Ask for the second factor of an account whose password or link was right."""

    form_class = SecondFactorForm
    template_name = "web/account/second_factor.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether the account has a passkey: the page asks for one only then."""
        user = self.stage.login.user
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"passkeys": is_mfa_enabled(user, [Authenticator.Type.WEBAUTHN])}


@method_decorator(never_cache, name="dispatch")
class ConfirmCodeView(FormStatus, allauth_mfa.ReauthenticateView):
    """Give a code before a change to how the account signs in."""

    form_class = ConfirmCodeForm
    template_name = "web/account/confirm.html"


@method_decorator(never_cache, name="dispatch")
class AddAppView(FormStatus, allauth_totp.ActivateTOTPView):
    """Set up an authenticator app: scan the secret, then type a code."""

    form_class = AddAppForm
    template_name = "web/account/app_add.html"


@method_decorator(never_cache, name="dispatch")
class RemoveAppView(allauth_totp.DeactivateTOTPView):
    """Remove the authenticator app. Only its POST is routed."""

    success_url = PAGE


@method_decorator(never_cache, name="dispatch")
class RecoveryCodesView(allauth_codes.ViewRecoveryCodesView):
    """Show the recovery codes that are left."""

    template_name = "web/account/recovery_codes.html"


@method_decorator(never_cache, name="dispatch")
class NewRecoveryCodesView(allauth_codes.GenerateRecoveryCodesView):
    """Make new recovery codes, which voids the old ones. Only its POST is routed."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """There is no second factor that the codes could stand in for."""
        return redirect(PAGE)


remove_app = require_POST(RemoveAppView.as_view())
new_recovery_codes = require_POST(NewRecoveryCodesView.as_view())
