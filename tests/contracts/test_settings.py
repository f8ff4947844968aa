"""An invalid setting stops the start and is named with the accepted values, instead of failing on a page later."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.contracts.project import ROOT

MISTYPED = [
    ("DEBUG", "True"),
    ("PRODUCTION", '"1"'),
    ("ALLOWED_HOSTS", "https://arbitre.example.org"),
    ("ALLOWED_HOSTS", "arbitre.example.org:8443"),
    ("ALLOWED_HOSTS", "arbitre.example.org www.example.org"),
    ("ALLOWED_HOSTS", "arbitre.example.org/"),
    ("ALLOWED_HOSTS", '["arbitre.example.org"]'),
    ("ALLOWED_HOSTS", "münchen.example"),
    ("ALLOWED_HOSTS", "::1"),
    ("CSRF_TRUSTED_ORIGINS", "arbitre.example.org"),
    ("CSRF_TRUSTED_ORIGINS", "https://arbitre.example.org/path"),
    ("SITE_URL", "https://"),
    ("SITE_URL", "https:arbitre.example.org"),
    ("SITE_URL", "https://arbitre.example.org/path"),
    ("SITE_URL", "https://arbitre.example.org:port"),
    ("TRUSTED_PROXIES", "proxy.local"),
    ("TRUSTED_PROXIES", "10.0.0.5:80"),
    ("DATABASE_URL", "postgres://user:pa/ss@host:5432/name"),
    ("DATABASE_URL", "postgres://user:pa?ss@host:5432/name"),
    ("DATABASE_URL", "postgres://user:password@host:54x2/name"),
    ("DATABASE_URL", "postgres://user:password@host"),
    ("DATABASE_URL", "sqlite://"),
    ("DATABASE_URL", "sqlite:arbitre.sqlite3"),
    ("CACHE_URL", "redis"),
    ("CACHE_URL", "redis://localhost:port"),
    ("CELERY_BROKER_URL", "amqp://user:pa#ss@host//"),
    ("EMAIL_URL", "smtp+tls://user:pa#ss@host:587"),
    ("EMAIL_FROM", "Our Club events@example.org"),
    ("EMAIL_FROM", "Our Club <events@example.org"),
    ("EMAIL_FROM", "Our, Club <events@example.org>"),
    ("CONTACT", "mailto:desk@example.org"),
    ("CONTACT", "Desk <desk@example.org>"),
    ("METRICS_TOKEN", '"0123456789abcdef"'),
    ("GUARDIAN_UNDER", "sixteen"),
    ("GUARDIAN_UNDER", "5"),
    ("GUARDIAN_UNDER", "-1"),
    ("ACCOUNTS_END_AFTER", "3 years"),
    ("LOG_LEVEL", "info"),
    ("PAGE_LOADS", "30000"),
    ("BACKUP_COPY", '"/srv/copy'),
    ("OPERATOR", "x" * 201),
]
MEANT = [
    ("DEBUG", " 1 ", "DEBUG", True),
    ("SECRET_KEY", "$" + "k" * 40, "SECRET_KEY", "$" + "k" * 40),
    ("SECRET_KEY_FALLBACKS", f"{'a' * 40}, {'b' * 40},", "SECRET_KEY_FALLBACKS", ["a" * 40, "b" * 40]),
    ("LEDGER_KEY", "AB" * 32, "LEDGER_KEY", "ab" * 32),
    ("LEDGER_OLD_KEYS", f"{'a' * 64}, {'b' * 64}", "LEDGER_OLD_KEYS", ["a" * 64, "b" * 64]),
    ("ALLOWED_HOSTS", "a.example.org, b.example.org,", "ALLOWED_HOSTS", ["a.example.org", "b.example.org"]),
    ("ALLOWED_HOSTS", ".example.org,[::1],*", "ALLOWED_HOSTS", [".example.org", "[::1]", "*"]),
    ("CSRF_TRUSTED_ORIGINS", "https://a.example.org/", "CSRF_TRUSTED_ORIGINS", ["https://a.example.org"]),
    ("CSRF_TRUSTED_ORIGINS", "https://*.example.org", "CSRF_TRUSTED_ORIGINS", ["https://*.example.org"]),
    ("SITE_URL", " https://a.example.org/ ", "SITE_URL", "https://a.example.org"),
    ("SITE_URL", "http://192.168.1.5:8000", "SITE_URL", "http://192.168.1.5:8000"),
    ("EMAIL_URL", "smtp+tls://user:pa%23ss@host", "EMAIL_PORT", 587),
    ("EMAIL_URL", "smtp+tls://user:pa%23ss@host", "EMAIL_HOST_PASSWORD", "pa#ss"),
    ("EMAIL_URL", "smtp+ssl://host", "EMAIL_PORT", 465),
    ("EMAIL_FROM", '"Our Club" <events@example.org>', "DEFAULT_FROM_EMAIL", '"Our Club" <events@example.org>'),
    ("OPERATOR", '"Our Club"', "OPERATOR", "Our Club"),
    ("OPERATOR_ADDRESS", "1 Main Street\nSpringfield", "OPERATOR_ADDRESS", "1 Main Street Springfield"),
    ("BACKUP_DIR", "~/backups", "BACKUP_DIR", str(Path.home() / "backups")),
    ("BACKUP_KEEP", "14 ", "BACKUP_KEEP", 14),
]
START = "import django; django.setup()"
KEPT = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
WRONG = {
    "DEBUG": ("yes", "0, 1"),
    "PRODUCTION": ("true", "0, 1"),
    "SSL_REDIRECT": ("on", "0, 1"),
    "WEBHOOK_LOCALHOST": ("yes", "0, 1"),
    "TRUSTED_PROXIES": ("10.0.0.0/8,nobody", "accepted"),
    "SECRET_KEY": ("short", "32 characters"),
    "SECRET_KEY_FALLBACKS": ("short", "32 characters"),
    "DATABASE_URL": ("mysql://localhost/arbitre", "sqlite, postgres, postgresql"),
    "DATABASE_STATEMENT_TIMEOUT": ("20s", "0 to 3600"),
    "DATABASE_LOCK_TIMEOUT": ("-1", "0 to 3600"),
    "CACHE_URL": ("memcached://localhost", "locmem, redis, rediss"),
    "CELERY_BROKER_URL": ("sqs://", "filesystem, redis, rediss, amqp, amqps"),
    "EMAIL_URL": ("pigeon://loft", "filemail, smtp, smtp+tls, smtp+ssl"),
    "EMAIL_FROM": ("nobody", "accepted"),
    "SITE_URL": ("arbitre.example.org", "a scheme and a host"),
    "CONTACT": ("the desk", "accepted"),
    "OPENID_PROVIDERS": ("Our Club", "accepted"),
    "STRIPE_SECRET_KEY": ("pk_live_public", "sk_"),
    "PAYPAL_CLIENT_ID": ("my id", "accepted"),
    "CARD_IMAGE_HOSTS": ("cards.example.org,https://cards.example.org", "names of hosts"),
    "METRICS_TOKEN": ("short", "16 to 200 characters"),
    "METRICS_NETWORKS": ("everybody", "accepted"),
    "LOG_FORMAT": ("xml", "text, json"),
    "ACCESS_LOG": ("yes", "0, 1"),
    "BACKUP_KEEP": ("0", "accepted"),
    "BACKUP_KEY": ("AGE-SECRET-KEY-1", "age1"),
    "LOG_LEVEL": ("LOUD", "DEBUG, INFO, WARNING, ERROR"),
    "TIME_ZONE": ("Mars/Olympus", "accepted"),
    "KEEP_NAMES_DAYS": ("a year", "accepted"),
    "KEEP_PHOTOS_DAYS": ("-1", "accepted"),
    "GUARDIAN_UNDER": ("12", "0, 13, 14"),
    "ACCOUNTS_END_AFTER": ("30", "90 to 36500"),
    "BOOK_ENTRIES_END_AFTER": ("never", "accepted"),
    "THROTTLE_ANON": ("often", "accepted"),
    "THROTTLE_USER": ("10/fortnight", "accepted"),
}


def loaded(var: Path, **variables: str) -> dict[str, Any]:
    """Return the settings as they are with only these environment variables."""
    with mock.patch.dict(os.environ, KEPT | {"VAR_DIR": str(var)} | variables, clear=True):
        return runpy.run_path(str(ROOT / "tournaments/config/settings.py"))


def refused(var: Path, **variables: str) -> str:
    """Return the message with which these variables stop the start."""
    with pytest.raises(ImproperlyConfigured) as told:
        loaded(var, **variables)
    return str(told.value)


def start(var: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start Django with only these environment variables."""
    environment = KEPT | {"DJANGO_SETTINGS_MODULE": "tournaments.config.settings", "VAR_DIR": str(var)} | variables
    return subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_it_starts_without_any_setting(tmp_path: Path) -> None:
    assert start(tmp_path).returncode == 0


