"""What can be wrong with a decklist, a log or a move: four failures, and the violation that cites a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that was broken: the rule's id, the arguments of its message, and the interpretations it leans on.

    `why` names one of the rule's own reasons (`[rule.why.passed]` in rules.toml) where the rule can be broken in
    several ways; "" is the rule's general message. The sentence is made by `Rulebook.message(violation, lang)`; no
    sentence is ever built in code.
    """

    rule: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    why: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Missing(Violation):
    """A rule that cannot be judged because `fact` was not declared ("A.pi", "B/T1/fighters/2").

    Only a declared position can lack facts. `check` returns it beside the violations; a move whose only reasons
    are missing facts is neither legal nor illegal, and each `fact` is what to ask the table for.
    """

    fact: str = ""


class EngineError(Exception):
    """Something the engine was given cannot be read, chosen or allowed.

    `code` is stable and meant for programs, `message` is a short English sentence for a log or a console,
    `path` says where in the document (`moves[4].args.slot`, `line 3`), `n` is the number of the entry, `value` what was
    met there that does not belong, or the key that is missing, for messages in other languages.
    """

    verdict = "malformed"

    def __init__(self, code: str, message: str, *, path: str = "", n: int | None = None, value: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.n = n
        self.value = value[:64]


class Malformed(EngineError):
    """The input cannot be read: wrong shape, unknown verb, unknown card, a limit passed."""


class Ambiguous(EngineError):
    """Several readings are possible and the input does not say which; `options` lists them."""

    verdict = "ambiguous"

    def __init__(
        self, code: str, message: str, *, options: Sequence[object] = (), path: str = "", n: int | None = None
    ) -> None:
        super().__init__(code, message, path=path, n=n)
        self.options = tuple(options)


class Impossible(EngineError):
    """Recorded chance that cannot have happened: a third copy of two, a card drawn from the discard."""

    verdict = "impossible"


class Unsupported(EngineError):
    """The engine knows the thing and cannot judge it: a ruleset or a format it does not ship."""
