"""Screening: alignments that need no translation to be known useless are left out, each under the name of its reason.

The order: boilerplate, lengths, language, duplicates, so that a duplicate is one of something that was kept. Documents
come out in the order they go in, with their shapes and last link as they were.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from alignments.extract import DocumentBatch
from alignments.screening import boilerplate, identify
from alignments.screening.boilerplate import Boilerplate
from alignments.screening.duplicates import Duplicates, FirstLinks, link_number
from alignments.screening.identify import LanguageCheck
from alignments.screening.lengths import Lengths
from pairs.records import Alignment
from pairs.settings import Settings

_TOGETHER = 2_000  # alignments, or documents, whose keys are stored in one transaction


class Screening(Settings):
    """What is left out before anything is translated."""

    boilerplate: Boilerplate = Field(
        default=Boilerplate(), title="Boilerplate", description="Tags, headings, menus, tables, left-over markup."
    )
    lengths: Lengths = Field(
        default=Lengths(), title="Lengths", description="Sentences too short and sides of unlike length."
    )
    language: LanguageCheck = Field(
        default=LanguageCheck(), title="Language", description="Whether each sentence is in its language."
    )
    duplicates: Duplicates = Field(
        default=Duplicates(), title="Duplicates", description="Alignments that a corpus has more than once."
    )

    def signature(self) -> str:
        """Tell what screens beside the settings, for the shards' key: the patterns and the identifier."""
        patterns = hashlib.sha256(boilerplate.source().encode()).hexdigest()[:8]
        return f"patterns {patterns}, {identify.signature()}"

    def check(self, languages: Collection[str]) -> None:
        """Raise SettingsError when the language check is on and does not know one of the languages."""
        if self.language.enabled:
            for language in languages:
                identify.check_known(language)


@dataclass(frozen=True, slots=True)
class Screened:
    """A pair of documents after screening."""

    batch: DocumentBatch
    """With fewer alignments and more skips; shapes and last link are as they were."""
    notes: Counter[str]
    """What happened to the alignments that stay: `cleaned: <rule>` a sentence, `language not judged` an alignment."""


def screen(
    batches: Iterable[DocumentBatch],
    settings: Screening,
    *,
    languages: Collection[str],
    store: Path,
    after_link: int = 0,
) -> Iterator[Screened]:
    """Yield each batch with the alignments that pass; the others are counted in its skips by reason.

    `languages` are the two of the release. `store` is the file that remembers which link had a text first, one file a
    corpus and set of settings; `after_link` is what `extract` was given: a run that goes on keeps what an undisturbed
    run keeps. Up to 2,000 alignments are held back until their keys are on the disk. Raises SettingsError, before
    anything is read, for a language that cannot be checked, and ShardError when the file fails or lags behind.
    """
    settings.check(languages)
    return _screen(batches, settings, store, after_link)


def catch_up(store: Path, settings: Screening, shards: Iterable[Iterable[Alignment]], after_link: int) -> None:
    """Tell a store that is not there any more, or lies on another machine, of the alignments that shards hold already.

    `shards` are those up to `after_link`. Nothing is read of them when the store knows these links. Raises ShardError.
    """
    if not settings.duplicates.enabled or not after_link:
        return
    with closing(FirstLinks(store)) as first_links:
        if first_links.covered < after_link:
            for shard in shards:
                alignments = list(shard)
                keys = [settings.duplicates.key(alignment) for alignment in alignments]
                first_links.claim(keys, [*map(link_number, alignments)], 0)
            first_links.claim([], [], after_link)


def _screen(batches: Iterable[DocumentBatch], settings: Screening, store: Path, after_link: int) -> Iterator[Screened]:
    waiting: list[_Sifted] = []
    if not settings.duplicates.enabled:
        yield from (_sift(batch, settings).result() for batch in batches)
        return
    with closing(FirstLinks(store)) as first_links:
        first_links.require(after_link)
        for batch in batches:
            waiting.append(_sift(batch, settings))
            if len(waiting) >= _TOGETHER or sum(len(sifted.kept) for sifted in waiting) >= _TOGETHER:
                yield from _without_duplicates(waiting, settings.duplicates, first_links)
                waiting = []
        yield from _without_duplicates(waiting, settings.duplicates, first_links)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An alignment that stays so far, and what is to be noted if it stays."""

    alignment: Alignment
    notes: list[str]


@dataclass(frozen=True, slots=True)
class _Sifted:
    """A batch after all checks but that for duplicates."""

    batch: DocumentBatch
    kept: list[_Kept]
    skips: Counter[str]

    def result(self) -> Screened:
        alignments = tuple(kept.alignment for kept in self.kept)
        notes = Counter(note for kept in self.kept for note in kept.notes)
        return Screened(replace(self.batch, alignments=alignments, skips=self.batch.skips + self.skips), notes)


def _sift(batch: DocumentBatch, settings: Screening) -> _Sifted:
    sifted = _Sifted(batch, [], Counter())
    for alignment in batch.alignments:
        found = _judged(alignment, settings)
        if isinstance(found, str):
            sifted.skips[found] += 1
        else:
            sifted.kept.append(found)
    return sifted


def _judged(alignment: Alignment, settings: Screening) -> _Kept | str:
    """Return the alignment, cleaned, or the reason why it is left out."""
    rule = settings.boilerplate.fault(alignment)
    if rule is not None:
        return f"boilerplate: {rule}"
    cleaned, removed = settings.boilerplate.clean_up(alignment)
    reason = settings.lengths.fault(cleaned) or settings.language.fault(cleaned)
    if reason is not None:
        return reason
    notes = [f"cleaned: {name}" for name in removed]
    return _Kept(cleaned, notes if settings.language.judges(cleaned) else [*notes, "language not judged"])


def _without_duplicates(waiting: list[_Sifted], settings: Duplicates, first_links: FirstLinks) -> list[Screened]:
    """Take the duplicates out of some batches, after their keys are stored."""
    if not waiting:
        return []
    alignments = [kept.alignment for sifted in waiting for kept in sifted.kept]
    keys, links = [settings.key(alignment) for alignment in alignments], [*map(link_number, alignments)]
    first = iter(first_links.claim(keys, links, waiting[-1].batch.last_link))
    return [_firsts_of(sifted, first).result() for sifted in waiting]


def _firsts_of(sifted: _Sifted, first: Iterator[bool]) -> _Sifted:
    kept = [kept for kept in sifted.kept if next(first)]
    lost = len(sifted.kept) - len(kept)
    return _Sifted(sifted.batch, kept, sifted.skips + Counter({"duplicate": lost}))
