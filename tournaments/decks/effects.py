"""What the cards of an organizer's catalogue do: written on a page or by the API, saved, shared as a file.

A version of a catalogue never changes, so what is saved is a new version; events keep the one they use. A version that
was itself saved here and that no event uses is replaced, so that writing a hundred cards does not leave a hundred
versions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine.face.effects import EFFECTS, card_digest, card_problems, effect_faults
from engine.face.lists import CardList, look_at
from tournaments.accounts.models import User
from tournaments.accounts.owning import owned_by
from tournaments.common.idempotency import writing
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.catalogues import save_version
from tournaments.decks.engine_gate import raw_cards, read_effects, with_effects
from tournaments.decks.images import saved_images
from tournaments.decks.models import Catalogue
from tournaments.decks.selectors import events_with

ATTEMPTS = 3  # computations of a version, if others save meanwhile
WRITTEN = "written"  # in the report of a version that was saved here
UNSOUND = ("ABILITY", "SCHEMA", "UNKNOWN-KEYWORD")  # problems that keep a card from being saved


@dataclass(frozen=True)
class Preview:
    """What a file of effects would change in a catalogue.

    - `changed`, `same`: the references of the cards that it changes, and of those that already do what it says
    - `unknown`: references that the catalogue does not have
    - `faulty`: `{ref, why}` of entries that cannot be used
    - `effects`: what is applied, by reference
    """

    changed: list[str]
    same: list[str]
    unknown: list[str]
    faulty: list[dict[str, Any]]
    effects: dict[str, dict[str, Any]]


def save_card(
    *, catalogue: Catalogue, ref: str, seen: str, effects: Mapping[str, Any], by: User, now: datetime
) -> Catalogue:
    """Save what a card does, as a new version of the account's catalogue. Idempotent.

    `effects` has `abilities` and, if these change too, `keywords`. `seen` is the `card_digest` of the card that was
    changed. Other cards may have been saved meanwhile: they are kept.

    Refused: `card_unknown`, `card_changed` (somebody else saved this card first; nothing is lost, the refusal has what
    they saved), `ability_faulty` (with the problems), `too_many_catalogues`, `catalogue_exists`, `catalogue_busy`.
    """
    for _attempt in range(ATTEMPTS):
        newest = _newest(catalogue, by)
        cards = raw_cards(newest)
        if ref not in cards:
            raise Refusal("card_unknown", _("The catalogue no longer has this card."))
        card = {**cards[ref], **effects}
        if card_digest(card) == card_digest(cards[ref]):
            return newest
        if card_digest(cards[ref]) != seen:
            saved = {key: cards[ref].get(key, []) for key in EFFECTS}
            raise Refusal("card_changed", _("Somebody else saved this card in the meantime."), details=[saved])
        _require_sound(newest.game, card, tokens_of(cards))
        made = _save(newest, {ref: effects}, by, now)
        if made is not None:
            return made
    raise _busy()


def tokens_of(cards: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The cards that effects put in play."""
    return [card for card in cards.values() if card.get("kind") == "jeton"]


def _require_sound(game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]) -> None:
    found = [problem for problem in card_problems(game, card, tokens) if problem["code"] in UNSOUND]
    if found:
        raise InvalidInput("ability_faulty", _("An ability has problems: fix them, then save again."), details=found)


def preview_effects(*, catalogue: Catalogue, content: str | bytes) -> Preview:
    """What a file of effects would change in a catalogue. Raises InvalidInput `effects_unreadable`."""
    return _preview(catalogue, read_effects(content))


def _preview(catalogue: Catalogue, effects: Mapping[str, dict[str, Any]]) -> Preview:
    cards = raw_cards(catalogue)
    found = Preview([], [], [], [], {})
    for ref, said in effects.items():
        if ref not in cards:
            found.unknown.append(ref)
        elif faults := effect_faults(catalogue.game, said):
            found.faulty.append({"ref": ref, "why": faults[0]})
        elif card_digest({**cards[ref], **said}) == card_digest(cards[ref]):
            found.same.append(ref)
        else:
            found.changed.append(ref)
            found.effects[ref] = said
    return found


def apply_effects(*, catalogue: Catalogue, content: str | bytes, by: User, now: datetime) -> tuple[Catalogue, Preview]:
    """Save what a file of effects says as a new version, and return it with what was applied. Idempotent.

    Cards that the catalogue lacks and entries that cannot be used are left out. Refused: `effects_unreadable`,
    `too_many_catalogues`, `catalogue_exists`, `catalogue_busy`.
    """
    effects = read_effects(content)
    for _attempt in range(ATTEMPTS):
        newest = _newest(catalogue, by)
        preview = _preview(newest, effects)
        made = _save(newest, preview.effects, by, now) if preview.changed else newest
        if made is not None:
            return made, preview
    raise _busy()


def _newest(catalogue: Catalogue, by: User) -> Catalogue:
    """The newest version of the same catalogue."""
    versions = Catalogue.objects.filter(owned_by(by), owner=catalogue.owner_id, game=catalogue.game)
    found = versions.filter(catalog=catalogue.catalog).order_by("-version").first()
    if found is None:
        raise InvalidInput("catalogue_not_found", _("There is no such catalogue."))
    return found


def _busy() -> Refusal:
    return Refusal("catalogue_busy", _("Others are saving this catalogue right now. Save again."))


def _save(newest: Catalogue, effects: Mapping[str, Mapping[str, Any]], by: User, now: datetime) -> Catalogue | None:
    """Save a version with other effects of some cards; None if another version was saved while it was computed."""
    # Reading and linting a whole catalogue takes long, so it happens before the lock is taken.
    read = with_effects(newest, effects)
    look = {**look_at(read.document), WRITTEN: True}
    with writing():
        owner = User.objects.select_for_update().get(catalogues=newest.pk)  # every version is saved under this lock
        if _newest(newest, by).pk != newest.pk:
            return None
        return _write(newest, read, look, owner, now)


def _write(newest: Catalogue, read: CardList, look: dict[str, Any], owner: User, now: datetime) -> Catalogue:
    replaced = _replaced(newest)
    read = replace(read, images=saved_images(newest))  # read here, under the lock, so that no newer ones are lost
    saved = save_version(read, look, now, owner, replacing=replaced)
    if replaced is None and saved.version < newest.version:
        version = {"version": saved.version}
        raise Refusal(
            "catalogue_exists", _("Your version %(version)s has exactly these cards: use that one.") % version
        )
    if replaced is not None:
        Catalogue.objects.filter(pk=replaced.pk).delete()
    return saved


def _replaced(newest: Catalogue) -> Catalogue | None:
    """The newest version if it was saved here and no event uses it: the one that is saved now takes its place."""
    # `choose_catalogue` locks these rows too, so no event can choose a version that is being replaced.
    list(Catalogue.objects.select_for_update().filter(sha256=newest.sha256).order_by("pk").values("pk"))
    return newest if newest.report.get(WRITTEN) and not events_with(newest).exists() else None
