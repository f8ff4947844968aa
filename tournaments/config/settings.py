"""Django's settings, all read from the environment. The defaults need no `.env` file.

An invalid value stops the start with an error that names the variable. A variable that is set but empty, such as
`DEBUG=` in an env file, means the default. Every variable is described in docs/settings.md.
"""

import difflib
import ipaddress
import os
import re
import secrets
import shlex
import zoneinfo
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from engine.version import VERSION
from tournaments.config import places

HOST = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]"
ENCODE = "in the user and password, write any character that is not a letter or digit as %40, %2F and so on"
_read: set[str] = set()  # the names of all variables that were looked for


def _given(name: str, default: str = "") -> str:
    """A variable without the spaces around it; the default if it is not set or empty."""
    _read.add(name)
    return os.environ.get(name, "").strip() or default


def _list(name: str) -> list[str]:
    """The values of a variable that holds several, separated by commas."""
    return [value for part in _given(name).split(",") if (value := part.strip())]


def _choice(name: str, default: str, accepted: tuple[str, ...]) -> str:
    value = _given(name, default)
    if value not in accepted:
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted values: {', '.join(accepted)}")
    return value


def _flag(name: str, default: bool) -> bool:
    return _choice(name, "1" if default else "0", ("0", "1")) == "1"


def _port(url: str) -> int | None:
    return urlsplit(url).port


def _url(name: str, default: str, schemes: tuple[str, ...], parse: Callable[[str], Any] = _port) -> str:
    """An address of a service, which `parse` can read: it raises ValueError for what it cannot."""
    value = _given(name, default)
    scheme, separator, _rest = value.partition("://")
    if scheme not in schemes:
        raise ImproperlyConfigured(f"{name} starts with {value.split(':', 1)[0]!r}; accepted: {', '.join(schemes)}")
    if not separator:
        raise ImproperlyConfigured(f"{name} has no :// after {scheme}")
    try:
        parse(value)
    except ValueError:  # whose message may hold a part of the password
        raise ImproperlyConfigured(f"{name} cannot be read: {ENCODE}; the port is a number up to 65535") from None
    return value


def _origin(name: str, value: str) -> str:
    """A scheme, a host and perhaps a port, without the slash at the end."""
    value = value.rstrip("/")
    if not re.fullmatch(rf"https?://(\*\.)?({HOST})(:[0-9]{{1,5}})?", value, re.IGNORECASE):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; accepted: a scheme and a host, such as https://arbitre.example.org"
        )
    return value


def _hosts(name: str) -> list[str]:
    """Names of hosts as Django compares them; `.example.org` stands for all below it, and `*` for any."""
    hosts = _list(name)
    for host in hosts:
        if not re.fullmatch(rf"\.?({HOST})|\*", host, re.IGNORECASE):
            wanted = "names of hosts without scheme and port, such as arbitre.example.org"
            raise ImproperlyConfigured(f"{name} has {host!r}; accepted: {wanted}")
    return hosts


def _path(name: str, default: str) -> str:
    """A file or folder; `~` is the home of the user who runs this."""
    return str(Path(_given(name, default)).expanduser().absolute())


def _whole(name: str, default: int) -> int:
    value = _given(name, str(default))
    if not value.isdecimal() or not 1 <= int(value) <= 1000:
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: a whole number from 1 to 1000")
    return int(value)


def _seconds(name: str, default: int) -> int:
    value = _given(name, str(default))
    if not value.isdecimal() or int(value) > 3600:
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: a number of seconds from 0 to 3600")
    return int(value)


def _days(name: str, default: int = 0) -> int:
    value = _given(name, str(default))
    if not value.isdecimal() or int(value) > 36_500:
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: a number of days from 0 to 36500")
    return int(value)


def _rate(name: str, default: str) -> str:
    value = _given(name, default)
    if not re.fullmatch(r"[1-9][0-9]*/(s|sec|min|m|hour|h|day|d)", value):
        raise ImproperlyConfigured(
            f"{name} is {value!r}; accepted: a number per sec, min, hour or day, such as 120/min"
        )
    return value


def _networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    found = []
    for value in _list(name):
        try:
            found.append(ipaddress.ip_network(value, strict=False))
        except ValueError:
            raise ImproperlyConfigured(f"{name} has {value!r}; accepted: addresses and networks, such as 10.0.0.0/8")
    return found


