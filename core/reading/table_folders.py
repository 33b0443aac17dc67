"""Find the files of one table: a file, several files in a folder, or a data set on the Hugging Face hub."""

import re
from collections.abc import Iterable
from pathlib import Path

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import input_files
from bitext_pivot.core.storage import received

_EXTENSIONS = (".parquet", ".arrow", ".feather", ".jsonl", ".ndjson", ".csv", ".tsv")
"""Extensions of files that may be parts of a table. `.json` is missing: in folders, these are usually settings."""
_PART = re.compile(
    r"(?P<table>.+?)(-(?P<number>\d{5})(-of-(?P<size>\d{5}))?(-[0-9a-f]{16}|-[0-9a-f-]{36}(-c\d{3})?(\.\w+)?)?)?"
    rf"(?P<format>({'|'.join(map(re.escape, _EXTENSIONS))})({'|'.join(map(re.escape, text_files.COMPRESSED))})?)",
    re.IGNORECASE,
)
"""A file name such as `train-00000-of-00002.parquet`; `datasets` and Spark add a digest or an id."""
_OTHER_FILES = re.compile(r"(^|/)([._~]|cache-[0-9a-f]+\.arrow)")
"""Names of files that programs keep next to tables: hidden files, and the cache of `datasets`."""


def find_files(path: Path) -> list[Path]:
    """Return the files of a table in order: `path` itself, or the parts in a folder or in a data set on the hub.

    Raises SettingsError if a folder contains no complete table, several tables, or a link to a file outside the folder.
    Raises SourceError if the hub does not answer.
    """
    input_files.refuse_address(path, "Name a file, or a data set on the hub.")
    if path.is_dir():
        names = _parts(str(path), received.names(path))
        for name in names:
            if problem := received.problem(path, name):
                raise SettingsError(f"{path / name} {problem}. Name a file, or another folder.")
        return [path / name for name in names]
    if not is_hub_name(path):
        return [path]
    from bitext_pivot.core.hub import hub_client  # imports slowly

    owner, name, *rest = path.parts
    table = "/".join(rest)
    return hub_client.download_data_set(
        f"{owner}/{name}", lambda names: _parts(str(path), names, table)
    )


def is_hub_name(path: Path) -> bool:
    """Return True for `owner/name` or `owner/name/table` if no folder `owner` exists on this machine."""
    is_file = len(path.parts) < 2 or path.is_absolute() or text_files.extension(path)[1:].isalpha()
    return not is_file and not Path(path.parts[0]).exists()


def _parts(address: str, names: Iterable[str], table: str = "") -> list[str]:
    """Return the names of the files of the table `table`, or of the only table whose name begins with it.

    Raises SettingsError if there is no such table, if there are several, or if parts of the table are missing.
    """
    parts = [
        part
        for name in sorted(names)
        if name.startswith(table)
        and not _OTHER_FILES.search(name)
        and (part := _PART.fullmatch(name))
    ]
    parts = [part for part in parts if part["table"] == table] or parts
    tables = dict.fromkeys(part["table"] for part in parts)
    if not parts:
        raise SettingsError(
            f"{address} has no table ({', '.join(_EXTENSIONS)}). Name a file, or another folder."
        )
    if len(tables) > 1:
        raise SettingsError(f"{address} has several tables: {', '.join(tables)}. Name one.")
    size = len(parts)
    numbers = [int(part["number"] or 0) for part in parts]
    kinds = {(part["format"], int(part["size"] or size)) for part in parts}
    is_complete = numbers in ([*range(size)], [*range(1, size + 1)])
    if not is_complete or kinds != {(parts[0]["format"], size)}:
        raise SettingsError(
            f"{address} has a table with missing parts, or parts of two tables: "
            f"{', '.join(part[0] for part in parts)}. Name one file, or remove what does not belong to the table."
        )
    return [part[0] for part in parts]
