"""Read the rows of a data set back, from its Parquet or JSON files."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.settings import choose
from bitext_pivot.core.storage import folders, manifest, received
from bitext_pivot.core.untrusted import shown

StoredRow = dict[str, Any]
_ENDINGS = (".parquet", ".jsonl", ".jsonl.zst")
_LONGEST = 1 << 18
"""Maximum length of the front matter of a card, in characters."""
_NAME = re.compile(r"\w[\w.+-]*")
"""Allowed names of a data set folder."""


def read_rows(
    address: str,
    *,
    kind: str = "pairs",
    subset: str | None = None,
    columns: Sequence[str] | None = None,
) -> Iterator[StoredRow]:
    """Yield the rows of a data set, in the order of its files.

    `address` is a data set folder, or `latest` in the folder of a language pair. `kind` is a kind of row, such as
    `pairs` or `rejected`. By default, the rows of all subsets are read, with all columns. Raises SettingsError if there
    is no complete data set, if it has no such kind of row, or if files have changed or cannot be read.
    """
    with folders.reading(Path(address)):
        folder = find_data_set(address)
        files = manifest.files(folder) or {}
    kinds = sorted({name.partition("/")[0] for name in files if name.endswith(_ENDINGS)})
    if not kinds:
        raise SettingsError(
            f"{address} has no finished data set. Expected the folder of a data set in Parquet or JSON "
            "lines, such as data/fr-en/latest: name one, or build it."
        )
    choose(kind, kinds, what=f"kind of rows in {address}")
    names = [name for name in files if name.startswith(f"{kind}/")]
    ending = next(suffix for suffix in _ENDINGS if any(name.endswith(suffix) for name in names))
    prefix = f"{kind}/{subset}-" if subset else f"{kind}/"
    if problems := manifest.problems(folder, prefix):
        raise SettingsError(
            f"{address} differs from its manifest: {', '.join(problems)}. Build or download it again."
        )
    for name in names:
        if name.endswith(ending) and name.startswith(prefix):
            yield from read_file(folder / name, columns)


def language_pair(address: str) -> str:
    """Return the language pair of a data set, such as fr-en: the name of its parent folder."""
    return find_data_set(address).absolute().parent.name


def default_kind(folder: Path) -> str:
    """Return the kind of row, such as `pairs`, that `datasets.load_dataset` loads by default.

    The card (README.md) names it. Raises SettingsError if the card cannot be read.
    """
    try:
        configurations = read_card_fields(folder).get("configs") or []
        names = [str(entry["config_name"]) for entry in configurations if "default" in entry]
    except (KeyError, TypeError, AttributeError) as error:  # values of other types
        raise _no_card(folder, error) from error
    return names[0] if names else "pairs"


def read_card_fields(folder: Path) -> dict[str, Any]:
    """Return the YAML front matter of a data set's README.md as strings, lists and mappings.

    Raises SettingsError if it cannot be read.
    """
    try:
        front, end, _ = received.text(folder / "README.md").partition("\n---\n")
        if not end or len(front) > _LONGEST:
            raise ValueError(f"it has no front matter, or one of more than {_LONGEST:,} characters")
        return dict(yaml.load(front, yaml.BaseLoader))  # noqa: S506 -- reads texts only
    except Exception as error:  # PyYAML raises many types for damaged text
        raise _no_card(folder, error) from error


def _no_card(folder: Path, error: Exception) -> SettingsError:
    return SettingsError(
        f"{folder / 'README.md'} is not a data set card ({shown(error)}). "
        "Build or download the data set again."
    )


def find_data_set(address: str) -> Path:
    """Return the data set folder at an address. `latest` is resolved to the newest data set."""
    folders.refuse_url(address, "folder")
    folder = Path(address)
    if folder.name != "latest":
        return folder
    if folder.is_symlink() and folder.exists():
        return folder.parent / folder.readlink()
    if folder.exists():
        return folder
    link = folder.with_name("latest.txt")  # where there are no symbolic links
    if not link.exists():
        return folder
    try:
        name = received.text(link).strip()
    except UnicodeDecodeError:
        name = ""
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"{link} has {shown(name)!r}, expected the name of a folder beside it, such as export-1a2b3c4d."
        )
    return folder.with_name(name)


def read_file(path: Path, columns: Sequence[str] | None = None) -> Iterator[StoredRow]:
    """Yield the rows of a Parquet or JSON file of a data set.

    Raises SettingsError if the rows cannot be read. This can happen although the file matches its manifest, because
    both may come from a stranger.
    """
    try:
        if path.suffix == ".parquet":
            yield from received.table(path, columns)
        else:
            for row in received.rows(path):
                yield {name: row[name] for name in columns} if columns else row
    except (ValueError, KeyError, OSError, ShardError) as error:
        raise SettingsError(
            f"{path} does not contain rows of a data set ({type(error).__name__}: {shown(error)}). Build or download "
            "it again."
        ) from error
