"""The interface between decklists and the engine: what needs an event, a stored catalogue or a refusal.

All else is in `engine.face.lists` and `engine.face.effects`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.db.models import F
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from engine.face import effects, lists
from engine.face.lists import CardList, Catalog, Draft, PoolReading, Profile, Reading, load_catalog
from tournaments.boards.faces import Faces, faces_of, no_faces
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.images import shown_images
from tournaments.decks.models import Catalogue
from tournaments.events.models import Event, Member, Stage
from tournaments.events.selectors import current_stage

KEPT = 4  # organizers' catalogues cached in memory, least recently used dropped first


def _language() -> str:
    return get_language() or "en"


def require_engine(event: Event) -> None:
    """Refuse (`no_engine`) what needs the engine if it does not know the event's game."""
    if not event.has_engine:
        raise Refusal("no_engine", _("The rules engine does not know this game: it checks no deck and audits no log."))


def is_pooled(stage: Stage) -> bool:
    """Whether the decks of a stage are built from the cards that each player opened or drafted."""
    return bool(stage.deck_format) and lists.is_pooled(stage.event.game, stage.deck_format)


def catalog_of(event: Event) -> Catalog:
    """The card catalogue of an event, with exactly the content chosen for it.

    Refused: `no_engine`; `catalog_unknown` if no catalogue of that digest is installed.
    """
    require_engine(event)
    for catalog in engine.catalogs(event.game):
        if (catalog.id, catalog.sha256) == (event.catalog, event.catalog_sha256):
            return catalog
    return _stored_catalog(event.catalog_sha256)


def own_catalogs(event: Event) -> tuple[Catalog, ...]:
    """The catalogues that logs of an event may refer to, besides those shipped with the engine: its own, if any."""
    require_engine(event)
    shipped = any(catalog.sha256 == event.catalog_sha256 for catalog in engine.catalogs(event.game))
    return () if shipped else (catalog_of(event),)


def own_catalog_documents(event: Event) -> list[dict[str, Any]]:
    """The documents of the catalogues of `own_catalogs`, for the engine in a browser."""
    own = [catalog.sha256 for catalog in own_catalogs(event)]
    rows = {row.sha256: row.document for row in Catalogue.objects.filter(sha256__in=own)}
    return [json.loads(rows[sha256]) for sha256 in own]


# Safe to cache: a catalogue is found by the digest of its content and never changes.
@lru_cache(maxsize=KEPT)
def _stored_catalog(sha256: str) -> Catalog:
    row = Catalogue.objects.filter(sha256=sha256).first()
    if row is None:
        raise Refusal("catalog_unknown", _("The card catalogue of this event is not installed."))
    return load_catalog(row.document)


def is_demonstration(event: Event) -> bool:
    """Whether an event is read with a catalogue shipped with the engine: invented cards for trying Arbitre out."""
    return any(sha256 == event.catalog_sha256 for _id, sha256, _cards in lists.shipped(event.game))


def read_card_list(game: str, content: bytes, name: str, language: str, legality: bytes | None = None) -> CardList:
    """Read a file of cards as `face.lists.read_card_list`. Raises InvalidInput `cards_unreadable`, with its faults."""
    try:
        return lists.read_card_list(game, content, name, language, legality)
    except lists.Unreadable as error:
        raise InvalidInput("cards_unreadable", _("This list of cards cannot be read."), details=error.faults) from error


# Safe to cache: a version of a catalogue never changes. Nobody may change what is returned.
@lru_cache(maxsize=KEPT)
def _raw_document(sha256: str) -> Mapping[str, Any]:
    row = Catalogue.objects.filter(sha256=sha256).order_by("pk").first()
    if row is None:
        raise Refusal("catalog_unknown", _("The card catalogue of this event is not installed."))
    found: Mapping[str, Any] = json.loads(row.document)
    return found


