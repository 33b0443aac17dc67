"""List and download the files of a model with huggingface_hub, the client of the Hugging Face hub.

Files are kept in the client's own cache (HF_HOME), which other programs share. The environment variables HF_ENDPOINT,
HF_TOKEN and HF_HUB_OFFLINE have their usual meaning.
"""

import errno
import logging
import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import (
    CachedRepoTreeNotFoundError,
    GatedRepoError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
    RevisionResolutionError,
)
from huggingface_hub.utils import tqdm  # type: ignore[attr-defined] # documented, but not listed
from rich.filesize import decimal

from bitext_pivot.core import untrusted
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.hub.failures import Refusals, causes, explain_failure, http_status
from bitext_pivot.core.hub.preview import Choose, Preview
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.retries import repeat

_Result = TypeVar("_Result")
# Without a connection, huggingface_hub 1.x logs a warning for each cached model. `plan` already lists cached models.
logging.getLogger("huggingface_hub.hf_api").addFilter(lambda said: "cached commit" not in said.msg)
_TIMEOUT = 20.0  # seconds without a response; the client waits forever by default
PAUSES = (1.0, 4.0)  # seconds before the 2nd and 3rd attempt
_ROWS = "the name of the data set"
"""Replaces `setting` in messages about a data set, whose name is an argument, not a setting."""
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_DENIED = "{model}: {hub} denies access (HTTP {status}). Check the token: {hf} auth whoami, then {hf} auth login"
_REFUSALS: Refusals = {
    HFValidationError: "{model} is neither a local folder nor a valid name on {hub} (owner/model). Correct {setting}.",
    OfflineModeIsEnabled: "{model} is neither a local folder nor in the cache {cache}, and HF_HUB_OFFLINE is set. "
    "Unset it for a first run with a connection, or name a local folder.",
    GatedRepoError: "{model} is gated: {hub} serves it only to accounts that accepted its terms. Accept them at "
    "{hub}/{name}, then log in: {hf} auth login",
    RevisionNotFoundError: "{model} has no revision {revision!r} on {hub}. Correct {revision_setting}, or leave it "
    "empty.",
    RepositoryNotFoundError: "{model} is not a local folder, and {hub} has no such {what}, or it is private. "
    "Correct {setting}; for a private {what}, log in: {hf} auth login",
    PermissionError: "{model} cannot be written to {cache}: permission denied. Set HF_HOME to a folder that you may "
    "write to.",
    401: _DENIED,
    403: _DENIED,
}
_FAILED = (
    "{model} is neither a local folder nor in the cache, and {failure}. Try again with a working connection "
    "(HF_ENDPOINT names another hub), or name a local folder in {setting}."
)


def preview_model(model: str, revision: str | None, setting: str, choose: Choose) -> Preview:
    """Return names and sizes of the required files of a model on the hub.

    Raises SettingsError and SourceError.
    """
    return _attempt(lambda: _preview(model, revision, choose), model, revision, setting)


def download_model(model: str, files: Preview, setting: str) -> Path:
    """Download the missing files of a model and return its folder. Raises SettingsError and SourceError."""
    cache = Path(constants.HF_HUB_CACHE)
    free = shutil.disk_usage(
        next(folder for folder in (cache, *cache.parents) if folder.exists())
    ).free
    if files.download > free:
        raise _no_room(
            model, setting, f"{decimal(files.download)} are needed, {decimal(free)} are free"
        )
    return _attempt(lambda: _download(model, files), model, files.commit, setting)


def download_data_set(name: str, choose: Callable[[Sequence[str]], Sequence[str]]) -> list[Path]:
    """Download the files of a data set that `choose` selects from all file names, and return their paths.

    Raises SettingsError and SourceError, and whatever `choose` raises.
    """

    def listed() -> tuple[str, list[str]]:
        huggingface_hub.get_session().timeout = _TIMEOUT
        commit = huggingface_hub.resolve_revision(name, repo_type="dataset").resolved
        return commit, _names(name, commit, "dataset")

    commit, names = _attempt(listed, name, None, _ROWS)
    chosen = choose(names)
    download = partial(
        huggingface_hub.hf_hub_download,
        name,
        repo_type="dataset",
        revision=commit,
        tqdm_class=_bar(),
    )

    def paths() -> list[Path]:
        return [Path(download(file)) for file in chosen]

    return _attempt(paths, name, None, _ROWS)


