"""Translate with a server that speaks OpenAI's chat/completions protocol: a local vLLM or llama.cpp, or a service.

One text per request, several requests at a time (platform.openai.com/docs/api-reference/chat/create). What a busy or
failing server refuses is asked again, with longer and longer pauses; what it refuses for good is the user's to change.
A language model is not deterministic, even at temperature 0: the row store keeps the first translation of each text.
"""

import hashlib
import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.languages import NAMES
from bitext_pivot.translation.engine import NOTHING, TranslatedText

PROMPT = (
    "Translate the text below from {source} into {target}. Keep every fact, name and number. Answer with the "
    "translation alone, on one line.\n\n{text}"
)
"""What a model is asked. The signature has its digest, so that another prompt shares no stored translation."""
_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]
_BUSY = frozenset({408, 409, 425, 429})
_ATTEMPTS = 6
_LONGEST_PAUSE = 60.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where an endpoint is, and how it is asked; nothing here changes a translation."""

    address: str
    """Base address of the protocol, such as http://127.0.0.1:8000/v1."""
    key: str = ""
    """Key of the service; empty for a server that needs none."""
    requests: int = 8
    """Requests at the same time."""
    timeout: float = 60.0
    """Seconds without a byte after which a request is given up."""
    pause: float = 1.0
    """Seconds before the second attempt; they double with each further one."""


class Endpoint:
    """One direction of a model behind a server."""

    gpus = 0

    def __init__(self, server: Server, model: str, pivot: str, language: str, options: Mapping[str, object]) -> None:
        """Prepare the requests; `options` are further fields of each, such as `max_tokens` and `logprobs`."""
        self._server, self._pivot, self._language = server, _name(pivot), _name(language)
        self._options = {"model": model, "temperature": 0, "stream": False, **options}
        self._headers = {"Authorization": f"Bearer {server.key}"} if server.key else {}
        self._stopped = threading.Event()
        stated = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
        self.signature = f"endpoint {model} direction={pivot}-{language} prompt={_VERSION} temperature=0 {stated}"

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, with the tokens it took.

        Raises SettingsError for a request that the server refuses for good, ShardError if it fails again and again.
        The first error stops all requests that have not begun.
        """
        self._stopped.clear()
        server = self._server
        with (
            httpx.Client(headers=self._headers, timeout=server.timeout) as client,
            ThreadPoolExecutor(server.requests) as workers,
        ):
            return list(workers.map(lambda text: self._translate(client, text), texts))

    def _translate(self, client: httpx.Client, text: str) -> TranslatedText:
        if self._stopped.is_set():
            return NOTHING  # another text's error is raised
        try:
            prompt = PROMPT.format(source=self._pivot, target=self._language, text=" ".join(text.split()))
            return _read(self._answer(client, {**self._options, "messages": [{"role": "user", "content": prompt}]}))
        except Exception:
            self._stopped.set()
            raise

    def _answer(self, client: httpx.Client, request: dict[str, Any]) -> dict[str, Any]:
        """Return the server's answer to a request, after as many attempts as it takes."""
        reason = ""
        for attempt in range(_ATTEMPTS):
            try:
                return self._ask(client, request)
            except _BusyError as error:
                reason, pause = str(error), max(error.after, self._server.pause * 2**attempt)
            if attempt + 1 < _ATTEMPTS:
                time.sleep(min(pause, _LONGEST_PAUSE))
        raise ShardError(
            f"The server of BITEXT_PIVOT_ENDPOINT failed {_ATTEMPTS} times ({reason}). What it translated is stored; "
            "run again when it answers."
        )

    def _ask(self, client: httpx.Client, request: dict[str, Any]) -> dict[str, Any]:
        """Return the server's answer. Raises _BusyError if asking again may help, SettingsError if not."""
        try:
            response = client.post(f"{self._server.address.rstrip('/')}/chat/completions", json=request)
        except httpx.TransportError as error:
            raise _BusyError(str(error) or type(error).__name__) from error
        if response.is_success:
            return _json(response)
        reason = f"{response.status_code} {_message(response)}"
        if response.status_code in _BUSY or response.status_code >= 500:
            raise _BusyError(reason, _retry_after(response))
        raise SettingsError(
            f"The server of BITEXT_PIVOT_ENDPOINT refuses to translate with the model {request['model']!r} ({reason}). "
            "Expected chat/completions of OpenAI's protocol: check the address, BITEXT_PIVOT_ENDPOINT_KEY and "
            "translation.model."
        )


class _BusyError(Exception):
    """A request that may succeed later, in `after` seconds or more."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


def _read(answer: dict[str, Any]) -> TranslatedText:
    """Return the translation in an answer: none if it was cut off. Raises ShardError for another protocol."""
    try:
        choice, usage = answer["choices"][0], answer.get("usage") or {}
        text = " ".join((choice["message"]["content"] or "").split())
        steps = (choice.get("logprobs") or {}).get("content") or []
        numbers = [float(step["logprob"]) for step in steps]
        tokens = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ShardError(
            f"The server of BITEXT_PIVOT_ENDPOINT answered in another format ({type(error).__name__}: {error}). "
            "Expected choices[0].message.content as in OpenAI's protocol; check the address, which ends in /v1."
        ) from error
    if choice.get("finish_reason") not in (None, "stop", "eos"):
        text = ""
    confidence = min(1.0, math.exp(sum(numbers) / len(numbers))) if numbers and text else None
    return TranslatedText(text=text, confidence=confidence, tokens=tokens)


def _json(response: httpx.Response) -> dict[str, Any]:
    try:
        answer = response.json()
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {}


def _message(response: httpx.Response) -> str:
    """Return what a server says of an error, in one line of at most 200 characters."""
    error = _json(response).get("error")
    text = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(text or response.text).split())[:200]


def _retry_after(response: httpx.Response) -> float:
    """Return the seconds that the server asks to wait; 0 if it does not, or names a date."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 0.0


def _name(language: str) -> str:
    """Return the English name of a language, its code if it is not known."""
    return next((name.capitalize() for name, code in NAMES.items() if code == language), language)