def raw_cards(catalogue: Catalogue) -> Mapping[str, Mapping[str, Any]]:
    """The cards of a stored catalogue as its document has them, by reference."""
    return {card["ref"]: card for card in _raw_document(catalogue.sha256)["cards"]}


def left_to_rulings(catalogue: Catalogue) -> frozenset[str]:
    """The references of the cards of a stored catalogue that the engine cannot carry out by itself."""
    cards = _stored_catalog(catalogue.sha256).cards
    return frozenset(ref for ref, card in cards.items() if not card.executable)


def abilities_in(text: str) -> list[Any]:
    """Read a JSON list of abilities, within the bounds of a catalogue. Raises InvalidInput `effects_unreadable`."""
    found = _json_in(text)
    most = effects.MOST_ABILITIES
    if not isinstance(found, list) or len(found) > most or not all(isinstance(item, dict) for item in found):
        raise _unreadable_effects(_("A list of abilities is expected."))
    return found


def _json_in(text: str) -> Any:
    try:
        return effects.read_json(text, _language())
    except ValueError as error:
        raise _unreadable_effects(str(error)) from error


def _unreadable_effects(why: str) -> InvalidInput:
    return InvalidInput("effects_unreadable", _("These effects cannot be read: %(why)s") % {"why": why})


def ability_choices(game: str, language: str) -> dict[str, Any]:
    """What can be chosen to write an ability, as `face.effects.ability_choices`. Refused: `no_engine`."""
    if game not in engine.games():
        raise Refusal("no_engine", _("The rules engine does not know this game: it checks no deck and audits no log."))
    return effects.ability_choices(game, language)


def with_effects(catalogue: Catalogue, said: Mapping[str, Mapping[str, Any]]) -> CardList:
    """A stored catalogue with other keywords or abilities of some cards, by reference.

    Raises InvalidInput `effects_unreadable` if it can no longer be read as a catalogue.
    """
    try:
        made = effects.with_effects(_raw_document(catalogue.sha256), said, _language())
    except ValueError as error:
        raise _unreadable_effects(str(error)) from error
    return replace(made, file=catalogue.report.get("file") or {})


def effects_of(catalogue: Catalogue, ref: str = "") -> dict[str, dict[str, Any]]:
    """What the cards of a stored catalogue do, by reference, without their text. With `ref`, of that card alone."""
    found = {}
    for card in _raw_document(catalogue.sha256)["cards"]:
        said = {key: card[key] for key in effects.EFFECTS if card.get(key)}
        if "abilities" in said and ref in ("", card["ref"]):
            found[card["ref"]] = said
    return found


def read_effects(content: str | bytes) -> dict[str, dict[str, Any]]:
    """Read a file of effects: an object from reference to `{"abilities": […], "keywords"?: […]}`.

    Raises InvalidInput `effects_unreadable`, with a sentence.
    """
    text = content.decode("utf-8-sig", errors="replace") if isinstance(content, bytes) else content
    found = _json_in(text)
    if not isinstance(found, dict) or not all(isinstance(said, dict) for said in found.values()):
        raise _unreadable_effects(_("An object with a card for each reference is expected."))
    return found


def rules_of(stage: Stage) -> lists.DeckRules:
    """What the decks of a stage are checked by, on the day on which the event starts. Refused as by `catalog_of`."""
    event = stage.event
    day = event.starts_at.date() if event.starts_at else None
    return lists.DeckRules(event.game, stage.deck_format or None, catalog_of(event), stage.deck_options, day)


def read_list(stage: Stage, text: str | bytes, language: str, pool: Mapping[str, int] | None = None) -> Reading:
    """Read a pasted decklist and check it by the deck rules of its stage and, in a limited stage, against a pool.

    All faults and violations are returned. Fault messages are in `language`. If the engine does not know the game, the
    text is kept as it is and not checked. Refused: `catalog_unknown`.
    """
    if not stage.event.has_engine:
        return lists.unchecked(text)
    return lists.read_list(rules_of(stage), text, language, pool)


