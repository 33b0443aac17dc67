"""Names of corpora in a form, completed by the catalogue: the release of `latest`, and releases for a missing one."""

from collections.abc import Callable, Sequence

from alignments import fixes
from alignments.catalogue.entries import Catalogue, Entry, find
from pairs.errors import SettingsError

LATEST = "latest"


def named(name: str, one: str, other: str, catalogue: Callable[[], Catalogue]) -> str:
    """Return a build's `corpus/release[:form]` with the corpus as OPUS calls it and, for `latest`, the release's name.

    `catalogue` is called only for `latest` and for a corpus without a release. Raises SettingsError for the latter,
    with the releases that have the pair, and when none of them is flagged as the latest; other names are returned
    unchecked.
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
