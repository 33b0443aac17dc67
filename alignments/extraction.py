"""Turn links into alignments: group them by document, count their shapes, and keep shapes 1-2 and 2-1.

A link of a corpus aligns any number of sentences with their translation; its shape, such as 1-2, is the number of
sentences on each side. The readers in alignments/xces and alignments/texts yield links, or groups of links. The two
sentences of a side are never joined. Every link that does not become an alignment is counted, by shape or by the reason
to skip it.
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
"""Version of the code that reads links, documents and lines. Increase it when the same files yield other alignments.
"""
CANDIDATE_SHAPES = frozenset({"1-2", "2-1"})
"""Shapes of the links that can become alignments, called candidates."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

SentenceIds = tuple[tuple[str, ...], tuple[str, ...]]
SkipDamaged = Annotated[bool, Field(title="Skip damaged documents")]
"""Setting shared by all recipes that read archives of OPUS."""


class Extraction(Settings):
    """Which links of a corpus are read."""

    max_characters: int = Field(default=2_000, ge=10, title="Maximum characters")
    """Maximum length of a sentence, in characters. An alignment with a longer sentence is skipped."""
    max_links: int | None = Field(default=None, ge=1, title="Maximum links")
    """Maximum number of links read per corpus, for a first look. If it is empty, all links are read."""
    skip_damaged: SkipDamaged = False
    """Skip and count documents that are damaged inside their archive. Otherwise the archive is downloaded
    again, and the build stops if it is still damaged."""


@functools.cache
def shape_name(left: int, right: int) -> str:
    """Return the shape of a link from the number of sentences on each side: `1-2`.

    The result is cached because every link needs it.
    """
    return f"{left}-{right}"


class Link(NamedTuple):
    """A link of a corpus: sentences of one document, and their translations in a document of the other language."""

    number: int
    """Position in the corpus, counted from 1. Unreadable links are counted too."""
    documents: tuple[str, str]
    ids: SentenceIds
    attributes: dict[str, str]
    sentences: tuple[Sequence[str | None], Sequence[str | None]] | None = None
    """The sentences on each side, or None until the documents are read. A sentence that is missing in its
    document is None."""
    skip_reason: str | None = None
    """Reason to skip the link, or None if it can be used."""
    is_unreadable: bool = False
    """True if the link could not be parsed; it then has no shape."""

    @property
    def shape(self) -> str:
        """Number of sentences on each side: `1-2`."""
        first, second = self.sentences or self.ids
        return shape_name(len(first), len(second))


@dataclass(frozen=True, slots=True)
class AlignmentBatch:
    """The alignments of a document and its translation, or of a part of them if there are very many.

    `shapes["1-2"] + shapes["2-1"]` equals the number of alignments plus all skips except `bad link`.
    """

    alignments: tuple[Alignment, ...]
    """The alignments in the order of their links."""
    shapes: Counter[str]
    """Number of readable links by shape: `1-1`, `1-2`, `0-1` ..."""
    skips: Counter[str]
    """Number of skipped 1-2 and 2-1 links by reason, and number of unreadable links as `bad link`."""
    notes: Counter[str] = field(default_factory=Counter)
    """Remarks of the screening on `alignments`: `cleaned: <rule>` counts sentences, `language not judged`
    counts alignments."""


@dataclass(slots=True)
class LinkGroup:
    """Consecutive links of one pair of documents. Candidates (1-2, 2-1) are stored, other links only counted."""

    documents: tuple[str, str]
    candidates: list[Link] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)


def group_links(links: Iterable[Link], max_candidates: int) -> Iterator[LinkGroup]:
    """Yield consecutive links grouped by their documents, with at most `max_candidates` candidates per group."""
    for documents, neighbours in groupby(links, key=attrgetter("documents")):
        group = LinkGroup(documents)
        for link in neighbours:
            if len(group.candidates) >= max_candidates:
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
    """Yield one batch per group: the alignments built from its candidates, and the skips by reason.

    The candidates must already have their sentences.
    """
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
    """Return the reason to skip a sentence, or None if it can be used."""
    if text is None:
        return "missing sentence id"
    if not text:
        return "empty sentence"
    if len(text) > max_characters:
        return "too long"
    if "\ufffd" in text:
        return "undecodable characters"
    return "control characters" if not text.isprintable() and _CONTROL.search(text) else None
