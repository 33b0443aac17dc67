"""List the data sets in a data folder, and the folders of shards and downloads that no data set uses.

A data set uses the shards that it was written from, all earlier shards that their manifests name as input, and the
shards of its division into subsets and its join. Nothing is deleted here.

A folder is listed only if this program must have written it: its path has the form of such a folder, and each file is
an intact shard, a record with a valid checksum (a sealed record), or a file with such a record.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, locks, manifest, received, shards
from bitext_pivot.corpus.facts import STATS, BuildStats, read_stats
from bitext_pivot.tasks.run.targets import input_folders, read_key

_SHARD_FOLDER = re.compile(r"[a-z][a-z-]*-[0-9a-f]{8}")
"""Pattern of the names of folders with shards."""


def list_data_sets(builds: Path) -> dict[Path, BuildStats | None]:
    """Return the stats.json of each data set below a folder of builds, by data set folder.

    The value is None for a damaged data set. Data sets are recognised by their files, because users may rename and move
    the folders.
    """
    found = sorted({path.parent for path in _find(builds, manifest.NAME)})
    found.sort(key=Path.is_symlink, reverse=True)
    # `latest` is a link to a folder of the list, so the folder itself comes later and replaces it.
    folders = {folder.resolve(): folder for folder in found}
    return {folder: _stats(folder) for folder in sorted(folders.values()) if _is_data_set(folder)}


def _find(root: Path, name: str) -> Iterator[Path]:
    """Yield the files called `name` in a folder and up to three levels below the folder.

    The depth is limited because the data folder may be `/`.
    """
    for level in ("", "*/", "*/*/", "*/*/*/"):
        yield from root.glob(f"{level}{name}")


def _is_data_set(folder: Path) -> bool:
    is_known = (folder / STATS).is_file() or folder.name.startswith("export-")
    return is_known or STATS in (manifest.files(folder) or ())


def _stats(folder: Path) -> BuildStats | None:
    with suppress(ShardError, OSError):
        if not manifest.problems(folder, STATS):
            return read_stats(folder)
    return None


def find_unused(listed: Mapping[Path, BuildStats | None], site: Site) -> list[Path]:
    """Return the folders of shards and of downloads that none of the listed data sets uses.

    If BITEXT_PIVOT_BUILDS is set, downloads are omitted, because data sets in other folders may use them.

    Raises SettingsError if a build is running, or if a data set or one of its shards is damaged, because the result
    could then be wrong.
    """
    builds = site.build_folder("")
    found = {
        *_find(builds, ".*.lock"),
        *_find(site.home, ".*.lock"),
        *site.opus_folder.rglob(".*.lock"),
    }
    running = sorted(filter(locks.is_held, found))
    if running:
        raise SettingsError(
            f"A build is running: it holds the lock {running[0]}. List unused folders after it has ended."
        )
    # All shards of a folder have the same key, so the first one is read.
    first = {path.parent: path for path in sorted(builds.glob("*/*/*.parquet"), reverse=True)}
    folders = filter(lambda folder: _SHARD_FOLDER.fullmatch(folder.name), first)
    keys = {folder: read_key(first[folder]) for folder in folders}
    inputs = {folder.name: input_folders(parts) for folder, parts in keys.items()}
    data_sets = [stats for stats in listed.values() if stats]
    used = {name.partition("/")[0] for stats in data_sets for name in stats.shards}
    used |= {name for name in inputs if inputs[name] & used}  # the division reads the last shards
    for _ in inputs:  # a shard is built in at most as many steps as there are folders
        used = used.union(*(inputs.get(name, ()) for name in used))
    damaged = [folder for folder, stats in listed.items() if not stats]
    damaged += [folder for folder, parts in keys.items() if folder.name in used and not parts]
    if damaged:
        raise SettingsError(
            f"{damaged[0]} is damaged or was written by another version, so the folders that it uses are unknown "
            f"(there are {len(damaged)} such folders). Build it again, or move it away; then list unused folders."
        )
    sources = {name for stats in data_sets for name in stats.signature.get("sources", {})}
    releases = {_release(name) for name in sources}
    downloads = [] if site.builds else site.opus_folder.glob("*/*")
    unused = [folder for folder, parts in keys.items() if folder.name not in used and parts]
    unused += [folder for folder in downloads if folder.parts[-2:] not in releases]
    return sorted(filter(_is_ours, unused))


def _release(source: str) -> tuple[str, ...]:
    """Return the corpus and release in a source's name: `fr-en UN/v1/en-fr` -> `("UN", "v1")`."""
    return tuple(source.rpartition(" ")[2].split("/")[:2])


def _is_ours(folder: Path) -> bool:
    """Return True if this program wrote all files of the folder, and the path has no link."""
    paths = [folder / name for name in received.names(folder)]
    return folder.resolve() == folder and bool(paths) and all(map(_is_recorded, paths))


def _is_recorded(path: Path) -> bool:
    """Return True for an intact shard, a valid record, or a file with a valid record."""
    if path.suffix == ".parquet":
        return shards.find(path) is not None
    record = path if path.suffix == ".json" else atomic.manifest_path(path)
    return atomic.find_sealed(record) is not None
