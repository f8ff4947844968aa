"""What a header chooses: its game, its ruleset, its catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import registry
from engine.core.cards import Catalog, load_catalog, shipped_catalogs
from engine.core.errors import Malformed, Unsupported
from engine.core.game import Game, Ruleset

CatalogSource = Catalog | bytes | str | Mapping[str, Any]


def load_game(game: str) -> Game:
    """A game by name. Raises Unsupported, code `unknown_game`."""
    found: Game = registry.module(game, "game").GAME
    return found


def ruleset_of(game: Game, name: str) -> Ruleset:
    """A published ruleset. Raises Unsupported, code `unknown_ruleset`."""
    found = game.rulesets.get(name)
    if found is None:
        known = ", ".join(game.rulesets)
        message = f"no ruleset {name[:40]!r}; there are: {known}"
        raise Unsupported("unknown_ruleset", message, path="ruleset", value=name)
    return found


def choose_catalog(game: str, named: Mapping[str, str], catalogs: Sequence[CatalogSource] = ()) -> Catalog:
    """The catalogue a header names, among those given and those shipped; without a name, the first of them.

    Raises Malformed: `unknown_catalog`, or `catalog_mismatch` for one of that id with another content.
    """
    given = [item if isinstance(item, Catalog) else load_catalog(item) for item in catalogs]
    found = [item for item in (*given, *shipped_catalogs(game)) if item.game == game]
    if named:
        found = [item for item in found if item.id == named["id"]]
    if not found:
        wanted_id = str(named.get("id", ""))[:64]
        raise Malformed("unknown_catalog", f"no catalogue {wanted_id!r} of {game}", path="catalog", value=wanted_id)
    wanted = named.get("sha256")
    same = [item for item in found if wanted is None or item.sha256 == wanted]
    if not same:
        message = f"the catalogue {named['id'][:64]} at hand is not the one of the log"
        raise Malformed("catalog_mismatch", message, path="catalog.sha256")
    return same[0]
