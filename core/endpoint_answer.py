"""Read what a server of OpenAI's chat/completions protocol answers; nothing in an answer is believed.

What is not of the protocol, or holds a number that cannot be, is an error of the server: ShardError.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bitext_pivot.core import refused_values
from bitext_pivot.core.data import parse_json
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.untrusted import shown

MOST_BYTES = 16 << 20
"""Bytes of an answer. 20,000 tokens, the most that settings allow, have 4 MB with their probabilities."""
_LONGEST = 120  # characters of a refused number in a message
_ENDED = (None, "stop", "eos")
_EXPECTED = "Expected choices[0].message.content as in OpenAI's protocol; check the address, which ends in /v1."
_PROBABILITIES = (
    "; if the server sends no better ones, set translation.advanced.probabilities to false"
)
Tokens = Annotated[int, Field(ge=0, le=10_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model wrote."""

    text: str
    """Empty if it was cut off."""
    confidence: float | None
    """Geometric mean of the probabilities of its tokens; None if the server sends none."""
    tokens: tuple[int, int]
    """Tokens that the server counted: read, and written."""


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


class _Usage(_Part):
    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None


class _Answer(_Part):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class FormatError(Exception):
    """An answer is not of the protocol; the message says what is wrong with it."""


def read(body: bytes, headers: Mapping[str, str]) -> Completion:
    """Return the completion in an answer. Raises ShardError for another format."""
    try:
        return _read(_value(body, headers))
    except FormatError as error:
        raise ShardError(
            f"The server of BITEXT_PIVOT_ENDPOINT answered in another format ({shown(error)}). {_EXPECTED}"
        ) from error


def message(body: bytes, headers: Mapping[str, str]) -> str:
    """Return what a server says of an error, in one line that can be shown."""
    try:
        return shown(_complaint(_value(body, headers)) or _text(body))
    except FormatError:
        return shown(_text(body))


def _read(value: Any) -> Completion:
    complaint = _complaint(value)
    if complaint and "choices" not in value:
        raise FormatError(f"an error: {complaint}")
    try:
        answer = _Answer.model_validate(value)
    except ValidationError as error:
        raise FormatError(_problem(error)) from error
    choice, usage = answer.choices[0], answer.usage or _Usage()
    text = ""
    if choice.finish_reason in _ENDED:
        text = choice.message.content or ""
    return Completion(
        text=text,
        confidence=_confidence(choice.logprobs),
        tokens=(usage.prompt_tokens or 0, usage.completion_tokens or 0),
    )


def _confidence(logprobs: _Steps | None) -> float | None:
    """Return the geometric mean of the probabilities of all tokens; None without any."""
    if logprobs is None or not logprobs.content:
        return None
    numbers = [min(0.0, step.logprob) for step in logprobs.content]
    return math.exp(sum(numbers) / len(numbers))


def _problem(error: ValidationError) -> str:
    """Return what is wrong with the first value that is refused."""
    problem = error.errors()[0]
    text = refused_values.located(refused_values.joined(problem["loc"]), problem)
    text = text.replace("a group of settings", "an object")
    if "logprob" in problem["loc"]:
        return f"{shown(text, _LONGEST)}{_PROBABILITIES}"
    return text


def _value(body: bytes, headers: Mapping[str, str]) -> Any:
    """Return the value of JSON in an answer. Raises FormatError for anything else."""
    encoding = headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":  # unpacked it could have any size
        raise FormatError(f"Content-Encoding {encoding}, which was not requested")
    if len(body) > MOST_BYTES:
        raise FormatError(f"more than {MOST_BYTES >> 20} MB")
    try:
        return parse_json(body.decode("utf-8"))
    except ValueError as error:
        start = _text(body) or "nothing"
        raise FormatError(f"no JSON: {error}; it begins: {shown(start, 60)}") from error


def _complaint(value: Any) -> str:
    """Return the message of an error object: `{"error": {"message": ...}}`, or `{"error": ...}`."""
    error = value.get("error") if isinstance(value, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return str(text or "")


def _text(body: bytes) -> str:
    """Return the beginning of an answer that is not of the protocol."""
    return body[:1000].decode("utf-8", "replace").strip()
