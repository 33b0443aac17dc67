"""Make texts from strangers safe to show: without the secrets of this process and without control characters.

A server may repeat the API key it was sent, or send characters that control a terminal. Messages therefore quote texts
from servers, files and databases only through `shown`. As a safety net, every `BuildError` and, after `guard_logs`,
every log record goes through `safe`, including those of libraries.

Secrets of 8 characters or more are hidden, also if they are percent-encoded. They are read from the environment each
time a text is shown, so no caller has to register them.
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
"""Maximum number of characters of a text that a message quotes."""
_NAME = re.compile(
    r"(^|_)((API|SECRET)?KEY|SECRET|TOKEN|AUTH_STRING|PASS|PASSWD|PASSPHRASE|\w*PASSWORD)$",
    re.IGNORECASE,
)
"""Names of environment variables whose values are secrets: `HF_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `PGPASSWORD`."""
_IN_ADDRESS = re.compile(r"(https?:)?//([^/?#\s:@]*)(?::(\S+))?@")
"""Scheme, user name and password of a URL. A user name without a password may be a token. The password may contain
characters that should have been percent-encoded, such as / and @."""
_IN_QUERY = re.compile(
    r"[?&](?:password|passwd|token|key|secret|sig|[\w-]*signature)=([^&#\s]+)", re.IGNORECASE
)
_SHORTEST = 8  # minimum length of a secret, because a shorter value may be an ordinary word
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Control characters, characters that change the direction of text or end a line, lone surrogates, non-characters."""
_ODD = "backslashreplace"  # error handler for lone surrogates
_QUOTED = 10_000  # number of characters that are searched for secrets before a text is shortened
_given: set[str] = set()


def keep_secret(*values: str | None) -> None:
    """Hide values in all texts that this process shows, in addition to the secrets of the environment."""
    _given.update(value for value in values if value)


def keep_address(address: str) -> None:
    """Hide the password of a URL in all texts that this process shows."""
    _given.update(_secrets_of_address(address))


def shown(text: object, limit: int = LIMIT) -> str:
    """Return a text for quoting in a message: on one line, without secrets, at most `limit` characters."""
    line = escaped(" ".join(without_secrets(str(text))[:_QUOTED].split()))
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def safe(text: str) -> str:
    """Replace secrets by `***` and escape control characters, but keep line breaks."""
    return escaped(without_secrets(text))


def escaped(text: str) -> str:
    """Escape the control characters of a text, but keep line breaks and tabs."""
    return _CONTROL.sub(_escape, text)


def without_secrets(text: str) -> str:
    """Replace every secret in a text by `***`."""
    return _pattern(frozenset(_secrets(os.environ)) | _given).sub(HIDDEN, text)


def guard_logs() -> None:
    """Make all log records of this process safe, whichever library writes or handles them."""
    logging.setLogRecordFactory(_SafeRecord)


def print_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of an unexpected error without secrets. For use as `sys.excepthook`."""
    sys.stderr.write(safe("".join(traceback.format_exception(kind, error, trace))))


class _SafeRecord(logging.LogRecord):
    """A log record whose message and traceback contain no secrets and no control characters."""

    def getMessage(self) -> str:
        """Return the message with its arguments."""
        return safe(super().getMessage())

    @property
    def exc_text(self) -> str | None:
        """The formatted traceback without secrets and control characters."""
        return self._traceback

    @exc_text.setter
    def exc_text(self, text: str | None) -> None:
        self._traceback = text and safe(text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return character if character in "\n\t" else character.encode("unicode_escape").decode("ascii")


def _secrets(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the secrets: values of variables with names like `HF_TOKEN`, and passwords in URLs."""
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
    """Return a pattern that matches the secrets, plain and percent-encoded."""
    spellings: set[str] = set()
    for secret in secrets:
        plain = unquote(secret, errors=_ODD).strip()
        spellings |= {secret.strip(), plain}
        spellings |= {quote(plain, safe, errors=_ODD) for safe in ("", "/")}
    longest_first = sorted(spellings, key=len, reverse=True)
    searched = [re.escape(spelling) for spelling in longest_first if len(spelling) >= _SHORTEST]
    return re.compile("|".join(searched) or "(?!)")
