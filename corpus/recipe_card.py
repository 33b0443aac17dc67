"""The card of a recipe over documents, made from what ran: its signature, counts, licences, some rows, how to cite."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from corpus.card import commonest
from corpus.citation import bibtex, signature_line
from corpus.columns import columns
from corpus.examples import escape
from corpus.export import Placed
from corpus.rebuild import section
from corpus.recipe import Recipe
from pairs.tables import markdown_table

_FAIR = "The texts are as fair, current and private as their corpora."
_REBUILD = (
    "`--preset README.md` with the recipe's command builds with the same settings. It does not check that corpora, "
    "models and versions are the same."
)
_REPORTS = frozenset({"markers"})
"""Parts of a signature that are results, not settings."""
EXAMPLES = 10
"""Rows on a card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """All counts of a data set, and the signature of what ran: `stats.json`."""

    signature: dict[str, Any]
    stages: list[dict[str, Any]]
    """Of each stage: `name`, `rows` and `skips` by reason."""
    rejected: dict[str, int]
    """Rejected records by reason, the most frequent first."""
    subset: dict[str, int]
    """Kept records of each set: train, validation, test."""
    kinds: dict[str, int]
    """Rows by kind."""
    labels: dict[str, dict[str, int]]
    """Kept records by the values of each label."""
    licence: dict[str, dict[str, int]]
    """Kept records by corpus and licence."""
    skipped: dict[str, int] = field(default_factory=dict)
    """Rows that a format cannot hold, by reason."""

    @property
    def kept(self) -> int:
        """Kept records."""
        return sum(self.subset.values())

    def plain(self) -> dict[str, Any]:
        """Return the JSON object of `stats.json`."""
        return asdict(self)


class Licences:
    """Counts of kept records by corpus and licence."""

    def __init__(self, recipe: Recipe[Any]) -> None:
        self._recipe = recipe
        self._counts: dict[str, Counter[str]] = {}

    def add(self, batch: Placed) -> None:
        """Take the records that were kept into account."""
        for record, reason in zip(batch.records, batch.rejected_by, strict=True):
            if reason is None:
                row = self._recipe.row(record, next(iter(self._recipe.rows)))
                self._counts.setdefault(f"{row['corpus']}/{row['release']}", Counter())[row["licence"]] += 1

    def plain(self) -> dict[str, dict[str, int]]:
        """Return the counts, sorted."""
        return {corpus: dict(sorted(counts.items())) for corpus, counts in sorted(self._counts.items())}


def readme(
    title: str, recipe: Recipe[Any], counts: Counts, examples: Sequence[Mapping[str, Any]], inspected: str
) -> str:
    """Return the README of a data set in Markdown, without its front matter.

    `examples` are some rows of kept records; `inspected` says in a sentence which records the inspector has.
    """
    line = signature_line(counts.signature, sorted(counts.licence))
    configurations = [kind for kind in recipe.rows if counts.kinds.get(kind)]
    loads = "\n".join(f'load_dataset("FOLDER", "{kind}")' for kind in configurations)
    parts = [
        f"# {title}",
        f"{counts.kept:,} rows, built by bitext-pivot. {recipe.about} Its signature, to quote with results:",
        f"```text\n{line}\n```",
        *([f"```python\nfrom datasets import load_dataset\n\n{loads}\n```"] if loads else []),
        "`rejected`: what was left out, with the reason. `inspector.html`: a page to search, filter and read the rows. "
        f"{inspected} `stats.json`: every count below, for programs. "
        "`manifest.json`: size, SHA-256 and rows of every file.",
        "## Rows",
        *([] if counts.kept else ["No row was kept: the tables below say where they were lost."]),
        markdown_table(("kind", "rows"), [(kind, counts.kinds.get(kind, 0)) for kind in recipe.rows]),
        markdown_table(("set", "kept rows"), list(counts.subset.items())),
        "A document is in one set as a whole.",
        *filter(None, [recipe.notes(counts.signature)]),
        "## Columns",
        markdown_table(("column", "type", "meaning"), columns(next(iter(recipe.rows.values())))),
        "Rejected rows have `rejected_by` besides.",
        "## Stages",
        markdown_table(("stage", "rows", "skipped"), [(s["name"], s["rows"], _reasons(s)) for s in counts.stages]),
        markdown_table(("rejected by", "rows"), list(counts.rejected.items())),
        *(_section(label, values) for label, values in counts.labels.items()),
        "## Sources and licences",
        markdown_table(
            ("corpus", "licence", "rows"),
            [(corpus, licence, n) for corpus, numbers in counts.licence.items() for licence, n in numbers.items()],
        ),
        "Each row names its licence. `unknown`: the corpus states none; ask before you pass it on.",
        "## Some rows",
        *("\n".join(f"- {name}: {_value(value)}" for name, value in row.items()) for row in examples),
        *(["Rows that a format cannot hold: " + ", ".join(f"{n} {why}" for why, n in counts.skipped.items()) + "."]
          if counts.skipped else []),
        "## Known limits",
        "\n".join(f"- {line}" for line in (*recipe.limits, _FAIR)),
        "## Cite",
        f"```bibtex\n{bibtex(line, recipe.paper)}```",
        section({name: part for name, part in counts.signature.items() if name not in _REPORTS}, _REBUILD),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _section(label: str, values: Mapping[str, int]) -> str:
    rows = [(name or "(none)", number) for name, number in commonest(values)]
    return f"## By `{label}`\n\n{markdown_table((label, 'rows'), rows)}"


def _reasons(stage: Mapping[str, Any]) -> str:
    return ", ".join(f"{reason} {number}" for reason, number in stage["skips"].items())


def _value(value: object) -> str:
    return escape(" ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split()))
