"""Accounts (User), the people behind them (Person, the only table with names, erasable), sign-in links, API tokens."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q

from tournaments.common.clock import now
from tournaments.common.ids import new_id
from tournaments.common.names import FullName, Named, NameDistinction, shown, shown_to_staff
from tournaments.common.prepared import Prepared


def user_id() -> str:
    return new_id("u")


def person_id() -> str:
    return new_id("n")


_BY_KEY: "Prepared[User]" = Prepared(lambda pk: User.objects.filter(pk=pk), int)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str | None, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=self.normalize_email(email).lower() if email else None, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get(self, *args: Any, **named: Any) -> "User":
        """As Django's. By key alone, which Django does in every request, the SQL is built once."""
        # Managers of relations are subclasses of this one, and look among their own accounts only.
        if type(self) is not UserManager or args or named.keys() != {"pk"} or not isinstance(named["pk"], int):
            return super().get(*args, **named)
        found = _BY_KEY.rows(named["pk"])
        if not found:
            raise self.model.DoesNotExist(f"no account {named['pk']}")
        return found[0]

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find an account by its e-mail address or its sign-in name, which never contains an `@`."""
        typed = (username or "").strip().lower()
        return self.get(email=typed) if "@" in typed else self.get(sign_in_name=typed)


class User(AbstractBaseUser, PermissionsMixin):
    """An account, with which somebody signs in. It has no name, and may act for several persons (a guardian)."""

    public_id = models.CharField(max_length=20, unique=True, default=user_id, editable=False)
    email = models.EmailField(unique=True, null=True, blank=True)
    sign_in_name = models.CharField(max_length=40, unique=True, null=True, blank=True, help_text="Without an address.")
    email_confirmed_at = models.DateTimeField(null=True, blank=True, help_text="Notices go to a confirmed address.")
    new_email = models.EmailField(default="", blank=True, help_text="Becomes the address once it is confirmed.")
    language = models.CharField(max_length=5, choices=settings.LANGUAGES, default="en")
    language_chosen = models.BooleanField(default=False, help_text="Otherwise pages follow the browser’s language.")
    guides_read = models.JSONField(default=list, blank=True, help_text="Explanations of pages that were put away.")
    calendar_key = models.CharField(
        max_length=24, default="", blank=True, help_text="Of the calendar link; empty: there is none."
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(auto_now_add=True)
    used_on = models.DateField(null=True, blank=True, help_text="When a browser was last signed in; see `ending`.")
    end_warned_at = models.DateTimeField(
        null=True, blank=True, help_text="When an e-mail said that the account will be erased, if it is not used again."
    )

    guardian_pending = models.BooleanField(
        default=False, db_default=False, help_text="A child’s, whose guardian has not consented yet."
    )

    objects = UserManager()
    USERNAME_FIELD = "email"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(email__isnull=False) | Q(sign_in_name__isnull=False), name="an_account_has_a_sign_in"
            )
        ]
        indexes = [models.Index(fields=["new_email"], name="an_address_to_confirm")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def page_language(self) -> str:
        """The language of the account's pages; "" to follow the browser, until the account has chosen one.

        Any other language than the default was chosen, or was that of the page on which the account was made.
        """
        return self.language if self.language_chosen or self.language != settings.LANGUAGE_CODE else ""

    @property
    def signs_in_as(self) -> str:
        """What is typed to sign in: the e-mail address, otherwise the sign-in name."""
        return self.email or self.sign_in_name or ""

    @property
    def known_as(self) -> str:
        """How other staff know the account: by its e-mail address, confirmed or not, otherwise by its sign-in name."""
        return self.email or self.new_email or self.sign_in_name or ""


class Person(models.Model):
    """A person as events know them. Names are stored here and nowhere else, so that they can be erased."""

    public_id = models.CharField(max_length=20, unique=True, default=person_id, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="persons"
    )
    given_name = models.CharField(max_length=80, blank=True)
    family_name = models.CharField(max_length=80, blank=True)
    public_name = models.CharField(max_length=80, blank=True, help_text="Chosen by the person; else name and initial.")
    shown_in_full = models.BooleanField(default=False, help_text="The person agreed to be shown with the whole name.")
    family_first = models.BooleanField(default=False, help_text="The family name is said first.")
    off_stream = models.BooleanField(default=False, help_text="The name is on no big screen and in no public export.")
    erased_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.public_id

    @property
    def parts(self) -> FullName:
        """The name in its parts, without the public name."""
        return FullName(self.given_name, self.family_name, self.family_first)

    @property
    def name(self) -> str:
        """The name that others see outside an event.

        That is the chosen name, or the full name with consent, or the first name and an initial, or the public id.
        """
        return shown(Named(self.parts, self.public_name, self.shown_in_full), NameDistinction()) or self.public_id

    @property
    def full_name(self) -> str:
        """The name that staff see outside an event: the full name with the chosen one, or the public id."""
        return shown_to_staff(Named(self.parts, self.public_name), NameDistinction()) or self.public_id


class Guardianship(models.Model):
    """The guardian of a child's account, and when they consented. See `accounts.guardianship`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="guardianship")
    email = models.EmailField(help_text="Of the guardian.")
    under = models.PositiveSmallIntegerField(help_text="The child said to be younger than this.")
    asked_at = models.DateTimeField(help_text="When a guardian was first named.")
    confirmed_at = models.DateTimeField(null=True, blank=True, help_text="When the guardian consented.")

    def __str__(self) -> str:
        return f"guardian of {self.user_id}"


class SignInLink(models.Model):
    """A link that signs an account in until it expires or is used up; only a digest of its secret is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"link of {self.user_id}"


class ApiToken(models.Model):
    """An API token: hashed, scoped and revocable. Its secret is shown once."""

    class Scope(models.TextChoices):
        READ = "read"
        PLAY = "play"
        JUDGE = "judge"
        ORGANIZE = "organize"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.prefix}…"


class RightsChange(models.Model):
    """A change after which a browser or an account may have fewer rights than before, for streams that are open.

    `whose` is the key of a session that has ended, or the public id of an account. Rows are needed for minutes only.
    """

    whose = models.CharField(max_length=40)
    at = models.DateTimeField(default=now, db_index=True)

    def __str__(self) -> str:
        return f"change {self.pk}"
