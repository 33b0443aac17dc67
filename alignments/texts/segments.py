"""Split aligned segments of text into sentences.

Crawled corpora (CCAligned, giga-fren, ParaCrawl) are pairs of segments. OPUS splits each side into sentences, so a 1-2
link is a segment with one sentence on one side and two on the other. The same is done here.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bitext_pivot.alignments.extraction import (
    DocumentBatch,
    Extraction,
    Ids,
    Link,
    grouped,
    to_batches,
)
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.splitting import Splitter, splitter

LONGEST = 20_000
"""Characters of a segment; a longer one is a bad link: no translation of a sentence or two."""
AT_ONCE = 1_000
"""Candidates per batch of a corpus of text."""


class Segment(NamedTuple):
    """A text and its translation, of one sentence or more."""

    number: int
    """Position in the file, counted from 1."""
    texts: tuple[str, str]
    documents: tuple[str, str]
    ids: Ids
    """Ids of the sentences if known, else one for the whole segment."""
    attributes: dict[str, str]
    is_unreadable: bool = False
    """True if the segment cannot be used."""


def batches(
    segments: Iterable[Segment], release: Release, settings: Extraction, *, licence: str
) -> Iterator[DocumentBatch]:
    """Yield the 1-2 and 2-1 alignments of segments, in batches by document of at most 1,000 candidates.

    The texts of a segment are in the order of `release.languages`. Raises SettingsError, before a segment is read, if
    there are no rules to split a language.
    """
    splitters = splitter(release.a), splitter(release.b)
    links = (_split(segment, splitters) for segment in islice(segments, settings.max_links))
    return to_batches(grouped(links, AT_ONCE), release, settings, licence=licence)


def _split(segment: Segment, splitters: tuple[Splitter, Splitter]) -> Link:
    number, texts, documents, ids, attributes, is_unreadable = segment
    if is_unreadable or max(map(len, texts)) > LONGEST:
        return Link(number, documents, ids, attributes, is_unreadable=True)
    left, right = splitters[0].split(texts[0]), splitters[1].split(texts[1])
    names = _ids(ids[0], len(left)), _ids(ids[1], len(right))
    is_matching = (len(names[0]), len(names[1])) == (len(left), len(right))
    reason = None if is_matching else "sentences do not match ids"
    return Link(number, documents, names, attributes, (left, right), reason)


def _ids(ids: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the sentence ids of a segment; a single id `7` becomes `7.1` and `7.2`, as in OPUS."""
    return tuple(f"{ids[0]}.{n}" for n in range(1, count + 1)) if len(ids) == 1 < count else ids
