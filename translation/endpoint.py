"""Translate with a server that speaks OpenAI's chat/completions protocol: a local vLLM or llama.cpp, or a service.

One text per request (core/endpoint.py). A language model is not deterministic, even at temperature 0: the row store
keeps the first translation of each text. A translation that no text can be (control characters, a multiple of its
source's length) is none, and counted like one that was cut.
"""

import hashlib
from collections.abc import Mapping, Sequence

from bitext_pivot.core.endpoint import ServedCompletion, ServedModel
from bitext_pivot.core.endpoint_server import Server
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.untrusted import safe
from bitext_pivot.translation.engine import TranslatedText

PROMPT = (
    "Translate the text below from {source} into {target}. Keep every fact, name and number. Answer with the "
    "translation alone, on one line.\n\n{text}"
)
"""What a model is asked. The signature has its digest, so that another prompt shares no stored translation."""
_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]
_ANSWERS = 2  # changes with what is read out of an answer
_SPARE = 200  # characters that a translation may have beyond the ratio
_RATIO = (
    20  # characters of a translation per character of its source; Chinese into English has about 5
)


class Endpoint:
    """One direction of a model behind a server."""

    gpus = 0

    def __init__(
        self, server: Server, model: str, pivot: str, language: str, options: Mapping[str, object]
    ) -> None:
        """Prepare the requests; `options` are further fields of each, such as `max_tokens` and `logprobs`.

        Raises SettingsError for an address or a key that no request can have.
        """
        self._model = ServedModel(server, model, options, setting="translation.model")
        self._pivot, self._language = english_name(pivot), english_name(language)
        stated = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
        versions = f"prompt={_VERSION} answers={_ANSWERS}"
        self.signature = (
            f"endpoint {model} direction={pivot}-{language} {versions} temperature=0 {stated}"
        )

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order. Raises as `ServedModel.complete`."""
        sources = [" ".join(text.split()) for text in texts]
        completions = self._model.complete([self._messages(source) for source in sources])
        return [
            _translated(completion, source)
            for completion, source in zip(completions, sources, strict=True)
        ]

    def _messages(self, source: str) -> list[dict[str, str]]:
        prompt = PROMPT.format(source=self._pivot, target=self._language, text=source)
        return [{"role": "user", "content": prompt}]


def _translated(completion: ServedCompletion, source: str) -> TranslatedText:
    """Return the translation of `source` in a completion, in one line; none if no translation can read like this."""
    text = " ".join(completion.text.split())
    is_text = text == safe(text)  # no control characters, and not the key of the server
    if not text or not is_text or len(text) > _RATIO * len(source) + _SPARE:
        return TranslatedText(text="", confidence=None)
    return TranslatedText(text=text, confidence=completion.confidence)
