"""Find out which files of a release are on this machine, and whether OPUS has the others.

The catalogue of OPUS is consulted first. A request is sent to the server only for a release that is not in it.
"""

import logging

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.catalogue.entries import (
    find_entry,
    is_misspelt,
    missing_documents_message,
    unknown_release_message,
)
from bitext_pivot.alignments.catalogue.opusdata import open_catalogue
from bitext_pivot.alignments.download.responses import TransientError
from bitext_pivot.alignments.download.session import DownloadSession
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.errors import AbsentError, SettingsError, SourceError
from bitext_pivot.core.site import Site

_TIMEOUT = 10  # seconds to wait for the server
_logger = logging.getLogger(__name__)


def missing_files(release: Release, site: Site) -> list[str]:
    """Return the names of the files of a release that are not downloaded yet."""
    return [
        name for name in release.files if not opus.find_download(release, name, site.opus_folder)
    ]


def check_exists(release: Release, site: Site) -> None:
    """Raise SettingsError if a release does not exist.

    A request is sent to the server only for a release that is not in the catalogue. If the server is OPUS itself, a
    name that is nearly the name of a known corpus is refused as a misspelling, without a request.
    """
    doubts = _catalogue_doubt(release, site)
    if doubts is None:
        return
    is_of_opus = site.opus == Site.model_fields["opus"].default
    if doubts and is_of_opus and is_misspelt(open_catalogue(site), release.corpus):
        raise SettingsError(doubts)
    try:
        _require_files(release, site.model_copy(update={"timeout": min(site.timeout, _TIMEOUT)}))
    except (AbsentError, TransientError) as error:  # the catalogue's message says more
        raise SettingsError(doubts or str(error)) from error
    except SourceError as error:
        raise SettingsError(f"{doubts} {error}".strip()) from error


def _require_files(release: Release, site: Site) -> None:
    """Raise SourceError if a file of a release is neither downloaded nor at `site.opus`.

    `site.opus` is OPUS or a mirror of it: a server or a folder.
    """
    source = opus.local_folder(site.opus)
    if source is not None:
        for name in release.files:
            opus.find_in_folder(source, name)
        return
    with DownloadSession(site, opus.describe_release(release), _logger) as session:
        for name in missing_files(release, site):
            session.head(opus.file_url(site.opus, name))


def _catalogue_doubt(release: Release, site: Site) -> str | None:
    """Return an error message if a release is neither in the catalogue nor downloaded, or None.

    Returns "" if `site.opus` is a folder, for which there is no catalogue.
    """
    if opus.local_folder(site.opus) is not None:
        return ""
    if not missing_files(release, site):
        return None
    if release.a == release.b:
        return (
            missing_documents_message(
                open_catalogue(site), release.corpus, release.version, release.a
            )
            or None
        )
    query = (release.corpus, release.version, release.languages)
    if find_entry(open_catalogue(site), *query):
        return None
    return unknown_release_message(open_catalogue(site), *query)
