"""Notifications from the button to the screen: turned on in a page, encrypted, shown by the service worker, clicked.

No browser here can reach a real push service. So the page is given a subscription at a server of the test, which
decrypts what it gets as a browser would, and Chromium's debugging protocol hands the result to the real service worker.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.common.receiver import Receiver, receiver
from tests.e2e.conftest import chromium
from tests.e2e.demonstration import Demonstration, demonstration_of, signed_in
from tests.e2e.patience import wait_until
from tests.e2e.site import Seeded, Site, running_site
from tests.notices import browser as keys

# A PushManager whose subscription is the test's own.
SUBSCRIBED = """
const subscription = {
  endpoint: ENDPOINT, options: {}, toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
  unsubscribe: async () => localStorage.removeItem("subscribed"),
};
PushManager.prototype.subscribe = async function ({ applicationServerKey }) {
  localStorage.setItem("subscribed", [...applicationServerKey].join());
  return subscription;
};
PushManager.prototype.getSubscription = async function () {
  const key = localStorage.getItem("subscribed");
  return key && { ...subscription, options: { applicationServerKey: new Uint8Array(key.split(",")).buffer } };
};
"""
HERE = "li:has([data-here]:not([hidden]))"  # this device among those of the account, which earlier tests added
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, lang }) => ({ title, body, lang }))"""
# Click the first notification. A script may neither open nor focus windows, so it notes what would be.
CLICKED = """async () => {
  const done = [], waits = [];
  clients.openWindow = async (address) => done.push(`open ${address}`);
  WindowClient.prototype.focus = async function () { done.push(`focus ${this.url}`); };
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (wait) => waits.push(wait);
  dispatchEvent(event);
  await Promise.all(waits);
  return [done, (await registration.getNotifications()).length];
}"""


@pytest.fixture(scope="module")
def site(template: Seeded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that may send to this machine."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("WEBHOOK_LOCALHOST", "1")
        with running_site(Path(tmp_path_factory.mktemp("site")), template) as running:
            yield running


@pytest.fixture(scope="module")
def demo(site: Site) -> Demonstration:
    return demonstration_of(site)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser with notifications."""
    with chromium(whole=True) as launched:
        yield launched


@pytest.fixture
def service() -> Iterator[Receiver]:
    with receiver() as server:
        yield server


@pytest.fixture
def device(service: Receiver) -> keys.Browser:
    return keys.Browser(f"http://localhost:{service.port}/device")


@pytest.fixture
def player(demo: Demonstration, browser: Browser, device: keys.Browser) -> Iterator[Page]:
    page = signed_in(browser, demo.site, demo.links["player"], viewport={"width": 390, "height": 844})
    page.context.grant_permissions(["notifications"], origin=demo.site.url)
    kept = device.subscription()
    secrets = json.dumps({"p256dh": kept["p256dh"], "auth": kept["auth"]})
    page.add_init_script(f"const ENDPOINT = {json.dumps(kept['endpoint'])}, KEYS = {secrets};{SUBSCRIBED}")
    yield page
    page.context.close()


def turn_on(page: Page) -> None:
    page.goto("/account/notices/")
    page.get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    expect(page.get_by_text("This device shows your notifications.")).to_be_visible()


def received(service: Receiver, device: keys.Browser) -> dict[str, Any]:
    """The next push, decrypted."""
    wait_until(lambda: service.got, "no push came")
    return device.read(service.got.pop(0).body)


def deliver(page: Page, site: Site, said: dict[str, Any]) -> None:
    """Give a decrypted push to the service worker of the page, as the browser does."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    devtools = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    wait_until(lambda: found, "no service worker", page)
    arguments = {"origin": site.url, "registrationId": found[-1]["registrationId"], "data": json.dumps(said)}
    devtools.send("ServiceWorker.deliverPushMessage", arguments)
    wait_until(lambda: page.evaluate(SHOWN), "no notification", page)


def test_a_test_notification_goes_from_the_button_to_the_screen(
    site: Site, player: Page, service: Receiver, device: keys.Browser
) -> None:
    turn_on(player)
    player.locator(HERE).get_by_role("button", name="Send a test").click()
    said = received(service, device)
    deliver(player, site, said)
    assert player.evaluate(SHOWN) == [
        {"title": "Notifications work", "body": "This is how Arbitre notifies you.", "lang": "en"}
    ]


def test_a_click_focuses_the_page_if_it_is_open_and_opens_it_otherwise(
    demo: Demonstration, site: Site, player: Page, service: Receiver, device: keys.Browser
) -> None:
    turn_on(player)
    desk = signed_in(player.context.browser, site, demo.links["organizer"])
    desk.goto(f"{demo.event}staff/announcements/")
    desk.locator("main [name=text]").fill("Lunch at noon")
    desk.get_by_role("button", name="Post announcement").click()
    said = received(service, device)
    desk.context.close()
    assert said["body"] == "Lunch at noon" and said["path"] == demo.event
    worker = player.context.service_workers[0]
    deliver(player, site, said)
    assert worker.evaluate(CLICKED) == [[f"open {site.url}{demo.event}"], 0]
    player.goto(demo.event)
    deliver(player, site, said)
    assert worker.evaluate(CLICKED) == [[f"focus {site.url}{demo.event}"], 0]


def test_turning_notifications_off_ends_the_subscription_of_the_browser_and_ours(player: Page) -> None:
    turn_on(player)
    player.locator(HERE).get_by_role("button", name="Turn off").click()
    expect(player.get_by_text("Notifications are off for that device.")).to_be_visible()
    expect(player.get_by_role("button", name="Turn on notifications")).to_be_visible()
    assert player.evaluate("localStorage.getItem('subscribed')") is None


def test_signing_out_ends_the_subscription_of_the_browser(player: Page) -> None:
    turn_on(player)
    player.get_by_role("button", name="Sign out").click()
    expect(player.get_by_role("link", name="Sign in")).to_be_visible()
    player.wait_for_function("localStorage.getItem('subscribed') === null")


def test_the_page_says_when_the_browser_blocks_notifications(player: Page) -> None:
    player.context.clear_permissions()
    player.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
    player.goto("/account/notices/")
    expect(player.get_by_text("This browser blocks the notifications of Arbitre.")).to_be_visible()
    expect(player.get_by_role("button", name="Turn on notifications")).to_be_hidden()