def _image_hosts(name: str) -> list[str]:
    """Hosts as `decks.images.host_of` writes them: in lower case, with a port only if it is not 443."""
    hosts = [value.lower() for value in _list(name)]
    for host in hosts:
        if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?", host):
            raise ImproperlyConfigured(f"{name} has {host!r}; accepted: names of hosts, such as cards.example.org")
    return [host.removesuffix(":443") for host in hosts]


def _time_zone(name: str, default: str) -> str:
    value = _given(name, default)
    if value not in zoneinfo.available_timezones():
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: a zone's name, such as Europe/Paris")
    return value


def _mailbox(name: str, default: str) -> str:
    value = _given(name, default)
    if not re.fullmatch(r'"?[^<>@\r\n,"]*"? *<[^\s<>@:]+@[^\s<>@]+>|[^\s<>@:]+@[^\s<>@]+', value):
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: an address, or a name and <address>")
    return value


def _provider(name: str) -> dict[str, Any]:
    """An OpenID Connect provider, from the variables that its name in OPENID_PROVIDERS begins."""
    if not re.fullmatch(r"[a-z][a-z0-9]{0,19}", name):
        raise ImproperlyConfigured(f"OPENID_PROVIDERS has {name!r}; accepted: small letters and digits, such as club")
    prefix = f"OPENID_{name.upper()}_"
    values = {part: _given(prefix + part) for part in ("NAME", "SERVER_URL", "CLIENT_ID", "SECRET")}
    for part, value in values.items():
        if not value:
            raise ImproperlyConfigured(f"{prefix}{part} must be set when OPENID_PROVIDERS has {name}")
    server = urlsplit(values["SERVER_URL"])
    if server.scheme != "https" and server.hostname not in ("localhost", "127.0.0.1"):
        raise ImproperlyConfigured(f"{prefix}SERVER_URL is {values['SERVER_URL']!r}; accepted: an address with https")
    return {
        "provider_id": name,
        "name": values["NAME"],
        "client_id": values["CLIENT_ID"],
        "secret": values["SECRET"],
        "settings": {"server_url": values["SERVER_URL"].rstrip("/")},
    }


VAR_DIR, STATIC_ROOT = places.var_dir(), places.var_dir() / "static"
try:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(f"VAR_DIR is {str(VAR_DIR)!r}; {error.filename}: {error.strerror}") from None

DEBUG = _flag("DEBUG", False)
# In production, strangers can reach the site: the secret must be set, and cookies are sent over TLS only.
PRODUCTION = _flag("PRODUCTION", False)
if DEBUG and PRODUCTION:
    raise ImproperlyConfigured("DEBUG is '1'; accepted: 0 when PRODUCTION=1")


