"""Split aligned segments of text, which may be several sentences long, into sentences.

Crawled corpora (CCAligned, giga-fren, ParaCrawl) consist of aligned segments. OPUS splits each side into sentences, so
a 1-2 link is a segment with one sentence on one side and two on the other. Line files, translation memories and tables
are split in the same way.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bitext_pivot.alignments.extraction import (
    AlignmentBatch,
    Extraction,
    Link,
    SentenceIds,
    build_batches,
    group_links,
)
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.splitting import Splitter, splitter

MAX_SEGMENT = 20_000
"""Maximum length of a segment, in characters. A longer segment cannot be one or two sentences, and is counted
as a bad link."""
BATCH_SIZE = 1_000
"""Maximum number of candidates (1-2 and 2-1 links) in a batch."""


class SegmentPair(NamedTuple):
    """A segment of one or more sentences and its translation."""

    number: int
    """Position in the file, counted from 1."""
    texts: tuple[str, str]
    documents: tuple[str, str]
    ids: SentenceIds
    """Ids of the sentences if they are known, otherwise one id for the whole segment."""
    attributes: dict[str, str]
    is_unreadable: bool = False
    """True if the input cannot be parsed into a pair of texts."""


def split_segments(
    segments: Iterable[SegmentPair], release: Release, settings: Extraction, *, licence: str
) -> Iterator[AlignmentBatch]:
    """Yield the 1-2 and 2-1 alignments of segments, in batches by document.

    The texts of a segment are in the order of `release.languages`. A batch has at most 1,000 candidates. Raises
    SettingsError, before a segment is read, if a language has no sentence splitter.
    """
    splitters = splitter(release.a), splitter(release.b)
    links = (_split_segment(segment, splitters) for segment in islice(segments, settings.max_links))
    return build_batches(group_links(links, BATCH_SIZE), release, settings, licence=licence)


def _split_segment(segment: SegmentPair, splitters: tuple[Splitter, Splitter]) -> Link:
    number, texts, documents, ids, attributes, is_unreadable = segment
    if is_unreadable or max(map(len, texts)) > MAX_SEGMENT:
        return Link(number, documents, ids, attributes, is_unreadable=True)
    left, right = splitters[0].split(texts[0]), splitters[1].split(texts[1])
    names = _sentence_ids(ids[0], len(left)), _sentence_ids(ids[1], len(right))
    is_matching = (len(names[0]), len(names[1])) == (len(left), len(right))
    reason = None if is_matching else "sentences do not match ids"
    return Link(number, documents, names, attributes, (left, right), reason)


def _sentence_ids(ids: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return an id for each of the `count` sentences of a segment. A single id `7` becomes `7.1` and `7.2`."""
    return tuple(f"{ids[0]}.{n}" for n in range(1, count + 1)) if len(ids) == 1 < count else ids
