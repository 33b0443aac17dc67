"""Translate with a language model on a server with OpenAI's chat/completions protocol.

The server can be a local vLLM or llama.cpp, or a service. Each text is one request. A language model is not
deterministic, even at temperature 0, so the row store keeps the first translation of each text. An answer that
cannot be a translation, because it contains control characters or is many times longer than its source, is
discarded and counted, like an answer that stops at the length limit.
"""

import hashlib
from collections.abc import Mapping, Sequence

from bitext_pivot.core.endpoint_client import ServedCompletion, ServedModel
from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.untrusted import safe
from bitext_pivot.translation.engine import TranslatedText

PROMPT = (
    "Translate the text below from {source} into {target}. Keep every fact, name and number. Answer with the "
    "translation alone, on one line.\n\n{text}"
)
"""The user message of each request. Its digest is part of the engine's signature, so a changed prompt reuses no
stored translations."""
_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]
_ANSWERS = 2  # raise this version when answers are parsed differently
_SPARE = 200  # characters that any translation may have in addition to the ratio
_RATIO = 20  # characters per character of the source; Chinese into English has about 5


class EndpointEngine:
    """A translation engine that sends each text to a language model on a server."""

    gpus = 0

    def __init__(
        self,
        server: EndpointServer,
        model: str,
        pivot: str,
        language: str,
        options: Mapping[str, object],
    ) -> None:
        """Prepare the common parts of the requests to the server.

        `options` are additional fields of each request, such as `max_tokens` and `logprobs`. Raises SettingsError if
        the address or the key of the server is malformed.
        """
        self._model = ServedModel(server, model, options, setting="translation.model")
        self._pivot, self._language = english_name(pivot), english_name(language)
        stated = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
        versions = f"prompt={_VERSION} answers={_ANSWERS}"
        self.signature = (
            f"endpoint {model} direction={pivot}-{language} {versions} temperature=0 {stated}"
        )

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order.

        Raises the same errors as `ServedModel.complete`.
        """
        sources = [" ".join(text.split()) for text in texts]
        completions = self._model.complete([self._messages(source) for source in sources])
        return [
            _parse_completion(completion, source)
            for completion, source in zip(completions, sources, strict=True)
        ]

    def _messages(self, source: str) -> list[dict[str, str]]:
        prompt = PROMPT.format(source=self._pivot, target=self._language, text=source)
        return [{"role": "user", "content": prompt}]


def _parse_completion(completion: ServedCompletion, source: str) -> TranslatedText:
    """Return the answer as one line; empty if it cannot be a translation of `source`."""
    text = " ".join(completion.text.split())
    is_text = text == safe(text)  # no control characters and no secret key
    if not text or not is_text or len(text) > _RATIO * len(source) + _SPARE:
        return TranslatedText(text="", confidence=None)
    return TranslatedText(text=text, confidence=completion.confidence)