def list_notes(stage: Stage, text: str | bytes, language: str) -> list[dict[str, Any]]:
    """What a player should know of a list, as `face.lists.list_notes`; nothing without an engine or the catalogue."""
    try:
        return lists.list_notes(rules_of(stage), text, language)
    except Refusal:
        return []


def judge(stage: Stage, cards: Mapping[str, Any], pool: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """All violations of the deck rules of a stage, as `face.lists.judge`."""
    return lists.judge(rules_of(stage), cards, pool)


def judge_team(stage: Stage, decks: Mapping[str, Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The violations of the team limit of a stage, as `face.lists.judge_team`. Empty without a limit.

    The owners of `decks` are persons, by their public ids.
    """
    if stage.team_deck_limit is None or not stage.event.has_engine:
        return {}
    return lists.judge_team(rules_of(stage), decks, stage.team_deck_limit)


def read_pool(event: Event, text: str | bytes, language: str) -> PoolReading:
    """Read a pasted pool, as `face.lists.read_pool`. Refused as by `catalog_of`."""
    return lists.read_pool(catalog_of(event), text, language)


def draft_list(event: Event, text: str | bytes, language: str, suggestion: str = "") -> Draft:
    """Rewrite a decklist or pool as text that can be edited, as `face.lists.draft_list`. Refused: `catalog_unknown`."""
    if not event.has_engine:
        return Draft(lists.storable(text), [])
    return lists.draft_list(rules_of(current_stage(event)), text, language, suggestion)


def describe(event: Event, violations: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, Any]]:
    """Stored violations (`rule`, `args`, `depends_on`), with the rule's `section` and a `message` in `language`.

    Messages name cards in `language` too, as far as the event's catalogue has their names.
    """
    if not violations:
        return []
    return lists.describe(event.game, _with_holders(event, violations), language, _catalog_if_there(event))


def _with_holders(event: Event, violations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Violations in which those of a team say whose decks hold the card: public names, in the order of the boards.

    Somebody who has left the team is not named: old versions of lists may still mention them.
    """
    held = {person for violation in violations for person in violation.get("holders", ())}
    if not held:
        return list(violations)
    members = Member.objects.filter(event=event, person__public_id__in=held).select_related("entrant")
    members = members.order_by(F("board").asc(nulls_last=True), "pk")
    names = {member.person.public_id: member.name for member in members}
    return [lists.held_by(violation, names) if "holders" in violation else violation for violation in violations]


def _catalog_if_there(event: Event) -> Catalog | None:
    try:
        return catalog_of(event)
    except Refusal:
        return None


def card_names(event: Event) -> Mapping[str, str]:
    """The names of all cards of the event's catalogue by reference; empty without an engine.

    They are in the active language where the catalogue has it.
    """
    if not event.has_engine:
        return {}
    language = (get_language() or "en").split("-")[0]
    return {ref: card.name_in(language) for ref, card in catalog_of(event).cards.items()}


def card_faces(event: Event) -> Faces:
    """What a card of the event's catalogue shows, by its reference, in the active language.

    Without an engine, no card is known.
    """
    if not event.has_engine:
        return no_faces
    return faces_of(catalog_of(event).cards, (get_language() or "en").split("-")[0], shown_images(event))


def has_cards(event: Event, refs: Iterable[str]) -> bool:
    """Whether the event's catalogue has all cards of these references."""
    catalog = catalog_of(event)
    return all(ref in catalog for ref in refs)


def card_mana(event: Event) -> Mapping[str, tuple[str, ...]]:
    """The elements of which each card of the event's catalogue can give one mana, as `face.lists.card_mana`."""
    return lists.card_mana(event.game, catalog_of(event))


def profiles_of(event: Event, decks: Iterable[Mapping[str, Any]], language: str) -> list[Profile]:
    """The profile (leader and factions) of each decklist."""
    catalog = catalog_of(event)
    return [lists.profile_of(catalog, cards, language) for cards in decks]
