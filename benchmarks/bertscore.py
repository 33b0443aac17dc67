"""How far BERTScore's mode `fast` is from `reference` (the bert_score package), and the verdicts on which they differ.

usage: python benchmarks/bertscore.py FOLDER

Both modes score every pair of FOLDER with the encoder that comes with the project. The stage `score` of
benchmarks/whole_build.py shows the speed at the size of roberta-large.
"""

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from calibrate_encoder import unparsed
from eval_pairs import all_sources

from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.bertscore import BertscoreFilter


def scores(filter_: BertscoreFilter, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
    """Score pairs as a build does, with an empty row store."""
    with tempfile.TemporaryDirectory() as folder:
        return filter_.scores_by_name(
            pairs, Runtime(device="cpu", threads=2, store=partial(RowStore, Path(folder)))
        )


def main(folder: Path) -> None:
    """Print the largest difference in each set, and each pair on which the two modes decide differently."""
    fast, exact = BertscoreFilter(mode="fast"), BertscoreFilter(mode="reference")
    for name, sources in all_sources(folder).items():
        pairs = [unparsed(source.pair) for source in sources]
        rows = list(zip(pairs, scores(fast, pairs), scores(exact, pairs), strict=True))
        worst = max(
            abs(fast_scores["f1"] - exact_scores["f1"]) for _, fast_scores, exact_scores in rows
        )
        flipped = [
            row for row in rows if fast.accepts(row[1]["score"]) != exact.accepts(row[2]["score"])
        ]
        print(
            f"{name}: {len(pairs)} pairs at {fast.threshold}, max |dF| {worst:.1e}, {len(flipped)} flipped"
        )
        for parsed, fast_scores, exact_scores in flipped:
            print(
                f"  row {parsed.pair.id}: reference {exact_scores['score']:.6f}, fast {fast_scores['score']:.6f}"
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
