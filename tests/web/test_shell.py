"""The layout around every page (its shell): structure, security policy, htmx settings, errors and refusals."""

import re

import pytest
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse

from tests.builders import a_published_round, a_running_event, an_open_event, match_of
from tests.cast import Cast
from tests.contracts.project import ROOT
from tests.web.pages import signed_in

# Scripts, styles and handlers inside a page, all of which the Content-Security-Policy would block. Data are no script:
# browsers do not run them.
INLINE = re.compile(
    r"<script(?! type=\"application/ld\+json\">)(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|\shx-on|javascript:|\"js:",
    re.IGNORECASE,
)


def every_page(cast: Cast) -> list[tuple[Client, str]]:
    """List the pages of visitors and players, each with a browser that may open it."""
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    of_event = ["event", "entrants", "standings", "me", "deck"]
    player = signed_in(cast.player)
    addresses = ["/", "/account/", *(reverse(f"web:{name}", args=[event.public_id]) for name in of_event)]
    addresses += [reverse("web:pairings", args=[event.public_id, 1]), reverse("web:match", args=[match.public_id])]
    addresses += [reverse("web:report", args=[match.public_id])]
    visitor = Client()
    return [(player, address) for address in addresses] + [
        (visitor, address)
        for address in ("/sign-in/", "/sign-up/", "/password/", "/privacy/", "/terms/", "/contact/", "/link/a-secret/")
    ]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_every_page_has_a_language_a_title_a_skip_link_and_one_h1(cast: Cast, language: str):
    cast.player.language = language
    cast.player.save()
    for client, address in every_page(cast):
        client.cookies["django_language"] = language
        shown = client.get(address).content.decode()
        assert f'<html lang="{language}"' in shown, address
        assert re.search(r"<title>\s*\S.* · Arbitre</title>", shown), address
        assert 'class="skip" href="#main"' in shown and 'id="main"' in shown, address
        assert len(re.findall(r"<h1[ >]", shown)) == 1, address
        assert 'id="messages" aria-live="polite"' in shown, address


def test_no_page_contains_inline_scripts_or_styles(cast: Cast):
    for client, address in every_page(cast):
        assert not INLINE.search(client.get(address).content.decode()), address


def test_the_content_security_policy_allows_only_own_scripts_and_styles(client, db):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy
    assert "unsafe" not in policy


def test_every_form_has_a_csrf_token(cast: Cast):
    for client, address in every_page(cast):
        shown = client.get(address).content.decode()
        for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", shown, re.DOTALL):
            assert "csrfmiddlewaretoken" in form, address


def test_htmx_is_configured_not_to_evaluate_or_store_and_to_show_refusals(client, db):
    shown = client.get("/").content.decode()
    assert '"allowEval": false' in shown
    assert '"historyCacheSize": 0' in shown
    assert '"includeIndicatorStyles": false' in shown
    assert '{"code": "4..", "swap": true, "error": true}' in shown


def test_the_ids_on_every_page_are_unique(cast: Cast):
    for client, address in every_page(cast):
        ids = re.findall(r'\sid="([^"]+)"', client.get(address).content.decode())
        assert len(ids) == len(set(ids)), (address, sorted(name for name in ids if ids.count(name) > 1))


def test_every_live_fragment_can_be_fetched_again(cast: Cast):
    for client, address in every_page(cast):
        shown = client.get(address).content.decode()
        for fragment in re.findall(r"<[^>]*data-live=\"[^>]*>", shown):
            part = re.search(r'hx-get="([^"]+)"', fragment)
            assert part and 'hx-trigger="live"' in fragment, address
            again = client.get(part[1].replace("&amp;", "&"), headers={"HX-Request": "true"}).content.decode()
            name = re.search(r'id="([^"]+)"', fragment)
            assert name and f'id="{name[1]}"' in again, address
            assert "<html" not in again, address


def test_fetching_a_live_fragment_when_signed_out_leads_to_signing_in(client, cast: Cast):
    event = a_running_event(cast)
    address = reverse("web:me", args=[event.public_id])
    answer = client.get(address, headers={"HX-Request": "true"}, follow=True)
    assert answer.headers["HX-Redirect"] == "/sign-in/"


def test_a_missing_page_is_shown_in_the_page_layout(client, db):
    answer = client.get("/nothing/here/")
    assert answer.status_code == 404
    assert "This page does not exist" in answer.content.decode()


def test_htmx_gets_a_missing_page_as_a_fragment(client, db):
    answer = client.get("/e/e-nothing/", headers={"HX-Request": "true"})
    assert answer.status_code == 404
    assert answer.headers["HX-Retarget"] == "#messages"
    assert "<html" not in answer.content.decode()


def test_a_form_without_a_csrf_token_is_refused_in_the_page_layout(db):
    answer = Client(enforce_csrf_checks=True).post("/sign-out/")
    assert answer.status_code == 403
    assert "The form is too old" in answer.content.decode()


def test_a_refusal_links_back_to_the_previous_page(cast: Cast):
    event = a_running_event(cast)
    client = signed_in(cast.stranger)
    came_from = f"http://testserver/e/{event.public_id}/"
    address = reverse("web:register", args=[event.public_id])
    assert f'href="/e/{event.public_id}/"' in client.post(address, headers={"Referer": came_from}).content.decode()
    elsewhere = client.post(address, headers={"Referer": "https://evil.example/x"}).content.decode()
    assert "evil.example" not in elsewhere


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "/\t/evil.example/",
        "//evil.example",
        "/\\/evil.example",
    ],
)
def test_the_link_back_from_a_refusal_never_leads_to_another_host(cast: Cast, path: str):
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    address = reverse("web:staff_pair", args=[event.public_id])  # refused while results are missing
    shown = signed_in(cast.organizer).post(address, headers={"Referer": f"http://testserver{path}"}).content.decode()
    assert '<a class="button" href="/">Back</a>' in shown
    assert "evil.example" not in shown


@pytest.mark.parametrize("name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html"])
def test_error_pages_render_without_a_request(name: str):
    """Django renders some error pages without a request, when nothing else can be relied on."""
    shown = get_template(name).render()
    assert "Arbitre" in shown and "</html>" in shown


def test_every_template_compiles():
    root = ROOT / "templates"
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.html"))
    assert names
    for name in names:
        get_template(name)


def test_markup_in_names_is_escaped(cast: Cast):
    event = an_open_event(cast, name="<script>alert(1)</script>")
    shown = Client().get(reverse("web:event", args=[event.public_id])).content.decode()
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert" in shown


def test_the_navigation_of_an_event_shows_only_what_its_reader_may_open(cast: Cast):
    event = a_running_event(cast)
    address = reverse("web:event", args=[event.public_id])
    assert ">My seat<" in signed_in(cast.player).get(address).content.decode()
    staff = signed_in(cast.organizer).get(address).content.decode()
    assert ">Desk<" in staff and ">My seat<" not in staff
    visitor = Client().get(address).content.decode()
    assert ">Desk<" not in visitor and ">My seat<" not in visitor