def _preview(model: str, revision: str | None, choose: Choose) -> Preview:
    huggingface_hub.get_session().timeout = _TIMEOUT
    commit = huggingface_hub.resolve_revision(model, revision=revision).resolved
    try:
        names = _names(model, commit)
    except Exception:
        cached = huggingface_hub.try_to_load_from_cache(model, "config.json", revision=commit)
        if not isinstance(cached, str):
            raise
        # The program that downloaded the model stored no list of its files in the cache.
        return Preview.of(Path(cached).parent, choose, commit)
    files = huggingface_hub.snapshot_download(
        model,
        revision=commit,
        allow_patterns=list(choose(sorted(names))),
        tqdm_class=_bar(),
        dry_run=True,
    )
    sizes = {file.filename: file.file_size or 0 for file in files}
    return Preview(
        commit=commit, sizes=sizes, missing=[file.filename for file in files if file.will_download]
    )


def _names(name: str, commit: str, what: str = "model") -> list[str]:
    """Return the names of all files of a commit, from the client's cache or from the hub."""
    try:
        tree = huggingface_hub.get_cached_repo_tree(name, repo_type=what, revision=commit)
        return [file.path for file in tree]
    except CachedRepoTreeNotFoundError:
        return huggingface_hub.list_repo_files(name, repo_type=what, revision=commit)


def _download(model: str, files: Preview) -> Path:
    with (
        tracked(f"download {model}", files.download, "bytes")
        if files.missing
        else nullcontext() as advance
    ):
        folder = huggingface_hub.snapshot_download(
            model, revision=files.commit, allow_patterns=list(files.sizes), tqdm_class=_bar(advance)
        )
    return Path(folder)


def _bar(advance: Callable[[int], None] | None = None) -> Any:
    """Return a subclass of `tqdm` to use for the downloads of huggingface_hub.

    Its progress bars are invisible. They pass the number of newly downloaded bytes to `advance`.
    """

    class Bar(tqdm):
        """A bar that counts files or bytes. The client names the bar of bytes `huggingface_hub.snapshot_download`."""

        def __init__(self, *args: Any, name: str | None = None, **options: Any) -> None:
            super().__init__(*args, **options | {"disable": True})  # type: ignore[no-untyped-call]
            self._advance = advance if name == "huggingface_hub.snapshot_download" else None

        def update(self, n: float | None = 1) -> None:
            if self._advance:
                self._advance(int(n or 0))

    return Bar


def _attempt(
    action: Callable[[], _Result], model: str, revision: str | None, setting: str
) -> _Result:
    """Call `action`, up to three times if the hub is busy or the connection breaks.

    Raises SettingsError and SourceError instead of the exceptions of the client.
    """
    try:
        # The token may come from a file of the client, not only from HF_TOKEN.
        untrusted.keep_secret(huggingface_hub.get_token())
    except ValueError as error:
        # huggingface_hub 1.x parses HF_ENDPOINT when its modules are imported.
        raise SettingsError(
            f"HF_ENDPOINT: {untrusted.shown(error)}. Correct the environment variable."
        ) from error

    def run() -> _Result:
        try:
            return action()
        # The exceptions of the client, its HTTP library and hf_xet have no common base class.
        except Exception as error:
            raise _explained(error, model, revision, setting) from error

    return repeat(run, _pause)


def _pause(error: SourceError, attempt: int) -> float | None:
    """Return the seconds to wait before the next attempt, or None if another attempt is useless."""
    return PAUSES[attempt - 1] if attempt <= len(PAUSES) and _is_passing(error) else None


def _is_passing(error: SourceError) -> bool:
    """Return True if another attempt may succeed: the hub is overloaded or a connection broke.

    If the hub cannot be reached at all, another attempt does not help.
    """
    cause = error.__cause__
    return not isinstance(cause, RevisionResolutionError) or bool(http_status(cause))


def _explained(error: Exception, model: str, revision: str | None, setting: str) -> BuildError:
    """Return the error to raise instead of the client's exception."""
    if any(getattr(cause, "errno", None) in _DISK_FULL for cause in causes(error)):
        return _no_room(
            model, setting, "the download was interrupted, and will continue where it stopped"
        )
    what, title = "model", f"The model {model!r} ({setting})"
    if setting == _ROWS:
        what, title = "data set", f"The data set {model!r}"
    return explain_failure(
        error,
        _REFUSALS,
        _FAILED,
        model=title,
        what=what,
        name=model,
        setting=setting,
        revision=revision or "main",
        revision_setting=f"{setting.removesuffix('model')}revision",
    )


def _no_room(model: str, setting: str, detail: str) -> SettingsError:
    return SettingsError(
        f"The disk has no room for the model {model!r} ({setting}): {detail} in {constants.HF_HUB_CACHE}. Free some "
        "space, or set HF_HOME to a folder on another disk."
    )
