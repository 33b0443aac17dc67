"""Upload a data set or a model to a hub, as its manifest lists it; HF_ENDPOINT names another hub."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]
from rich.filesize import decimal

from bitext_pivot.core import licences
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.failures import Refusals, explained
from bitext_pivot.core.programs import program
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.core.tables import Table
from bitext_pivot.core.untrusted import keep_secret
from bitext_pivot.corpus.citation import signature_line

RECORD = "published.json"
"""File beside a data set or a model that lists its uploads. It is none of the manifest's files: a card cannot name
the commit that has it, and would no longer have the SHA-256 of the manifest."""
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
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
    tag: str
    """Tag of the commit, "" for none."""
    notes: list[str]
    """Where to, what is deleted there, and what to know of the licences before the texts are passed on."""

    def table(self) -> Table:
        """Return the files with their sizes."""
        files = [(name, decimal(size)) for name, size in self.sizes.items()]
        return Table(
            head=("file", "size"), rows=[*files, ("all", decimal(sum(self.sizes.values())))]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What the hub has made of an upload."""

    repo: str
    kind: str
    commit: str
    """40 hexadecimal digits."""
    tag: str
    address: str
    manifest: str
    """SHA-256 of the manifest that was uploaded."""
    signature: str
    """Signature of the data set in one line, with repository and commit; "" for a model."""


def prepare(folder: Path, repo: str, *, is_private: bool, tag: str = "") -> Upload:
    """Return what would be uploaded; nothing is sent.

    Raises SettingsError for a folder that is no complete data set or model, and for a name or a tag that the hub
    does not allow.
    """
    if tag and (not _TAG.fullmatch(tag) or ".." in tag or tag.endswith((".", ".lock"))):
        raise SettingsError(f"--tag is {tag!r}, expected letters, digits and . _ -, such as 1.0.0.")
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
    sizes = {name: entry["bytes"] for name, entry in entries.items()}
    sizes[manifest.NAME] = (folder / manifest.NAME).stat().st_size
    is_model = (folder / "model").is_dir()
    address = f"{constants.ENDPOINT}/{'' if is_model else 'datasets/'}{repo}"
    notes = [
        f"{folder} -> {address} ({'private' if is_private else 'public'} if it is new)",
        f"Other files there in the folders {'model and outputs' if is_model else 'pairs and rejected'} are deleted.",
        *(
            _model_warnings(folder / "scores.json")
            if is_model
            else _warnings(folder / "stats.json")
        ),
    ]
    if tag:
        notes.insert(2, f"The commit gets the tag {tag}.")
    return Upload(
        folder=folder, repo=repo, is_private=is_private, kind="model" if is_model else "dataset",
        sizes=dict(sorted(sizes.items())), notes=notes, tag=tag,
    )  # fmt: skip


def _model_warnings(path: Path) -> list[str]:
    """Return a line for each licence of training rows that is unknown or restricts use."""
    try:
        rows = {
            name: int(number) for name, number in atomic.load_json(path)["data"]["licences"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SettingsError(
            f"{path} is of another version of bitext-pivot ({error}). Train again."
        ) from error
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
        raise SettingsError(
            f"{path} is of another version of bitext-pivot ({error}). Build it again."
        ) from error
    lines = []
    for name, licence, number in rows:
        note = grounds.get(name, "")
        if licence == licences.UNKNOWN:
            lines.append(
                f"Licence: {name} ({number:,} rows) states none. Ask before you pass it on. {note}".rstrip()
            )
        elif licences.is_restricted(licence):
            lines.append(
                f"Licence: {name} ({number:,} rows) is {licence}, which restricts use. {note}".rstrip()
            )
    names = sorted({licence for _, licence, _ in rows})
    if len(names) > 1:
        lines.append(
            f"Licence: the rows have different ones ({', '.join(names)}); the card states `other`."
        )
    return lines + [f"Rows may have texts of a file of the build machine: {path}" for path in files]


def upload(plan: Upload) -> Commit:
    """Make the repository unless it exists, upload the files, and return the commit.

    Files of an earlier upload are replaced. Raises SettingsError without a token or the right to write and for a
    tag that is there already, SourceError if the hub cannot be reached or fails; run again to continue.
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
        if plan.tag:
            _refuse_used_tag(hub, plan)
        commit = hub.upload_folder(
            repo_id=plan.repo,
            repo_type=plan.kind,
            folder_path=plan.folder,
            allow_patterns=list(plan.sizes),
            delete_patterns=_OF_EARLIER[plan.kind],
            commit_message=f"Upload a {plan.kind} of bitext-pivot",
        )
        if plan.tag:
            hub.create_tag(plan.repo, repo_type=plan.kind, tag=plan.tag, revision=commit.oid)
    except SettingsError:
        raise
    except Exception as error:  # the client, its HTTP library and hf_xet have no common class
        raise explained(error, _REFUSALS, _FAILED, repo=plan.repo) from error
    return Commit(
        repo=plan.repo,
        kind=plan.kind,
        commit=str(commit.oid),
        tag=plan.tag,
        address=str(commit.commit_url),
        manifest=atomic.sha256(plan.folder / manifest.NAME),
        signature=_signature(plan, str(commit.oid)),
    )


def _refuse_used_tag(hub: huggingface_hub.HfApi, plan: Upload) -> None:
    refs = hub.list_repo_refs(plan.repo, repo_type=plan.kind)
    for ref in refs.tags:
        if ref.name == plan.tag:
            raise SettingsError(
                f"{plan.repo} has a tag {plan.tag} already, of commit {ref.target_commit[:12]}. Nothing was "
                "uploaded: name the next version."
            )


def _signature(plan: Upload, commit: str) -> str:
    """Return the signature on the card with repository and commit."""
    if plan.kind == "model":
        return ""
    try:
        stats = atomic.load_json(plan.folder / "stats.json")
        line = signature_line(stats["signature"], stats["counts"].get("licence", {}))
    except (KeyError, TypeError, AttributeError):
        return ""  # of another version
    return f"{line}|hub:{plan.repo}@{commit[:12]}"


def record(folder: Path, commit: Commit) -> Path:
    """Add a commit to the list of uploads beside a data set or a model, and return the path of the list."""
    path = folder / RECORD
    uploads = (atomic.find_json(path) or {}).get("uploads", [])
    entry = asdict(commit)
    if entry not in uploads:
        atomic.write_json(path, {"uploads": [*uploads, entry]})
    return path
