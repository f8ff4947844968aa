"""The glossary is the one list of words to avoid, and the check finds them wherever people read them."""

from pathlib import Path

import pytest

from tests.contracts.project import ROOT
from tools.glossary import LANGUAGES, findings, pattern, read

GLOSSARY = """\
# Glossary

| English | French | Italian | avoid |
| --- | --- | --- | --- |
| e-mail | e-mail | e-mail | en: letter, letters; fr: lettre*; it: lettera |
| discard | supprimer | eliminare | en: throw … away |
| final | définitif | definitivo | en: [counted]; fr: [compté]; it: [contato] |

## Where these words are right

| language | phrase |
| --- | --- |
| en | first letter |
| en | Counted (cards) |
"""
MESSAGES = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "An e-mail is on its way."
msgstr "%s"

"""
API = """\
class Mail:
    \'\'\'An e-mail.\'\'\'

    to = Field(help_text="Who gets an e-mail")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a glossary and one file of each kind, without an avoided word."""
    for name, text in {
        "docs/glossary.md": GLOSSARY,
        "docs/guide.md": "# Guide\n\nWe send an e-mail.\n",
        "README.md": "Players get e-mails.\n",
        "templates/page.html": '{% load i18n %}\n<p>{% translate "An e-mail is on its way." %}</p>\n',
        "tournaments/page.py": 'text = _("An e-mail is on its way.")\n',
        "tournaments/locale/fr/LC_MESSAGES/django.po": MESSAGES % "Un e-mail est en route.",
        "tournaments/locale/it/LC_MESSAGES/django.po": MESSAGES % "Un’e-mail è in arrivo.",
        "tournaments/api/views.py": API,
        "engine/rules.toml": 'fr = "un e-mail"\nen = "an e-mail"\nit = "una e-mail"\n',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def plant(project: Path, name: str, old: str, new: str) -> None:
    """Replace `old` by `new` in a file, which must contain it."""
    text = (project / name).read_text(encoding="utf-8")
    assert old in text
    (project / name).write_text(text.replace(old, new), encoding="utf-8")


def test_a_project_without_avoided_words_has_no_findings(project):
    assert list(findings(project)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "language"),
    [
        ("templates/page.html", "An e-mail", "A letter", 2, "en"),
        ("tournaments/page.py", "An e-mail", "A letter", 1, "en"),
        ("tournaments/locale/fr/LC_MESSAGES/django.po", "Un e-mail", "Une lettre", 4, "fr"),
        ("tournaments/locale/it/LC_MESSAGES/django.po", "Un’e-mail", "Una lettera", 4, "it"),
        ("engine/rules.toml", "un e-mail", "une Lettre", 1, "fr"),
        ("docs/guide.md", "an e-mail", "a letter", 3, "en"),
        ("README.md", "e-mails", "letters", 1, "en"),
        ("tournaments/api/views.py", "An e-mail.", "A letter.", 1, "en"),
        ("tournaments/api/views.py", "gets an e-mail", "gets a letter", 4, "en"),
    ],
)
def test_an_avoided_word_is_found_with_its_file_and_line(project, name, old, new, line, language):
    plant(project, name, old, new)
    found = list(findings(project))
    assert [(each.path, each.line, each.word.language) for each in found] == [(name, line, language)]
    assert str(found[0]).startswith(f"{name}:{line}: {language}: “") and "(say “e-mail”)" in str(found[0])


@pytest.mark.parametrize(
    ("phrase", "text", "matches"),
    [
        ("lettre*", "Deux Lettres", True),
        ("mail", "un e-mail", False),
        ("throw … away", "Throw the draft pairings away", True),
        ("throw … away", "Throw it. We went far far far far far away", False),
        ("à l’accueil", "à l'accueil", True),
        ("la coupe", "la\N{NO-BREAK SPACE}coupe", True),
    ],
)
def test_a_phrase_matches_whole_words(phrase, text, matches):
    assert bool(pattern(phrase).search(text.replace("\N{NO-BREAK SPACE}", " "))) is matches


def test_an_allowed_phrase_hides_the_word(project):
    plant(project, "README.md", "e-mails", "the first letter of a name")
    assert list(findings(project)) == []


def test_code_in_a_guide_is_not_checked(project):
    plant(project, "docs/guide.md", "an e-mail.", "`letter`.\n\n```\nletter\n```\n\n    letter\n")
    assert list(findings(project)) == []


def test_the_names_of_placeholders_are_not_checked(project):
    plant(project, "engine/rules.toml", "an e-mail", "an e-mail to {letter}")
    assert list(findings(project)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("en: throw … away", "throw … away", "the last cell must begin with en:, fr: or it:"),
        ("| discard | supprimer | eliminare |", "| discard | supprimer |", "a row needs four cells"),
        ("| en | first letter |", "| de | first letter |", "the first cell must be en, fr or it"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_with_its_line(project, old, new, said):
    plant(project, "docs/glossary.md", old, new)
    with pytest.raises(ValueError, match=r"glossary\.md:\d+: " + said):
        list(findings(project))


STATES = {
    "en": (
        *("Disputed", "This result is disputed.", "Outstanding", "3 outstanding results", "Not reported", "Playing"),
        *("Results in", "All results are in.", "Entered", "Counted", "Confirmed", "I am here", "Not here", "Team"),
        *("Results desk", "Enter it at the results desk.", "Overturned", "Replayed"),
    ),
    "fr": (
        *(
            "En litige",
            "Non déclarés",
            "Résultats reçus",
            "Saisis",
            "Comptés",
            "Confirmé",
            "Pointé",
            "Vous êtes pointé.",
        ),
        *("Pointés", "Ronde close", "Les inscriptions sont closes.", "À la table de marque", "Prix spécial"),
        *("Prix d’entrée : 5 €", "Résultat renversé", "Rejouée"),
    ),
    "it": (
        *("Non comunicati", "Risultati arrivati", "Inserito", "Contati", "Confermato", "Check-in fatto"),
        *("Hai fatto il check-in.", "Libro mastro", "I foglietti del turno", "Ribaltato"),
    ),
}


@pytest.mark.parametrize(("language", "text"), [(language, text) for language in STATES for text in STATES[language]])
def test_a_state_has_no_second_word(language, text):
    assert list(read(ROOT / "docs" / "glossary.md").found(language, text))


@pytest.mark.parametrize(
    "text",
    ["Counted", "Counted: %(n)s", "%(n)s counted", "Open *Counted* then.", "Press “Counted”.", "| Counted | 3 |"],
)
def test_a_word_in_brackets_is_avoided_as_a_label(project, text):
    glossary = read(project / "docs" / "glossary.md")
    assert [word.instead for word in glossary.found("en", text)] == ["final"]


def test_a_word_in_brackets_is_right_in_a_sentence(project):
    assert not list(read(project / "docs" / "glossary.md").found("en", "The judge has counted the cards."))


def test_the_context_of_a_message_tells_whether_a_label_is_allowed(project):
    page = '{%% load i18n %%}{%% translate "Counted" context "%s" %%}'
    for context, count in (("cards", 0), ("a result", 1)):
        (project / "templates/page.html").write_text(page % context, encoding="utf-8")
        assert len(list(findings(project))) == count


def test_every_term_has_a_word_in_each_language():
    rows = [line for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line.count("|") == 5]
    terms = [row.strip("|").split("|") for row in rows if "---" not in row and not row.startswith("| English")]
    assert len(terms) > 120 and all(cell.strip() for term in terms for cell in term[: len(LANGUAGES)])


def test_what_a_language_says_is_not_avoided_in_it():
    glossary = read(ROOT / "docs" / "glossary.md")
    assert not [word for word in glossary.avoided if word.pattern.fullmatch(word.instead)]
