"""What a model is: messages in, a text out that nobody has checked yet; how asking it fails, and what its tokens cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from clawgit.errors import ClawgitError
from clawgit.text.words.tokens import count_tokens
from clawgit.workspace.settings.setting_types import hundredths

if TYPE_CHECKING:
    from collections.abc import Mapping


Role = Literal["system", "user", "assistant"]
_MOST_TOLD = 10_000_000
_MILLION = 1_000_000


class ModelError(ClawgitError):
    """A model gave nothing that can be used.

    ``reached`` says that it may have worked on the question all the same; ``spent`` is what was used up in all
    by whoever asked.
    """

    def __init__(self, message: str, *, hint: str = "", reached: bool = False, spent: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.reached = reached
        self.spent = spent


@dataclass(frozen=True, slots=True)
class Message:
    """One part of a conversation with a model."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the conversation so far, the shape of the answer, and how long that may be."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    most_tokens: int

    @property
    def tokens(self) -> int:
        """Return about how many tokens the model has to read."""
        return sum(count_tokens(message.text) for message in self.messages)

    def spoken(self) -> list[dict[str, str]]:
        """Return the conversation as services read it."""
        return [{"role": message.role, "content": message.text} for message in self.messages]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said; ``told`` are the tokens that it says it used, if it says so, and ``cut`` that there was more."""

    text: str
    told: Any = None
    cut: bool = False

    def tokens(self, asked: Asked) -> int:
        """Return what the question and the answer used: as told, where that can be, or an estimate."""
        if type(self.told) is int and 0 < self.told <= _MOST_TOLD:
            return self.told
        return asked.tokens + count_tokens(self.text)


class Model(Protocol):
    """One model at one place."""

    @property
    def name(self) -> str:
        """Return what it is and where, for people; another model has another name."""

    def reply(self, asked: Asked) -> Reply:
        """Return what the model says."""


def cost_of(tokens: int, price: float) -> float:
    """Return what tokens cost where a million of them cost ``price``, to a ten-thousandth."""
    return round(tokens * hundredths(price) / _MILLION / 100, 4)


def spent_words(tokens: int, price: float) -> str:
    """Return what was used in words, with its cost where a price is set."""
    return f"{tokens:,} tokens" + (f" ({cost_of(tokens, price):.4f})" if price else "")
