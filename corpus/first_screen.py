"""The first screen of a report: how many rows there are, how good they are, what was lost, what is next."""

from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.tables import escape
from bitext_pivot.corpus.division import SUBSETS


def first_screen(stats: Mapping[str, Any], folder: str) -> list[str]:
    """Return in Markdown how many rows there are, how good they are, what was lost and what is next.

    A warning is the first paragraph.

    `stats` is its `stats.json`, `folder` where it is. It is no part of a card, which is published.
    """
    subsets = stats["counts"].get("subset", {})
    rows = sum(subsets.values())
    sets = ", ".join(f"{subsets.get(name, 0):,} {name}" for name in SUBSETS)
    signature = stats.get("signature", {})
    parts = []
    if stats["warning"]:
        parts.append(f"**Warning: {stats['warning']}**")
    parts += [f"**{rows:,} rows** of {escape(stats['title'])} are in `{folder}`: {sets}."]
    if rows:
        parts.append(f"**How good?** {_quality(signature)}")
    parts.append(f"**What was lost?** {stats['most_lost']} The funnel in the card has all reasons.")
    if rows:
        parts.append(
            "**What next?** Read some rows in its `inspector.html`. Assess a sample of them: "
            f"`bitext-pivot sample {folder}`. Then train a model (`bitext-pivot train`), or share the rows "
            "(`bitext-pivot publish`)."
        )
    else:
        parts.append(
            "**What next?** No row was kept. Read rejected ones in its `inspector.html`, and change what "
            "rejects most."
        )
    return parts


def _quality(signature: Mapping[str, Any]) -> str:
    """Return what is known of the quality of rows before a sample is assessed."""
    trial = signature.get("trial", {})
    sentences = ["No sample of these rows has been assessed yet."]
    filters = signature.get("filters")
    if filters is not None and "entailment" in filters:
        sentences.append("Meaning was checked by a model of natural language inference.")
    elif filters is not None:
        sentences.append(
            "Meaning was not checked by a model of natural language inference (preset `checked`)."
        )
    if trial.get("confidence") is not None:
        sentences.append(
            f"In the trial of {trial['alignments']:,} alignments the median confidence of a translation is "
            f"{trial['confidence']:.2f}."
        )
    if trial.get("adequacy") is not None:
        sentences.append(
            f"The median similarity of a translation to its source is {trial['adequacy']:.2f}, that of human "
            f"translations of the same sentences {trial['human']:.2f}."
        )
    return " ".join(sentences)