def _secret_key() -> str:
    given = _given("SECRET_KEY")
    if given and len(given) < 32:
        raise ImproperlyConfigured("SECRET_KEY is shorter than 32 characters")
    if given:
        return given
    if PRODUCTION:
        raise ImproperlyConfigured("SECRET_KEY must be set when PRODUCTION=1")
    key_file = VAR_DIR / "secret_key"
    if not key_file.exists():
        # Written under a temporary name and linked: web and worker start together, and neither may read half a key.
        # Unlike a rename, a link fails if the other process was first.
        aside = VAR_DIR / f"secret_key.{secrets.token_hex(4)}"
        with os.fdopen(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            key_file.hardlink_to(aside)
        aside.unlink()
    return key_file.read_text()


try:
    SECRET_KEY = _secret_key()
except OSError as error:
    raise ImproperlyConfigured(f"VAR_DIR is {str(VAR_DIR)!r}; {error.filename}: {error.strerror}") from None
SECRET_KEY_FALLBACKS = _list("SECRET_KEY_FALLBACKS")
if any(len(key) < 32 for key in SECRET_KEY_FALLBACKS):
    raise ImproperlyConfigured("SECRET_KEY_FALLBACKS holds a key shorter than 32 characters")
# The key that signs ledger heads (common/heads.py), and the public keys of earlier ones.
LEDGER_KEY = _given("LEDGER_KEY").lower()
LEDGER_OLD_KEYS = [key.lower() for key in _list("LEDGER_OLD_KEYS")]
PUSH_KEY = _given("PUSH_KEY").lower()  # signs push notifications (notices/sealing.py)
_GIVEN = {"LEDGER_KEY": [LEDGER_KEY], "PUSH_KEY": [PUSH_KEY], "LEDGER_OLD_KEYS": LEDGER_OLD_KEYS}
for _name, _keys in _GIVEN.items():
    if not all(re.fullmatch(r"[0-9a-f]{64}", key) for key in filter(None, _keys)):
        raise ImproperlyConfigured(f"{_name} is wrong; accepted: 64 hexadecimal digits for each key")
ALLOWED_HOSTS = _hosts("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [_origin("CSRF_TRUSTED_ORIGINS", value) for value in _list("CSRF_TRUSTED_ORIGINS")]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "django_linear_migrations",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "tournaments.common",
    "tournaments.accounts",
    "tournaments.events",
    "tournaments.clubs",
    "tournaments.decks",
    "tournaments.payments",
    "tournaments.play",
    "tournaments.standings",
    "tournaments.audits",
    "tournaments.judging",
    "tournaments.announcements",
    "tournaments.profiles",
    "tournaments.leagues",
    "tournaments.paper",
    "tournaments.notices",
    "tournaments.integrations",
    "tournaments.archive",
    "tournaments.transfers",
    "tournaments.demo",
    "tournaments.web",
    "tournaments.api",
]

MIDDLEWARE = [
    "tournaments.common.proxies.TrustedProxies",  # first: everything below relies on the visitor's real address
    "tournaments.common.hosts.KnownHosts",
    "tournaments.web.middleware.AddressMiddleware",  # before any other looks up what the address names
    "django.middleware.security.SecurityMiddleware",
    "tournaments.web.compression.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.web.page_loads.PageLoadMiddleware",
    "tournaments.web.middleware.ConfidentialMiddleware",
    "tournaments.web.middleware.ReadingMiddleware",
    "tournaments.web.middleware.LiveSinceMiddleware",  # before anything about the event is read
    "tournaments.web.event_zone.EventZoneMiddleware",
    "tournaments.web.middleware.RefusalMiddleware",
    "tournaments.web.engine_time.EngineTimeMiddleware",
    "tournaments.web.middleware.PostAddressMiddleware",
]

ROOT_URLCONF = "tournaments.config.urls"
ASGI_APPLICATION = "tournaments.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [places.TEMPLATES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournaments.web.context.page",
            ],
            "builtins": ["tournaments.web.templatetags.addresses"],
        },
    }
]

DATABASE_URL = _url(
    "DATABASE_URL",
    f"sqlite:///{VAR_DIR / 'arbitre.sqlite3'}",
    ("sqlite", "postgres", "postgresql"),
    environ.Env.db_url_config,
)
DATABASES = {"default": {"OPTIONS": {}} | environ.Env.db_url_config(DATABASE_URL)}
if DATABASES["default"]["NAME"] in ("", ":memory:"):
    raise ImproperlyConfigured(
        "DATABASE_URL names no database; accepted: sqlite:////folder/file or postgres://user:password@host/name"
    )
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock at BEGIN, so a transaction that reads and then writes never fails halfway.
    # Threads keep their connections: opening one costs three statements, and closing the last one a WAL checkpoint.
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    # FULL writes each commit to the disk before it is answered; with NORMAL, a power cut takes back the last ones.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;",
    }
else:
    DATABASES["default"]["ENGINE"] = "django.db.backends.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # the pool checks a connection before handing it out
    if _flag("DATABASE_POOL", True):
        # `timeout`: a request waits this many seconds for a connection, for example while the server restarts; then it
        # is answered 503. Options of the URL, such as `?sslmode=require`, are kept.
        pool = {"min_size": 1, "max_size": _whole("DATABASE_POOL_SIZE", 10), "timeout": 5.0}
        DATABASES["default"]["OPTIONS"] |= {"pool": pool}
    else:
        DATABASES["default"]["CONN_MAX_AGE"] = 600  # so that a worker does not open a connection for each job
# Seconds, for web processes only (see `common.database_limits`). A lock must be given up before the pages that queue
# behind those that wait for it are turned away (8 seconds, see `web.admission`).
DATABASE_STATEMENT_TIMEOUT = _seconds("DATABASE_STATEMENT_TIMEOUT", 20)
DATABASE_LOCK_TIMEOUT = _seconds("DATABASE_LOCK_TIMEOUT", 5)
ATOMIC_REQUESTS = False  # services open their own transactions and keep them short
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHE_URL = _url("CACHE_URL", "locmem://", ("locmem", "redis", "rediss"))
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "arbitre"}
    if CACHE_URL.startswith("locmem")
    else {"BACKEND": "tournaments.common.caching.RedisOrMemory", "LOCATION": CACHE_URL}
}

