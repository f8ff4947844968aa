"""Replacements: what happens instead of an event, by a keyword or by an ability `{"would": event, "do": […]}`.

A `would` frame holds the event (`event`, `obj` or `seat`, `cause`, and what the game needs), `used` (each replacement
applies at most once to an event), `then` (the frame that lets the event happen) and `instead` (the frame that follows
if the event was replaced). If several replacements apply, the player it happens to chooses. An optional one that the
log passes over is declined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.effects import force
from engine.core.effects.host import Choice, Source, Stack, host_of
from engine.core.effects.triggers import doing
from engine.core.effects.values import reaches
from engine.core.table.agenda import Frame
from engine.core.table.places import place
from engine.core.table.state import State


def would(event: str, then: Frame, instead: Frame | None, **about: Any) -> Frame:
    """Return the frame of an event that may be replaced. `about` has `obj` or `seat`."""
    return {"step": "would", "event": event, "used": [], "then": then, "instead": instead, **about}


def step(stack: Stack, frame: Frame) -> None:
    """Offer the replacements of an event, carry out the one that was chosen, or let the event happen.

    A ruling may change the board between a choice and its answer: a card that has left is not saved, and a replacement
    that no longer applies is not used.
    """
    if "obj" in frame and stack.ctx.state.where[frame["obj"]] not in stack.host.in_play:
        stack.push(frame["then"])
    elif "price" in frame and "picked" in frame:
        _paid(stack, frame)
    elif "picked" in frame:
        _picked(stack, frame)
    else:
        _offer(stack, frame)


def _offer(stack: Stack, frame: Frame) -> None:
    choices = collected(stack, frame)
    # Asked only where something would be replaced: the answer may record an interpretation.
    if choices and stack.host.passive(stack.ctx, frame.get("cause", "")):
        choices = []
    forced = [choice for choice in choices if not choice.optional]
    if not choices:
        stack.push(frame["then"])
    elif len(choices) > 1:
        # Declining leaves the forced one, if there is one. With two or more that must apply, their order is a choice.
        names = [choice.name for choice in choices]
        stack.ask(frame, affected(stack.ctx.state, frame), names, "LOG-answer", optional=len(forced) < 2)
    elif forced:
        _apply(stack, frame, choices[0])
    elif choices[0].prices:
        _ask_price(stack, frame, choices[0])
    else:
        stack.ask(frame, affected(stack.ctx.state, frame), [choices[0].name], "LOG-answer", optional=True)


def _ask_price(stack: Stack, frame: Frame, choice: Choice) -> None:
    waits = {**frame, "price": choice.name}
    stack.ask(waits, affected(stack.ctx.state, frame), choice.prices, choice.rule, optional=True)


def _picked(stack: Stack, frame: Frame) -> None:
    """Continue with the replacement that was chosen or, if the choice was declined, without the optional ones."""
    name, frame = frame["picked"], _without(frame, "picked")
    choices = collected(stack, frame)
    if name is None:
        declined = [choice.name for choice in choices if choice.optional]
        # What was declined counts as used, or it would be offered again for the same event.
        stack.push({**frame, "used": [*frame["used"], *declined]})
        return
    chosen = [choice for choice in choices if choice.name == name]
    if not chosen:
        stack.push(frame)
    elif chosen[0].prices:
        _ask_price(stack, frame, chosen[0])
    else:
        _apply(stack, frame, chosen[0])


def _paid(stack: Stack, frame: Frame) -> None:
    """Continue once a price was named, or none. If the price cannot be paid, another one may be named."""
    name, price = frame["price"], frame["picked"]
    frame = _without(frame, "picked", "price")
    if price is None:
        stack.push({**frame, "used": [*frame["used"], name]})
        return
    usable = any(choice.name == name and price in choice.prices for choice in collected(stack, frame))
    replaced = usable and stack.host.replace(stack, frame, name, price)
    _go_on(stack, frame["instead"] if replaced else frame)


def _apply(stack: Stack, frame: Frame, choice: Choice) -> None:
    if choice.ability is not None and choice.giver is not None:
        _go_on(stack, frame["instead"])
        it = list(force.seen(stack.ctx.state, frame["obj"])) if "obj" in frame else None
        stack.push(doing(choice.giver._replace(it=it), choice.ability["do"]))
    else:
        replaced = stack.host.replace(stack, frame, choice.name, None)
        _go_on(stack, frame["instead"] if replaced else {**frame, "used": [*frame["used"], choice.name]})


def _go_on(stack: Stack, frame: Frame | None) -> None:
    if frame is not None:
        stack.push(frame)


def collected(stack: Stack, frame: Frame) -> list[Choice]:
    """Return every replacement that applies and is still unused, keywords first, then abilities in order of play."""
    found = [*stack.host.keyword_choices(stack, frame), *_abilities(stack.ctx.state, frame)]
    return [choice for choice in found if choice.name not in frame["used"]]


def _abilities(state: State, frame: Frame) -> Iterator[Choice]:
    if "live" not in state.memory:
        return
    for obj, program in force.acting(state, "replacements", frame["event"]):
        abilities = program.replacements[frame["event"]]
        for index, ability in enumerate(abilities):
            giver = force.source(state, obj)
            if _watched(state, frame, giver, ability.get("of")):
                # The place is enough to name a replacement, unless the card has several for this event.
                name = place(state, obj) + (f"#{index + 1}" if len(abilities) > 1 else "")
                yield Choice(name, bool(ability.get("may")), giver=giver, ability=ability)


def _watched(state: State, frame: Frame, giver: Source, selector: Tree | None) -> bool:
    """Return whether an ability replaces this event: one of its own card, or of a card its selector reaches.

    For a player's draw, only the side of the selector counts.
    """
    if "obj" in frame:
        card = force.seen(state, frame["obj"])
        return card.obj == giver.obj if selector is None else reaches(state, giver, selector, card)
    side = "own" if selector is None else selector.get("side", "own")
    return side == "any" or (frame["seat"] == giver.seat) == (side == "own")


def affected(state: State, frame: Frame) -> str:
    """Return who chooses: the player of the card, or the player the event happens to."""
    return str(frame["seat"]) if "seat" in frame else host_of(state).places[state.where[frame["obj"]]].seat


def _without(frame: Frame, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in frame.items() if key not in keys}