def test_an_empty_variable_means_the_default(tmp_path: Path) -> None:
    """All of them at once, as in an env file with nothing after the equals signs."""
    names = re.findall(r"^## ([A-Z_]+)$", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(WRONG) <= set(names)
    empty = dict.fromkeys(set(names) - {"VAR_DIR"}, "")
    assert start(tmp_path, **empty).returncode == 0
    plain, given = loaded(tmp_path), loaded(tmp_path, **empty)
    settings = [name for name in plain if name.isupper()]
    assert [name for name in settings if plain[name] != given[name]] == []


@pytest.mark.parametrize("name", ["DEBUG", "THROTTLE_ANON", "ALLOWED_HOSTS", "TIME_ZONE"])
def test_a_variable_with_only_spaces_counts_as_empty(name: str, tmp_path: Path) -> None:
    plain, given = loaded(tmp_path), loaded(tmp_path, **{name: "  "})
    for setting in ("DEBUG", "REST_FRAMEWORK", "ALLOWED_HOSTS", "TIME_ZONE"):
        assert plain[setting] == given[setting]


def test_an_invalid_value_stops_the_start_and_the_last_line_names_the_setting(tmp_path: Path) -> None:
    answer = start(tmp_path, DEBUG="yes")
    assert answer.returncode != 0 and "DEBUG" in answer.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("name", WRONG)
def test_an_invalid_value_is_refused_with_the_accepted_values(name: str, tmp_path: Path) -> None:
    value, accepted = WRONG[name]
    said = refused(tmp_path, **{name: value})
    assert name in said and accepted in said and "\n" not in said


@pytest.mark.parametrize(("name", "value"), MISTYPED)
def test_a_typing_error_stops_the_start_with_one_sentence(name: str, value: str, tmp_path: Path) -> None:
    said = refused(tmp_path, **{name: value})
    assert said.startswith(name) and "\n" not in said
    assert not re.search(r"pa[/?#]ss", said)


@pytest.mark.parametrize(("name", "value", "setting", "meant"), MEANT)
def test_a_value_is_read_as_it_is_meant(name: str, value: str, setting: str, meant: object, tmp_path: Path) -> None:
    assert loaded(tmp_path, **{name: value})[setting] == meant


@pytest.mark.parametrize("password", ["p%40ss", "p@ss", "p:ss", "p%23ss", "$ecret"])
def test_a_password_of_the_database_may_have_special_characters(password: str, tmp_path: Path) -> None:
    database = loaded(tmp_path, DATABASE_URL=f"postgres://user:{password}@host:5432/name")["DATABASES"]["default"]
    assert database["PASSWORD"] == password.replace("%40", "@").replace("%23", "#")
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("host", 5432, "name")


def test_a_site_of_any_host_needs_its_own_address_in_production(tmp_path: Path) -> None:
    production = {"PRODUCTION": "1", "SECRET_KEY": "x" * 40, "ALLOWED_HOSTS": "*"}
    assert "SITE_URL must be set" in refused(tmp_path, **production)
    assert loaded(tmp_path, **production, SITE_URL="https://a.example.org")["ALLOWED_HOSTS"] == ["*"]


def test_a_variable_with_a_typing_error_in_its_name_is_noticed(tmp_path: Path) -> None:
    typed = {"ALLOWED_HOST": "a", "OPERATOR_ADRESS": "b", "TIMEZONE": "UTC", "TRUSTED_PROXY": "10.0.0.5", "debug": "1"}
    others = {"DATABASE_HOST": "x", "TEST_DATABASE_URL": "x", "EDITOR": "x", "SITE": "x", "POSTGRES_PASSWORD": "x"}
    noticed = loaded(tmp_path, **typed, **others)["MISSPELT_SETTINGS"]
    assert noticed == {
        "ALLOWED_HOST": "ALLOWED_HOSTS",
        "OPERATOR_ADRESS": "OPERATOR_ADDRESS",
        "TIMEZONE": "TIME_ZONE",
        "TRUSTED_PROXY": "TRUSTED_PROXIES",
        "debug": "DEBUG",
    }


@pytest.mark.parametrize("name", ["DATABASE_POOL", "DATABASE_POOL_SIZE"])
def test_an_invalid_pool_setting_is_refused_and_named(name: str, tmp_path: Path) -> None:
    assert name in refused(tmp_path, **{"DATABASE_URL": "postgres://localhost/none", name: "many"})


def test_the_tls_options_of_the_database_url_are_kept(tmp_path: Path) -> None:
    settings = loaded(tmp_path, DATABASE_URL="postgres://localhost/none?sslmode=require")
    options = settings["DATABASES"]["default"]["OPTIONS"]
    assert options["sslmode"] == "require" and options["pool"]


def test_a_mail_server_without_a_host_is_refused(tmp_path: Path) -> None:
    assert "EMAIL_URL" in refused(tmp_path, EMAIL_URL="smtp+tls://")


def test_debug_is_refused_in_production(tmp_path: Path) -> None:
    assert "DEBUG" in refused(tmp_path, PRODUCTION="1", DEBUG="1", SECRET_KEY="x" * 40)


def test_a_secret_key_is_required_in_production(tmp_path: Path) -> None:
    assert "SECRET_KEY" in refused(tmp_path, PRODUCTION="1")


def test_the_secret_key_is_generated_once_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    first = loaded(tmp_path)["SECRET_KEY"]
    kept = tmp_path / "secret_key"
    assert loaded(tmp_path)["SECRET_KEY"] == first and first in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("host", ["*", "*.example.org", "cards.example.org/a", "me@cards.example.org", "a b", "'self'"])
def test_a_host_of_images_is_one_host(host: str, tmp_path: Path) -> None:
    assert "CARD_IMAGE_HOSTS" in refused(tmp_path, CARD_IMAGE_HOSTS=host)


def test_browsers_may_load_images_from_the_hosts_that_are_named_and_no_others(tmp_path: Path) -> None:
    images = loaded(tmp_path)["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["img-src"]
    assert images == ["'self'", "data:"]
    settings = loaded(tmp_path, CARD_IMAGE_HOSTS="Cards.example.org:443, img.example:8443")
    assert settings["CARD_IMAGE_HOSTS"] == ["cards.example.org", "img.example:8443"]
    allowed = settings["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["img-src"]
    assert allowed == [*images, "https://cards.example.org", "https://img.example:8443"]


OPENID = {
    "OPENID_PROVIDERS": "club",
    "OPENID_CLUB_NAME": "Our Club",
    "OPENID_CLUB_SERVER_URL": "https://login.example.org/",
    "OPENID_CLUB_CLIENT_ID": "arbitre",
    "OPENID_CLUB_SECRET": "a-secret",
}


def test_a_provider_is_switched_on_by_its_variables(tmp_path: Path) -> None:
    assert loaded(tmp_path)["SOCIALACCOUNT_PROVIDERS"]["openid_connect"]["APPS"] == []
    (app,) = loaded(tmp_path, **OPENID)["SOCIALACCOUNT_PROVIDERS"]["openid_connect"]["APPS"]
    assert (app["provider_id"], app["name"], app["client_id"], app["secret"]) == (
        "club",
        "Our Club",
        "arbitre",
        "a-secret",
    )
    assert app["settings"] == {"server_url": "https://login.example.org"}


@pytest.mark.parametrize("name", sorted(set(OPENID) - {"OPENID_PROVIDERS"}))
def test_a_provider_needs_all_of_its_variables(name: str, tmp_path: Path) -> None:
    assert name in refused(tmp_path, **{**OPENID, name: ""})


def test_a_provider_without_tls_is_refused_except_on_this_machine(tmp_path: Path) -> None:
    assert "https" in refused(tmp_path, **{**OPENID, "OPENID_CLUB_SERVER_URL": "http://login.example.org"})
    assert loaded(tmp_path, **{**OPENID, "OPENID_CLUB_SERVER_URL": "http://localhost:8080"})


STRIPE = {"STRIPE_SECRET_KEY": "sk_test_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"}
PAYPAL = {"PAYPAL_CLIENT_ID": "AbC_1", "PAYPAL_SECRET": "EfG-2", "PAYPAL_WEBHOOK_ID": "1JE4291016473214C"}


def test_entry_fees_are_paid_online_only_with_the_keys_of_a_provider(tmp_path: Path) -> None:
    assert loaded(tmp_path)["PAYMENT_VARIANTS"] == {}
    assert list(loaded(tmp_path, **STRIPE)["PAYMENT_VARIANTS"]) == ["stripe"]
    _path, given = loaded(tmp_path, **PAYPAL)["PAYMENT_VARIANTS"]["paypal"]
    assert given["api_base"] == "https://api-m.paypal.com"
    assert list(loaded(tmp_path, **PAYPAL, **STRIPE)["PAYMENT_VARIANTS"]) == ["stripe", "paypal"]


@pytest.mark.parametrize(("keys", "name"), [(STRIPE, name) for name in STRIPE] + [(PAYPAL, name) for name in PAYPAL])
def test_a_provider_of_payments_needs_all_its_keys(keys: dict[str, str], name: str, tmp_path: Path) -> None:
    assert name in refused(tmp_path, **{**keys, name: ""})


@pytest.mark.parametrize("keys", [STRIPE, PAYPAL])
def test_the_address_of_a_provider_needs_tls_in_production(keys: dict[str, str], tmp_path: Path) -> None:
    name = next(iter(keys)).split("_")[0] + "_API_BASE"
    production = {"PRODUCTION": "1", "SECRET_KEY": "x" * 40, **keys, name: "http://provider.example"}
    assert name in refused(tmp_path, **production)
    assert name in refused(tmp_path, **keys, **{name: "provider.example"})


def test_sqlite_writes_each_commit_to_the_disk(tmp_path: Path) -> None:
    options = loaded(tmp_path)["DATABASES"]["default"]["OPTIONS"]
    assert "PRAGMA synchronous=FULL;" in options["init_command"]


def test_the_checks_for_deployment_have_nothing_to_say_about_production(tmp_path: Path) -> None:
    environment = KEPT | {
        "PRODUCTION": "1",
        "SECRET_KEY": "".join(chr(33 + number) for number in range(60)),
        "ALLOWED_HOSTS": "arbitre.example.org",
        "VAR_DIR": str(tmp_path),
        "OPERATOR": "Our Club",
        "OPERATOR_ADDRESS": "1 Main Street, Springfield",
        "CONTACT": "desk@example.org",
        "HOSTED_BY": "Our Club",
        "HOSTED_BY_ADDRESS": "1 Main Street, Springfield",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
