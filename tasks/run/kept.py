"""What a data folder keeps: its data sets, and what none of them needs, shards and downloads.

A data set needs the shards that it was written from, all that these were made of, by the keys beside them, and how they
were divided and joined. Nothing is deleted here. A folder is listed only if it is where this program wrote it, and each
of its files is a sealed record or has one beside it.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, locks, manifest, received
from bitext_pivot.corpus.facts import STATS, BuildStats, read_stats
from bitext_pivot.tasks.run.targets import recorded

_SHARDS = re.compile(r"[a-z][a-z-]*-[0-9a-f]{8}\b")
"""Name of a folder of shards."""


def data_sets(builds: Path) -> dict[Path, BuildStats | None]:
    """Return the data sets below a folder of builds by their folders, in order; None for one that is damaged."""
    files = sorted(builds.glob(f"*/export-????????/{manifest.NAME}"))
    return {path.parent: _stats(path.parent) for path in files}


def _stats(folder: Path) -> BuildStats | None:
    with suppress(ShardError, OSError):
        if not manifest.problems(folder, STATS):
            return read_stats(folder)
    return None


def unused(listed: Mapping[Path, BuildStats | None], site: Site) -> list[Path]:
    """Return the folders of shards and of downloads that none of the data sets needs.

    No download where BITEXT_PIVOT_BUILDS is set: data sets in other folders may need it.

    Raises SettingsError if that cannot be known: while a build runs, or if a data set or a key is damaged.
    """
    builds = site.build_folder("")
    running = [*filter(locks.is_held, [*builds.rglob(".*.lock"), *site.home.rglob(".*.lock")])]
    if running:
        raise SettingsError(f"A build holds {running[0]}. List what is unused when it has ended.")
    keys = {path: recorded(path) for path in builds.glob("*/*") if _SHARDS.fullmatch(path.name)}
    inputs = {path.name: {*_SHARDS.findall(str(parts))} for path, parts in keys.items()}
    kept = [stats for stats in listed.values() if stats]
    needed = {name.partition("/")[0] for stats in kept for name in stats.shards}
    needed |= {name for name in inputs if inputs[name] & needed}  # what divided the last shards
    for _ in inputs:  # no shard is made in more steps
        needed = needed.union(*(inputs.get(name, ()) for name in needed))
    damaged = [folder for folder, stats in listed.items() if not stats]
    damaged += [path for path, parts in keys.items() if path.name in needed and not parts]
    if damaged:
        raise SettingsError(
            f"{damaged[0]} is damaged, so what it was made of is not known (damaged: {len(damaged)}). "
            "Build it again, or move it away; then list what is unused."
        )
    sources = str([[*stats.signature.get("sources", {})] for stats in kept])
    downloads = [] if site.builds else site.opus_folder.glob("*/*")
    unneeded = [path for path, parts in keys.items() if path.name not in needed and parts]
    unneeded += [path for path in downloads if "/".join(path.parts[-2:]) not in sources]
    return sorted(filter(_is_recorded, unneeded))


def _is_recorded(folder: Path) -> bool:
    """Return True if no link leads to a folder, and each of its files is a sealed record or has one beside it."""
    files = received.names(folder)
    records = {
        name for name in files if name.endswith(".json") and atomic.find_sealed(folder / name)
    }
    named = {name.removesuffix(".json") for name in records}
    return folder.resolve() == folder and bool(files) and files <= records | named
