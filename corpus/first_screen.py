"""The first screen of a report: how many rows there are, how good they are, what was lost, what is next."""

from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.recipe import REJECTED


def first_screen(stats: Mapping[str, Any], folder: str) -> str:
    """Return in Markdown how many rows there are, how good they are, what was lost and what is next.

    A warning is the first paragraph.

    `stats` is its `stats.json`, `folder` where it is. It is no part of a card, which is published.
    """
    numbers = stats["counts"].get("subset", {})
    signature = stats.get("signature", {})
    return render(
        "corpus/first_screen.jinja",
        stats=stats,
        folder=folder,
        numbers={name: numbers.get(name, 0) for name in SUBSETS},
        rows=sum(numbers.values()),
        filters=signature.get("filters"),
        minimum=signature.get("min_confidence", ""),
        trial=signature.get("trial", {}),
        rejected=stats["counts"].get("kinds", {}).get(REJECTED),
    )
