"""Segments of text aligned one to one, their sentences, and the 1-2 and 2-1 alignments among them.

Crawled corpora come as pairs of segments. OPUS splits each side by itself and links what comes of it, so a link 1-2 is
a segment in which the splitter found one sentence against one in which it found two (CCAligned, giga-fren, ParaCrawl).
The same is done here from the segments, without the documents. The two sentences are never joined again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from alignments.extract import DocumentBatch, Extraction, text_fault
from alignments.opus import Release
from alignments.texts.splitting import Splitter
from pairs.errors import SourceError
from pairs.records import Alignment

LONGEST = 20_000
"""Characters of a segment that is looked at; the splitter's time grows with the square of a longest word."""
_AT_ONCE = 10_000  # links of a batch at most, so that a corpus in one document stays flat in memory
_SHAPES = {"1-2", "2-1"}

Sides = tuple[str, str]
Ids = tuple[tuple[str, ...], tuple[str, ...]]


class Segment(NamedTuple):
    """A text and its translation, of one sentence or more."""

    number: int
    """Place in the file, counted from 1."""
    texts: Sides
    documents: Sides
    ids: Ids
    """Of the sentences where they are known, else one for the whole segment."""
    attributes: dict[str, str]
    problem: str | None = None
    """Why the segment cannot be used."""


class TextLink(NamedTuple):
    """Sentences of one document and the sentences of another that say the same."""

    number: int
    """Place in the corpus, counted from 1."""
    documents: Sides
    ids: Ids
    """One a sentence, unless `fault` says that this is not known."""
    sentences: tuple[Sequence[str], Sequence[str]]
    attributes: dict[str, str]
    problem: str | None = None
    """Why the link cannot be read; it has no shape then."""
    fault: str | None = None
    """Why the link is of no use although its shape is known: the reason it is counted under."""

    @property
    def shape(self) -> str:
        """Number of sentences on either side: `1-2`."""
        return f"{len(self.sentences[0])}-{len(self.sentences[1])}"


Numbered = TypeVar("Numbered", Segment, TextLink)


def batches(
    segments: Iterable[Segment], release: Release, settings: Extraction, *, licence: str, after_link: int = 0
) -> Iterator[DocumentBatch]:
    """Yield the 1-2 and 2-1 alignments among segments, a batch for each pair of documents or 10,000 segments of it.

    The two texts of a segment are in the order of `release.languages`. Segments up to number `after_link` are not
    split. Raises SettingsError, before a segment is read, when there are no rules to split a language.
    """
    splitters = Splitter(release.a), Splitter(release.b)
    rest = (segment for segment in until(segments, settings.max_links) if segment.number > after_link)
    return gather((_split(segment, splitters) for segment in rest), release, settings, licence=licence)


def gather(
    links: Iterable[TextLink], release: Release, settings: Extraction, *, licence: str
) -> Iterator[DocumentBatch]:
    """Yield what links give, in their order; `DocumentBatch` tells how they are counted.

    What came before a SourceError of `links` is yielded before it is raised.
    """
    group: _Group | None = None
    try:
        for link in links:
            if group is None or link.documents != group.documents or group.links >= _AT_ONCE:
                if group is not None:
                    yield group.batch
                group = _Group(link.documents, release, licence, settings.max_characters)
            group.add(link)
    except SourceError:
        if group is not None:
            yield group.batch
        raise
    if group is not None:
        yield group.batch


def until(numbered: Iterable[Numbered], most: int | None) -> Iterator[Numbered]:
    """Yield what is numbered up to number `most`, and do not look behind it, where a fault may be."""
    for one in numbered:
        yield one
        if one.number == most:
            return


def _split(segment: Segment, splitters: tuple[Splitter, Splitter]) -> TextLink:
    number, texts, documents, ids, attributes, problem = segment
    if problem is None and max(len(texts[0]), len(texts[1])) > LONGEST:
        problem = f"longer than {LONGEST} characters"
    if problem is not None:
        return TextLink(number, documents, ids, ([], []), attributes, problem)
    one, other = splitters[0].split(texts[0]), splitters[1].split(texts[1])
    named = _ids(ids[0], len(one)), _ids(ids[1], len(other))
    known = (len(named[0]), len(named[1])) == (len(one), len(other))
    fault = None if known else "sentences do not match ids"
    return TextLink(number, documents, named, (one, other), attributes, fault=fault)


def _ids(ids: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Name the sentences of a segment that has one id as OPUS does: `7.1` and `7.2`."""
    return tuple(f"{ids[0]}.{n}" for n in range(1, count + 1)) if len(ids) == 1 < count else ids


@dataclass(slots=True)
class _Group:
    """Neighbouring links of one pair of documents."""

    documents: Sides
    release: Release
    licence: str
    max_characters: int
    alignments: list[Alignment] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    skips: Counter[str] = field(default_factory=Counter)
    links: int = 0
    last_link: int = 0

    def add(self, link: TextLink) -> None:
        self.links += 1
        self.last_link = link.number
        if link.problem is not None:
            self.skips["bad link"] += 1
            return
        shape = link.shape
        self.shapes[shape] += 1
        if shape not in _SHAPES:
            return
        fault = self._fault(link)
        if fault is None:
            self.alignments.append(self._alignment(link))
        else:
            self.skips[fault] += 1

    @property
    def batch(self) -> DocumentBatch:
        return DocumentBatch(tuple(self.alignments), self.shapes, self.skips, self.last_link)

    def _fault(self, link: TextLink) -> str | None:
        if link.fault is not None:
            return link.fault
        faults = (text_fault(text, self.max_characters) for texts in link.sentences for text in texts)
        return next((fault for fault in faults if fault is not None), None)

    def _alignment(self, link: TextLink) -> Alignment:
        sides = list(zip(self.release.languages, link.documents, link.ids, link.sentences, strict=True))
        one, two = sides if len(link.sentences[0]) == 1 else reversed(sides)
        (one_language, one_document, (one_id,), (text,)), (two_language, two_document, two_ids, two_texts) = one, two
        (first_id, second_id), (first, second) = two_ids, two_texts
        return Alignment(
            id=f"{self.release.name}:{link.number}",
            corpus=self.release.corpus,
            release=self.release.release,
            licence=self.licence,
            one_language=one_language,
            two_language=two_language,
            one=text,
            two=(first, second),
            one_document=one_document,
            two_document=two_document,
            one_id=one_id,
            two_ids=(first_id, second_id),
            attributes=link.attributes,
        )
