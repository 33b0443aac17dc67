"""The first screen of a report: how many rows a data set has, how good they are, what was lost, what is next."""

from collections.abc import Mapping
from typing import Any

from bitext_pivot.core.tables import escape
from bitext_pivot.corpus.division import SUBSETS

_CHECKED = "Meaning was checked by a model of natural language inference."
_UNCHECKED = "Meaning was not checked by a model of natural language inference (preset `checked`)."


def first_screen(stats: Mapping[str, Any], folder: str) -> list[str]:
    """Return a warning if any, how many rows there are, how good they are, what was lost and what is next, in Markdown.

    `stats` is its `stats.json`, `folder` where it is. It is no part of a card, which is published.
    """
    subsets = stats["counts"].get("subset", {})
    rows = sum(subsets.values())
    sets = ", ".join(f"{subsets.get(name, 0):,} {name}" for name in SUBSETS)
    signature = stats.get("signature", {})
    parts = [f"**Warning: {stats['warning']}**"] if stats["warning"] else []
    parts += [f"**{rows:,} rows** of {escape(stats['title'])} are in `{folder}`: {sets}."]
    if rows:
        parts.append(f"**How good?** {_quality(signature)}")
    parts.append(f"**What was lost?** {stats['most_lost']} The funnel in the card has all reasons.")
    if rows:
        sample = f"bitext-pivot sample {folder}"
        parts.append(
            f"**What next?** Read some rows in its `inspector.html`. Assess a sample of them: `{sample}`. Then train a "
            "model (`bitext-pivot train`), or share the data set (`bitext-pivot publish`)."
        )
    else:
        parts.append(
            "**What next?** No row was kept. Read rejected ones in its `inspector.html`, and change what rejects most."
        )
    return parts


def _quality(signature: Mapping[str, Any]) -> str:
    """Return what is known of the quality of rows before a sample is assessed."""
    trial = signature.get("trial", {})
    sentences = ["No sample of these rows has been assessed yet."]
    if "filters" in signature:
        sentences.append(_CHECKED if "entailment" in signature["filters"] else _UNCHECKED)
    if trial.get("confidence") is not None:
        sentences.append(
            f"In the trial of {trial['alignments']:,} alignments the median confidence of a translation is "
            f"{trial['confidence']:.2f}."
        )
    if trial.get("adequacy") is not None:
        sentences.append(
            f"The median similarity to the source is {trial['adequacy']:.2f}; of human translations of the same "
            f"sentences {trial['human']:.2f}."
        )
    return " ".join(sentences)
