"""Translate with a server that speaks OpenAI's chat/completions protocol: a local vLLM or llama.cpp, or a service.

One text per request, several requests at a time (platform.openai.com/docs/api-reference/chat/create). What a busy or
failing server refuses is asked again, with longer and longer pauses; what it refuses for good is the user's to change.
A language model is not deterministic, even at temperature 0: the row store keeps the first translation of each text.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx

from bitext_pivot.core import untrusted
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.languages import NAMES
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.retries import retry_after
from bitext_pivot.core.untrusted import shown
from bitext_pivot.translation import endpoint_answer
from bitext_pivot.translation.engine import TranslatedText

PROMPT = (
    "Translate the text below from {source} into {target}. Keep every fact, name and number. Answer with the "
    "translation alone, on one line.\n\n{text}"
)
"""What a model is asked. The signature has its digest, so that another prompt shares no stored translation."""
_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]
_ANSWERS = 2  # changes with what is read out of an answer
_EXPECTED = "Expected the address of a server of OpenAI's protocol, such as http://127.0.0.1:8000/v1: correct it."
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
    patience: float = 600.0
    """Seconds for a whole answer, however slowly it comes."""
    pause: float = 1.0
    """Seconds before the second attempt; they double with each further one."""


class Endpoint:
    """One direction of a model behind a server."""

    gpus = 0

    def __init__(
        self, server: Server, model: str, pivot: str, language: str, options: Mapping[str, object]
    ) -> None:
        """Prepare the requests; `options` are further fields of each, such as `max_tokens` and `logprobs`.

        Raises SettingsError for an address or a key that no request can have.
        """
        _check(server)
        self._server, self._pivot, self._language = server, _name(pivot), _name(language)
        self._address = f"{server.address.rstrip('/')}/chat/completions"
        self._options = {"model": model, "temperature": 0, "stream": False, **options}
        self._headers = {"Accept-Encoding": "identity"}
        if server.key:
            self._headers["Authorization"] = f"Bearer {server.key}"
        stated = " ".join(f"{name}={value}" for name, value in sorted(options.items()))
        versions = f"prompt={_VERSION} answers={_ANSWERS}"
        self.signature = (
            f"endpoint {model} direction={pivot}-{language} {versions} temperature=0 {stated}"
        )

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, with the tokens it took.

        Raises SettingsError for a request that the server refuses for good, ShardError for an answer that cannot be
        used, or if the server fails again and again. The first error ends all requests.
        """
        with ThreadPoolExecutor(
            1
        ) as thread:  # the caller's may have an event loop, as that of a notebook
            return thread.submit(asyncio.run, self._translate_all(texts)).result()

    async def _translate_all(self, texts: Sequence[str]) -> list[TranslatedText]:
        server, free = self._server, asyncio.Semaphore(self._server.requests)
        limits = httpx.Limits(max_connections=server.requests)
        with checked_proxy():
            session = httpx.AsyncClient(
                headers=self._headers, timeout=server.timeout, limits=limits
            )
        async with session as client:
            requests = [asyncio.create_task(self._translate(client, free, text)) for text in texts]
            try:
                return await asyncio.gather(*requests)
            finally:
                for request in requests:
                    request.cancel()

    async def _translate(
        self, client: httpx.AsyncClient, free: asyncio.Semaphore, text: str
    ) -> TranslatedText:
        plain = " ".join(text.split())
        prompt = PROMPT.format(source=self._pivot, target=self._language, text=plain)
        request = {**self._options, "messages": [{"role": "user", "content": prompt}]}
        async with free:
            body, headers = await self._answer(client, request)
        return endpoint_answer.read(body, headers, plain)

    async def _answer(
        self, client: httpx.AsyncClient, request: dict[str, Any]
    ) -> tuple[bytes, Mapping[str, str]]:
        """Return body and headers of the server's answer to a request, after as many attempts as it takes."""
        reason = ""
        for attempt in range(_ATTEMPTS):
            try:
                return await self._ask(client, request)
            except _BusyError as error:
                reason, pause = str(error), max(error.after, self._server.pause * 2**attempt)
            if attempt + 1 < _ATTEMPTS:
                await asyncio.sleep(min(pause, _LONGEST_PAUSE))
        raise ShardError(
            f"The server of BITEXT_PIVOT_ENDPOINT failed {_ATTEMPTS} times ({reason}). What it translated is stored; "
            "run again when it answers."
        )

    async def _ask(
        self, client: httpx.AsyncClient, request: dict[str, Any]
    ) -> tuple[bytes, Mapping[str, str]]:
        """Return body and headers of an answer. Raises _BusyError if asking again may help, SettingsError if not.

        A redirect is not followed: the key is for this address alone.
        """
        try:
            async with (
                asyncio.timeout(self._server.patience),
                client.stream("POST", self._address, json=request) as response,
            ):
                body = await _body(response)
        except TimeoutError as error:
            raise ShardError(
                f"The server of BITEXT_PIVOT_ENDPOINT took more than {self._server.patience:g} s for one answer, ten "
                "times BITEXT_PIVOT_TIMEOUT. What it translated is stored; set another limit, or use another server."
            ) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _BusyError(shown(error) or type(error).__name__) from error
        if response.is_success:
            return body, response.headers
        reason = f"{response.status_code} {_reason(response, body)}"
        if response.status_code in _BUSY or response.status_code >= 500:
            raise _BusyError(reason, retry_after(response.headers) or 0.0)
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


def _check(server: Server) -> None:
    """Raise SettingsError for an address or a key that cannot be sent; hide its secrets in all messages."""
    untrusted.keep_secret(server.key)
    untrusted.keep_address(server.address)
    try:
        address = httpx.URL(server.address)
    except httpx.InvalidURL:  # its message may quote a password
        raise SettingsError(f"BITEXT_PIVOT_ENDPOINT is no address. {_EXPECTED}") from None
    if address.scheme not in {"http", "https"} or not address.host:
        raise SettingsError(
            f"BITEXT_PIVOT_ENDPOINT begins with {shown(address.scheme)!r}. {_EXPECTED}"
        )
    if not (server.key.isascii() and server.key.isprintable()) or server.key != server.key.strip():
        raise SettingsError(
            "BITEXT_PIVOT_ENDPOINT_KEY holds a character that no request can have, such as a line break or a letter "
            "with an accent. Expected the key alone: set it again."
        )


async def _body(response: httpx.Response) -> bytes:
    """Return the body as it comes; of one that is too long the beginning, which is more than any answer may have."""
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > endpoint_answer.MOST_BYTES:
            break
    return bytes(body)


def _reason(response: httpx.Response, body: bytes) -> str:
    """Return why a server refuses, in its words; for a redirect the address, which users can set themselves."""
    if response.has_redirect_location:
        return f"redirect to {shown(response.headers['Location'])}"
    return endpoint_answer.message(body, response.headers)


def _name(language: str) -> str:
    """Return the English name of a language, its code if it is not known."""
    return next((name.capitalize() for name, code in NAMES.items() if code == language), language)
