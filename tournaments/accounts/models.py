"""Who signs in (User), who that is (Person, the one table of names, erasable), and the keys that open doors."""

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models

from tournaments.common.ids import new_id


def user_id() -> str:
    return new_id("u")


def person_id() -> str:
    return new_id("n")


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email=(email or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """An account: what signs in. It holds no name; one account may act for several persons (a guardian)."""

    public_id = models.CharField(max_length=20, unique=True, default=user_id, editable=False)
    email = models.EmailField(unique=True)
    language = models.CharField(max_length=5, choices=settings.LANGUAGES, default="en")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(auto_now_add=True)

    objects = UserManager()
    USERNAME_FIELD = "email"

    def __str__(self) -> str:
        return self.public_id


class Person(models.Model):
    """A human being as events know one. Names stand here and nowhere else, so that they can be erased."""

    public_id = models.CharField(max_length=20, unique=True, default=person_id, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="persons"
    )
    given_name = models.CharField(max_length=80, blank=True)
    family_name = models.CharField(max_length=80, blank=True)
    public_name = models.CharField(max_length=80, blank=True, help_text="Chosen by the person; else name and initial.")
    erased_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.public_id

    @property
    def name(self) -> str:
        """What others see: the chosen name, else the first name and the initial of the second, else the id."""
        if self.public_name:
            return self.public_name
        initial = f" {self.family_name[0]}." if self.family_name else ""
        return (self.given_name + initial).strip() or self.public_id


class SignInLink(models.Model):
    """A link that signs an account in until it expires; only the digest of its secret is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return f"link of {self.user_id}"


class ApiToken(models.Model):
    """A key of the API: hashed, scoped, and revocable. The secret is shown once."""

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
