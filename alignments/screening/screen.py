"""Leave out useless alignments before they are translated, counted by reason.

The checks in order: boilerplate, lengths, sentences, language, duplicates. So a duplicate repeats something that was
kept.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bitext_pivot.alignments.extraction import DocumentBatch
from bitext_pivot.alignments.screening import boilerplate, identify, sentences
from bitext_pivot.alignments.screening.boilerplate import Boilerplate
from bitext_pivot.alignments.screening.duplicates import Duplicates
from bitext_pivot.alignments.screening.identify import LanguageCheck
from bitext_pivot.alignments.screening.lengths import Lengths
from bitext_pivot.alignments.screening.sentences import OneSentence
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings


class Screening(Settings):
    """Which alignments to leave out before translation."""

    boilerplate: Boilerplate = Boilerplate()
    """Tags, headings, menus, tables, left-over markup."""
    lengths: Lengths = Lengths()
    """Sentences too short and sides of unlike length."""
    sentences: OneSentence = OneSentence()
    """Whether each half is one sentence."""
    language: LanguageCheck = LanguageCheck()
    """Whether each sentence is in its language."""
    duplicates: Duplicates = Duplicates()
    """Alignments that a corpus has more than once."""

    def signature(self, *languages: str) -> str:
        """Return what screens two languages besides the settings, for the key of the shards.

        Patterns, splitter, identifier.
        """
        patterns = hashlib.sha256(boilerplate.source(*languages).encode()).hexdigest()[:8]
        halves = sentences.signature(*languages)
        return f"patterns {patterns}, {halves}, {identify.signature(*languages)}"


def screen(batches: Iterable[DocumentBatch], settings: Screening) -> Iterator[DocumentBatch]:
    """Yield each batch with the alignments that pass; the others are counted in its skips by reason."""
    key = settings.duplicates.key if settings.duplicates.enabled else None
    seen: set[bytes] = set()
    for batch in batches:
        alignments: list[Alignment] = []
        skips, notes = batch.skips.copy(), Counter[str]()
        for alignment in batch.alignments:
            cleaned, reason, remarks = _check(alignment, settings)
            if key and not reason:
                digest = key(cleaned)
                reason = "duplicate" if digest in seen else None
                seen.add(digest)
            if reason:
                skips[reason] += 1
            else:
                alignments.append(cleaned)
                notes.update(remarks)
        yield replace(batch, alignments=tuple(alignments), skips=skips, notes=notes)


def _check(alignment: Alignment, settings: Screening) -> tuple[Alignment, str | None, list[str]]:
    """Return the cleaned alignment, the reason to leave it out or None, and what to note if it stays."""
    rule = settings.boilerplate.skip_reason(alignment)
    if rule is not None:
        return alignment, f"boilerplate: {rule}", []
    cleaned, removed = settings.boilerplate.clean_up(alignment)
    reason = (
        settings.lengths.skip_reason(cleaned)
        or settings.sentences.skip_reason(cleaned)
        or settings.language.skip_reason(cleaned)
    )
    notes = [f"cleaned: {name}" for name in removed]
    if not reason and not settings.language.judges(cleaned):
        notes.append("language not judged")
    return cleaned, reason, notes
