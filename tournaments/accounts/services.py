"""Actions on accounts and persons: create, rename, sign in by link, manage API tokens, set preferences, erase."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.accounts.models import ApiToken, Guardianship, Person, SignInLink, User
from tournaments.accounts.signals import account_erased, person_erased, person_renamed
from tournaments.common import erasures
from tournaments.common.mail import validate_email
from tournaments.common.names import as_name
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import InvalidInput, Refusal

# No `@`, by which a sign-in name is told from an e-mail address.
SIGN_IN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")
ERASED_ADDRESS = "@erased.invalid"  # how the addresses of erased accounts end


def create_account(
    *,
    email: str | None,
    password: str | None,
    given_name: str,
    family_name: str,
    language: str = "en",
    sign_in_name: str = "",
    new_email: str = "",
) -> User:
    """Create an account and the person behind it. Without a password, it can only sign in by link.

    It needs an e-mail address or a sign-in name; both may be given. `new_email` is an address to be confirmed: until
    then other accounts may name it too, so it does not replace the sign-in name.

    Raises InvalidInput `account_invalid` with all faults, `sign_in_name_taken` or `email_taken`.
    """
    email, sign_in_name, new_email = (email or "").strip(), sign_in_name.strip().lower(), lower_address(new_email)
    faults = _account_faults(email or new_email, sign_in_name, password, given_name)
    if faults:
        raise InvalidInput("account_invalid", _("This account cannot be created."), details=faults)
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                email, password, language=language, sign_in_name=sign_in_name or None, new_email=new_email
            )
            Person.objects.create(account=user, given_name=as_name(given_name), family_name=as_name(family_name))
    except IntegrityError:
        if sign_in_name and User.objects.filter(sign_in_name=sign_in_name).exists():
            raise InvalidInput("sign_in_name_taken", _("This sign-in name is taken: choose another."))
        raise InvalidInput("email_taken", _("There is already an account with this e-mail address."))
    return user


def lower_address(email: str) -> str:
    """Normalize an e-mail address to the form in which it is stored and looked up."""
    return User.objects.normalize_email(email.strip()).lower()


def _account_faults(email: str, sign_in_name: str, password: str | None, given_name: str) -> list[str]:
    faults: list[str] = []
    if not email and not sign_in_name:
        faults.append(_("Give an e-mail address or choose a sign-in name."))
    if sign_in_name and not SIGN_IN_NAME.fullmatch(sign_in_name):
        faults.append(_("A sign-in name has 3 to 40 letters, digits, dots, hyphens or underscores, without accents."))
    for check, value in ((validate_email, email or None), (validate_password, password)):
        if value is None:
            continue
        try:
            check(value)
        except ValidationError as error:
            faults += error.messages
    if not as_name(given_name):
        faults.append(_("Enter a first name or a nickname."))
    return faults


def own_person(user: User) -> Person:
    """The first person an account acts for, its owner; created if there is none."""
    person = user.persons.order_by("pk").first()
    return person or Person.objects.create(account=user)


def person_without_account(*, given_name: str, family_name: str) -> Person:
    """Create a person who is entered at the desk. Raises InvalidInput `name_missing`."""
    given, family = as_name(given_name), as_name(family_name)
    if not given:
        raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    return Person.objects.create(given_name=given, family_name=family)


def change_public_name(*, person: Person, public_name: str) -> None:
    """Set the name that others see. If it is empty, they see the first name and what tells it apart in an event.

    Raises InvalidInput `name_missing`.
    """
    rename(person, public_name=checked_public_name(public_name))


def checked_public_name(typed: str) -> str:
    """A public name as it is stored, or "". Raises InvalidInput `name_missing` if what was typed is not a name."""
    name = as_name(typed)
    if typed.strip() and not name:
        raise InvalidInput("name_missing", _("A name needs at least one letter or digit."))
    return name


def rename(person: Person, **fields: object) -> None:
    """Update name fields of a person and send `person_renamed` to the apps that show them."""
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(**fields)
        person.refresh_from_db()
        person_renamed.send(sender=Person, person=person)


def stay_off_stream(*, person: Person, off: bool) -> None:
    """Choose whether a person's name is left out of big screens and public exports."""
    Person.objects.filter(pk=person.pk).update(off_stream=off)


