"""`bitext-pivot show`: open the inspector of a data set (inspector.html) in a browser."""

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
"""Patterns of the inspector's path in a data set, in the folder of a language pair, and in a data folder. The last
pattern is for file systems without symbolic links. `latest` points to the newest data set with rows."""


class Show(Settings):
    """Open the inspector of the newest data set, or of the data set you name, in a browser."""

    folder: CliPositionalArg[Path | None] = None
    """Folder of a data set, or a folder that contains data sets. By default, the data folder and `demo` are
    searched."""

    def cli_cmd(self) -> None:
        """Open the inspector and print its path."""
        if self.folder is None:
            places = folders(Site())
        else:
            refuse_url(self.folder, "folder")
            places = [self.folder]
        page = newest(places)
        show(str(page), wrap=False)
        if not webbrowser.open(page.resolve().as_uri()):
            show("No browser was found on this machine: open this file in a browser.")


def folders(site: Site) -> list[Path]:
    """Return the folders in which `bitext-pivot show` searches for data sets by default."""
    return [site.build_folder(""), _DEMO]


def newest(places: Sequence[Path]) -> Path:
    """Return the newest inspector.html in the given folders.

    Raises SettingsError if there is none.
    """
    pages: list[Path] = []
    for place in places:
        pages.extend(_below(place))
    if not pages:
        named = " or ".join(map(str, places))
        raise SettingsError(
            f"There is no inspector.html in {named}. Expected a data set or a folder of data sets: name one, or build "
            "a data set."
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
