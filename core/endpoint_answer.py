"""Read what a server of OpenAI's chat/completions protocol answers; nothing in an answer is believed.

What is not of the protocol, or holds a number that cannot be, is an error of the server: ShardError.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bitext_pivot.core.data import parse_json
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.untrusted import shown

MOST_BYTES = 16 << 20
"""Bytes of an answer. 20,000 tokens, the most that settings allow, have 4 MB with their probabilities."""
_MOST_TOKENS = 10_000_000
_LOWEST = -10_000.0  # servers send -9999 for a token that they have no probability of
_ROUNDING = 1e-3  # by which a logarithm may be above 0
_ENDED = (None, "stop", "eos")
_EXPECTED = "Expected choices[0].message.content as in OpenAI's protocol; check the address, which ends in /v1."


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model wrote."""

    text: str
    """Empty if it was cut off."""
    confidence: float | None
    """Geometric mean of the probabilities of its tokens; None if the server sends none."""
    tokens: tuple[int, int]
    """Tokens that the server counted: read, and written."""


class FormatError(Exception):
    """An answer is not of the protocol; the message says what is wrong with it."""


def read(body: bytes, headers: Mapping[str, str]) -> Completion:
    """Return the completion in an answer. Raises ShardError for another format."""
    try:
        return _read(_object(body, headers))
    except FormatError as error:
        raise ShardError(
            f"The server of BITEXT_PIVOT_ENDPOINT answered in another format ({shown(error)}). {_EXPECTED}"
        ) from error


def message(body: bytes, headers: Mapping[str, str]) -> str:
    """Return what a server says of an error, in one line that can be shown."""
    try:
        return shown(_complaint(_object(body, headers)) or _text(body))
    except FormatError:
        return shown(_text(body))


def _read(answer: dict[str, Any]) -> Completion:
    if "choices" not in answer and (complaint := _complaint(answer)):
        raise FormatError(f"an error: {complaint}")
    choices = _member(answer, "choices", list)
    if not choices:
        raise FormatError("choices is empty")
    choice = _of_type(choices[0], "choices[0]", dict)
    content = _of_type(
        _member(choice, "message", dict).get("content"), "message.content", str, type(None)
    )
    reason = _of_type(choice.get("finish_reason"), "finish_reason", str, type(None))
    confidence = _confidence(choice.get("logprobs"))
    tokens = _tokens(answer.get("usage"))
    if reason not in _ENDED:
        content = ""
    return Completion(text=content or "", confidence=confidence, tokens=tokens)


def _confidence(logprobs: object) -> float | None:
    """Return the geometric mean of the probabilities of all tokens; None without any."""
    stated = _of_type(logprobs, "logprobs", dict, type(None)) or {}
    steps = _of_type(stated.get("content"), "logprobs.content", list, type(None)) or []
    numbers = [
        _logprob(_of_type(step, "logprobs.content[]", dict).get("logprob")) for step in steps
    ]
    return math.exp(sum(numbers) / len(numbers)) if numbers else None


def _logprob(value: object) -> float:
    # NaN is in no range
    if type(value) not in (int, float) or not _LOWEST <= value <= _ROUNDING:  # type: ignore[operator]
        raise FormatError(
            f"logprob {shown(repr(value), 30)} is no logarithm of a probability; if the server sends no better "
            "ones, set translation.advanced.probabilities to false"
        )
    return min(0.0, float(value))  # type: ignore[arg-type]


def _tokens(usage: object) -> tuple[int, int]:
    """Return the tokens read and written; 0 where the server does not count them."""
    counts = _of_type(usage, "usage", dict, type(None)) or {}
    return _count(counts, "prompt_tokens"), _count(counts, "completion_tokens")


def _count(counts: dict[str, Any], name: str) -> int:
    value = counts.get(name)
    if value is None:
        return 0
    if type(value) is not int or not 0 <= value <= _MOST_TOKENS:
        raise FormatError(f"usage.{name} is {shown(repr(value), 30)}")
    return value


def _object(body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    """Return the JSON object of an answer. Raises FormatError for anything else."""
    encoding = headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":  # unpacked it could have any size
        raise FormatError(f"Content-Encoding {encoding}, which was not requested")
    if len(body) > MOST_BYTES:
        raise FormatError(f"more than {MOST_BYTES >> 20} MB")
    try:
        value = parse_json(body.decode("utf-8"))
    except ValueError as error:
        start = _text(body) or "nothing"
        raise FormatError(f"no JSON: {error}; it begins: {shown(start, 60)}") from error
    return _of_type(value, "the answer", dict)  # type: ignore[no-any-return]


def _complaint(answer: dict[str, Any]) -> str:
    """Return the message of an error object: `{"error": {"message": ...}}`, or `{"error": ...}`."""
    error = answer.get("error")
    text = error.get("message") if isinstance(error, dict) else error
    return str(text or "")


def _member(mapping: dict[str, Any], name: str, kind: type) -> Any:
    return _of_type(mapping.get(name), name, kind)


def _of_type(value: Any, name: str, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        names = {type(None): "null", dict: "object", str: "text", list: "list"}
        raise FormatError(
            f"{name} is {names.get(type(value), type(value).__name__)}, not {names[kinds[0]]}"
        )
    return value


def _text(body: bytes) -> str:
    """Return the beginning of an answer that is not of the protocol."""
    return body[:1000].decode("utf-8", "replace").strip()
