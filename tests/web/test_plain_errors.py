"""What the fields of our forms say about wrong values: what is wrong, and what to enter instead."""

from html import unescape

import pytest
from django import forms

from tests.builders import a_team_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User

CLUB = {"name": "x" * 400, "link": "nowhere", "penalty_months": "99"}
LEAGUE = {"name": "Season", "visibility": "secret", "attendance": "-1"}
SAID = {
    "en": (
        "Too long: 400 characters (the limit is 120).",
        "Enter a web address, such as https://example.org.",
        "Too high: 24 at most.",
        "Choose one of the options.",
        "Too low: 0 at least.",
        "Enter an e-mail address, such as name@example.org.",
        "Use only small letters, digits, dots and hyphens.",
    ),
    "fr": (
        "Trop long\xa0: 400 caractères (120 au plus).",
        "Saisissez une adresse web, par exemple https://example.org.",
        "Trop élevé\xa0: 24 au plus.",
        "Choisissez l’une des options.",
        "Trop bas\xa0: 0 au moins.",
        "Saisissez une adresse e-mail, par exemple nom@example.org.",
        "Utilisez seulement des minuscules, des chiffres, des points et des tirets.",
    ),
    "it": (
        "Troppo lungo: 400 caratteri (al massimo 120).",
        "Inserisci un indirizzo web, per esempio https://example.org.",
        "Troppo alto: al massimo 24.",
        "Scegli una delle opzioni.",
        "Troppo basso: almeno 0.",
        "Inserisci un indirizzo e-mail, per esempio nome@example.org.",
        "Usa solo minuscole, cifre, punti e trattini.",
    ),
}


ENTER = {
    "en": ("Enter a name.", "Enter a reason.", "Enter an e-mail address.", "Enter at least one team.", "Fill in “"),
    "fr": (
        "Saisissez un nom.",
        "Saisissez un motif.",
        "Saisissez une adresse e-mail.",
        "Saisissez au moins une équipe.",
    ),
    "it": (
        "Inserisci un nome.",
        "Inserisci un motivo.",
        "Inserisci un indirizzo e-mail.",
        "Inserisci almeno una squadra.",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("language", list(ENTER))
def test_a_required_field_says_what_to_enter(cast: Cast, language: str) -> None:
    User.objects.filter(pk=cast.organizer.pk).update(language=language)
    event, client = a_team_event(cast), signed_in(cast.organizer)
    pages = (
        "/clubs/new/",
        "/bans/",
        address("staff_pairing_add", event.public_id, "pair"),
        address("staff_teams_add", event.public_id),
        address("staff_announcements", event.public_id),
    )
    shown = unescape("".join(text(client.post(page, {"csrfmiddlewaretoken": "x"})) for page in pages))
    assert [said for said in ENTER[language] if said not in shown] == []
    for djangos in ("This field is required.", "Ce champ est obligatoire.", "Questo campo è obbligatorio."):
        assert djangos not in shown


@pytest.mark.parametrize(
    ("name", "field", "said"),
    [
        ("first", forms.CharField(), "Fill in “First”."),
        ("cards", forms.CharField(label="Cards"), "Fill in “Cards”."),
        ("kind", forms.ChoiceField(choices=[("a", "A")]), "Choose one of the options."),
        ("kinds", forms.MultipleChoiceField(choices=[("a", "A")]), "Choose at least one of the options."),
        ("sure", forms.BooleanField(), "Tick this box."),
        ("file", forms.FileField(), "Choose a file."),
        ("day", forms.DateField(), "Enter a date."),
        ("start", forms.DateTimeField(), "Enter a date and a time."),
        ("link", forms.URLField(assume_scheme="https"), "Enter a web address, such as https://example.org."),
        ("price", forms.DecimalField(), "Enter a number."),
        ("sent", forms.CharField(error_messages={"required": "Our own."}), "Our own."),
    ],
)
def test_a_required_field_says_what_kind_of_value_it_takes(name: str, field: forms.Field, said: str) -> None:
    form = type("AnyForm", (forms.Form,), {name: field})({})
    assert form.errors[name] == [said]


@pytest.mark.django_db
@pytest.mark.parametrize("language", list(SAID))
def test_a_field_says_what_is_wrong_and_what_to_enter(cast: Cast, language: str) -> None:
    User.objects.filter(pk=cast.organizer.pk).update(language=language)
    client = signed_in(cast.organizer)
    wrong = {"/clubs/new/": CLUB, "/leagues/new/": LEAGUE, "/bans/": {"email": "x"}, "/catalogues/": {"name": "Ä"}}
    answers = [client.post(page, fields) for page, fields in wrong.items()]
    assert [answer.status_code for answer in answers] == [422] * 4
    shown = "".join(text(answer) for answer in answers)
    assert [said for said in SAID[language] if said not in shown] == []
