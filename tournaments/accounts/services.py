"""Gestures of an account: made, signed in by link, given API tokens; and a person's erasure."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.accounts.models import ApiToken, Person, SignInLink, User
from tournaments.accounts.signals import person_erased, person_renamed
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal

SIGN_IN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{2,39}")


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
    """Make an account and the person behind it. Without a password it signs in by link alone.

    An e-mail address or a sign-in name is needed, and both may be given. `new_email` is an address that counts once it
    is confirmed: until then other accounts may name it too, and it needs a sign-in name beside it.
    """
    email, sign_in_name, new_email = (email or "").strip(), sign_in_name.strip().lower(), lower_address(new_email)
    faults = _account_faults(email or new_email, sign_in_name, password, given_name)
    if faults:
        raise InvalidInput("account_invalid", _("This account cannot be made."), details=faults)
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                email, password, language=language, sign_in_name=sign_in_name or None, new_email=new_email
            )
            Person.objects.create(account=user, given_name=one_line(given_name), family_name=one_line(family_name))
    except IntegrityError:
        if sign_in_name and User.objects.filter(sign_in_name=sign_in_name).exists():
            raise InvalidInput("sign_in_name_taken", _("This sign-in name is taken: choose another."))
        raise InvalidInput("email_taken", _("An account with this e-mail address exists already."))
    return user


def lower_address(email: str) -> str:
    """An e-mail address as it is stored and looked for."""
    return User.objects.normalize_email(email.strip()).lower()


def _account_faults(email: str, sign_in_name: str, password: str | None, given_name: str) -> list[str]:
    faults: list[str] = []
    if not email and not sign_in_name:
        faults.append(_("Give an e-mail address or choose a sign-in name."))
    if sign_in_name and not SIGN_IN_NAME.fullmatch(sign_in_name):
        faults.append(_("A sign-in name has 3 to 40 letters, digits, dots, hyphens or underscores, and no accent."))
    for check, value in ((validate_email, email or None), (validate_password, password)):
        if value is None:
            continue
        try:
            check(value)
        except ValidationError as error:
            faults += error.messages
    if not one_line(given_name):
        faults.append(_("A first name or a nickname is needed."))
    return faults


def own_person(user: User) -> Person:
    """The first person an account acts for: oneself."""
    person = user.persons.order_by("pk").first()
    return person or Person.objects.create(account=user)


def person_without_account(*, given_name: str, family_name: str) -> Person:
    """A person whom the desk enters. Raises InvalidInput `name_missing`."""
    given, family = one_line(given_name)[:80], one_line(family_name)[:80]
    if not given:
        raise InvalidInput("name_missing", _("A first name or a nickname is needed."))
    return Person.objects.create(given_name=given, family_name=family)


def change_public_name(*, person: Person, public_name: str) -> None:
    """Choose the name that others see; empty: the first name, and what tells it from others of an event."""
    rename(person, public_name=one_line(public_name)[:80])


def rename(person: Person, **fields: object) -> None:
    """Write names of a person, and tell whoever shows them."""
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(**fields)
        person.refresh_from_db()
        person_renamed.send(sender=Person, person=person)


def stay_off_stream(*, person: Person, off: bool) -> None:
    """Choose whether the name is left out of big screens and public exports."""
    Person.objects.filter(pk=person.pk).update(off_stream=off)


def put_guide_away(*, user: User, guide: str) -> None:
    """Show the explanation of a role's page no more. Twice is once."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        if guide not in user.guides_read:
            user.guides_read = [*user.guides_read, guide][-20:]
            user.save(update_fields=["guides_read"])


def show_guides_again(*, user: User) -> None:
    """Show every explanation again."""
    User.objects.filter(pk=user.pk).update(guides_read=[])


def change_language(*, user: User, language: str) -> None:
    """Choose the language in which the account reads pages and letters."""
    if language not in dict(settings.LANGUAGES):
        raise InvalidInput("language_unknown", _("This language is not available."))
    User.objects.filter(pk=user.pk).update(language=language)
    user.language = language


def erase_person(*, person: Person, now: datetime) -> None:
    """Blank a person's names for good. Entrants, results and ledgers keep the opaque id alone."""
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(
            given_name="", family_name="", public_name="", account=None, erased_at=now
        )
        person_renamed.send(sender=Person, person=person)
        person_erased.send(sender=Person, person=person)


def erase_account(*, user: User, now: datetime) -> None:
    """Erase an account for good: the names of its persons, its address, its ways in. Results stay under opaque ids."""
    with transaction.atomic():
        for person in user.persons.all():
            erase_person(person=person, now=now)
        SignInLink.objects.filter(user=user).delete()
        ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=now)
        user.email, user.is_active = f"{user.public_id}@erased.invalid", False
        user.sign_in_name, user.new_email, user.email_confirmed_at = None, "", None
        user.set_unusable_password()
        user.save()


def digest_of(secret: str) -> str:
    """What is stored instead of a secret: 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def make_sign_in_link(*, user: User, now: datetime, hours: int = 12, uses: int = 1) -> str:
    """A secret that signs `user` in `uses` times within `hours`; the page is `/link/<secret>/`."""
    secret = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user, digest=digest_of(secret), expires_at=now + timedelta(hours=hours), uses_left=uses
    )
    return secret


def redeem_sign_in_link(*, secret: str, now: datetime) -> User:
    """Use a sign-in link once and return its account; refused when it is unknown, spent or too old."""
    links = SignInLink.objects.filter(digest=digest_of(secret), user__is_active=True)
    if not links.filter(uses_left__gt=0, expires_at__gt=now).update(uses_left=F("uses_left") - 1):
        raise Refusal("link_spent", _("This link was used already or is too old. Ask for a new one."))
    return links.select_related("user").get().user


def create_token(
    *, user: User, name: str, scopes: Iterable[str], now: datetime, days: int | None = 365
) -> tuple[ApiToken, str]:
    """A new API token and its secret, which is shown this once."""
    wanted = sorted(set(scopes))
    unknown = [scope for scope in wanted if scope not in ApiToken.Scope.values]
    if unknown or not wanted or not name.strip():
        raise InvalidInput("token_invalid", _("A token needs a name and at least one known scope."), details=unknown)
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
    """Close a token; a second time changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)


def token_of(*, secret: str, now: datetime) -> ApiToken | None:
    """The living token of a secret, its last day of use noted; None when there is none."""
    token = (
        ApiToken.objects
        .filter(digest=digest_of(secret), revoked_at=None, user__is_active=True)
        .select_related("user")
        .first()
    )
    if token is None or (token.expires_at and token.expires_at <= now):
        return None
    if token.last_used_on != now.date():
        ApiToken.objects.filter(pk=token.pk).update(last_used_on=now.date())
    return token
