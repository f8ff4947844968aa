"""What allauth asks of this site: its sentences, its redirects, and how it stores secrets. See decision 20."""

from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.addresses import CHANGES, assigned_name, sign_up, tell_of_change
from tournaments.accounts.models import User
from tournaments.accounts.sealing import seal, unseal
from tournaments.common import qr
from tournaments.common.clock import now
from tournaments.common.names import as_name
from tournaments.web.answers import language_of_page
from tournaments.web.devices import remember_device
from tournaments.web.joining import limit_sign_up
from tournaments.web.rate_limits import LETTERS

NO_ADDRESS = "::"  # for a request that came through a Unix socket

WRONG_CODE = gettext_lazy("This code is wrong or was already used. Type the one that is shown now.")
TOO_MANY = gettext_lazy("Too many attempts. Wait a while, then try again.")
SENTENCES = {
    "mfa/messages/totp_activated.txt": gettext_lazy("Your authenticator app is set up."),
    "mfa/messages/totp_deactivated.txt": gettext_lazy("The authenticator app is removed."),
    "mfa/messages/webauthn_added.txt": gettext_lazy("The passkey is added."),
    "mfa/messages/webauthn_removed.txt": gettext_lazy("The passkey is removed."),
    "mfa/messages/recovery_codes_generated.txt": gettext_lazy("You have new recovery codes. Keep them somewhere safe."),
    "account/messages/password_changed.txt": gettext_lazy("Your new password is set."),
    "account/messages/password_set.txt": gettext_lazy("Your new password is set."),
    "socialaccount/messages/account_connected.txt": gettext_lazy("The account is connected."),
    "socialaccount/messages/account_connected_updated.txt": gettext_lazy("The account is connected."),
    "socialaccount/messages/account_connected_other.txt": gettext_lazy(
        "The account at the other site is already connected to another account here."
    ),
    "socialaccount/messages/account_disconnected.txt": gettext_lazy("The account is disconnected."),
    "usersessions/messages/sessions_logged_out.txt": gettext_lazy("All other browsers are signed out."),
}
"""What is said instead of allauth's own messages, by the name of their template. The others are not said."""


class AccountAdapter(DefaultAccountAdapter):
    """What happens when somebody has signed in, and what is said and written about changes to an account."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": TOO_MANY,
        "rate_limited": TOO_MANY,
        "incorrect_code": WRONG_CODE,
        "incorrect_password": gettext_lazy("This is not the password of this account."),
        "enter_current_password": gettext_lazy("This is not the password of this account."),
    }

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Redirect after signing in, and remember that the account has signed in from this browser."""
        answer: HttpResponse = super().post_login(request, user, **more)
        remember_device(request, answer, user)
        return answer

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Say our own sentence instead of the one of a template."""
        said = message or SENTENCES.get(message_template or "")
        if said:
            messages.add_message(request, level, said, extra_tags=extra_tags)

    def send_notification_mail(self, template_prefix: str, user: User, *args: Any, **more: Any) -> None:
        """Write about a change to how an account signs in, by our own job."""
        change = template_prefix.rpartition("/")[2]
        if change in CHANGES:
            tell_of_change(user=user, change=change, now=now())

    def is_safe_url(self, url: str) -> bool:
        """Whether a redirect stays on this site, by the same rule as `web.answers.safe_next`."""
        here = {self.request.get_host()}
        return url_has_allowed_host_and_scheme(url, allowed_hosts=here, require_https=self.request.is_secure())

    def get_client_ip(self, request: HttpRequest) -> str:
        """The visitor's network address, which `TrustedProxies` has found."""
        with suppress(ValueError):
            return str(ip_address(request.META.get("REMOTE_ADDR", "")))
        return NO_ADDRESS

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to confirm that it is still the owner who asks, described in our words."""
        described = {
            "reauthenticate": _("Use my password"),
            "mfa_reauthenticate": _("Use a code"),
            "mfa_reauthenticate:webauthn": _("Use a passkey"),
        }
        methods = super().get_reauthentication_methods(user)
        return [method | {"description": described[method["id"]]} for method in methods]


class ConnectionAdapter(DefaultSocialAccountAdapter):
    """Accounts at other sites: what becomes of a new one, and what is said when one does not work."""

    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": gettext_lazy("Choose a password first: otherwise you could no longer sign in."),
    }

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Hide the e-mail addresses from allauth, which would look up whose they are. See decision 15."""
        sociallogin.email_addresses = []

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Give somebody new a sign-in name; `save_user` makes the account."""
        user: User = sociallogin.user
        user.sign_in_name = assigned_name()
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Make an account as signing up does: its e-mail address waits for the link that confirms it."""
        limit_sign_up(request)
        told = sociallogin.provider.extract_common_fields(sociallogin.account.extra_data)
        email = _usable_address(told["email"])
        if email:
            LETTERS.count_or_refuse(email.lower())
        given, family = (as_name(str(told[name] or "")) for name in ("first_name", "last_name"))
        user = sign_up(
            email=email,
            sign_in_name=sociallogin.user.sign_in_name,
            password=None,
            given_name=given or as_name(str(told["name"] or "")) or _("Player"),
            family_name=family if given else "",
            language=language_of_page(),
            now=now(),
        )
        sociallogin.user = sociallogin.account.user = user
        sociallogin.account.save()
        return user

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: SocialAccount) -> str:
        """Where to go after connecting an account."""
        return reverse("mfa_index")

    def on_authentication_error(self, request: HttpRequest, provider: Any, **more: Any) -> None:
        """Say that signing in with another site did not work, where it began."""
        sentence = _("Signing in with %(site)s did not work. Try again, or sign in another way.")
        messages.error(request, sentence % {"site": provider.name})
        raise ImmediateHttpResponse(redirect("mfa_index" if request.user.is_authenticated else "web:sign_in"))


def _usable_address(told: object) -> str:
    """The e-mail address that another site told, or "" if it is none that an account can have."""
    email = str(told or "")
    try:
        User._meta.get_field("email").run_validators(email)
    except ValidationError:
        return ""
    return email


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets are sealed, and names of this site and of passkeys are in our words."""

    error_messages = {**DefaultMFAAdapter.error_messages, "incorrect_code": WRONG_CODE}

    def encrypt(self, text: str) -> str:
        """Seal a secret before it is stored."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Read a sealed secret."""
        return unseal(encrypted_text)

    def get_totp_label(self, user: User) -> str:
        """What an authenticator app shows beside the name of the site."""
        return user.signs_in_as

    def build_totp_svg(self, url: str) -> str:
        """The QR code of a new secret, drawn as everywhere on this site: it can be read on a dark page too."""
        return qr.svg(url)

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """The name of a passkey that was given none: the day it was added."""
        return _("Passkey of %(day)s") % {"day": now().date().isoformat()}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """This site as a browser names it when it asks for a passkey."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return entity | {"name": "Arbitre"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """The account as a browser names it in its list of passkeys."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": user.signs_in_as}
