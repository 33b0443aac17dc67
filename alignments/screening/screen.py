"""Skip useless alignments before they are translated, and count them by reason.

The checks run in this order: boilerplate, lengths, sentences, language, duplicates. An alignment is therefore a
duplicate only of an alignment that passed the other checks.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bitext_pivot.alignments.extraction import AlignmentBatch
from bitext_pivot.alignments.screening import boilerplate, identify
from bitext_pivot.alignments.screening.boilerplate import BoilerplateScreen
from bitext_pivot.alignments.screening.duplicates import DuplicateScreen
from bitext_pivot.alignments.screening.identify import LanguageScreen
from bitext_pivot.alignments.screening.length_screen import LengthScreen
from bitext_pivot.alignments.screening.one_sentence import OneSentenceScreen
from bitext_pivot.core import splitting
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings


class Screening(Settings):
    """Which alignments are skipped before translation."""

    boilerplate: BoilerplateScreen = BoilerplateScreen()
    """Tags, headings, menus, tables and left-over markup."""
    lengths: LengthScreen = LengthScreen()
    """Sentences that are too short, and sides whose lengths differ too much."""
    sentences: OneSentenceScreen = OneSentenceScreen()
    """Whether each half of the split is exactly one sentence."""
    language: LanguageScreen = LanguageScreen()
    """Whether each sentence is in the expected language."""
    duplicates: DuplicateScreen = DuplicateScreen()
    """Alignments that a corpus contains more than once."""

    def signature(self, *languages: str) -> str:
        """Return the versions of patterns, sentence splitter and language identifier for `languages`.

        These versions and the settings determine which alignments pass, so they become part of shard keys.
        """
        patterns = hashlib.sha256(boilerplate.rule_sources(*languages).encode()).hexdigest()[:8]
        halves = splitting.signature(*languages)
        return f"patterns {patterns}, {halves}, {identify.signature(*languages)}"


def screen_batches(
    batches: Iterable[AlignmentBatch], settings: Screening
) -> Iterator[AlignmentBatch]:
    """Yield each batch with only the alignments that pass; `skips` counts the others, by reason."""
    key = settings.duplicates.key if settings.duplicates.enabled else None
    seen: set[bytes] = set()
    for batch in batches:
        alignments: list[Alignment] = []
        skips, notes = batch.skips.copy(), Counter[str]()
        for alignment in batch.alignments:
            cleaned, reason, remarks = _screen_alignment(alignment, settings)
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


def _screen_alignment(
    alignment: Alignment, settings: Screening
) -> tuple[Alignment, str | None, list[str]]:
    """Return the cleaned alignment, the reason to skip it or None, and the notes to count if it passes."""
    rule = settings.boilerplate.skip_reason(alignment)
    if rule is not None:
        return alignment, f"boilerplate: {rule}", []
    cleaned, removed = settings.boilerplate.remove_tags(alignment)
    reason = (
        settings.lengths.skip_reason(cleaned)
        or settings.sentences.skip_reason(cleaned)
        or settings.language.skip_reason(cleaned)
    )
    notes = [f"cleaned: {name}" for name in removed]
    if not reason and not settings.language.can_check(cleaned):
        notes.append("language not judged")
    return cleaned, reason, notes
