"""Write what the cards of an own catalogue do: choose words from lists, read the sentence, fix problems, save.

Every action is a POST that answers with the page, so it works without scripts. With htmx, a change in the form brings
only the form again, with the sentences and problems of what has been chosen.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.face.effects import ability_sentences, card_digest, card_problems, completed_ability, new_ability
from tournaments.common.clock import now
from tournaments.common.letters import folded
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks import effects as services
from tournaments.decks.access import newest_for_owner
from tournaments.decks.engine_gate import abilities_in, ability_choices, left_to_rulings, raw_cards
from tournaments.decks.models import Catalogue
from tournaments.decks.selectors import events_with
from tournaments.web.answers import show
from tournaments.web.pages.cards.effect_forms import SORTS, AbilityForm, changed, sent_ability
from tournaments.web.pages.cards.trials import Tried, sent_trial, trial_words, try_out
from tournaments.web.rate_limits import EFFECTS, rate_limited
from tournaments.web.requests import SignedInRequest
from tournaments.web.words.boards import say
from tournaments.web.words.decks import LINT

A_PAGE = 50
HIDDEN_KEYS = ("ref", "name", "names", "kind", "keywords", "abilities", "text", "x", "game")
CHANGES = ("item", "remove", "up", "down")  # commands that change the opened ability
LANGUAGES = (("fr", "Français"), ("en", "English"), ("it", "Italiano"))


@login_required
@require_safe
def catalogue_effects(request: HttpRequest, game: str, catalog: str) -> HttpResponse:
    """The cards of an own catalogue with what they do, to be searched by name, reference or kind."""
    catalogue = newest_for_owner(request.user, game, catalog)
    cards = raw_cards(catalogue)
    find, only = request.GET.get("find", "").strip()[:80], request.GET.get("only", "")
    unwritten = left_to_rulings(catalogue)
    page = Paginator(_found(cards, find, only, unwritten), A_PAGE).get_page(request.GET.get("page"))
    lines = [
        {"card": card, "sentences": _read_out(game, card, cards), "open": card["ref"] in unwritten} for card in page
    ]
    written = sum(1 for card in cards.values() if card.get("abilities"))
    context = {"catalogue": catalogue, "page_of": page, "lines": lines, "find": find, "only": only, "written": written}
    return render(request, "web/catalogues/effects.html", context)


def _found(
    cards: Mapping[str, Mapping[str, Any]], find: str, only: str, unwritten: frozenset[str]
) -> list[Mapping[str, Any]]:
    """The cards that fit; `only` those `written`, or those still `open`, which the engine leaves to rulings."""
    wanted = folded(find)
    kinds = {kind: f"{kind} {say(f'kind.{kind}')}" for kind in {card["kind"] for card in cards.values()}}
    names = {ref: folded(f"{card['name']} {ref} {kinds[card['kind']]}") for ref, card in cards.items()}
    written = {ref for ref, card in cards.items() if card.get("abilities")}
    listed = {"written": written, "open": unwritten}.get(only, cards)
    return [card for ref, card in cards.items() if wanted in names[ref] and ref in listed]


def _read_out(game: str, card: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The sentences of a card in the language of the page."""
    said = ability_sentences(game, card.get("abilities", ()), cards)
    return [sentence[_language()] for sentence in said]


def _language() -> str:
    found = (get_language() or "en")[:2]
    return found if found in dict(LANGUAGES) else "en"


@dataclass
class _Draft:
    """What a card does as it is being written. Nothing of it is stored until it is saved.

    `opened` is the number of the ability whose form is shown, None for none. `text` is what was typed as JSON, and
    `fault` says why that cannot be read.
    """

    abilities: list[Any]
    keywords: list[Any]
    opened: int | None
    seen: str
    text: str = ""
    fault: str = ""

    @property
    def ability(self) -> dict[str, Any] | None:
        """The ability whose form is shown."""
        found = self.abilities[self.opened] if self.opened is not None and self.opened < len(self.abilities) else None
        return found if isinstance(found, dict) else None

    @property
    def effects(self) -> dict[str, Any]:
        """What is saved."""
        return {"abilities": self.abilities, "keywords": self.keywords}


