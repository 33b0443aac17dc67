"""Upload a data set or a model to the Hugging Face hub, or to another hub that HF_ENDPOINT names."""

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled
from pydantic import BaseModel
from rich.filesize import decimal

from bitext_pivot.core import licences
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.failures import Refusals, explain_failure
from bitext_pivot.core.storage import manifest, received
from bitext_pivot.core.untrusted import keep_secret
from bitext_pivot.corpus.facts import count_licences, read_stats

_EARLIER_UPLOAD = {
    "dataset": ["*/*-[0-9][0-9][0-9][0-9][0-9].*", "croissant.json"],
    "model": ["model/*", "outputs/*"],
}
"""Patterns of files in the repository that belong to an earlier upload. They are deleted unless they are replaced."""
_NO_RIGHT = (
    "The token has no right to write to {repo} on {hub} (HTTP {status}). Name a repository of yours, or use a token "
    "with the right to write."
)
_REFUSALS: Refusals = {
    HFValidationError: "--repo is {repo}, which is not a valid name on {hub}. Expected owner/name.",
    OfflineModeIsEnabled: "HF_HUB_OFFLINE is set, so nothing can be uploaded. Unset it.",
    401: "{hub} needs a token with the right to write. Log in with {hf} auth login, or set HF_TOKEN.",
    403: _NO_RIGHT,
    404: _NO_RIGHT,
}
_FAILED = "The upload to {repo} is incomplete: {failure}. Run the command again."


class Upload(NamedTuple):
    """A complete data set or model to upload, whose files and licences were checked."""

    folder: Path
    kind: str
    """`dataset` or `model`, as the hub calls them."""
    names: list[str]
    """Paths of the files to upload, relative to the folder."""
    warnings: list[str]
    """Warnings about licences and texts, to be shown to the user before the upload."""

    def describe(self, repo: str) -> str:
        """Return a line with the repository, the number of files and the size of the upload."""
        size = sum((self.folder / name).stat().st_size for name in self.names)
        return (
            f"{self.kind} {repo} on {constants.ENDPOINT}: {len(self.names)} files, {decimal(size)}"
        )

    def send(self, repo: str, *, is_private: bool) -> str:
        """Upload the files and return the URL of the commit. Files of an earlier upload are deleted.

        If the repository does not exist, it is created; `is_private` decides whether others can see it. Raises
        SettingsError without a token or the right to write, and SourceError if the hub fails.
        """
        keep_secret(huggingface_hub.get_token())
        hub = huggingface_hub.HfApi()
        try:
            url = hub.create_repo(repo, repo_type=self.kind, private=is_private, exist_ok=True)
            commit = hub.upload_folder(
                repo_id=url.repo_id,
                repo_type=self.kind,
                folder_path=self.folder,
                # A manifest may come from a stranger: "*" in it is the name of one file, not a pattern.
                allow_patterns=[*map(glob.escape, self.names)],
                delete_patterns=_EARLIER_UPLOAD[self.kind],
            )
        except Exception as error:  # the client, its HTTP library and hf_xet have no common class
            raise explain_failure(error, _REFUSALS, _FAILED, repo=repo) from error
        return str(commit.commit_url)


def prepare(folder: Path) -> Upload:
    """Check the files and licences of a data set or a model before an upload. Nothing is sent.

    Raises SettingsError if the folder is incomplete, or if the data set has no rows; ShardError if the licences cannot
    be read.
    """
    folder = folder.resolve()
    if problems := manifest.problems(folder):
        raise SettingsError(
            f"{folder} is not a complete data set or model: {', '.join(problems)}. Name the folder of a finished "
            "build, such as data/fr-en/latest, or build it again."
        )
    names = [*(manifest.files(folder) or {}), manifest.NAME]
    if (folder / "model").is_dir():
        data = received.model(folder / "scores.json", _Scores).data
        return Upload(folder, "model", names, _licence_warnings(data.licences))
    stats = read_stats(folder)
    if not stats.kept:
        raise SettingsError(f"{folder} has no kept row to publish. Name another build.")
    warnings = [
        f"Rows may contain texts of the file {path}." for path in stats.signature.get("files", {})
    ]
    return Upload(
        folder, "dataset", names, _licence_warnings(count_licences(stats.counts)) + warnings
    )


class _TrainingData(BaseModel):
    licences: dict[str, int]
    """Number of training rows by licence."""


class _Scores(BaseModel):
    data: _TrainingData


def _licence_warnings(rows: Mapping[str, int]) -> list[str]:
    """Return a warning for each licence in `rows` that is unknown or restricts use."""
    return [
        f"Licence: {rows[name]:,} rows are {name}. The card says which; ask before you pass them on."
        for name in rows
        if name == licences.UNKNOWN or licences.is_restricted(name)
    ]
