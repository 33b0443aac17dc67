"""The protocol of translation engines, an engine that is loaded later, and an echo engine."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

_UNTRANSLATABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedText:
    """The translation of one text, and the engine's confidence in it."""

    text: str
    """The translation; empty if the engine could not translate the text."""
    confidence: float | None
    """Geometric mean of the probabilities of the output pieces, including the end token `</s>`. None if there is no
    translation, or if the engine does not return probabilities."""


NO_TRANSLATION = TranslatedText(text="", confidence=None)
"""The output for a text that an engine cannot translate."""


class Engine(Protocol):
    """Translates texts from one language into another, each text independently of the others.

    A translation depends only on the text and on everything in `signature`, not on other texts, their order, the
    number of threads or whether a build was resumed. An empty output means that the engine could not translate the
    text: the text is too long, cannot be encoded, or its translation does not end. The caller counts empty outputs.
    Engines never truncate a text silently.
    """

    @property
    def gpus(self) -> int:
        """Number of GPUs that the engine uses. An engine without GPUs has 0.

        On GPUs, batches are padded, so a translation may depend on the other texts in the call. The translations of a
        group of texts are therefore stored and reused only together, and every run forms the same groups. If the number
        is 0, each translation is stored by itself: it must not depend on the other texts. An engine with GPUs accepts
        calls from several threads and queues their batches.
        """
        ...

    @property
    def signature(self) -> str:
        """A string that identifies everything that can change a translation, such as the model.

        It contains no paths, numbers of threads or batch sizes.
        """
        ...

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order. All texts must be `is_translatable`.

        Raises ShardError if the engine fails.
        """
        ...


class LazyEngine:
    """An engine that is loaded at its first translation. Its signature is known before loading."""

    def __init__(self, signature: str, load: Callable[[], Engine], gpus: int = 0) -> None:
        self.signature = signature
        self.gpus = gpus
        self._load = load
        self._engine: Engine | None = None
        self._loading = threading.Lock()

    def load(self) -> Engine:
        """Return the engine, loaded on the first call.

        Raises SettingsError or SourceError if it cannot be loaded.
        """
        with self._loading:
            if self._engine is None:
                self._engine = self._load()
            return self._engine

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, after loading the engine if necessary."""
        return self.load().translate(texts)


class EchoEngine:
    """An engine that returns its input, for tests and for trying a build without a model."""

    signature = "echo"
    gpus = 0

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return the texts unchanged, without confidence scores."""
        return [TranslatedText(text=text, confidence=None) for text in texts]


def is_translatable(text: str) -> bool:
    """Return True if a text is not blank, contains no NUL and can be encoded in UTF-8.

    Python can decode invalid bytes to lone surrogates, which UTF-8 cannot encode and no tokenizer accepts.
    """
    return not text.isspace() and text != "" and not _UNTRANSLATABLE.search(text)
