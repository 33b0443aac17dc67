"""Send requests to a server with OpenAI's chat/completions API: a local vLLM or llama.cpp, or a service.

The package `openai` sends several requests at a time, and repeats a request if the server is busy or fails. The
responses are not trusted: one that does not follow the API, or contains an impossible number, is an error.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bitext_pivot.core import proxy, refused_values, untrusted
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.untrusted import shown

Messages = Sequence[Mapping[str, str]]
"""The messages of a request, each with its `role` and `content`."""
MAX_BYTES = 16 << 20
"""Maximum size of a response, in bytes. A response of 20,000 tokens with probabilities, the longest, takes 4 MB."""
_ATTEMPTS = 6
_BUSY = frozenset({408, 409, 429})
"""Status codes that `openai` retries, in addition to all from 500."""
_FINISHED = (None, "stop", "eos")
"""Values of the field `finish_reason` of a response whose text is complete."""
_SENT_HEADERS = frozenset(
    {
        "accept",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "x-stainless-raw-response",  # for openai, which removes it
    }
)
_MAX_QUOTED = 100
"""Maximum length of a quotation from a response, in characters."""
_FORMAT = (
    "Expected choices[0].message.content. Check that the address ends in /v1; if the problem is in `logprobs`, set "
    "translation.advanced.probabilities to false."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCompletion:
    """The text that a model generated."""

    text: str
    """Empty if the text was truncated."""
    confidence: float | None
    """Geometric mean of the token probabilities; None if the server does not return them."""


class _Part(BaseModel):
    """Base class of the parts of a response. Types must match exactly; unknown members of the JSON are ignored."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Step(_Part):
    # Servers send -9999 for a token without a probability. A rounded value can be slightly above 0.
    logprob: float = Field(ge=-10_000, le=1e-3)


class _Steps(_Part):
    content: list[_Step] | None = None


class _Message(_Part):
    content: str | None = None


class _Choice(_Part):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Steps | None = None


class _Answer(_Part):
    choices: list[_Choice] = Field(min_length=1)


class ServedModel:
    """A language model on a server."""

    def __init__(
        self, server: EndpointServer, model: str, options: Mapping[str, object], *, setting: str
    ) -> None:
        """Store the server and the model.

        `options` are additional fields of each request. Error messages name `setting`, such as `translation.model`.
        """
        untrusted.keep_secret(server.key)
        untrusted.keep_address(server.address)
        self._server, self._model, self._setting = server, model, setting
        self._proxy_note = proxy.describe_proxy(server.address)
        self._options: dict[str, Any] = {"model": model, "temperature": 0, **options}

    def complete(self, requests: Sequence[Messages]) -> list[ServedCompletion]:
        """Return the completion of each request, in order.

        Raises SettingsError if the server permanently refuses a request, and ShardError if a response is unusable or
        the server fails in all attempts. The first error cancels all requests.
        """
        # The thread of the caller may already have an event loop, as in a notebook.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self._complete_all(requests)).result()

    async def _complete_all(self, requests: Sequence[Messages]) -> list[ServedCompletion]:
        free = asyncio.Semaphore(self._server.requests)
        async with _client(self._server) as client:
            tasks = [
                asyncio.create_task(self._complete(client, free, messages)) for messages in requests
            ]
            try:
                return await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()

    async def _complete(
        self, client: openai.AsyncOpenAI, free: asyncio.Semaphore, messages: Any
    ) -> ServedCompletion:
        patience = self._server.patience
        try:
            async with free, asyncio.timeout(patience):
                answer = await client.chat.completions.with_raw_response.create(
                    messages=messages, **self._options
                )
        except TimeoutError as error:
            raise ShardError(
                f"The server of BITEXT_PIVOT_ENDPOINT took more than {patience:g} s for one response, ten times "
                "BITEXT_PIVOT_TIMEOUT. Earlier responses are stored. Set a higher limit, or use another server."
            ) from error
        except openai.APIStatusError as error:
            raise self._failure(error) from error
        except openai.APIConnectionError as error:
            reason = shown(error.__cause__) or type(error.__cause__).__name__
            raise _failure(f"{reason}{self._proxy_note}") from error
        return _completion(answer.content)

    def _failure(self, error: openai.APIStatusError) -> ShardError | SettingsError:
        """Return the error for a status code: ShardError if the server failed, SettingsError if it refuses the request.

        A redirect is not followed, because the API key is meant for this address only.
        """
        response = error.response
        # `detail` is the message that openai reads from the response.
        _, _, detail = error.message.partition(" - ")
        if response.has_redirect_location:
            detail = f"redirect to {response.headers['Location']}"
        reason = f"{error.status_code} {shown(detail or response.text)}{self._proxy_note}"
        if error.status_code in _BUSY or error.status_code >= 500:
            return _failure(reason)
        return SettingsError(
            f"The server of BITEXT_PIVOT_ENDPOINT refuses the model {self._model!r} ({reason}). Expected "
            "OpenAI's chat/completions API. Check the address, BITEXT_PIVOT_ENDPOINT_KEY and "
            f"{self._setting}."
        )


