"""Passkeys in Chromium, with its virtual authenticator: add one, sign in with it, and use it as a second factor.

Browsers know no passkeys of sites at an IP address, so these pages are opened at `localhost`.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.patience import PATIENCE
from tests.e2e.site import Site
from tests.e2e.test_pages import DESK, HEIGHT, PHONE, said_by_axe, too_small, too_wide

PASSWORD = "quite-long-enough"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def address(site: Site) -> str:
    return site.url.replace("127.0.0.1", "localhost")


@contextmanager
def a_browser(browser: Browser, address: str, width: int = PHONE, **key: Any) -> Iterator[tuple[Page, Any, str]]:
    """Open a page with a virtual authenticator; yield both, and the authenticator's id."""
    context = browser.new_context(base_url=address, viewport={"width": width, "height": HEIGHT}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    broken: list[str] = []
    page.on("console", lambda line: broken.append(line.text) if "Content Security Policy" in line.text else None)
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    made = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY | key})
    yield page, devtools, made["authenticatorId"]
    assert broken == []
    context.close()


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up/")
    page.get_by_label("First name or nickname").fill("Player 12")
    page.get_by_label("Sign-in name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create my account").click()
    signed_in(page)


def type_password(page: Page, name: str) -> None:
    page.goto("/sign-in/")
    page.get_by_label("E-mail address or sign-in name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("#content").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: not url.endswith("/sign-in/"))


def signed_in(page: Page, *, really: bool = True) -> None:
    """Wait until the header says that somebody is signed in, or that nobody is."""
    name = "Account" if really else "Sign in"
    expect(page.locator("header").get_by_role("link", name=name, exact=True)).to_be_visible()


def sign_out(page: Page) -> None:
    page.goto("/")
    page.locator("header").get_by_role("button", name="Sign out").click()
    signed_in(page, really=False)


def add_passkey(page: Page, label: str, *, alone: bool = True) -> None:
    page.goto("/account/security/")
    page.get_by_role("link", name="Add a passkey").click()
    confirming = page.get_by_role("heading", name="Confirm that it is you")
    expect(confirming.or_(page.get_by_label("Sign in with it alone"))).to_be_visible()
    if confirming.is_visible():
        page.get_by_label("Your password").fill(PASSWORD)
        page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill(label)
    page.get_by_label("Sign in with it alone").set_checked(alone)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Write them down")).to_be_visible()


def test_a_passkey_signs_in_alone_and_stands_beside_the_password(browser: Browser, address: str) -> None:
    with a_browser(browser, address) as (page, _devtools, _key):
        sign_up(page, "passkey-1")
        add_passkey(page, "My phone")
        sign_out(page)
        page.goto("/sign-in/?next=/account/history/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("heading", name="Where I have played")).to_be_visible()
        sign_out(page)
        type_password(page, "passkey-1")
        expect(page.get_by_role("heading", name="One more step")).to_be_visible()
        page.get_by_role("button", name="Use a passkey").click()
        signed_in(page)


def test_a_key_that_cannot_store_passkeys_is_a_second_factor(browser: Browser, address: str) -> None:
    no_store = {"hasResidentKey": False, "hasUserVerification": False, "isUserVerified": False, "transport": "usb"}
    with a_browser(browser, address, **no_store) as (page, _devtools, _key):
        sign_up(page, "passkey-2")
        add_passkey(page, "Security key", alone=False)
        sign_out(page)
        type_password(page, "passkey-2")
        page.get_by_role("button", name="Use a passkey").click()
        signed_in(page)


def test_a_passkey_confirms_a_change_and_is_renamed_and_removed(browser: Browser, address: str) -> None:
    with a_browser(browser, address) as (page, _devtools, _key):
        sign_up(page, "passkey-3")
        add_passkey(page, "My phone")
        page.goto("/account/security/")
        page.get_by_text("Rename or remove").click()
        page.get_by_label("Name").fill("Old phone")
        page.get_by_role("button", name="Rename").click()
        expect(page.get_by_text("Old phone").first).to_be_visible()
        sign_out(page)
        page.goto("/sign-in/?next=/account/security/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()
        page.get_by_text("Rename or remove").click()
        page.get_by_role("button", name="Remove the passkey").click()
        page.get_by_role("link", name="Use a passkey").click()
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_text("The passkey is removed.")).to_be_visible()
        sign_out(page)
        type_password(page, "passkey-3")
        signed_in(page)


def test_without_the_right_passkey_the_page_says_so_and_nobody_is_signed_in(browser: Browser, address: str) -> None:
    with a_browser(browser, address) as (page, devtools, key):
        sign_up(page, "passkey-4")
        add_passkey(page, "My phone")
        sign_out(page)
        devtools.send("WebAuthn.clearCredentials", {"authenticatorId": key})
        page.goto("/sign-in/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_text("No passkey was used.")).to_be_visible()
        type_password(page, "passkey-4")
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_text("No passkey was used.")).to_be_visible()


def test_the_passkey_of_a_forgotten_account_or_an_old_answer_is_refused(browser: Browser, address: str) -> None:
    with a_browser(browser, address) as (page, _devtools, _key):
        sign_up(page, "passkey-5")
        add_passkey(page, "My phone")
        sign_out(page)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
        page.goto("/sign-in/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        signed_in(page)
        sign_out(page)
        page.goto("/sign-in/")
        (old,) = (each for each in sent if "credential=" in each)
        answer = json.dumps(old.split("credential=")[1].split("&")[0])
        page.evaluate(f"""() => {{
            const form = document.querySelector("form[data-passkey]");
            form.elements.credential.value = decodeURIComponent({answer}.replaceAll("+", " "));
            form.submit();
        }}""")
        expect(page.get_by_text("wrong or was already used")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_the_pages_about_signing_in_are_accessible(browser: Browser, address: str, width: int, scheme: Any) -> None:
    faults: dict[str, Any] = {}

    def look(page: Page, name: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        faults[name] = [*too_wide(page), *too_small(page), *said_by_axe(page)]

    with a_browser(browser, address, width) as (page, _devtools, _key):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        sign_up(page, f"passkey-{width}")
        add_passkey(page, "A phone with a name that is rather long, for a phone of 390")
        look(page, "recovery codes")
        for path in ("", "app/", "passkeys/", "password/"):
            page.goto(f"/account/security/{path}")
            look(page, path or "overview")
        sign_out(page)
        page.goto("/sign-in/")
        look(page, "sign in")
        type_password(page, f"passkey-{width}")
        look(page, "second factor")
        page.get_by_role("button", name="Use a passkey").click()
        signed_in(page)
        for path in ("", "code/", "passkey/"):
            page.goto(f"/account/security/confirm/{path}?next=/account/security/")
            look(page, f"confirm {path}")
    assert {name: found for name, found in faults.items() if found} == {}
