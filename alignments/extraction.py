"""Turn links into alignments: group by documents, count by shape, build records of shapes 1-2 and 2-1.

Readers (alignments/xces, alignments/texts) yield links or groups of them. The two sentences of a side are never joined.
Links that are left out are counted by reason.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Annotated, NamedTuple, cast

from pydantic import Field

from bitext_pivot.alignments.release import Release
from bitext_pivot.core.records import Alignment, Source
from bitext_pivot.core.settings import Settings

READER_VERSION = 3
"""Version of what reads links, documents and lines: change it when other alignments come out of the same files."""
CANDIDATE_SHAPES = frozenset({"1-2", "2-1"})
"""Shapes of the links that become alignments."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

SentenceIds = tuple[tuple[str, ...], tuple[str, ...]]
SkipDamaged = Annotated[bool, Field(title="Skip damaged documents")]
"""The setting of all recipes that read archives of OPUS."""


class Extraction(Settings):
    """Which links of a corpus to read."""

    max_characters: int = Field(default=2_000, ge=10, title="Longest sentence")
    """Leave out an alignment with a sentence of more characters."""
    max_links: int | None = Field(default=None, ge=1, title="Most links")
    """Maximum number of links read per corpus, for a first look. Empty: all of them."""
    skip_damaged: SkipDamaged = False
    """Leave out documents that are damaged in their archive, and count them. Otherwise the archive is fetched
    again, and the build stops if it is still damaged."""


@functools.cache
def shape_name(left: int, right: int) -> str:
    """Return the shape of a link with so many sentences on each side: `1-2`. Cached because every link needs it."""
    return f"{left}-{right}"


class Link(NamedTuple):
    """Sentences of one document and their translations in another."""

    number: int
    """Position in the corpus, counted from 1, unreadable links included."""
    documents: tuple[str, str]
    ids: SentenceIds
    attributes: dict[str, str]
    sentences: tuple[Sequence[str | None], Sequence[str | None]] | None = None
    """None until the documents are read; a missing sentence is None."""
    skip_reason: str | None = None
    """Reason to skip the link."""
    is_unreadable: bool = False
    """True if the link cannot be read; it has no shape then."""

    @property
    def shape(self) -> str:
        """Number of sentences on each side: `1-2`."""
        first, second = self.sentences or self.ids
        return shape_name(len(first), len(second))


@dataclass(frozen=True, slots=True)
class AlignmentBatch:
    """Alignments of one pair of documents, or of a part of it if it has very many candidates.

    `shapes["1-2"] + shapes["2-1"]` is the number of alignments and of skips other than `bad link`.
    """

    alignments: tuple[Alignment, ...]
    """In the order of the links."""
    shapes: Counter[str]
    """Readable links by shape: `1-1`, `1-2`, `0-1` ..."""
    skips: Counter[str]
    """Candidates left out, by reason, and `bad link`."""
    notes: Counter[str] = field(default_factory=Counter)
    """Counts of screening for `alignments`: `cleaned: <rule>` per sentence, `language not judged` per alignment."""


@dataclass(slots=True)
class LinkGroup:
    """Consecutive links of one pair of documents: candidates are stored, the others counted."""

    documents: tuple[str, str]
    candidates: list[Link] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)


def group_links(links: Iterable[Link], at_once: int) -> Iterator[LinkGroup]:
    """Yield links grouped by documents, with at most `at_once` candidates per group."""
    for documents, neighbours in groupby(links, key=attrgetter("documents")):
        group = LinkGroup(documents)
        for link in neighbours:
            if len(group.candidates) >= at_once:
                yield group
                group = LinkGroup(documents)
            if link.is_unreadable:
                group.skips["bad link"] += 1
                continue
            group.shapes[link.shape] += 1
            if link.shape in CANDIDATE_SHAPES:
                group.candidates.append(link)
        yield group


def build_batches(
    groups: Iterable[LinkGroup], release: Release, settings: Extraction, *, licence: str
) -> Iterator[AlignmentBatch]:
    """Yield the alignments of each group, whose candidates have their sentences; count the skips by reason."""
    for group in groups:
        alignments = []
        for link in group.candidates:
            if reason := link.skip_reason or _skip_reason(link, settings.max_characters):
                group.skips[reason] += 1
            else:
                alignments.append(_build_alignment(link, release, licence))
        yield AlignmentBatch(tuple(alignments), group.shapes, group.skips)


def _skip_reason(link: Link, max_characters: int) -> str | None:
    for side in link.sentences or ():
        for text in side:
            reason = text_skip_reason(text, max_characters)
            if reason is not None:
                return reason
    return None


def _build_alignment(link: Link, release: Release, licence: str) -> Alignment:
    texts = cast("tuple[Sequence[str], Sequence[str]]", link.sentences)
    one_side, two_side = (0, 1) if len(link.ids[0]) == 1 else (1, 0)
    (first_id, second_id), (first, second) = link.ids[two_side], texts[two_side]
    return Alignment(
        id=f"{release.name}:{link.number}",
        source=Source(
            corpus=release.corpus,
            release=release.version,
            licence=licence,
            documents=(link.documents[one_side], link.documents[two_side]),
        ),
        one_language=release.languages[one_side],
        two_language=release.languages[two_side],
        one=texts[one_side][0],
        two=(first, second),
        one_id=link.ids[one_side][0],
        two_ids=(first_id, second_id),
        attributes=link.attributes,
    )


def text_skip_reason(text: str | None, max_characters: int) -> str | None:
    """Return the reason to skip a sentence, None if it can be used."""
    if text is None:
        return "missing sentence id"
    if not text:
        return "empty sentence"
    if len(text) > max_characters:
        return "too long"
    if "\ufffd" in text:
        return "undecodable characters"
    return "control characters" if not text.isprintable() and _CONTROL.search(text) else None
