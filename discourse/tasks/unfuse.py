"""The stage that applies the rules of DiscoFuse to texts, and the balanced selection of the resulting pairs."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from bitext_pivot.core.languages import digest
from bitext_pivot.core.records import FusedPair, ParsedSentence
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.coreference import RESOLVERS
from bitext_pivot.discourse.fusion import rules
from bitext_pivot.discourse.fusion.balance import (
    BalanceSettings,
    frequent_phenomenon,
    is_sampled,
    kept_shares,
)
from bitext_pivot.discourse.fusion.fused_documents import FusionSettings, unfuse_documents
from bitext_pivot.tasks.run.targets import Stage, StageFacts


def unfuse_stage(fusion: FusionSettings, language: str) -> Stage:
    """Return the stage that derives fused pairs from parsed sentences.

    A fused pair is a text and two sentences without its discourse phenomenon. Rejected pairs are kept with the reason,
    and texts without a phenomenon are counted.
    """
    parts = {
        "fusion": fusion,
        "version of the rules": rules.VERSION,
        "data of the language": digest(language),
    }

    def run(
        rows: Iterable[ParsedSentence], name: str, facts: StageFacts
    ) -> tuple[list[FusedPair], Counter[str]]:
        skips = Counter[str]()
        return list(unfuse_documents(rows, fusion, RESOLVERS[fusion.backend], skips)), skips

    return Stage("unfuse", "fused", parts, ParsedSentence, FusedPair, run)


def balanced_sampler(
    paths: Iterable[Path], balance: BalanceSettings
) -> Callable[[FusedPair], bool]:
    """Return a function that decides whether a pair belongs to the balanced selection.

    The shares to keep are computed from the accepted pairs of all shards.
    """
    counts = Counter[str]()
    for path in paths:
        names = ("discourse_type", "connective", "rejected_by")
        rows = zip(*(shards.part(path, FusedPair, name) for name in names), strict=True)
        counts.update(
            frequent_phenomenon(kind, connective)
            for kind, connective, reason in rows
            if reason is None
        )
    shares = kept_shares(counts, balance.share)

    def is_drawn(pair: FusedPair) -> bool:
        return is_sampled(
            pair.id,
            shares.get(frequent_phenomenon(pair.discourse_type, pair.connective), 1),
            balance.seed,
        )

    return is_drawn
