"""`bitext-pivot builds`: list the data sets in the data folder, or the folders that no data set uses."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_settings import CliImplicitFlag
from rich.filesize import decimal

from bitext_pivot.commands.command import refuse
from bitext_pivot.core.refused_values import short
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.storage import folders, manifest
from bitext_pivot.core.tables import Table
from bitext_pivot.corpus.differences import ABSENT, find_differences

if TYPE_CHECKING:
    from bitext_pivot.corpus.facts import BuildStats

_HEAD = ("folder", "rows", "size", "date", "title", "other settings")


class Builds(Settings):
    """List the data sets in the data folder with rows, size, date, and the settings in which they differ."""

    unused: CliImplicitFlag[bool] = False
    """Instead of data sets, list the folders of shards and downloads that no data set uses, one per line. They include
    the shards of unfinished builds. Nothing is deleted."""

    def cli_cmd(self) -> None:
        """Print a table of data sets, or the unused folders."""
        from bitext_pivot.tasks.run import unused_folders

        site = Site()
        builds = site.build_folder("")
        listed = unused_folders.list_data_sets(builds)
        if self.unused:
            unused = [*unused_folders.find_unused(listed, site)]
            for folder in unused:
                show(str(folder), wrap=False)
            if not unused:
                refuse(0, "All folders are used.")
        elif listed:
            show(Table(head=_HEAD, rows=[*_rows(listed)]), wide=True)
        else:
            show(f"{builds} has no data set. BITEXT_PIVOT_HOME names another folder.", wrap=False)


def _rows(listed: "Mapping[Path, BuildStats | None]") -> Iterator[tuple[object, ...]]:
    for folder, stats in listed.items():
        if stats is None:
            yield folder, "", "", "", "damaged: build it again", ""
            continue
        beside = [each for other, each in listed.items() if each and other.parent == folder.parent]
        settings = [each.signature["settings"] for each in (stats, *beside)]
        different = ", ".join(
            f"{'.'.join(path)}={short(str(value))}"
            for path, (value, *_) in find_differences(*settings)
            if value is not ABSENT
        )
        written = date.fromtimestamp((folder / manifest.NAME).stat().st_mtime)
        size = decimal(folders.size(folder))
        yield folder, f"{stats.kept:,}", size, written, stats.title, different
