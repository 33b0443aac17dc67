"""`bitext-pivot show`: the newest inspector in a browser."""

import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic_settings import CliPositionalArg

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.storage.folders import refuse_url

_DEMO = Path("demo")
_PAGES = (
    "inspector.html",
    "latest/inspector.html",
    "*/latest/inspector.html",
    "*/inspector.html",
)
"""Where the pages are below a data set, the data sets of one recipe, and a data folder; the last is for disks
without links. `latest` is the newest with rows."""


class Show(Settings):
    """Open the page to read the pairs of a data set in a browser: of the newest unless one is named."""

    folder: CliPositionalArg[Path | None] = None
    """A data set, or a folder of data sets. Without it the data folder, and `demo`."""

    def cli_cmd(self) -> None:
        """Open the page and print its path."""
        if self.folder is None:
            places = folders(Site())
        else:
            refuse_url(self.folder, "folder")
            places = [self.folder]
        page = newest(places)
        show(str(page), wrap=False)
        if not webbrowser.open(page.resolve().as_uri()):
            show("No browser was found here: open this file in one.")


def folders(site: Site) -> list[Path]:
    """Return the folders to search if none is named."""
    return [site.build_folder(""), _DEMO]


def newest(places: Sequence[Path]) -> Path:
    """Return the page that was written last below some folders; raises SettingsError if there is none."""
    pages: list[Path] = []
    for place in places:
        pages.extend(_below(place))
    if not pages:
        named = " or ".join(map(str, places))
        raise SettingsError(
            f"no inspector.html is in {named}. Expected a data set, or a folder of data sets: name one, "
            "or build one."
        )
    return max(pages, key=lambda page: page.stat().st_mtime)


def _below(folder: Path) -> Iterator[Path]:
    if folder.is_file():
        yield folder
    for pattern in _PAGES:
        pages = [*folder.glob(pattern)]
        if pages:
            yield from pages
            return