def hide_guide(*, user: User, guide: str) -> None:
    """Hide the explanation on a role's page from now on. Idempotent."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if guide not in user.guides_read:
            user.guides_read = [*user.guides_read, guide][-20:]
            user.save(update_fields=["guides_read"])


def show_guides_again(*, user: User) -> None:
    """Show every explanation on role pages again."""
    User.objects.filter(pk=user.pk).update(guides_read=[])


def change_language(*, user: User, language: str) -> None:
    """Set the language of the account's pages and e-mails. Raises InvalidInput `language_unknown`."""
    if language not in dict(settings.LANGUAGES):
        raise InvalidInput("language_unknown", _("This language is not available."))
    User.objects.filter(pk=user.pk).update(language=language, language_chosen=True)
    user.language, user.language_chosen = language, True


def erase_person(*, person: Person, now: datetime) -> None:
    """Erase a person's names permanently. Entrants, results, ledgers and the erasure journal keep the opaque id."""
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(
            given_name="", family_name="", public_name="", account=None, erased_at=now
        )
        person_renamed.send(sender=Person, person=person)
        person_erased.send(sender=Person, person=person)
        erasures.note(person.public_id, at=now)


def erase_account(*, user: User, now: datetime) -> None:
    """Erase an account permanently: its persons' names, its address, and every way to sign in.

    Results remain under opaque ids.
    """
    with transaction.atomic():
        for person in user.persons.all():
            erase_person(person=person, now=now)
        for kept in (SignInLink, Authenticator, SocialAccount, UserSession, Guardianship):
            kept.objects.filter(user=user).delete()
        revoke_tokens(user=user, now=now)
        # Every account needs an address or a sign-in name (a constraint), and the old ones must be free again.
        user.email, user.is_active = f"{user.public_id}{ERASED_ADDRESS}", False
        user.sign_in_name, user.new_email, user.email_confirmed_at = None, "", None
        user.calendar_key, user.guardian_pending = "", False
        user.set_unusable_password()
        user.save()
        account_erased.send(sender=User, user=user)
        erasures.note(user.public_id, at=now)


def digest_of(secret: str) -> str:
    """SHA-256 of a secret, stored instead of it. Secrets of 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def make_sign_in_link(*, user: User, now: datetime, hours: int = 12, uses: int = 1) -> str:
    """Create a secret that signs `user` in up to `uses` times within `hours`, at `/link/<secret>/`; return it."""
    secret = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user, digest=digest_of(secret), expires_at=now + timedelta(hours=hours), uses_left=uses
    )
    return secret


def redeem_sign_in_link(*, secret: str, now: datetime) -> User:
    """Use a sign-in link once and return its account.

    Raises Refusal `link_spent` if the link is unknown, used up or expired.
    """
    links = SignInLink.objects.filter(digest=digest_of(secret), user__is_active=True)
    # One conditional update: of two requests for the last use, only one succeeds.
    if not links.filter(uses_left__gt=0, expires_at__gt=now).update(uses_left=F("uses_left") - 1):
        raise Refusal("link_spent", _("This link was already used or has expired. Request a new one."))
    return links.select_related("user").get().user


def create_token(
    *, user: User, name: str, scopes: Iterable[str], now: datetime, days: int | None = 365
) -> tuple[ApiToken, str]:
    """Create an API token; return it with its secret, which is not stored and cannot be shown again.

    Without `days` the token does not expire. Raises InvalidInput `token_invalid` if the name is empty or the scopes are
    empty or unknown.
    """
    wanted = sorted(set(scopes))
    unknown = [scope for scope in wanted if scope not in ApiToken.Scope.values]
    if unknown or not wanted or not name.strip():
        raise InvalidInput("token_invalid", _("Give the token a name and at least one permission."), details=unknown)
    secret = "arb_" + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name.strip()[:60],
        prefix=secret[:10],
        digest=digest_of(secret),
        scopes=wanted,
        created_at=now,
        expires_at=now + timedelta(days=days) if days else None,
    )
    return token, secret


def revoke_token(*, token: ApiToken, now: datetime) -> None:
    """Revoke a token. Idempotent."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)


def revoke_tokens(*, user: User, now: datetime) -> None:
    """Revoke all API tokens of an account. Idempotent."""
    user.api_tokens.filter(revoked_at=None).update(revoked_at=now)


_LIVING_TOKEN = Prepared(
    lambda digest: ApiToken.objects.filter(digest=digest, revoked_at=None, user__is_active=True), str
)


def token_of(*, secret: str, now: datetime) -> ApiToken | None:
    """The valid token with this secret, or None. The day of its last use is recorded."""
    token = next(iter(_LIVING_TOKEN.rows(digest_of(secret))), None)
    if token is None or (token.expires_at and token.expires_at <= now):
        return None
    token.user = User.objects.get(pk=token.user_id)
    if token.last_used_on != now.date():  # one write a day, not one for each request
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=now.date())
    return token
