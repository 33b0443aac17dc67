"""Alignments of shape 1-2 and 2-1 out of a release, document by document; everything left out is counted by reason.

A link file is read as a stream and only one pair of documents is open at a time. The two sentences of a side are never
joined, and a link with a missing half is a skip, not a shorter pair.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from pydantic import Field

from alignments.opus import Archives, Release
from alignments.xces.link_runs import BAD, Link, LinkRun
from alignments.xces.links import read_runs
from alignments.xces.sentence_events import UnreadableDocument
from alignments.xces.sentences import SentenceArchive
from pairs.records import Alignment
from pairs.settings import Settings

_SHAPES = {"1-2", "2-1"}
_AT_ONCE = 20_000  # candidates of one document held at most, so that a corpus in one document stays flat in memory
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class Extraction(Settings):
    """Which alignments to take out of a corpus."""

    max_characters: int = Field(
        default=2_000,
        ge=10,
        title="Longest sentence",
        description="Leave out an alignment with a sentence of more characters than this.",
    )
    max_links: int | None = Field(
        default=None,
        ge=1,
        title="Most links",
        description="Read at most so many links of each corpus, for a first look. Empty: all of them.",
    )


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """What one pair of documents gave, or a part of it where it has very many candidates.

    `shapes` counts the sound links, so `shapes["1-2"] + shapes["2-1"]` is the number of alignments and of skips other
    than `bad link`, and all shapes and bad links together are the links read.
    """

    alignments: tuple[Alignment, ...]
    """In the order of the link file."""
    shapes: Counter[str]
    """Links by shape: `1-1`, `1-2`, `0-1` ..."""
    skips: Counter[str]
    """Candidates left out, by reason, and `bad link`."""
    last_link: int
    """Number of the last link covered; hand it to `extract` as `after_link` to go on behind it."""


def extract(
    archives: Archives, release: Release, settings: Extraction, *, licence: str, after_link: int = 0
) -> Iterator[DocumentBatch]:
    """Yield the 1-2 and 2-1 alignments of a release, a batch for each pair of documents, in the order of the link file.

    Links up to number `after_link` are read over without opening their documents. Raises SourceError when the link file
    or a zip is damaged as a whole; a damaged or missing document, sentence or link is counted and skipped.
    """
    runs = _between(read_runs(archives.links), after_link, settings.max_links)
    with ExitStack() as stack:
        zips = [
            stack.enter_context(closing(SentenceArchive(archives.sentences(language), release.corpus, release.form)))
            for language in release.languages
        ]
        lookup = _Lookup(release, release.name, licence, settings.max_characters, zips[0], zips[1])
        for group in _groups(runs):
            skips: Counter[str] = Counter()
            if bad := group.shapes.pop(BAD, 0):
                skips["bad link"] = bad
            found = tuple(lookup.alignments(group.candidates, skips))
            yield DocumentBatch(found, group.shapes, skips, group.last_link)


def _between(runs: Iterable[LinkRun], after: int, at_most: int | None) -> Iterator[LinkRun]:
    """Yield what lies behind the link number `after`, up to the link number `at_most`; read no further than that."""
    for run in runs:
        yield run.between(after, at_most)
        if at_most is not None and run.last >= at_most:
            return


@dataclass(slots=True)
class _Group:
    """Neighbouring links of one pair of documents; only the candidates are held."""

    documents: tuple[str, str] | None
    candidates: list[Link] = field(default_factory=list)
    shapes: Counter[str] = field(default_factory=Counter)
    last_link: int = 0

    def add(self, run: LinkRun, start: int) -> int:
        """Take in a run's links from `start` up to the candidate that makes the group full; return where that is."""
        places = [place for place, shape in enumerate(run.shapes) if shape in _SHAPES and place >= start]
        room = _AT_ONCE - len(self.candidates)
        stop = len(run.shapes) if len(places) < room else places[room - 1] + 1
        self.candidates.extend(map(run.link, places[:room]))
        self.shapes.update(run.shapes[start:stop])
        self.last_link = run.first + stop - 1
        return stop


def _groups(runs: Iterable[LinkRun]) -> Iterator[_Group]:
    group: _Group | None = None
    for run in runs:
        done = 0
        while done < len(run.shapes):
            if group is None or run.documents != group.documents or len(group.candidates) >= _AT_ONCE:
                if group is not None:
                    yield group
                group = _Group(run.documents)
            done = group.add(run, done)
    if group is not None:
        yield group


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The sentences of a release, behind its links."""

    release: Release
    name: str
    licence: str
    max_characters: int
    from_zip: SentenceArchive
    to_zip: SentenceArchive

    def alignments(self, links: list[Link], skips: Counter[str]) -> Iterator[Alignment]:
        """Yield the alignment of each link that has one and count the others in `skips`."""
        if not links:
            return
        try:
            from_texts = self.from_zip.read(links[0].from_document, {id for link in links for id in link.from_ids})
            to_texts = self.to_zip.read(links[0].to_document, {id for link in links for id in link.to_ids})
        except UnreadableDocument as error:
            skips[error.reason] += len(links)
            return
        for link in links:
            fault = self._fault(link, from_texts, to_texts)
            if fault is None:
                yield self._alignment(link, from_texts, to_texts)
            else:
                skips[fault] += 1

    def _fault(self, link: Link, from_texts: Mapping[str, str], to_texts: Mapping[str, str]) -> str | None:
        for ids, texts in ((link.from_ids, from_texts), (link.to_ids, to_texts)):
            for id in ids:
                if (fault := text_fault(texts.get(id), self.max_characters)) is not None:
                    return fault
        return None

    def _alignment(self, link: Link, from_texts: Mapping[str, str], to_texts: Mapping[str, str]) -> Alignment:
        from_side = self.release.a, link.from_document, link.from_ids, from_texts
        to_side = self.release.b, link.to_document, link.to_ids, to_texts
        one, two = (from_side, to_side) if len(link.from_ids) == 1 else (to_side, from_side)
        (one_language, one_document, (one_id,), one_texts), (two_language, two_document, two_ids, two_texts) = one, two
        first, second = two_ids
        return Alignment(
            id=f"{self.name}:{link.number}",
            corpus=self.release.corpus,
            release=self.release.release,
            licence=self.licence,
            one_language=one_language,
            two_language=two_language,
            one=one_texts[one_id],
            two=(two_texts[first], two_texts[second]),
            one_document=one_document,
            two_document=two_document,
            one_id=one_id,
            two_ids=(first, second),
            attributes=link.attributes,
        )


def text_fault(text: str | None, max_characters: int) -> str | None:
    """Say why a sentence cannot be used, by the reason it is counted under; None when it can."""
    if text is None:
        return "missing sentence id"
    if not text:
        return "empty sentence"
    if len(text) > max_characters:
        return "too long"
    if "\ufffd" in text:
        return "undecodable characters"
    return "control characters" if not text.isprintable() and _CONTROL.search(text) else None
