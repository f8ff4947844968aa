"""The errors of the engine, and the violation that cites a rule.

Exceptions (`EngineError`) say that an input cannot be read or judged. Breaking a rule of the game is not an exception:
`check` returns a list of `Violation`, so that all the reasons against a move can be reported at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its id, the arguments of its message, and the interpretations it depends on.

    `why` names one of the rule's own messages (`[rule.why.passed]` in rules.toml) if the rule can be broken in several
    ways; "" stands for its general message. `Rulebook.message(violation, lang)` makes the sentence, so that code never
    builds one and every language has it.

    Example: `Violation("SAF-VI.3-2", {"atk": 3, "def": 3})`.
    """

    rule: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    why: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Missing(Violation):
    """A rule that cannot be judged because `fact` was not declared ("A.pi", "B/T1/fighters/2").

    Only a declared position can lack facts. `check` returns it among the violations. A move with no other reasons
    against it is neither legal nor illegal, and each `fact` is a question to ask at the table.
    """

    fact: str = ""


class EngineError(Exception):
    """Base class: an input cannot be read, chosen or allowed.

    `code` is stable and meant for programs; `message` is a note for programmers. People read the sentence of the code
    (`engine.core.text.phrases.error_message`), with the limit, the value in quotes and the choices that the note names.
    `path` is the place in the document (`moves[4].args.slot`, `line 3`) and `n` the number of the entry. `value` is the
    offending value or the missing key, cut to 64 characters.

    `verdict` is the outcome of a move that fails with this error.
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
    """The input cannot be read: wrong shape, unknown verb or card, or a limit exceeded."""


class Ambiguous(EngineError):
    """The input has several possible readings, listed in `options`."""

    verdict = "ambiguous"

    def __init__(
        self, code: str, message: str, *, options: Sequence[object] = (), path: str = "", n: int | None = None
    ) -> None:
        super().__init__(code, message, path=path, n=n)
        self.options = tuple(options)


class Impossible(EngineError):
    """Something that cannot have happened: drawing a third copy of two, or a card that lies in the discard."""

    verdict = "impossible"


class Unsupported(EngineError):
    """The input is well formed, but names something the engine does not have, such as a game, ruleset or format."""
