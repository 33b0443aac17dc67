"""The one loader of models: a local folder, or a model of the Hugging Face hub, of which it downloads what is used.

Files go to the hub client's own cache (HF_HOME), so that models shared with other programs are downloaded once;
HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE work as the client's documentation says. The client itself is in
pairs/hub_client.py.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pairs.errors import SettingsError
from pairs.pickles import refuse_pickle

Choose = Callable[[Sequence[str]], Sequence[str]]
"""Given the names of all files of a model, return those that are needed."""
_HUB_NAME = re.compile(r"([A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A model whose needed files are on this machine."""

    name: str
    """The folder or hub name that was given."""
    folder: Path
    commit: str | None
    """Commit of the hub's repository, 40 hexadecimal digits; None for a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What `fetch` would do: needed files with their sizes in bytes, and those of them still to be downloaded."""

    commit: str | None
    sizes: Mapping[str, int]
    missing: Sequence[str]

    @property
    def bytes(self) -> int:
        """Size of all needed files."""
        return sum(self.sizes.values())

    @property
    def download(self) -> int:
        """Bytes to be downloaded; 0 when all files are here."""
        return sum(self.sizes[name] for name in self.missing)


def fetch(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> Local:
    """Return a local folder as it is, or the needed files of a hub model, downloaded unless they are in the cache.

    `setting` is the name of the setting that holds `model`, for messages: `translation.model`.

    Raises:
        SettingsError: no such folder, model or revision; access denied; offline and not in the cache; disk full.
        SourceError: the hub cannot be reached, fails, or breaks off downloads.
    """
    if Path(model).is_dir():
        return Local(name=model, folder=Path(model), commit=None)
    _check_name(model, setting)
    from pairs import hub_client

    found = hub_client.preview(model, revision, setting, choose)
    return Local(name=model, folder=hub_client.download(model, found, setting), commit=found.commit)


def preview(model: str, *, choose: Choose, setting: str, revision: str | None = None) -> Preview:
    """Return the size of a model and what of it is missing here; downloads nothing. Raises as `fetch` does."""
    if Path(model).is_dir():
        folder = Path(model)
        names = choose(sorted(path.name for path in folder.iterdir() if path.is_file()))
        return Preview(commit=None, sizes={name: (folder / name).stat().st_size for name in names}, missing=[])
    _check_name(model, setting)
    from pairs import hub_client

    return hub_client.preview(model, revision, setting, choose)


def _check_name(model: str, setting: str) -> None:
    refuse_pickle(model, setting)
    if not _HUB_NAME.fullmatch(model):
        raise SettingsError(
            f"{setting} is {model!r}, which is neither a folder that exists nor a name on the hub (owner/model). "
            "Give one of these."
        )
