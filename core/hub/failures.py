"""Explain the exceptions of huggingface_hub, the client of the hub, and of its libraries.

These exceptions have no common base class.
"""

from collections.abc import Iterator, Mapping

from huggingface_hub import constants
from huggingface_hub.errors import (
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RevisionResolutionError,
)

from bitext_pivot.core.command_names import program_path
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.untrusted import shown

Refusals = Mapping[type[BaseException] | int, str]
"""Messages for the failures that users can fix, by exception class or HTTP status.

The first matching message is used, so a class must come before its base classes."""


def explain_failure(
    error: BaseException, refusals: Refusals, failed: str, **values: str
) -> BuildError:
    """Return the error to raise instead of the client's exception.

    The error is a SettingsError if a message in `refusals` matches, otherwise a SourceError with the message `failed`.

    Messages may contain the fields `{hub}` (the URL), `{cache}` (the folder), `{hf}` (path of the program `hf`),
    `{status}` and the names of `values`; `failed` may also contain `{failure}`, a clause such as "https://hub answers
    HTTP 500".
    """
    status = http_status(error)
    hub = constants.ENDPOINT
    fields = {
        "hub": hub,
        "cache": constants.HF_HUB_CACHE,
        "hf": program_path("hf"),
        "status": status,
    }
    for kind, message in refusals.items():
        if kind == status or any(_is_a(cause, kind) for cause in causes(error)):
            return SettingsError(message.format(**fields, **values) + _said(error))
    reason = str(error).partition("\n")[0] or type(error).__name__
    failure = f"{hub} failed ({shown(reason)})"
    if status:
        failure = f"{hub} responded with HTTP {status}"
    elif isinstance(error, RevisionResolutionError | LocalEntryNotFoundError):
        failure = f"{hub} cannot be reached"
    return SourceError(failed.format(**fields, **values, failure=failure) + _said(error))


def http_status(error: BaseException | None) -> int | None:
    """Return the HTTP status of the hub's response, or None if there was no response."""
    for cause in causes(error):
        if isinstance(cause, HfHubHTTPError):
            return cause.response.status_code
    return None


def _said(error: BaseException) -> str:
    """Return the message of the hub's response and the seconds to wait, as sentences, or ""."""
    answers = [cause for cause in causes(error) if isinstance(cause, HfHubHTTPError)]
    if not answers:
        return ""
    said = answers[0].server_message
    text = f" The hub says: {shown(said)}" if said else ""
    if seconds := answers[0].response.headers.get("Retry-After"):
        text += f" Wait {shown(seconds)} seconds."
    return text


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, its cause, the cause of its cause, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_a(cause: BaseException, kind: type[BaseException] | int) -> bool:
    return isinstance(kind, type) and isinstance(cause, kind)