CELERY_BROKER_URL = _url("CELERY_BROKER_URL", "filesystem://", ("filesystem", "redis", "rediss", "amqp", "amqps"))

# E-mails are written to files in VAR_DIR/mail until a server is set. The links in them start with SITE_URL.
EMAIL_URL = _url("EMAIL_URL", "filemail://", ("filemail", "smtp", "smtp+tls", "smtp+ssl"), environ.Env.email_url_config)
vars().update(environ.Env.email_url_config(EMAIL_URL))
if EMAIL_URL.startswith("filemail"):
    EMAIL_FILE_PATH = VAR_DIR / "mail"
elif urlsplit(EMAIL_URL).port is None:
    EMAIL_PORT = {"smtp+tls": 587, "smtp+ssl": 465}.get(urlsplit(EMAIL_URL).scheme, 25)
if not EMAIL_URL.startswith("filemail") and not urlsplit(EMAIL_URL).hostname:
    raise ImproperlyConfigured("EMAIL_URL names no server; accepted: smtp+tls://user:password@host:587")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = _mailbox("EMAIL_FROM", "Arbitre <arbitre@localhost>")
SITE_URL = _given("SITE_URL", f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION else "http://127.0.0.1:8000")
if SITE_URL.startswith(("https://*", "https://.")):
    raise ImproperlyConfigured("SITE_URL must be set when PRODUCTION=1 and ALLOWED_HOSTS begins with * or a dot")
SITE_URL = _origin("SITE_URL", SITE_URL)

# Who runs this installation and how to reach them, shown on the pages about privacy, terms and contact.
CONTACT = _given("CONTACT")
if CONTACT and not re.fullmatch(r"[^\s<>@:]+@[^\s<>@]+", CONTACT):
    raise ImproperlyConfigured(f"CONTACT is {CONTACT!r}; accepted: an e-mail address, such as desk@example.org")


def _text(name: str, most: int = 300) -> str:
    """A text on one line, of at most so many characters. Quotes around it, which some programs leave there, go."""
    value = re.sub(r"""^(["'])(.*)\1$""", r"\2", " ".join(_given(name).split()))
    if len(value) > most:
        raise ImproperlyConfigured(f"{name} has {len(value)} characters; accepted: at most {most}")
    return value


OPERATOR = _text("OPERATOR", 200)
# The rest of what the page of legal information says about publisher and host. web/checks.py warns of what is missing.
OPERATOR_ADDRESS = _text("OPERATOR_ADDRESS")
OPERATOR_PHONE = _text("OPERATOR_PHONE")
OPERATOR_REGISTRATION = _text("OPERATOR_REGISTRATION")
PUBLICATION_DIRECTOR = _text("PUBLICATION_DIRECTOR")
HOSTED_BY = _text("HOSTED_BY")
HOSTED_BY_ADDRESS = _text("HOSTED_BY_ADDRESS")
HOSTED_BY_PHONE = _text("HOSTED_BY_PHONE")


def _api_base(name: str, default: str = "") -> str:
    """The address of a provider's API, without a slash at its end."""
    base = _given(name) or default
    if base and urlsplit(base).scheme not in (("https",) if PRODUCTION else ("http", "https")):
        raise ImproperlyConfigured(f"{name} is {base!r}; accepted: an address with https")
    return base.rstrip("/")


def _stripe() -> dict[str, tuple[str, dict[str, str]]]:
    """Stripe as a provider of payments; nothing without its keys."""
    key = _given("STRIPE_SECRET_KEY")
    secret = _given("STRIPE_WEBHOOK_SECRET")
    if not key and not secret:
        return {}
    for name, value, begins in (("SECRET_KEY", key, ("sk_", "rk_")), ("WEBHOOK_SECRET", secret, ("whsec_",))):
        if not value.startswith(begins):
            raise ImproperlyConfigured(f"STRIPE_{name} is wrong; accepted: a key that starts with {begins[0]}")
    given = {"api_key": key, "endpoint_secret": secret, "api_base": _api_base("STRIPE_API_BASE")}
    return {"stripe": ("tournaments.payments.stripe_checkout.Stripe", given)}


