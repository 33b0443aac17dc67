"""Protocol of translation engines, and checks of what they are given and return."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from pairs.errors import ShardError

Output = TypeVar("Output")
_UNSOUND = re.compile("[\0\ud800-\udfff]")


class Engine(Protocol):
    """Translates texts of one language into another, each text by itself.

    A translation depends on the text and the signature alone: not on other texts, their order, the number of threads or
    a resume. An empty output for a text that is not empty means that the engine could not translate it (too long, not
    encodable, no end found); the caller counts it. Nothing is truncated silently.
    """

    @property
    def whole_groups(self) -> bool:
        """True if a translation may depend on the other texts of its call (padded batches on a GPU).

        It is then stored for its group of texts, so that every run composes the same batches.
        """
        ...

    @property
    def signature(self) -> str:
        """Everything that can change an output, as stable text: no paths, threads or batch sizes."""
        ...

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return one translation per text, in the order of the texts. Raises ShardError on failure."""
        ...


def is_sound(text: str) -> bool:
    """Return True if an engine can translate a text: not whitespace alone, no NUL, encodable in UTF-8.

    Python reads bytes that are not text as lone surrogates, which no tokenizer accepts.
    """
    return not text.isspace() and text != "" and not _UNSOUND.search(text)


def translate_sound(texts: Sequence[str], translate: Callable[[list[str]], list[str]], name: str) -> list[str]:
    """Return the translations of the sound texts and "" for the others, in order.

    Raises ShardError if `translate`, called once with all sound texts, returns too few or too many.
    """
    sound = [text for text in texts if is_sound(text)]
    outputs = iter(same_number(sound, translate(sound) if sound else [], name))
    return [next(outputs) if is_sound(text) else "" for text in texts]


def same_number(texts: Sequence[Any], outputs: Sequence[Output], name: str) -> list[Output]:
    """Return the outputs if there is one for each text. Raises ShardError with the engine's name otherwise."""
    if len(outputs) != len(texts):
        raise ShardError(
            f"The engine {name!r} returned {len(outputs)} texts for {len(texts)}: outputs cannot be assigned to texts. "
            "Expected one output per text; repair the engine or choose another with translation.engine, then run again."
        )
    return list(outputs)
