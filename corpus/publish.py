"""Upload a data set or a model to a hub, as its manifest lists it; HF_ENDPOINT names another hub."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]
from rich.filesize import decimal

from bitext_pivot.core import licences
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import BuildError, SettingsError, SourceError
from bitext_pivot.core.programs import program
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.core.tables import Table
from bitext_pivot.core.untrusted import keep_secret, shown

_OF_EARLIER = {"dataset": ["*/*-[0-9][0-9][0-9][0-9][0-9].*"], "model": ["model/*", "outputs/*"]}
"""Patterns of the files of an earlier upload, which are deleted."""


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
        files = [(name, decimal(size)) for name, size in self.sizes.items()]
        return Table(head=("file", "size"), rows=[*files, ("all", decimal(sum(self.sizes.values())))])


def prepare(folder: Path, repo: str, *, is_private: bool) -> Upload:
    """Return what would be uploaded; nothing is sent.

    Raises SettingsError for a folder that is no complete data set or model, and for a name that the hub does not allow.
    """
    try:
        validate_repo_id(repo)
    except HFValidationError as error:
        raise SettingsError(f"--repo is {repo!r}, expected owner/name: {str(error).splitlines()[0]}") from error
    if "/" not in repo:
        raise SettingsError(f"--repo is {repo!r}, expected owner/name: the owner is your account or organization.")
    folder = folder.resolve()
    entries = manifest.files(folder)
    if entries is None:
        raise SettingsError(
            f"{folder} is no data set or model: manifest.json is missing or damaged. Name the folder of a finished "
            "build, such as data/fr-en/latest; copy one from an object store to this machine first."
        )
    if problems := manifest.problems(folder):
        raise SettingsError(f"{folder} differs from its manifest: {', '.join(problems)}. Build it again.")
    sizes = {name: entry["bytes"] for name, entry in entries.items()}
    sizes[manifest.NAME] = (folder / manifest.NAME).stat().st_size
    is_model = (folder / "model").is_dir()
    address = f"{constants.ENDPOINT}/{'' if is_model else 'datasets/'}{repo}"
    notes = [
        f"{folder} -> {address} ({'private' if is_private else 'public'} if it is new)",
        f"Other files there in the folders {'model and outputs' if is_model else 'pairs and rejected'} are deleted.",
        *(_model_warnings(folder / "scores.json") if is_model else _warnings(folder / "stats.json")),
    ]
    return Upload(
        folder=folder, repo=repo, is_private=is_private, kind="model" if is_model else "dataset",
        sizes=dict(sorted(sizes.items())), notes=notes,
    )  # fmt: skip


def _model_warnings(path: Path) -> list[str]:
    """Return a line for each licence of training rows that is unknown or restricts use."""
    try:
        rows = {name: int(number) for name, number in atomic.load_json(path)["data"]["licences"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingsError(f"{path} is of another version of bitext-pivot ({error}). Train again.") from error
    return [
        f"Licence: {number:,} training rows are {name}. Ask before you pass the weights on."
        for name, number in rows.items()
        if name == licences.UNKNOWN or licences.is_restricted(name)
    ]


def _warnings(path: Path) -> list[str]:
    """Return a line for each corpus without a licence or with one that restricts use, and for each local file."""
    try:
        stats = atomic.load_json(path)
        grounds = {name: source["grounds"] for name, source in stats["corpora"].items()}
        counts = Counts.read(stats["counts"].get("licence", {}))
        files = stats["signature"].get("files", {})
        rows = [(name, licence, number) for (name, licence), number in counts.items()]
    except (KeyError, TypeError, AttributeError) as error:
        raise SettingsError(f"{path} is of another version of bitext-pivot ({error}). Build it again.") from error
    lines = []
    for name, licence, number in rows:
        note = grounds.get(name, "")
        if licence == licences.UNKNOWN:
            lines.append(f"Licence: {name} ({number:,} rows) states none. Ask before you pass it on. {note}".rstrip())
        elif licences.is_restricted(licence):
            lines.append(f"Licence: {name} ({number:,} rows) is {licence}, which restricts use. {note}".rstrip())
    names = sorted({licence for _, licence, _ in rows})
    if len(names) > 1:
        lines.append(f"Licence: the rows have different ones ({', '.join(names)}); the card states `other`.")
    return lines + [f"Rows may have texts of a file of the build machine: {path}" for path in files]


def upload(plan: Upload) -> str:
    """Make the repository unless it exists, upload the files, and return the address of the commit.

    Files of an earlier upload are replaced. Raises SettingsError without a token or the right to write, SourceError if
    the hub cannot be reached or fails; run again to continue.
    """
    token = huggingface_hub.get_token()
    keep_secret(token)  # of a file, too
    if token is None:
        raise SettingsError(
            f"Uploading to {constants.ENDPOINT} needs a token with the right to write. Log in: {program('hf')} auth "
            "login, or set HF_TOKEN."
        )
    hub = huggingface_hub.HfApi(token=token)
    try:
        hub.create_repo(plan.repo, repo_type=plan.kind, private=plan.is_private, exist_ok=True)
        commit = hub.upload_folder(
            repo_id=plan.repo,
            repo_type=plan.kind,
            folder_path=plan.folder,
            allow_patterns=list(plan.sizes),
            delete_patterns=_OF_EARLIER[plan.kind],
            commit_message=f"Upload a {plan.kind} of bitext-pivot",
        )
    except OfflineModeIsEnabled as error:
        raise SettingsError("HF_HUB_OFFLINE is set, so nothing can be uploaded. Unset it.") from error
    except Exception as error:  # the client, its HTTP library and hf_xet have no common class
        raise _explained(error, plan.repo) from error
    return str(commit.commit_url)


def _explained(error: BaseException, repo: str) -> BuildError:
    """Return the error to raise in place of the client's."""
    while error.__cause__ is not None:
        error = error.__cause__
    response = getattr(error, "response", None)
    status = None if response is None else response.status_code
    if status == 401:
        log_in = f"{program('hf')} auth login"
        return SettingsError(f"{constants.ENDPOINT} does not accept the token. Log in again: {log_in}")
    if status in {403, 404}:
        return SettingsError(
            f"The token may not write to {repo} on {constants.ENDPOINT} (HTTP {status}). Name one of yours, or "
            "use a token with the right to write."
        )
    reason = str(error).partition("\n")[0] or type(error).__name__
    what = f"answers HTTP {status}" if status else f"failed ({shown(reason)})"
    return SourceError(f"The upload to {repo} is incomplete: {constants.ENDPOINT} {what}. Run the command again.")
