"""Show texts that others wrote: without passwords and keys of this process, and without control characters.

A server may repeat the key that it was sent, or send characters that a terminal obeys. What a message quotes of a
server, a store or a database goes through `shown`. As a safety net `BuildError` and, after `guard_logs`, all log
records go through `safe`, also where a library wrote the text.

Secrets are found in the environment when a text is shown, so that no caller can forget one. No result depends on them.
"""

import base64
import functools
import html
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from types import TracebackType
from urllib.parse import quote, quote_plus, unquote

HIDDEN = "***"
LIMIT = 200
"""Characters of a text that a message quotes."""
_NAME = re.compile(
    r"(^|_)((API|SECRET)?KEY|SECRET|TOKEN|AUTH_STRING|PASS|PASSWD|PASSPHRASE|\w*PASSWORD)$",
    re.IGNORECASE,
)
"""Names of environment variables whose value is a secret: `HF_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `PGPASSWORD`."""
_IN_ADDRESS = re.compile(r"(https?:)?//([^/?#\s:@]*)(?::(\S+))?@")
"""Scheme, user name and password of an address; a user name without a password may be a token. The password may have
characters that it should not have, such as / and @."""
_IN_QUERY = re.compile(
    r"[?&](?:password|passwd|token|key|secret|sig|[\w-]*signature)=([^&#\s]+)", re.IGNORECASE
)
_WORDS = frozenset({"true", "false", "none", "null"})
"""Values of variables such as HF_HUB_DISABLE_IMPLICIT_TOKEN, which are no secrets."""
_SHORTEST = 4  # characters; a shorter password would hide every second word
_WORD = 8  # characters; a shorter secret is hidden as a whole word only
_FRAGMENT = 12  # characters; as many of a longer secret are hidden wherever they stand together
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Control characters, characters that change the direction of text or end a line, lone surrogates, non-characters."""
_ODD = "backslashreplace"  # what becomes of lone surrogates
_QUOTED = 10_000  # characters; what stands behind them is never quoted
_given: set[str] = set()


def keep_secret(*values: str | None) -> None:
    """Hide values in all texts of this process, besides the secrets of the environment."""
    _given.update(value for value in values if value)


def keep_address(address: str) -> None:
    """Hide the passwords in an address in all texts of this process."""
    _given.update(_secrets_of_address(address))


def shown(text: object, limit: int = LIMIT) -> str:
    """Return a text of anyone as a message may quote it: safe, in one line, of at most `limit` characters."""
    line = safe(" ".join(without_secrets(str(text)[:_QUOTED]).split()))
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def safe(text: str) -> str:
    """Return a text with stars in place of secrets and escapes in place of control characters; its lines stay."""
    return escaped(without_secrets(text))


def escaped(text: str) -> str:
    """Return a text with escapes in place of control characters; its lines stay."""
    return _CONTROL.sub(_escape, text)


def without_secrets(text: str) -> str:
    """Return a text with stars in place of every secret, also of a large part or another spelling of it."""
    words, fragments = _searched(frozenset(_secrets(os.environ)) | _given)
    spans: list[tuple[int, int]] = []
    for size, known in fragments.items():
        starts = (
            start for start in range(len(text) - size + 1) if text[start : start + size] in known
        )
        spans += [(start, start + size) for start in starts]
    if spans:
        text = _starred(text, sorted(spans))
    return words.sub(HIDDEN, text) if words else text


def guard_logs() -> None:
    """Make all log records of this process safe, whoever writes and handles them."""
    logging.setLogRecordFactory(_SafeRecord)


def print_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print an error that nothing expected, safe; for `sys.excepthook`."""
    sys.stderr.write(safe("".join(traceback.format_exception(kind, error, trace))))


class _SafeRecord(logging.LogRecord):
    """A log record whose message and traceback are safe."""

    def getMessage(self) -> str:
        """Return the message with its arguments."""
        return safe(super().getMessage())

    @property
    def exc_text(self) -> str | None:
        """The traceback, as a formatter has written it."""
        return self._traceback

    @exc_text.setter
    def exc_text(self, text: str | None) -> None:
        self._traceback = text and safe(text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return character if character in "\n\t" else character.encode("unicode_escape").decode("ascii")


def _secrets(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the values of variables that are named as secrets, and the passwords in addresses."""
    for name, value in environment.items():
        if _NAME.search(name):
            yield value
            yield value.partition(":")[2]  # the password of user:password
        if "//" in value:
            yield from _secrets_of_address(value)


def _secrets_of_address(address: str) -> Iterator[str]:
    for scheme, user, password in _IN_ADDRESS.findall(address):
        parts = password.split("@")
        for end in range(1, len(parts) + 1):  # an @ may end the password, or be in it
            yield from _as_password(user, "@".join(parts[:end]))
        if scheme and not password:
            yield unquote(user)
    for value in _IN_QUERY.findall(address):
        yield unquote(value)


def _as_password(user: str, password: str) -> Iterator[str]:
    """Yield the password of an address, and the value of the header `Authorization: Basic`."""
    if password:
        plain = unquote(password)
        yield plain
        yield base64.b64encode(f"{unquote(user)}:{plain}".encode("utf-8", _ODD)).decode("ascii")


@functools.lru_cache(maxsize=16)
def _searched(secrets: frozenset[str]) -> tuple[re.Pattern[str] | None, dict[int, set[str]]]:
    """Return what to search a text for: a pattern of short secrets, and pieces of the others by their length."""
    spellings = {spelling for secret in secrets for spelling in _spellings(secret.strip())}
    words = sorted(
        (spelling for spelling in spellings if len(spelling) < _WORD), key=len, reverse=True
    )
    fragments: dict[int, set[str]] = {}
    for spelling in spellings.difference(words):
        size = min(len(spelling), _FRAGMENT)
        pieces = (spelling[start : start + size] for start in range(len(spelling) - size + 1))
        fragments.setdefault(size, set()).update(pieces)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") if words else None
    return pattern, fragments


def _spellings(secret: str) -> set[str]:
    """Return a secret as it stands in addresses, JSON, Python, HTML and headers; nothing for a very short text."""
    if len(secret) < _SHORTEST or secret.lower() in _WORDS:
        return set()
    in_address = quote(secret, safe="", errors=_ODD)
    spellings = {
        secret,
        in_address,
        quote(secret, errors=_ODD),
        quote_plus(secret, errors=_ODD),
        html.escape(secret),
    }
    spellings |= {re.sub("%..", lambda found: found[0].lower(), spelling) for spelling in spellings}
    spellings |= {
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
    }
    spellings |= set(_in_base64(secret.encode("utf-8", _ODD)))
    return {spelling for spelling in spellings if len(spelling) >= _SHORTEST}


def _in_base64(secret: bytes) -> Iterator[str]:
    """Yield what base64 makes of a secret behind any other bytes, such as `user:`, without the characters of those."""
    for before in range(3):
        start = -(-before * 8 // 6)
        end = (before + len(secret)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + secret).decode("ascii")[start:end]


def _starred(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text with stars in place of spans, which are sorted and may overlap."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], HIDDEN]
        done = max(done, end)
    return "".join([*parts, text[done:]])
