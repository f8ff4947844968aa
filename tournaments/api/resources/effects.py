"""What the cards of your own catalogues do: the words of a game, sentences and problems, saving, files of effects."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

import engine
from engine.face.effects import ability_sentences, card_digest, card_problems, draft_card
from tournaments.accounts.models import ApiToken
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.effects import (
    CardEffectsInput,
    CardEffectsSerializer,
    EffectsAppliedSerializer,
    EffectsApplyInput,
    EffectsInput,
    EffectsReadSerializer,
)
from tournaments.api.throttles import EffectsThrottle
from tournaments.decks import effects as services
from tournaments.decks.access import newest_for_owner
from tournaments.decks.engine_gate import ability_choices, effects_of, raw_cards
from tournaments.decks.models import Catalogue

ORGANIZE = ApiToken.Scope.ORGANIZE
OWN = "catalogues/<slug:game>/<str:catalog>/effects/"


def _known(game: str) -> str:
    if game not in engine.games():
        raise Http404
    return game


def _card(catalogue: Catalogue, ref: str) -> dict[str, Any]:
    cards = raw_cards(catalogue)
    if ref not in cards:
        raise Http404
    card = cards[ref]
    abilities = card.get("abilities", [])
    return {
        **_read(catalogue.game, card, cards),
        "catalogue": catalogue.pk,
        "version": catalogue.version,
        "ref": ref,
        "name": card["name"],
        "kind": card["kind"],
        "keywords": card.get("keywords", []),
        "abilities": abilities,
        "digest": card_digest(card),
    }


def _read(game: str, card: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "sentences": ability_sentences(game, card.get("abilities", []), cards),
        "problems": card_problems(game, card, services.tokens_of(cards)),
    }


class EffectWords(Resource):
    """The words of a game's cards."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation("GET", "effect-words/<slug:game>/", name="effect_words", answers=OpenApiTypes.OBJECT, conditional=True)
    def effect_words_read(self, request: Request, game: str) -> Response:
        """All the choices for writing what a card of a game does, with labels in your language."""
        return self.answer(ability_choices(_known(game), (get_language() or "en")[:2]))

    @operation(
        "POST",
        "effect-words/<slug:game>/read/",
        name="effects_read",
        takes=EffectsInput,
        answers=EffectsReadSerializer,
        throttle=EffectsThrottle,
    )
    def effects_read(self, request: Request, game: str) -> Response:
        """Read what a card does: a sentence for each ability, and the linter's problems. Nothing is stored."""
        sent = self.read()
        return self.answer(_read(game, {**draft_card(_known(game), sent["kind"]), **sent}, {}))


class CatalogueEffects(Resource):
    """What the cards of your newest version of a catalogue do."""

    scopes = (ORGANIZE,)
    account_needed = True
    throttle = EffectsThrottle

    @operation("GET", OWN, name="catalogue_effects", answers=OpenApiTypes.OBJECT)
    def catalogue_effects_read(self, request: Request, game: str, catalog: str) -> Response:
        """The file of effects of your catalogue: what its cards do, by reference, without their text."""
        return self.answer(effects_of(newest_for_owner(self.user, game, catalog)))

    @operation("POST", OWN, takes=EffectsApplyInput, answers=EffectsAppliedSerializer, computes=True)
    def catalogue_effects_apply(self, request: Request, game: str, catalog: str) -> Response:
        """Apply a file of effects, as a new version, or preview what it would change. Idempotent."""
        catalogue = newest_for_owner(self.user, game, catalog)
        sent = self.read()
        content = json.dumps(sent["effects"], ensure_ascii=False)
        if sent["preview"]:
            preview = services.preview_effects(catalogue=catalogue, content=content)
        else:
            catalogue, preview = services.apply_effects(
                catalogue=catalogue, content=content, by=self.user, now=self.now
            )
        return self.answer({**vars(preview), "catalogue": catalogue.pk, "version": catalogue.version})

    @operation("GET", OWN + "<str:ref>/", name="card_effects", answers=CardEffectsSerializer)
    def card_effects_read(self, request: Request, game: str, catalog: str, ref: str) -> Response:
        """What one card does, with its sentences and problems."""
        return self.answer(_card(newest_for_owner(self.user, game, catalog), ref))

    @operation("PUT", OWN + "<str:ref>/", takes=CardEffectsInput, answers=CardEffectsSerializer, computes=True)
    def card_effects_save(self, request: Request, game: str, catalog: str, ref: str) -> Response:
        """Save what a card does, as a new version of your catalogue. Events keep the version they use. Idempotent."""
        catalogue = newest_for_owner(self.user, game, catalog)
        effects = self.read()
        seen = effects.pop("seen")
        saved = services.save_card(catalogue=catalogue, ref=ref, seen=seen, effects=effects, by=self.user, now=self.now)
        return self.answer(_card(saved, ref))
