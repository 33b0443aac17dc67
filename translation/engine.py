"""What every translation engine is: a signature, and texts in, as many texts out."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from pairs.errors import ShardError

Output = TypeVar("Output")
_UNSOUND = re.compile("[\0\ud800-\udfff]")


class Engine(Protocol):
    """Translates texts of one language into another, each text by itself.

    What comes out for a text depends on the text and the signature alone: not on its neighbours, the order, the number
    of threads or a resume. An empty output for a text that is not blank means that the engine would not translate it
    (too long, not encodable, no end found); the caller counts it. Nothing is ever cut short silently.
    """

    @property
    def whole_groups(self) -> bool:
        """True if a translation may depend on the texts of its call (padded batches on a GPU).

        A translation is then stored for its group of texts, so that every run composes the same batches.
        """
        ...

    @property
    def signature(self) -> str:
        """Everything that can change an output, as stable text; no paths, threads, batch sizes or devices."""
        ...

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return one translation a text, in the order of the texts; raises ShardError when that cannot be done."""
        ...


def is_sound(text: str) -> bool:
    """Tell whether a text can be handed to an engine: not blank, no NUL, nothing that UTF-8 cannot write.

    A lone surrogate is what Python makes of bytes that were no text; no tokenizer takes it.
    """
    return not text.isspace() and text != "" and not _UNSOUND.search(text)


def translate_sound(texts: Sequence[str], translate: Callable[[list[str]], list[str]], name: str) -> list[str]:
    """Translate the sound ones among the texts and leave "" for the others; one output a text, in order.

    Raises ShardError when `translate`, called once with all sound texts, returns too few or too many.
    """
    sound = [text for text in texts if is_sound(text)]
    outputs = iter(same_number(sound, translate(sound) if sound else [], name))
    return [next(outputs) if is_sound(text) else "" for text in texts]


def same_number(texts: Sequence[Any], outputs: Sequence[Output], name: str) -> list[Output]:
    """Return the outputs when there is one for each text; raises ShardError naming the engine otherwise."""
    if len(outputs) != len(texts):
        raise ShardError(
            f"The engine {name!r} returned {len(outputs)} texts for {len(texts)}: which belongs to which is lost. "
            "Expected one output a text; mend the engine or choose another with translation.engine, then run again."
        )
    return list(outputs)
