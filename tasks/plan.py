"""Plan: what a build would do, before a byte moves. Not a task: it looks and builds nothing."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from alignments import catalogue
from alignments.bitext import Bitext
from alignments.opus import Release
from pairs.site import Site


def plan(bitext: Bitext, site: Site) -> RenderableType:
    """Return a table of the files a build fetches with their sizes, and the shards that are there already.

    Raises SourceError when the OPUS address does not answer.
    """
    return Group(
        Text(bitext.title), *(_release(release, site) for release in bitext.releases()), Text(_built(bitext, site))
    )


def _release(release: Release, site: Site) -> Table:
    table = Table("file", "size", "here", title=release.name, title_justify="left")
    total = 0
    for file in catalogue.sizes(release, site.opus, site.opus_folder, timeout=site.timeout):
        total += 0 if file.here else file.bytes or 0
        table.add_row(file.name, _human(file.bytes), "yes" if file.here else "no")
    table.add_row("to be fetched", _human(total), "")
    return table


def _human(size: int | None) -> str:
    if size is None:
        return "unknown"
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def _built(bitext: Bitext, site: Site) -> str:
    counts: dict[str, int] = {}
    for release in bitext.releases()[:1]:
        for folder in sorted((site.home / f"{release.a}-{release.b}").glob("*-????????")):
            stage = folder.name.rpartition("-")[0]
            counts[stage] = counts.get(stage, 0) + len(list(folder.glob("*.parquet")))
    found = ", ".join(f"{number} {stage}" for stage, number in counts.items()) or "nothing"
    return f"Shards there already, of any settings: {found}."
