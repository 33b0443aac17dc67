"""Protocol of translation engines, the engine that returns its input, and the check of what an engine is given."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

_UNSOUND = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedText:
    """The translation of one text and how probable the engine finds it."""

    text: str
    """Empty if the engine could not translate the text."""
    confidence: float | None
    """Geometric mean of the probabilities of its pieces, `</s>` included; the logarithm is the beam's score, divided by
    the number of pieces. None without a translation, or for an engine without probabilities."""


NOTHING = TranslatedText(text="", confidence=None)
"""What a text gets that an engine cannot translate."""


class Engine(Protocol):
    """Translates texts of one language into another, each text by itself.

    A translation depends on the text and the signature alone: not on other texts, their order, the number of threads or
    a resume. An empty output means that the engine could not translate the text (too long, not encodable, no end
    found); the caller counts it. Nothing is truncated silently.
    """

    @property
    def gpus(self) -> int:
        """Number of GPUs with padded batches, where a translation may depend on the other texts of its call.

        It is then stored for its group of texts, so that every run composes the same batches. Such an engine takes
        calls of several threads and queues their batches.
        """
        ...

    @property
    def signature(self) -> str:
        """Everything that can change an output, as stable text: no paths, threads or batch sizes."""
        ...

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per sound text (see `is_sound`), in order. Raises ShardError on failure."""
        ...


class Deferred:
    """An engine whose signature is known, and that is loaded when it first translates."""

    def __init__(self, signature: str, load: Callable[[], Engine], gpus: int = 0) -> None:
        self.signature = signature
        self.gpus = gpus
        self._load = load
        self._engine: Engine | None = None
        self._loading = threading.Lock()

    def loaded(self) -> Engine:
        """Return the engine, loaded once. Raises SettingsError and SourceError for one that cannot work."""
        with self._loading:
            if self._engine is None:
                self._engine = self._load()
            return self._engine

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return what the loaded engine returns."""
        return self.loaded().translate(texts)


class Echo:
    """An engine that returns its input, for tests and for trying a recipe without a model."""

    signature = "echo"
    gpus = 0

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return the texts, without confidence."""
        return [TranslatedText(text=text, confidence=None) for text in texts]


def is_sound(text: str) -> bool:
    """Return True if an engine can translate a text: not whitespace alone, no NUL, encodable in UTF-8.

    Python reads bytes that are not text as lone surrogates, which no tokenizer accepts.
    """
    return not text.isspace() and text != "" and not _UNSOUND.search(text)
