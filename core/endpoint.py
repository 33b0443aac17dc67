"""Ask a server that speaks OpenAI's chat/completions protocol: a local vLLM or llama.cpp, or a service.

The package `openai` sends the requests, several at a time, and again what a busy or failing server did not answer.
Nothing in an answer is believed: what is not of the protocol, or holds a number that cannot be, is an error.
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
from bitext_pivot.core.endpoint_server import Server
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.untrusted import shown

Messages = Sequence[Mapping[str, str]]
"""A request: `role` and `content` of each message."""
MOST_BYTES = 16 << 20
"""Bytes of an answer. 20,000 tokens, the most that settings allow, have 4 MB with their probabilities."""
_ATTEMPTS = 6
_BUSY = frozenset({408, 409, 429})  # besides all from 500; openai asks again
_ENDED = (None, "stop", "eos")
_HEADERS = frozenset(
    {
        "accept",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "x-stainless-raw-response",  # openai reads it itself
    }
)
_LONGEST = 100  # characters of an answer in a message
_FORMAT = (
    "Expected choices[0].message.content as in OpenAI's protocol; check the address, which ends in /v1. If the "
    "server sends no usable logprobs, set translation.advanced.probabilities to false."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCompletion:
    """What a model wrote."""

    text: str
    """Empty if it was cut off."""
    confidence: float | None
    """Geometric mean of the probabilities of its tokens; None if the server sends none."""


class _Part(BaseModel):
    """A part of an answer: of these types exactly, other members are not read."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Step(_Part):
    # servers send -9999 for a token that they have no probability of; rounding may give a little more than 0
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
    """A model behind a server."""

    def __init__(
        self, server: Server, model: str, options: Mapping[str, object], *, setting: str
    ) -> None:
        """Prepare the requests; `options` are further fields of each, `setting` names the model's in messages."""
        untrusted.keep_secret(server.key)
        untrusted.keep_address(server.address)
        self._server, self._model, self._setting = server, model, setting
        self._way = proxy.of(server.address)
        self._options: dict[str, Any] = {"model": model, "temperature": 0, **options}

    def complete(self, requests: Sequence[Messages]) -> list[ServedCompletion]:
        """Return the answer to each request, in order.

        Raises SettingsError for a request that the server refuses for good, ShardError for an answer that cannot be
        used, or if the server fails again and again. The first error ends all requests.
        """
        with ThreadPoolExecutor(
            1
        ) as thread:  # the caller's may have an event loop, as that of a notebook
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
                f"The server of BITEXT_PIVOT_ENDPOINT took more than {patience:g} s for one answer, ten times "
                "BITEXT_PIVOT_TIMEOUT. Earlier answers are stored; set another limit, or use another server."
            ) from error
        except openai.APIStatusError as error:
            raise self._failure(error) from error
        except openai.APIConnectionError as error:
            reason = shown(error.__cause__) or type(error.__cause__).__name__
            raise _failure(f"{reason}{self._way}") from error
        return _completion(answer.content)

    def _failure(self, error: openai.APIStatusError) -> ShardError | SettingsError:
        """Return the error for an answer that is none: a server that fails, or a request that users must change.

        A redirect is not followed: the key is for this address alone.
        """
        response = error.response
        _, _, detail = error.message.partition(" - ")  # what openai finds in an object of errors
        if response.has_redirect_location:
            detail = f"redirect to {response.headers['Location']}"
        reason = f"{error.status_code} {shown(detail or response.text)}{self._way}"
        if error.status_code in _BUSY or error.status_code >= 500:
            return _failure(reason)
        return SettingsError(
            f"The server of BITEXT_PIVOT_ENDPOINT refuses the model {self._model!r} ({reason}). Expected "
            "chat/completions of OpenAI's protocol: check the address, BITEXT_PIVOT_ENDPOINT_KEY and "
            f"{self._setting}."
        )


def _failure(reason: str) -> ShardError:
    return ShardError(
        f"The server of BITEXT_PIVOT_ENDPOINT failed ({reason}), in up to {_ATTEMPTS} attempts. Earlier answers are "
        "stored; run again when it works."
    )


def _client(server: Server) -> openai.AsyncOpenAI:
    """Return a client of this server alone: it reads none of openai's own variables, and follows no redirect."""
    with proxy.checked_proxy(httpx2.InvalidURL):
        session = openai.DefaultAsyncHttpxClient(
            follow_redirects=False, event_hooks={"request": [_send_little], "response": [_limit]}
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


async def _send_little(request: httpx2.Request) -> None:
    """Leave out what openai says of this machine, its Python, and other settings of the user."""
    for name in request.headers.keys() - _HEADERS:
        del request.headers[name]
    request.headers["Accept-Encoding"] = "identity"


async def _limit(response: httpx2.Response) -> None:
    """Limit how much of an answer is read. Raises ShardError for a packed one, which could have any size."""
    encoding = response.headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":
        raise _format_error(f"Content-Encoding {shown(encoding)}, which was not requested")
    response.stream = _Limited(response.stream)


class _Limited(httpx2.AsyncByteStream):
    """The bytes of an answer. Raises ShardError for too many."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise _format_error(f"more than {MOST_BYTES >> 20} MB")
            yield part

    async def aclose(self) -> None:
        """Close the connection's stream."""
        await self._stream.aclose()


def _completion(body: bytes) -> ServedCompletion:
    """Return the completion in an answer. Raises ShardError for another format."""
    try:
        answer = _Answer.model_validate(parse_json(body.decode("utf-8")))
    except ValueError as error:
        start = body[:1000].decode("utf-8", "replace").strip() or "nothing"
        raise _format_error(
            f"{shown(_problem(error), _LONGEST)}; it begins: {shown(start, _LONGEST)}"
        ) from error
    choice = answer.choices[0]
    text = ""
    if choice.finish_reason in _ENDED:
        text = choice.message.content or ""
    return ServedCompletion(
        text=text,
        confidence=_confidence(choice.logprobs),
    )


def _problem(error: ValueError) -> str:
    """Return what is wrong with the first value that is refused, or with the JSON."""
    if not isinstance(error, ValidationError):
        return str(error)
    return next(refused_values.problems(error))


def _confidence(logprobs: _Steps | None) -> float | None:
    """Return the geometric mean of the probabilities of all tokens; None without any."""
    if logprobs is None or not logprobs.content:
        return None
    numbers = [min(0.0, step.logprob) for step in logprobs.content]
    return math.exp(sum(numbers) / len(numbers))


def _format_error(reason: str) -> ShardError:
    return ShardError(
        f"The server of BITEXT_PIVOT_ENDPOINT answered in another format ({reason}). {_FORMAT}"
    )
