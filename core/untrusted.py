"""Show texts that others wrote: without passwords and keys of this process, and without control characters.

A server may repeat the key that it was sent, or send characters that a terminal obeys. What a message quotes of a
server, a store or a database goes through `shown`. As a safety net `BuildError` and, after `guard_logs`, all log
records go through `safe`, also where a library wrote the text.

A secret of 8 characters or more is hidden as it is, and as it is quoted in an address. Secrets are found in the
environment when a text is shown, so that no caller can forget one. No result depends on them.
"""

import functools
import logging
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from types import TracebackType
from urllib.parse import quote, unquote

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
_SHORTEST = 8  # characters; a shorter value may be a word of any message
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
    line = escaped(" ".join(without_secrets(str(text))[:_QUOTED].split()))
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def safe(text: str) -> str:
    """Return a text with stars in place of secrets and escapes in place of control characters; its lines stay."""
    return escaped(without_secrets(text))


def escaped(text: str) -> str:
    """Return a text with escapes in place of control characters; its lines stay."""
    return _CONTROL.sub(_escape, text)


def without_secrets(text: str) -> str:
    """Return a text with stars in place of every secret."""
    return _pattern(frozenset(_secrets(os.environ)) | _given).sub(HIDDEN, text)


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
            yield "@".join(parts[:end])
        if scheme and not password:
            yield user
    yield from _IN_QUERY.findall(address)


@functools.lru_cache(maxsize=16)
def _pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    """Return what finds secrets, as they are and quoted as in an address."""
    spellings: set[str] = set()
    for secret in secrets:
        plain = unquote(secret, errors=_ODD).strip()
        spellings |= {secret.strip(), plain}
        spellings |= {quote(plain, safe, errors=_ODD) for safe in ("", "/")}
    longest_first = sorted(spellings, key=len, reverse=True)
    searched = [re.escape(spelling) for spelling in longest_first if len(spelling) >= _SHORTEST]
    return re.compile("|".join(searched) or "(?!)")