def _paypal() -> dict[str, tuple[str, dict[str, str]]]:
    """PayPal as a provider of payments; nothing without its keys."""
    given = {
        "client_id": _given("PAYPAL_CLIENT_ID"),
        "secret": _given("PAYPAL_SECRET"),
        "webhook_id": _given("PAYPAL_WEBHOOK_ID"),
    }
    if not any(given.values()):
        return {}
    for part, value in given.items():
        if not re.fullmatch(r"[\w-]+", value, re.ASCII):
            raise ImproperlyConfigured(f"PAYPAL_{part.upper()} is wrong; accepted: what PayPal shows for the app")
    given["api_base"] = _api_base("PAYPAL_API_BASE", "https://api-m.paypal.com")
    return {"paypal": ("tournaments.payments.paypal_orders.PayPal", given)}


# The providers of payments, as django-payments reads them, in the order in which players see them; none without keys:
# events are paid at the desk. See docs/decisions/0030-paid-by-a-signed-notice.md. The library wants PAYMENT_HOST.
PAYMENT_VARIANTS = _stripe() | _paypal()
PAYMENT_HOST = urlsplit(SITE_URL).netloc

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "web:sign_in"
LOGIN_REDIRECT_URL = "web:home"
LOGOUT_REDIRECT_URL = "web:home"

# What allauth does, and what stays our own, is written down in docs/decisions/0020-what-allauth-does.md.
ACCOUNT_ADAPTER = "tournaments.web.allauth_adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "sign_in_name"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # addresses are confirmed by accounts/addresses.py
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/10m/key",  # codes of a second factor: wrong ones for one account
    "reauthenticate": "10/10m/user",
    "change_password": "10/10m/user",
}
MFA_ADAPTER = "tournaments.web.allauth_adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # allauth's own table of addresses stays empty
MFA_RATE_LIMITS = {"webauthn_login": "300/10m/ip"}  # a hall shares one address, and a passkey cannot be guessed
MFA_TOTP_ISSUER = "Arbitre"
SOCIALACCOUNT_ADAPTER = "tournaments.web.allauth_adapters.ConnectionAdapter"
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [_provider(name) for name in _list("OPENID_PROVIDERS")],
    }
}
MFA_TOTP_TOLERANCE = 1  # 30 seconds either way, for clocks that are not quite right

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

LANGUAGE_CODE = "en"
LANGUAGES = [("fr", _("French")), ("en", _("English")), ("it", _("Italian"))]
LOCALE_PATHS = [places.PACKAGE / "locale"]
FORMAT_MODULE_PATH = "tournaments.locale.formats"
TIME_ZONE = _time_zone("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournaments.common.static.HashedOnceCollected"},
}
WHITENOISE_USE_FINDERS = True
BROWSER_RULES = places.BROWSER_RULES
STATICFILES_DIRS = [("rules", BROWSER_RULES)] if BROWSER_RULES.is_dir() else []

# The hosts from which browsers may load the images that organizers' catalogues give their cards.
CARD_IMAGE_HOSTS = _image_hosts("CARD_IMAGE_HOSTS")

# Everything is loaded from our own origin, but for images of cards, with no inline scripts or styles, no frames and no
# eval.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", *(f"https://{host}" for host in CARD_IMAGE_HOSTS)],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "tournaments.accounts.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = _flag("SSL_REDIRECT", False)
SECURE_REDIRECT_EXEMPT = [r"^(healthz|metrics)$"]  # containers are asked for these without TLS
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
# Of `check --deploy`. Other names below the domain, and its place on the list that browsers come with (W005, W021), are
# for whoever owns the domain to decide. A redirect to TLS (W008) is the proxy's, unless SSL_REDIRECT says otherwise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
TRUSTED_PROXIES = _networks("TRUSTED_PROXIES")
if TRUSTED_PROXIES:  # only then is the header reliable: `TrustedProxies` removes it from everybody else's requests
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# For development only: allows webhooks to a server on this machine, over plain HTTP.
WEBHOOK_LOCALHOST = _flag("WEBHOOK_LOCALHOST", False)

# The largest uploads, such as a move log, have 8 MiB, and forms have few fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = 9 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# Who may read /metrics: whoever has the token, or comes from one of the networks. Neither set: nobody.
METRICS_TOKEN = _given("METRICS_TOKEN")
if METRICS_TOKEN and not re.fullmatch(r"(?![\"'])[!-~]{16,200}", METRICS_TOKEN):
    raise ImproperlyConfigured("METRICS_TOKEN is wrong; accepted: 16 to 200 characters, without spaces and quotes")
