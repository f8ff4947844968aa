"""The effects of a card once read: keywords by name, abilities by what triggers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.abilities.language import Language, Tree, faults, form_faults, names_manual, objects_of

PARTS = ("keywords", "triggers", "watches", "statics", "replacements")
SOURCES, BONUSES = "sources", "bonuses"  # parts of cache keys: statics by kind and bonuses by figure, with their source


@dataclass(frozen=True, slots=True)
class Program:
    """The effects of a card: keywords by name, abilities by trigger, statics by kind, replacements by event.

    - `sound`: whether the engine executes all of it: known keywords, abilities within the schema, none of them manual.
    - `watches`: those of the `triggers` that are also about other cards.
    - `into`: the face that the card may change into. `figures`: the figures of such a face.
    - `cache_keys`: the keys of `State.acting` whose answers may contain this card, with either face.
    """

    keywords: Mapping[str, Tree]
    triggers: Mapping[str, tuple[Tree, ...]]
    statics: Mapping[str, tuple[Tree, ...]]
    replacements: Mapping[str, tuple[Tree, ...]]
    sound: bool
    figures: Mapping[str, int] = field(default_factory=dict)
    into: Program | None = None
    watches: Mapping[str, tuple[Tree, ...]] = field(init=False)
    cache_keys: tuple[tuple[str, str], ...] = field(init=False)

    def __post_init__(self) -> None:
        watches: dict[str, tuple[Tree, ...]] = {}
        for on, some in self.triggers.items():
            for ability in some:
                if "of" in ability:
                    watches[on] = (*watches.get(on, ()), ability)
        object.__setattr__(self, "watches", watches)
        other = () if self.into is None else self.into.cache_keys
        object.__setattr__(self, "cache_keys", tuple(dict.fromkeys((*self._cache_keys(), *other))))

    def _cache_keys(self) -> Iterator[tuple[str, str]]:
        for part in PARTS:
            for word in getattr(self, part):
                yield part, word
        for kind in self.statics:
            yield SOURCES, kind
        for static in self.statics.get("stat", ()):
            yield BONUSES, static["stat"]


def program(keywords: Sequence[Tree], abilities: Sequence[Tree], language: Language, known: Sequence[str]) -> Program:
    """Return the program of keywords and abilities.

    Faulty abilities are left out, and the program is then not sound.
    """
    good, manual = [], False
    for ability in abilities:
        objects = objects_of(ability)
        if next(faults(ability, language, len(objects)), None) is None:
            good.append(ability)
            manual = manual or names_manual(objects)
    named = {str(keyword.get("kw")): keyword for keyword in keywords}
    into, whole = None, len(good) == len(abilities)
    for name in language.forms:
        if name in named:
            other = named[name].get("into")
            whole = whole and not list(form_faults(other, language))
            if whole and other is not None:
                into = _face(other, language, known)
    sound = whole and not manual and all(name in known for name in named) and (into is None or into.sound)
    return Program(named, _by(good, "on"), _statics(good, language), _by(good, "would"), sound, {}, into)


def _face(other: Tree, language: Language, known: Sequence[str]) -> Program:
    """Return the program of the face that a card changes into, with its own figures."""
    face = program(other.get("keywords", ()), other.get("abilities", ()), language, known)
    figures = {key: other[key] for key in language.known("stat")}
    return Program(face.keywords, face.triggers, face.statics, face.replacements, face.sound, figures)


def _by(abilities: Sequence[Tree], key: str) -> dict[str, tuple[Tree, ...]]:
    found: dict[str, tuple[Tree, ...]] = {}
    for ability in abilities:
        if key in ability:
            found[ability[key]] = (*found.get(ability[key], ()), ability)
    return found


def _statics(abilities: Sequence[Tree], language: Language) -> dict[str, tuple[Tree, ...]]:
    found: dict[str, tuple[Tree, ...]] = {}
    for static in (ability["static"] for ability in abilities if "static" in ability):
        kind = next(kind for kind in language.statics if kind in static)
        found[kind] = (*found.get(kind, ()), static)
    return found
