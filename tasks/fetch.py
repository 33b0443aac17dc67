"""Fetch: OPUS archives to disk. Downloads retry transient errors themselves (alignments/download/file_download.py)."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.custom_bitext import CustomBitextRequest, locate_files
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.errors import DamagedError, SourceError
from bitext_pivot.core.progress import current_log, warn
from bitext_pivot.core.site import Site
from bitext_pivot.tasks.run.current_run import current_run
from bitext_pivot.tasks.run.futures import wait_all

_Source = TypeVar("_Source")
_Result = TypeVar("_Result")


def fetch_all(requested: Sequence[Release | CustomBitextRequest], site: Site) -> list[Any]:
    """Fetch all requested sources and return their files, in order.

    Call this in the flow of a recipe.
    """
    run = current_run()
    fetched = [run.submit_task(f"fetch {each.corpus}", fetch, each, site) for each in requested]
    return wait_all("fetch", fetched)


def fetch(requested: Release | CustomBitextRequest, site: Site) -> SourceFiles:
    """Download the missing files of an OPUS release, or find the files of the user's own bitext."""
    if isinstance(requested, CustomBitextRequest):
        return locate_files(requested)
    return read_again(None, lambda _: fetch_release(requested, site), lambda: None, site)


def fetch_release(release: Release, site: Site) -> ReleaseFiles:
    """Download the missing files of an OPUS release.

    The log of the current task shows the progress.
    """
    return opus.fetch(release, site, log=current_log())


def read_again(
    source: _Source,
    read: Callable[[_Source], _Result],
    fetch_again: Callable[[], _Source],
    site: Site,
) -> _Result:
    """Return `read(source)`.

    If a downloaded file is damaged, download it again and call `read` once more.

    Raises DamagedError if the file is still damaged or was not downloaded by this program, and SourceError if the
    server now has another version of the file.
    """
    try:
        return read(source)
    except DamagedError as error:
        if not opus.discard(error.path, site):
            raise
        warn(f"{error} It is fetched again.")
        path = error.path
    if fetch_again() != source:
        raise SourceError(
            f"The server has another version of {path} than when this build began. Run the command again."
        )
    return read(source)
