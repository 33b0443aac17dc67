"""Resolve revisions, list files and download them with the client of the Hugging Face hub, and explain failures.

`pairs/checkpoints/hub.py` imports this file only for models that are not on this machine.
"""

import errno
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import huggingface_hub
import tenacity
from huggingface_hub import constants
from huggingface_hub.errors import (
    CachedRepoTreeNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
    RevisionResolutionError,
)
from rich.filesize import decimal

from pairs.checkpoints.hub import Choose, Preview
from pairs.errors import BuildError, SettingsError, SourceError
from pairs.progress import tracked

Result = TypeVar("Result")

_TIMEOUT = 20.0  # seconds without an answer; the client waits forever by default
_PAUSES = tenacity.wait_chain(tenacity.wait_fixed(1), tenacity.wait_fixed(4))  # before the 2nd and 3rd attempt
_BUSY = {408, 429, 500, 502, 503, 504}
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_TRANSPORT_ERROR: type[Exception] = HfHubHTTPError.__bases__[0]  # HTTPError of the client's HTTP library
_ERRORS = (_TRANSPORT_ERROR, OSError, RuntimeError, RevisionResolutionError)  # hf_xet raises RuntimeError


_REFUSALS: dict[type[Exception], str] = {
    OfflineModeIsEnabled: "{model} is not in the cache {cache}, and HF_HUB_OFFLINE is set. Unset it for a first run "
    "with a connection, or give a local folder.",
    GatedRepoError: "{model} is gated: {hub} gives it to accounts that accepted its terms. Accept them at "
    "{hub}/{name}, then log in: .venv/bin/hf auth login",
    RevisionNotFoundError: "{model} has no revision {revision!r} on {hub}. Correct {revision_setting}, or leave it "
    "empty.",
    RepositoryNotFoundError: "{model} is no folder here, and {hub} has no such model, or it is private. Correct "
    "{setting}; for a private model log in: .venv/bin/hf auth login",
    PermissionError: "{model} cannot be written to {cache}: permission denied. Set HF_HOME to a folder that you may "
    "write to.",
}
"""Messages of errors that users can fix; a class is listed before its base classes."""


def preview(model: str, revision: str | None, setting: str, choose: Choose) -> Preview:
    """Return the needed files of a hub model with their sizes. Raises SettingsError and SourceError."""
    return _attempt(lambda: _preview(model, revision, choose), model, revision, setting)


def download(model: str, files: Preview, setting: str) -> Path:
    """Download the missing files of a model and return its folder. Raises SettingsError and SourceError."""
    cache = Path(constants.HF_HUB_CACHE)
    free = shutil.disk_usage(next(folder for folder in (cache, *cache.parents) if folder.exists())).free
    if files.download > free:
        raise _no_room(model, setting, f"{decimal(files.download)} are needed, {decimal(free)} are free")
    return _attempt(lambda: _download(model, files), model, files.commit, setting)


def _preview(model: str, revision: str | None, choose: Choose) -> Preview:
    huggingface_hub.get_session().timeout = _TIMEOUT
    resolved = huggingface_hub.HfApi().resolve_revision(model, revision=revision)
    folder = _snapshot(model, resolved.resolved)
    sizes = _files(model, resolved.resolved, folder)
    needed = choose(sorted(sizes))
    missing = [name for name in needed if not (folder / name).is_file()]
    return Preview(commit=resolved.resolved, sizes={name: sizes[name] for name in needed}, missing=missing)


def _snapshot(model: str, commit: str) -> Path:
    """Return the folder of a commit in the client's cache; it need not exist."""
    return Path(constants.HF_HUB_CACHE) / f"models--{model.replace('/', '--')}" / "snapshots" / commit


