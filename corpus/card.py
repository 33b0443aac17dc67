"""The card of a data set, made from what ran: signature, rows, funnel, licences, some rows, how to cite and rebuild."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile, zip_longest
from typing import Any

from bitext_pivot.core.counts import commonest
from bitext_pivot.core.tables import escape, markdown_table
from bitext_pivot.corpus.assignment import ENOUGH, PART
from bitext_pivot.corpus.citation import bibtex, signature_line
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.facts import Facts
from bitext_pivot.corpus.rebuild import section
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.schema import columns
from bitext_pivot.corpus.statement import DEFAULT, FAIR, Statement

_REPORTS = frozenset({"markers", "trial"})
"""Parts of a signature that are results, not settings."""
_AFTER_RESULTS = "Built by bitext-pivot; the signature"
_SHOWN = 10
"""Rows on a card."""


def readme(
    recipe: Recipe[Any], facts: Facts, inspected: str, statement: Statement = DEFAULT
) -> str:
    """Return the README of a data set in Markdown, without its front matter.

    `inspected` says in a sentence which records the inspector has, `statement` what the author says of the data
    set.
    """
    counts = facts.counts
    line = signature_line(facts.signature, counts.below("licence"))
    kinds = {**dict.fromkeys(recipe.rows.classes, 0), **counts.below("kinds")}
    sets = ", ".join(f"{counts['subset', name]:,} {name}" for name in SUBSETS)
    parts = [
        f"# {escape(facts.title)}",
        *([f"**Warning: {facts.warning}**"] if facts.warning else []),
        f"**{facts.kept:,} rows**: {sets}. {facts.most_lost}",
        f"{recipe.card.about} {_AFTER_RESULTS}, to quote with results:",
        f"```text\n{line}\n```",
        *_files(recipe, facts, inspected),
        "## Rows",
        markdown_table(("kind", "rows"), list(kinds.items())),
        markdown_table(("set", "kept rows"), [(name, counts["subset", name]) for name in SUBSETS]),
        f"A document is in one set as a whole; of a corpus with fewer than {ENOUGH} documents, each part of {PART} "
        f"links or sentences.{_absent(facts)}",
        *_funnel(recipe, facts),
        "`divide`: rows that were rejected because another set or a foreign test set has their text.",
        *recipe.card.notes(facts),
        *(_label(name, counts.below("labels", name)) for name in recipe.counted.labels),
        "## Columns",
        markdown_table(
            ("column", "type", "meaning"), columns(recipe.rows.classes[recipe.rows.first_kind])
        ),
        "Rejected rows have `rejected_by` besides.",
        *_skipped(facts),
        "## Sources and licences",
        *_licences(facts),
        *_local_files(facts),
        *some_rows(recipe, facts.examples),
        "## Known limits",
        "\n".join(f"- {limit}" for limit in (*recipe.card.limits, FAIR)),
        "## Data statement",
        *statement.paragraphs(),
        "## Cite",
        "Cite the method, OPUS, and each corpus as its page on https://opus.nlpl.eu asks.",
        f"```bibtex\n{bibtex(line, recipe.card.paper)}```",
        section(
            {name: part for name, part in facts.signature.items() if name not in _REPORTS},
            recipe.card.rebuild,
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _funnel(recipe: Recipe[Any], facts: Facts) -> Iterator[str]:
    """Yield where rows are lost: the picture, the most frequent reasons with an example each, all stages."""
    yield "## Funnel"
    if recipe.card.picture:
        yield recipe.card.picture
    if facts.reasons:
        yield "What was lost most after the first stage, with an example where `rejected` has one:"
        head = ("lost at", "reason", "rows", "example")
        yield markdown_table(head, facts.reasons)
    yield markdown_table(
        ("stage", "rows", "lost"),
        [(stage.name, stage.rows, stage.reasons) for stage in facts.funnel],
    )


def results(card: str) -> str:
    """Return what was built, from the beginning of a card without front matter."""
    return "\n\n".join(
        takewhile(lambda paragraph: _AFTER_RESULTS not in paragraph, card.split("\n\n"))
    )


def _files(recipe: Recipe[Any], facts: Facts, inspected: str) -> list[str]:
    """Return how to load the rows, and what the other files are."""
    kinds = [kind for kind in recipe.rows.classes if facts.counts["kinds", kind]]
    loads = "\n".join(f'load_dataset("FOLDER", "{kind}")' for kind in kinds)
    files = "".join(f"`{name}`: {what}. " for name, what in recipe.rows.files.items())
    return [
        *([f"```python\nfrom datasets import load_dataset\n\n{loads}\n```"] if loads else []),
        "`rejected`: what was left out, with the reason. `inspector.html`: a page to search, filter and read the rows. "
        f"{inspected} {files}`stats.json`: every count below, for programs. `manifest.json`: size, SHA-256 and rows of "
        "every file. `croissant.json`: columns, files, sources and the statement below in Croissant.",
    ]


def _absent(facts: Facts) -> str:
    """Return what `load_dataset` does not find because it has no rows."""
    if not facts.kept:
        return ' No row was kept: `load_dataset("FOLDER")` finds no data; `"rejected"` names the rejected rows.'
    sets = [f"`{name}`" for name in SUBSETS if not facts.counts["subset", name]]
    return (
        f" `load_dataset` does not have {' and '.join(sets)} of the kept rows: there are none."
        if sets
        else ""
    )


def _skipped(facts: Facts) -> list[str]:
    reasons = [f"{number:,} {reason}" for reason, number in facts.counts.below("skipped").items()]
    return [f"Rows that a format cannot hold: {', '.join(reasons)}."] if reasons else []


def _label(name: str, numbers: Mapping[str, int]) -> str:
    rows = [(value or "(none)", number) for value, number in commonest(numbers)]
    return f"## By `{name}`\n\n{markdown_table((name, 'rows'), rows)}"


def _licences(facts: Facts) -> Iterator[str]:
    below = facts.counts.below
    rows = [(name, *row) for name in below("licence") for row in commonest(below("licence", name))]
    yield markdown_table(("corpus", "licence", "rows"), rows)
    yield "Each row names its licence. `unknown`: the corpus states none; ask before you pass it on."
    if unknown := facts.licences["unknown"]:
        yield f"{unknown:,} rows have no stated licence."


def _local_files(facts: Facts) -> list[str]:
    """Return which files of the build machine were read: rows may have texts of them."""
    rows = list(facts.signature.get("files", {}).items())
    return (
        ["Files of the build machine that were read:", markdown_table(("file", "sha256"), rows)]
        if rows
        else []
    )


def some_rows(recipe: Recipe[Any], examples: Mapping[str, Sequence[str]]) -> list[str]:
    """Return examples by group as parts of a page, of each group in turn."""
    in_turn = (example for turn in zip_longest(*examples.values()) for example in turn if example)
    return [
        "## Some rows",
        *filter(None, [recipe.card.legend]),
        *(f"### {example}" for example in islice(in_turn, _SHOWN)),
    ]
