"""Upload a data set or a model to a hub, as its manifest lists it; HF_ENDPOINT names another hub."""

import fnmatch
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import huggingface_hub
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, constants
from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]
from pydantic import BaseModel
from rich.filesize import decimal

from bitext_pivot.core import licences
from bitext_pivot.core.command_names import program
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub.failures import Refusals, explained
from bitext_pivot.core.storage import manifest, received
from bitext_pivot.core.tables import Table
from bitext_pivot.core.untrusted import keep_secret, shown
from bitext_pivot.corpus.facts import read_stats

_OF_EARLIER = {"dataset": ["*/*-[0-9][0-9][0-9][0-9][0-9].*"], "model": ["model/*", "outputs/*"]}
"""Patterns of the files of an earlier upload, which are deleted."""
_FOREIGN = (
    "The token may not write to {repo} on {hub} (HTTP {status}). Name one of yours, or use a token with the right to "
    "write."
)
_REFUSALS: Refusals = {
    OfflineModeIsEnabled: "HF_HUB_OFFLINE is set, so nothing can be uploaded. Unset it.",
    401: "{hub} does not accept the token. Log in again: {hf} auth login",
    403: _FOREIGN,
    404: _FOREIGN,
}
_FAILED = "The upload to {repo} is incomplete: {failure}. Run the command again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """What would be uploaded, and where to."""

    folder: Path
    repo: str
    """`owner/name` on the hub."""
    is_private: bool
    kind: Literal["dataset", "model"]
    sizes: dict[str, int]
    """Bytes of each file, by its path in the folder."""
    notes: list[str]
    """Where to, what is deleted there, and what to know of the licences before the texts are passed on."""

    def table(self) -> Table:
        """Return the files with their sizes."""
        files = [(shown(name), decimal(size)) for name, size in self.sizes.items()]
        return Table(
            head=("file", "size"), rows=[*files, ("all", decimal(sum(self.sizes.values())))]
        )


def prepare(folder: Path, repo: str, *, is_private: bool) -> Upload:
    """Return what would be uploaded; nothing is sent.

    Raises SettingsError for a folder that is no complete data set or model, and for a name that the hub
    does not allow.
    """
    try:
        validate_repo_id(repo)
    except HFValidationError as error:
        raise SettingsError(
            f"--repo is {repo!r}, expected owner/name: {str(error).splitlines()[0]}"
        ) from error
    if "/" not in repo:
        raise SettingsError(
            f"--repo is {repo!r}, expected owner/name: the owner is your account or organization."
        )
    folder = folder.resolve()
    entries = manifest.files(folder)
    if entries is None:
        raise SettingsError(
            f"{folder} is no data set or model: manifest.json is missing or damaged. Name the folder of a finished "
            "build, such as data/fr-en/latest; copy one from an object store to this machine first."
        )
    if problems := manifest.problems(folder):
        raise SettingsError(
            f"{folder} differs from its manifest: {', '.join(problems)}. Build it again."
        )
    sizes = {name: entry.bytes for name, entry in entries.items()}
    sizes[manifest.NAME] = (folder / manifest.NAME).stat().st_size
    is_model = (folder / "model").is_dir()
    replaced = ("model", "outputs") if is_model else ("pairs", "rejected")
    address = f"{constants.ENDPOINT}/{'' if is_model else 'datasets/'}{repo}"
    notes = [
        f"{folder} -> {address} ({'private' if is_private else 'public'} if it is new)",
        f"Files of an earlier upload in its folders {' and '.join(replaced)} are deleted.",
    ]
    try:
        if is_model:
            notes += _model_warnings(folder / "scores.json")
        else:
            notes += _warnings(folder)
    except ShardError as error:
        raise SettingsError(str(error)) from error
    return Upload(
        folder=folder, repo=repo, is_private=is_private, kind="model" if is_model else "dataset",
        sizes=dict(sorted(sizes.items())), notes=notes,
    )  # fmt: skip


class _Licences(BaseModel):
    """Training rows by licence."""

    licences: dict[str, int]


class _Scores(BaseModel):
    data: _Licences


def _model_warnings(path: Path) -> list[str]:
    """Return a line for each licence of training rows that is unknown or restricts use."""
    return [
        f"Licence: {number:,} training rows are {name}. Ask before you pass the weights on."
        for name, number in received.model(path, _Scores).data.licences.items()
        if name == licences.UNKNOWN or licences.is_restricted(name)
    ]


def _warnings(folder: Path) -> list[str]:
    """Return a line for each corpus without a licence or with one that restricts use, and for each local file."""
    stats = read_stats(folder)
    if not stats.kept:
        raise SettingsError(f"{folder} has no kept row to publish. Name another build.")
    rows: list[tuple[str, str, int]] = []
    for corpus in stats.counts.below("licence"):
        by_licence = stats.counts.below("licence", corpus)
        rows += [(corpus, licence, number) for licence, number in by_licence.items()]
    lines = []
    for name, licence, number in rows:
        source = stats.corpora.get(name)
        note = f" ({source.grounds})" if source and source.grounds else ""
        rows_of = f"Licence: {name} ({number:,} rows)"
        if licence == licences.UNKNOWN:
            lines.append(f"{rows_of} states none{note}. Ask before you pass it on.")
        elif licences.is_restricted(licence):
            lines.append(f"{rows_of} is {licence}, which restricts use{note}.")
    names = sorted({licence for _, licence, _ in rows})
    if len(names) > 1:
        lines.append(
            f"Licence: the rows have different ones ({', '.join(names)}); the card states `other`."
        )
    files = stats.signature.get("files", {})
    return lines + [
        f"Rows may contain texts of a file of the build machine: {path}" for path in files
    ]


def upload(plan: Upload) -> str:
    """Upload exactly the files of the plan, in place of those of an earlier upload; return the commit's address.

    The repository is made unless it exists. Raises SettingsError without a token or the right to write,
    SourceError if the hub cannot be reached or fails; run again to continue.
    """
    token = huggingface_hub.get_token()
    keep_secret(token)  # of a file, too
    if token is None:
        raise SettingsError(
            f"Uploading to {constants.ENDPOINT} needs a token with the right to write. Log in: {program('hf')} auth "
            "login, or set HF_TOKEN."
        )
    hub = huggingface_hub.HfApi(token=token)
    with _explaining(plan.repo):
        hub.create_repo(plan.repo, repo_type=plan.kind, private=plan.is_private, exist_ok=True)
        deleted = [CommitOperationDelete(path_in_repo=name) for name in _of_earlier(hub, plan)]
        added = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=plan.folder / name)
            for name in plan.sizes
        ]
        commit = hub.create_commit(
            repo_id=plan.repo,
            repo_type=plan.kind,
            operations=[*deleted, *added],
            commit_message=f"Upload a {plan.kind} of bitext-pivot",
        )
    return str(commit.commit_url)


@contextmanager
def _explaining(repo: str) -> Iterator[None]:
    """Raise a BuildError in place of every error of the hub's client."""
    try:
        yield
    except SettingsError:
        raise
    except Exception as error:  # the client, its HTTP library and hf_xet have no common class
        raise explained(error, _REFUSALS, _FAILED, repo=repo) from error


def _of_earlier(hub: huggingface_hub.HfApi, plan: Upload) -> list[str]:
    """Return the files of an earlier upload in the repository that this one does not replace."""
    names = hub.list_repo_files(plan.repo, repo_type=plan.kind)
    found: list[str] = []
    for pattern in _OF_EARLIER[plan.kind]:
        found += fnmatch.filter(names, pattern)
    return sorted(set(found) - plan.sizes.keys())