def _files(model: str, commit: str, folder: Path) -> dict[str, int]:
    """Return the size of each file of a commit: from the cache if it has a listing, else from the hub."""
    try:
        entries: Any = huggingface_hub.get_cached_repo_tree(model, revision=commit)
    except CachedRepoTreeNotFoundError:
        try:
            entries = list(huggingface_hub.HfApi().list_repo_tree(model, revision=commit, recursive=True))
        except (_TRANSPORT_ERROR, OSError):
            if not folder.is_dir():
                raise
            return {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    return {entry.path: entry.size for entry in entries if hasattr(entry, "size")}  # folders have none


def _download(model: str, files: Preview) -> Path:
    folder = _snapshot(model, str(files.commit))
    if files.missing:
        with tracked(f"download {model}", files.download, "bytes") as advance:
            huggingface_hub.snapshot_download(
                model, revision=files.commit, allow_patterns=list(files.sizes), tqdm_class=_bar(advance)
            )
    return folder


def _bar(advance: Callable[[int], None]) -> Any:
    """Return a replacement for tqdm that shows nothing and reports the bytes written to disk."""

    class Bar(AbstractContextManager["Bar"]):
        """The part of tqdm's interface that the client uses."""

        n = 0
        format_dict: Mapping[str, Any] = {}

        def __init__(self, *_: Any, **options: Any) -> None:
            self.total = options.get("total")
            self._counts = str(options.get("desc", "")).startswith("Reconstructing")  # the bar of bytes on disk

        def __exit__(self, *_: object) -> None:
            """Nothing to close."""

        def update(self, n: float | None = 1) -> None:
            if self._counts:
                advance(int(n or 0))

        def _ignore(self, *_: object, **__: object) -> None:
            """Nothing is shown."""

        close = refresh = set_description = set_description_str = set_postfix_str = _ignore

    return Bar


def _attempt(action: Callable[[], Result], model: str, revision: str | None, setting: str) -> Result:
    """Run an action against the hub, up to three times while the hub is busy or breaks off."""
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_is_passing), stop=tenacity.stop_after_attempt(3), wait=_PAUSES, reraise=True
    )
    try:
        return retrying(action)
    except _ERRORS as error:
        raise _explained(_causes(error), model, revision, setting) from error


def _is_passing(error: BaseException) -> bool:
    """Return True if another attempt may succeed: an overloaded hub or a broken connection, not an absent host."""
    if not isinstance(error, _ERRORS):
        return False
    causes = _causes(error)
    if any(_status(cause) for cause in causes):
        return any(_status(cause) in _BUSY for cause in causes)
    if any(isinstance(cause, OfflineModeIsEnabled) or _name_is(cause, "ConnectError") for cause in causes):
        return False
    return any(isinstance(cause, _TRANSPORT_ERROR) or "Consistency check failed" in str(cause) for cause in causes)


def _causes(error: BaseException | None) -> list[BaseException]:
    causes: list[BaseException] = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    return causes


def _status(error: BaseException) -> int | None:
    return error.response.status_code if isinstance(error, HfHubHTTPError) else None


def _name_is(error: BaseException, name: str) -> bool:
    return any(parent.__name__ == name for parent in type(error).__mro__)


def _explained(causes: Sequence[BaseException], model: str, revision: str | None, setting: str) -> BuildError:
    """Return the error to raise in place of the client's."""
    if any(isinstance(cause, OSError) and cause.errno in _DISK_FULL for cause in causes):
        return _no_room(model, setting, "the download was broken off; the part that is there will be used")
    hub, named = constants.ENDPOINT, f"The model {model!r} ({setting})"
    for kind, message in _REFUSALS.items():
        if any(isinstance(cause, kind) for cause in causes):
            return SettingsError(
                message.format(
                    model=named, name=model, hub=hub, cache=constants.HF_HUB_CACHE, setting=setting,
                    revision=revision or "main", revision_setting=f"{setting.removesuffix('model')}revision",
                )
            )  # fmt: skip
    status = next((status for status in map(_status, causes) if status), None)
    if status in {401, 403}:
        return SettingsError(
            f"{named}: {hub} denies access (HTTP {status}). Check the token: .venv/bin/hf auth whoami, then "
            ".venv/bin/hf auth login"
        )
    what = f"the download from {hub} failed ({str(causes[0]).splitlines()[0]})"
    if status:
        what = f"{hub} answers HTTP {status}"
    elif any(_name_is(cause, "ConnectError") or _name_is(cause, "TimeoutException") for cause in causes):
        what = f"{hub} cannot be reached"
    return SourceError(
        f"{named} is not in the cache, and {what}. Try again with a working connection (HF_ENDPOINT names another "
        f"hub), or give a local folder as {setting}."
    )


def _no_room(model: str, setting: str, detail: str) -> SettingsError:
    return SettingsError(
        f"No room on the disk for the model {model!r} ({setting}): {detail} in {constants.HF_HUB_CACHE}. Free some, or "
        "set HF_HOME to a folder on another disk."
    )
