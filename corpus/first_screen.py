"""The first screen of a report: how many rows there are, how good they are, what was lost, what is next."""

from bitext_pivot.core.counts import commonest
from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.facts import BuildStats


def first_screen(stats: BuildStats, folder: str) -> str:
    """Return in Markdown how many rows there are, how good they are, what was lost and what is next.

    A warning is the first paragraph.

    `folder` is where the data set is. It is no part of a card, which is published.
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
        worst=next((name for name, _ in commonest(stats.counts.below("rejected"))), ""),
    )
