"""Explain failures of the client of the Hugging Face hub and of its libraries, which have no common class."""

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
"""Messages of what users can fix, by the class of an error or the HTTP status of an answer.

The first one that fits is given: a class is listed before its base classes."""


def explained(error: BaseException, refusals: Refusals, failed: str, **values: str) -> BuildError:
    """Return the error to raise in place of the client's.

    It is a SettingsError with one of `refusals`, or a SourceError with `failed`. The messages have the fields
    of `values`, `{hub}`, `{cache}`, `{hf}` (its program) and `{status}`; `failed` has `{failure}`, what the hub
    did.
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
        failure = f"{hub} answers HTTP {status}"
    elif isinstance(error, RevisionResolutionError | LocalEntryNotFoundError):
        failure = f"{hub} cannot be reached"
    return SourceError(failed.format(**fields, **values, failure=failure) + _said(error))


def http_status(error: BaseException | None) -> int | None:
    """Return the HTTP status that the hub answered, None if it did not answer."""
    for cause in causes(error):
        if isinstance(cause, HfHubHTTPError):
            return cause.response.status_code
    return None


def _said(error: BaseException) -> str:
    """Return the reason that the hub gives, and for how long to wait; "" if it gives none."""
    answers = [cause for cause in causes(error) if isinstance(cause, HfHubHTTPError)]
    if not answers:
        return ""
    said = answers[0].server_message
    text = f" The hub says: {shown(said)}" if said else ""
    if seconds := answers[0].response.headers.get("Retry-After"):
        text += f" Wait {shown(seconds)} seconds."
    return text


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_a(cause: BaseException, kind: type[BaseException] | int) -> bool:
    return isinstance(kind, type) and isinstance(cause, kind)
