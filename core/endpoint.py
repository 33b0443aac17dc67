"""Ask a server that speaks OpenAI's chat/completions protocol: a local vLLM or llama.cpp, or a service.

Several requests run at a time (platform.openai.com/docs/api-reference/chat/create). What a busy or failing server
refuses is asked again, with longer and longer pauses; what it refuses for good is the user's to change.
"""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from bitext_pivot.core import endpoint_answer, untrusted
from bitext_pivot.core.endpoint_answer import Completion
from bitext_pivot.core.endpoint_server import Server
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.retries import retry_after
from bitext_pivot.core.untrusted import shown

Messages = Sequence[Mapping[str, str]]
"""A request: `role` and `content` of each message."""
_EXPECTED = "Expected the address of a server of OpenAI's protocol, such as http://127.0.0.1:8000/v1: correct it."
_BUSY = frozenset({408, 409, 425, 429})
_ATTEMPTS = 6
_LONGEST_PAUSE = 60.0  # seconds


class ServedModel:
    """A model behind a server."""

    def __init__(
        self, server: Server, model: str, options: Mapping[str, object], *, setting: str
    ) -> None:
        """Prepare the requests; `options` are further fields of each, `setting` names the model's in messages.

        Raises SettingsError for an address or a key that no request can have.
        """
        _check(server)
        self._server, self._setting = server, setting
        self._address = f"{server.address.rstrip('/')}/chat/completions"
        self._options = {"model": model, "temperature": 0, "stream": False, **options}
        self._headers = {"Accept-Encoding": "identity"}
        if server.key:
            self._headers["Authorization"] = f"Bearer {server.key}"

    def complete(self, requests: Sequence[Messages]) -> list[Completion]:
        """Return the answer to each request, in order.

        Raises SettingsError for a request that the server refuses for good, ShardError for an answer that cannot be
        used, or if the server fails again and again. The first error ends all requests.
        """
        with ThreadPoolExecutor(
            1
        ) as thread:  # the caller's may have an event loop, as that of a notebook
            return thread.submit(asyncio.run, self._complete_all(requests)).result()

    async def _complete_all(self, requests: Sequence[Messages]) -> list[Completion]:
        server, free = self._server, asyncio.Semaphore(self._server.requests)
        limits = httpx.Limits(max_connections=server.requests)
        with checked_proxy():
            session = httpx.AsyncClient(
                headers=self._headers, timeout=server.timeout, limits=limits
            )
        async with session as client:
            tasks = [
                asyncio.create_task(self._complete(client, free, messages)) for messages in requests
            ]
            try:
                return await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()

    async def _complete(
        self, client: httpx.AsyncClient, free: asyncio.Semaphore, messages: Messages
    ) -> Completion:
        async with free:
            body, headers = await self._answer(client, {**self._options, "messages": messages})
        return endpoint_answer.read(body, headers)

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
            f"The server of BITEXT_PIVOT_ENDPOINT failed {_ATTEMPTS} times ({reason}). Earlier answers are stored; run "
            "again when it works."
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
                "times BITEXT_PIVOT_TIMEOUT. Earlier answers are stored; set another limit, or use another server."
            ) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _BusyError(shown(error) or type(error).__name__) from error
        if response.is_success:
            return body, response.headers
        reason = f"{response.status_code} {_reason(response, body)}"
        if response.status_code in _BUSY or response.status_code >= 500:
            raise _BusyError(reason, retry_after(response.headers) or 0.0)
        raise SettingsError(
            f"The server of BITEXT_PIVOT_ENDPOINT refuses the model {request['model']!r} ({reason}). Expected "
            "chat/completions of OpenAI's protocol: check the address, BITEXT_PIVOT_ENDPOINT_KEY and "
            f"{self._setting}."
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
