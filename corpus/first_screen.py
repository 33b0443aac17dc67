"""The beginning of a build's report: number of rows, their quality, the losses, and what to do next."""

from bitext_pivot.core.counts import sort_by_count
from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.facts import BuildStats


def first_screen(stats: BuildStats, folder: str) -> str:
    """Return the beginning of a build's report in Markdown. Warnings come first.

    `folder` is the data set folder, which the card does not contain, because cards are published.
    """
    numbers, signature = stats.counts.below("subset"), stats.signature
    return render(
        "corpus/first_screen.jinja",
        stats=stats,
        folder=folder,
        numbers={name: numbers[name] for name in SUBSETS},
        rows=stats.kept,
        filters=signature.get("filters"),
        minimum=signature.get("min_confidence", ""),
        trial=signature.get("trial", {}),
        worst=next((name for name, _ in sort_by_count(stats.counts.below("rejected"))), ""),
    )