def _failure(reason: str) -> ShardError:
    return ShardError(
        f"The server of BITEXT_PIVOT_ENDPOINT failed ({reason}), also after several attempts. Earlier responses are "
        "stored. Run the command again when the server works."
    )


def _client(server: EndpointServer) -> openai.AsyncOpenAI:
    """Return a client for this server. It ignores the environment variables of `openai` and follows no redirect."""
    with proxy.checked_proxy(httpx2.InvalidURL):
        session = openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            event_hooks={"request": [_remove_headers], "response": [_check_encoding]},
        )
    key = server.key or "none"
    return openai.AsyncOpenAI(
        base_url=server.address,
        api_key=key,
        default_headers={"Authorization": f"Bearer {key}"},
        timeout=server.timeout,
        max_retries=_ATTEMPTS - 1,
        http_client=session,
    )


async def _remove_headers(request: httpx2.Request) -> None:
    """Remove headers in which openai describes this machine, its Python and other settings of the user."""
    for name in request.headers.keys() - _SENT_HEADERS:
        del request.headers[name]
    request.headers["Accept-Encoding"] = "identity"


async def _check_encoding(response: httpx2.Response) -> None:
    """Limit the size of a response. Raises ShardError for a compressed response, which could expand to any size."""
    encoding = response.headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":
        raise _format_error(f"Content-Encoding {shown(encoding)}, but none was requested")
    response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx2.AsyncByteStream):
    """The bytes of a response. Raises ShardError if there are more than `MAX_BYTES`."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MAX_BYTES:
                raise _format_error(f"more than {MAX_BYTES >> 20} MB")
            yield part

    async def aclose(self) -> None:
        """Close the stream of the connection."""
        await self._stream.aclose()


def _completion(body: bytes) -> ServedCompletion:
    """Return the completion in the body of a response. Raises ShardError if the format is wrong."""
    try:
        answer = _Answer.model_validate(parse_json(body.decode("utf-8")))
    except ValueError as error:
        start = body[:1000].decode("utf-8", "replace").strip() or "nothing"
        raise _format_error(
            f"{shown(_problem(error), _MAX_QUOTED)}; it begins: {shown(start, _MAX_QUOTED)}"
        ) from error
    choice = answer.choices[0]
    text = ""
    if choice.finish_reason in _FINISHED:
        text = choice.message.content or ""
    return ServedCompletion(
        text=text,
        confidence=_confidence(choice.logprobs),
    )


def _problem(error: ValueError) -> str:
    """Describe the first invalid value in a response, or why the response is not JSON."""
    if not isinstance(error, ValidationError):
        return str(error)
    return next(refused_values.problems(error))


def _confidence(logprobs: _Steps | None) -> float | None:
    """Return the geometric mean of the probabilities of all tokens, or None if there are none."""
    if logprobs is None or not logprobs.content:
        return None
    numbers = [min(0.0, step.logprob) for step in logprobs.content]
    return math.exp(sum(numbers) / len(numbers))


def _format_error(reason: str) -> ShardError:
    return ShardError(
        f"The server of BITEXT_PIVOT_ENDPOINT did not respond in the format of OpenAI's API ({reason}). {_FORMAT}"
    )
