"""The stage that mines parsed documents for candidates of Discovery."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from bitext_pivot.alignments.screening import identify
from bitext_pivot.core.languages import digest
from bitext_pivot.core.records import MarkedPair, ParsedSentence
from bitext_pivot.discourse.mining import candidates
from bitext_pivot.discourse.mining.candidates import CandidateSettings
from bitext_pivot.tasks.run.targets import Stage, StageFacts


def mine_stage(settings: CandidateSettings, language: str) -> Stage:
    """Return the stage that turns parsed sentences into candidates.

    A candidate is a pair of neighbouring sentences and the discourse marker that opens the second. Unfit candidates are
    kept with the reason.
    """
    parts = {
        "candidates": settings,
        "version of the rules": candidates.VERSION,
        "connectives": digest(language, "connectives"),
        "language check": identify.signature(language),
    }

    def run(
        rows: Iterable[ParsedSentence], name: str, facts: StageFacts
    ) -> tuple[list[MarkedPair], Counter[str]]:
        is_in_other_language = partial(
            identify.LanguageScreen().is_in_other_language, language=language
        )
        skips = Counter[str]()
        return list(candidates.find_candidates(rows, settings, is_in_other_language, skips)), skips

    return Stage("mine", "candidates", parts, ParsedSentence, MarkedPair, run, ("lemmas",))
