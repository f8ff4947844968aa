"""Look up what the header of a log names: the game, the ruleset and the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.table.game import Game, Ruleset
from engine.core.text import registry
from engine.core.text.errors import Malformed, Unsupported

CatalogSource = Catalog | bytes | str | Mapping[str, Any]


def load_game(game: str) -> Game:
    """Return a game by its id ("star-safir"). Raises Unsupported, code `unknown_game`."""
    found: Game = registry.module(game, "game").GAME
    return found


def ruleset_of(game: Game, name: str) -> Ruleset:
    """Return a published ruleset of a game ("safir-v2@1"). Raises Unsupported, code `unknown_ruleset`."""
    found = game.rulesets.get(name)
    if found is None:
        known = ", ".join(game.rulesets)
        message = f"no ruleset {name[:40]!r}; there are: {known}"
        raise Unsupported("unknown_ruleset", message, path="ruleset", value=name)
    return found


def choose_catalog(game: str, named: Mapping[str, str], catalogs: Sequence[CatalogSource] = ()) -> Catalog:
    """Return the catalogue that a header names, or the first available one if it names none.

    `named` is the header's `catalog` ({id, sha256}, or empty). The catalogues in `catalogs` are tried before those that
    come with the engine.

    Raises Malformed: `unknown_catalog`, or `catalog_mismatch` if there is one with that id but another content.
    """
    given = [item if isinstance(item, Catalog) else load_catalog(item) for item in catalogs]
    found = [item for item in (*given, *shipped_catalogs(game)) if item.game == game]
    if named:
        found = [item for item in found if item.id == named["id"]]
    if not found:
        wanted_id = str(named.get("id", ""))[:64]
        raise Malformed("unknown_catalog", f"no catalogue {wanted_id!r} of {game}", path="catalog", value=wanted_id)
    wanted = named.get("sha256")
    # A log may name a catalogue by its id alone: then any content will do.
    same = [item for item in found if wanted is None or item.sha256 == wanted]
    if not same:
        message = f"the catalogue {named['id'][:64]} at hand is not the one of the log"
        raise Malformed("catalog_mismatch", message, path="catalog.sha256")
    return same[0]