METRICS_NETWORKS = _networks("METRICS_NETWORKS")
METRICS_DIR = _path("METRICS_DIR", str(VAR_DIR / "metrics"))

PAGE_LOADS = _rate("PAGE_LOADS", "30000/min")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tournaments.api.permissions.ScopedPermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
    "EXCEPTION_HANDLER": "tournaments.api.problems.handle",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": _rate("THROTTLE_ANON", "120/min"),
        "user": _rate("THROTTLE_USER", "600/min"),
    },
    "NUM_PROXIES": 0,  # `TrustedProxies` has already set REMOTE_ADDR
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Arbitre",
    "VERSION": VERSION,
    "DESCRIPTION": "Tournaments of trading card games: events, decklists, rounds, results, standings, audits.",
    "LICENSE": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
    "SERVERS": [{"url": SITE_URL}],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "tournaments.api.schema.describe_tags"],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
# Days after the end of an event until the names of people who played without an account are erased; 0: never.
KEEP_NAMES_DAYS = _days("KEEP_NAMES_DAYS")


def _unused_days(name: str, default: int) -> int:
    value = _given(name, str(default))
    if not value.isdecimal() or not (int(value) == 0 or 90 <= int(value) <= 36_500):
        raise ImproperlyConfigured(f"{name} is {value!r}; accepted: 0, or a number of days from 90 to 36500")
    return int(value)


# Days until accounts that nobody uses, and people without an account who enter no event, are erased; 0: never.
ACCOUNTS_END_AFTER = _unused_days("ACCOUNTS_END_AFTER", 1095)
BOOK_ENTRIES_END_AFTER = _unused_days("BOOK_ENTRIES_END_AFTER", 1095)
# The age from which people need no guardian's consent for an account; 0: nobody is asked.
GUARDIAN_UNDER = int(_choice("GUARDIAN_UNDER", "16", ("0", "13", "14", "15", "16", "17", "18")))
# Days until photos of tables are erased; 0: never.
KEEP_PHOTOS_DAYS = _days("KEEP_PHOTOS_DAYS", 90)
# Regular backups (common/kept_backups.py): the folder, how many of them, the public key, the command that copies them.
BACKUP_DIR = _path("BACKUP_DIR", "") if _given("BACKUP_DIR") else ""
BACKUP_KEEP = _whole("BACKUP_KEEP", 14)
BACKUP_KEY = _given("BACKUP_KEY")
if BACKUP_KEY and not re.fullmatch(r"age1[0-9a-z]{58}", BACKUP_KEY):
    raise ImproperlyConfigured("BACKUP_KEY is wrong; accepted: a public key of age, which starts with age1")
BACKUP_COPY = _given("BACKUP_COPY")
try:
    shlex.split(BACKUP_COPY)
except ValueError:
    raise ImproperlyConfigured(f"BACKUP_COPY is {BACKUP_COPY!r}; a quotation mark has no second one") from None
# The file with the ids of erased people (common/erasures.py), which `restore` applies.
ERASURE_JOURNAL = _path("ERASURE_JOURNAL", str(VAR_DIR / "erased.jsonl"))

LOG_LEVEL = _choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = _choice("LOG_FORMAT", "text", ("text", "json"))
ACCESS_LOG = _flag("ACCESS_LOG", False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} [{request_id}] {message}", "style": "{"},
        "json": {"()": "tournaments.common.logs.JsonLines"},
    },
    "filters": {
        "secrets": {"()": "tournaments.common.logs.HideSecrets"},
        "request": {"()": "tournaments.common.logs.NameRequest"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["secrets", "request"]}
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "httpx": {"level": "WARNING"},  # at INFO it logs webhook URLs, which may contain secrets
        "stripe": {"level": "WARNING"},  # at INFO it logs each request twice
        "kombu.connection": {"level": "ERROR"},  # it warns that a queue of files has no host
        # Its lines look like ours, but its access log has whole addresses, which may contain secrets. A logger of its
        # that is not named here would be reset.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.error": {},
        "uvicorn.access": {"handlers": [], "propagate": False},
        "arbitre.access": {"level": "INFO" if ACCESS_LOG else "CRITICAL"},
    },
}

# Variables that are probably meant to be settings: web/checks.py warns of them.
MISSPELT_SETTINGS = {
    name: near[0]
    for name in sorted(set(os.environ) - _read)
    if (near := difflib.get_close_matches(name.upper(), sorted(_read - set(os.environ)), n=1, cutoff=0.85))
}