@login_required
@rate_limited(EFFECTS)
def card_effects(request: SignedInRequest, game: str, catalog: str, ref: str) -> HttpResponse:
    """What one card does. A POST carries out a `command` on the draft; only `save` stores anything."""
    catalogue = newest_for_owner(request.user, game, catalog)
    cards = raw_cards(catalogue)
    if ref not in cards:
        raise Http404
    choices = ability_choices(game, _language())
    draft = _sent(request.POST, cards[ref], game) if request.method == "POST" else _stored(cards[ref])
    refusal: Refusal | None = None
    if request.POST.get("command") == "save" and not draft.fault:
        try:
            return _save(request, catalogue, ref, draft)
        except Refusal as refused:
            refusal = refused
    tried = sent_trial(request.POST.get("trial", ""))
    card, tokens = {**cards[ref], **draft.effects}, services.tokens_of(cards)
    try_out(tried, request.POST.get("command", ""), game, card, tokens)
    context = _page(catalogue, ref, draft, choices, refusal) | _trial_context(tried, game, card, tokens)
    status = refusal.status if refusal else 200
    fragment = "web/catalogues/_card_effects.html"
    return show(request, "web/catalogues/card_effects.html", context, fragment=fragment, status=status)


def _trial_context(
    tried: Tried, game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    found = trial_words(tried, game, card, tokens)
    return {"trial": found, "tried": tried, **({"board": found.get("board")} if found else {})}


def _save(request: SignedInRequest, catalogue: Catalogue, ref: str, draft: _Draft) -> HttpResponse:
    saved = services.save_card(
        catalogue=catalogue, ref=ref, seen=draft.seen, effects=draft.effects, by=request.user, now=now()
    )
    messages.success(request, _("Saved in version %(version)s of the catalogue.") % {"version": saved.version})
    return redirect("web:card_effects", saved.game, saved.catalog, ref)


def _stored(card: Mapping[str, Any]) -> _Draft:
    abilities, keywords = list(card.get("abilities", ())), list(card.get("keywords", ()))
    return _Draft(abilities, keywords, 0 if abilities else None, card_digest(card), _as_text(abilities))


def _as_text(abilities: Sequence[Any]) -> str:
    """Abilities as JSON, with one ability per line."""
    lines = [json.dumps(ability, ensure_ascii=False) for ability in abilities]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def _sent(data: QueryDict, card: Mapping[str, Any], game: str) -> _Draft:
    """The draft that was sent, with the command carried out."""
    before = abilities_in(data.get("draft", "[]"))
    opened = data.get("opened", "")
    draft = _Draft(
        before, _keywords(data, card), int(opened) if opened.isdecimal() else None, data.get("seen", "")[:64]
    )
    text = data.get("json", "").replace("\r\n", "\n").strip()
    if text and text != _as_text(before):
        _take_text(draft, text)
    elif not data.get("command", "").startswith("fix|"):  # what is to be fixed may have no field
        _take_fields(draft, data, game)
    if not draft.fault:
        _carry_out(draft, data.get("command", ""), game)
        draft.text = _as_text(draft.abilities)
    return draft


def _take_text(draft: _Draft, text: str) -> None:
    """Take the abilities as they were typed. If they cannot be read, the text stays as it is, with the reason."""
    try:
        draft.abilities = abilities_in(text)
    except InvalidInput as refused:
        draft.text, draft.fault = text[:20_000], str(refused.message)


def _take_fields(draft: _Draft, data: QueryDict, game: str) -> None:
    """Take the opened ability as its fields have it, with the parts that were asked for."""
    if draft.opened is None or draft.ability is None:
        return
    sort = data.get("sort", "")
    if sort in SORTS and sort not in draft.ability:
        draft.abilities[draft.opened] = new_ability(game, sort)
    elif (ability := sent_ability(data)) is not None:
        for name in [name for name in data if name.startswith("add:") and data[name]]:
            changed(ability, "add", name.removeprefix("add:"), str(data[name])[:40])
        draft.abilities[draft.opened] = completed_ability(game, ability)


def _keywords(data: QueryDict, card: Mapping[str, Any]) -> list[Any]:
    """The keywords that were ticked, with what the card says about them. Those with another face always stay."""
    known = {item["kw"]: item for item in card.get("keywords", ()) if isinstance(item, Mapping) and "kw" in item}
    chosen = dict.fromkeys(word[:40] for word in data.getlist("keyword"))
    kept = [item for word, item in known.items() if word in chosen or len(item) > 1]
    return [*kept, *({"kw": word} for word in chosen if word not in known)]


def _carry_out(draft: _Draft, command: str, game: str) -> None:
    """Carry out a command: `verb|what|word`.

    `open`, `drop`, `raise` and `lower` take the number of an ability, `new` its sort, `keyword` a keyword. `fix` takes
    a number, then a path, a verb and a word of `effect_forms.changed`. `CHANGES` take a path in the
    opened ability. Any other verb only reads what was sent.
    """
    verb, _bar, rest = command.partition("|")
    what, _bar, word = rest.partition("|")
    if verb == "new" and what in SORTS:
        draft.abilities.append(new_ability(game, what))
        draft.opened = len(draft.abilities) - 1
    elif verb == "keyword":
        draft.keywords.append({"kw": what[:40]})
    elif verb in ("open", "drop", "raise", "lower") and what.isdecimal() and int(what) < len(draft.abilities):
        _rearrange(draft, verb, int(what))
    elif verb == "fix" and what.isdecimal() and int(what) < len(draft.abilities):
        path, _bar, instead = word.partition("|")
        how, _bar, new = instead.partition("|")
        changed(draft.abilities[int(what)], how if how in ("set", "rename") else "", path, new[:100])
    elif verb in CHANGES and draft.ability is not None and draft.opened is not None:
        changed(draft.ability, verb, what, word[:100])
        draft.abilities[draft.opened] = completed_ability(game, draft.ability)


def _rearrange(draft: _Draft, verb: str, number: int) -> None:
    """Open, remove or move an ability. Printed order matters: abilities of one card resolve in it."""
    if verb == "open":
        draft.opened = number
    elif verb == "drop":
        del draft.abilities[number]
        draft.opened = None
    else:
        other = number + (-1 if verb == "raise" else 1)
        if 0 <= other < len(draft.abilities):
            items = draft.abilities
            items[number], items[other] = items[other], items[number]
            draft.opened = other if draft.opened == number else number if draft.opened == other else draft.opened


def _page(
    catalogue: Catalogue, ref: str, draft: _Draft, choices: Mapping[str, Any], refusal: Refusal | None
) -> dict[str, Any]:
    game, cards = catalogue.game, raw_cards(catalogue)
    card = {**cards[ref], **draft.effects}
    tokens = services.tokens_of(cards)
    offered = {
        "ref": [(token["ref"], f"{token['name']} ({token['ref']})") for token in tokens],
        "faction": [(faction, faction) for faction in choices["factions"]],
    }
    form = AbilityForm(choices, offered)
    problems = [_problem(found, form) for found in card_problems(game, card, tokens)]
    said = ability_sentences(game, draft.abilities, cards)
    return {
        "catalogue": catalogue,
        "card": cards[ref],
        "figures": _figures(cards[ref], choices),
        "draft": draft,
        "draft_json": json.dumps(draft.abilities, ensure_ascii=False),
        "abilities": [
            {
                "number": number,
                "lines": [(code, name, sentences[code]) for code, name in LANGUAGES],
                "sentence": sentences[_language()],
                "problems": [problem for problem in problems if problem["ability"] == number],
            }
            for number, sentences in enumerate(said)
        ],
        "card_problems": [problem for problem in problems if problem["ability"] is None],
        "bears": ", ".join(str(item.get("kw", "")) for item in draft.keywords),
        "keywords": [(word, any(word == item.get("kw") for item in draft.keywords)) for word in choices["keywords"]],
        "form": form.tree(draft.ability) if draft.ability is not None else None,
        "sort": next((sort for sort in SORTS if sort in (draft.ability or {})), ""),
        "sorts": [sort for sort in SORTS if sort != "would" or choices["events"]],
        "used": events_with(catalogue).exists(),
        "unsaved": card_digest(card) != card_digest(cards[ref]),
        "refusal": refusal,
        "theirs": _theirs(refusal, game, cards),
        "language": _language(),
    }


def _figures(card: Mapping[str, Any], choices: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is printed on a card besides its text, in words."""
    lists = choices["lists"]
    names = {item["word"]: item["label"] for item in (*lists.get("stat", ()), *lists.get("figure", ()))}
    names |= {"factions": _("Factions"), "subtypes": _("Types")}
    return [(names.get(key, key), _said(value)) for key, value in card.items() if key not in HIDDEN_KEYS]


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {count}" for key, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _problem(found: Mapping[str, Any], form: AbilityForm) -> dict[str, Any]:
    """A problem of the linter in words, with a command for each suggestion."""
    path, number = found["path"], found["ability"]
    if found["code"] == "UNBOUND":
        fixes = [(f"keyword|{word}", word) for word in found["suggestions"]]
    elif number is None or found["code"] != "ABILITY":
        fixes = []
    elif found["key"]:
        fixes = [(f"fix|{number}|{path}|rename|{found['key']}>{word}", word) for word in found["suggestions"]]
    else:
        fixes = [(f"fix|{number}|{path}|set|{word}", word) for word in found["suggestions"]]
    return {**found, "words": LINT[found["code"]], "where": form.where(path), "fixes": fixes}


def _theirs(refusal: Refusal | None, game: str, cards: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """What somebody else saved meanwhile: its sentences, and the digest that allows to save this draft all the same."""
    if refusal is None or refusal.code != "card_changed":
        return None
    saved = refusal.details[0]
    lines = [sentence[_language()] for sentence in ability_sentences(game, saved["abilities"], cards)]
    return {"lines": lines, "seen": card_digest(saved)}
