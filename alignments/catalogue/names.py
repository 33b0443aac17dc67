"""Complete the names of corpora from the catalogue."""

from collections.abc import Callable, Sequence

from alignments import fixes
from alignments.catalogue.entries import Catalogue, Entry, find
from pairs.errors import SettingsError

LATEST = "latest"


def named(name: str, one: str, other: str, catalogue: Callable[[], Catalogue]) -> str:
    """Return `corpus/release[:form]` with the name of the corpus in OPUS and, for `latest`, the name of the release.

    `catalogue` is called only for `latest` and for a name without release; other names are not checked. Raises
    SettingsError for a name without release, and if the latest release does not have the pair.
    """
    full, colon, form = name.partition(":")
    corpus, _, release = full.partition("/")
    corpus = fixes.meant(corpus)
    if not release:
        raise SettingsError(_releases(name, find(catalogue(), one, other, corpus)))
    if release == LATEST:
        entries = find(catalogue(), one, other, corpus)
        flagged = [entry for entry in entries if entry.latest]
        if not flagged:
            there = ", ".join(entry.release for entry in entries)
            raise SettingsError(f"The latest release of {corpus} has no {one}-{other}. Name one that has it: {there}.")
        corpus, release = flagged[0].corpus, flagged[0].release
    return f"{corpus}/{release}{colon}{form}"


def _releases(name: str, entries: Sequence[Entry]) -> str:
    """Return the message for a corpus without a release."""
    names = [f"{entry.corpus}/{entry.release}{' (latest)' if entry.latest else ''}" for entry in entries]
    return f"{name!r} names no release. OPUS has {entries[0].pair} in: {', '.join(names)}."
