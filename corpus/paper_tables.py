"""The tables of the BiSECT paper (Kim et al., EMNLP 2021) for a build, beside published figures (`published.toml`)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bitext_pivot.core.counts import commonest
from bitext_pivot.core.data import read_toml
from bitext_pivot.core.records import CATEGORIES
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.facts import Facts

_SOURCES = (
    "Sources: B: Kim et al., BiSECT, EMNLP 2021; G: data card GEM/BiSECT; W: README of WikiSplit; c: counted in the "
    "released files. An empty cell: not published, or not checked."
)
_THIS = "this build"


def paper_tables(facts: Facts) -> Page:
    """Return Tables 1 and 8, 2, 4, and 11 to 13 of the paper for a build.

    A build has one pivot language, so Table 8 is a column: put those of builds with other pivots side by side.
    """
    published = read_toml(Path(__file__).with_name("published.toml"))
    tables = [
        _by_corpus(facts),
        _published_links(published["links"]),
        _size(facts, published["size"]),
        _constructions(facts, published["constructions"]),
        _sets(facts, published["sets"]),
    ]
    return Page(title=f"{facts.title}: tables", summary=f"{facts.kept:,} pairs.", tables=tables)


def _by_corpus(facts: Facts) -> Table:
    pivot = facts.signature.get("settings", {}).get("pivot", "")
    rows = []
    totals = {"links": 0, "1-2": 0, "2-1": 0, "pairs": 0, "long_tokens": 0, "split_tokens": 0}
    for name in facts.corpora:
        shapes, pairs = (
            facts.counts.below("links", name, "shapes"),
            facts.counts.below("by_corpus", name),
        )
        counts = {"links": shapes.total(), "1-2": shapes["1-2"], "2-1": shapes["2-1"], **pairs}
        totals = {key: total + counts.get(key, 0) for key, total in totals.items()}
        rows.append((name, pivot, *_corpus_cells(counts)))
    if len(rows) > 1:
        rows.append(("all", pivot, *_corpus_cells(totals)))
    head = (
        "corpus",
        "pivot",
        "links",
        "1-2",
        "2-1",
        "of links",
        "pairs",
        "kept",
        "tokens of long",
        "of a sentence",
    )
    return Table(
        title="Alignments and pairs by corpus (Tables 1 and 8; 11 to 13 for languages other than English)",
        head=head,
        rows=rows,
        note="1-2: one sentence of the language that OPUS names first, two of the other. of links: share of 1-2 and "
        "2-1. kept: pairs per such link. Tokens: mean of `long`, and of each of its two sentences, by the parser. "
        "A build has one pivot language; for Table 8 put builds side by side.",
    )


def _corpus_cells(counts: Mapping[str, int]) -> tuple[str, ...]:
    links, usable, pairs = counts["links"], counts["1-2"] + counts["2-1"], counts.get("pairs", 0)
    return (
        *(f"{number:,}" for number in (links, counts["1-2"], counts["2-1"])), _percent(usable, links), f"{pairs:,}",
        _percent(pairs, usable), _mean(counts.get("long_tokens", 0), pairs),
        _mean(counts.get("split_tokens", 0), 2 * pairs),
    )  # fmt: skip


def _published_links(entries: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        (
            entry["corpus"],
            ", ".join(f"{pivot} {links:,}" for pivot, links in entry["pivot"].items()),
            f"{entry['pairs']:,}",
            f"{entry['kept']}%",
            _cell(entry["long_tokens"]),
            _cell(entry["sentence_tokens"]),
        )
        for entry in entries
    ]
    return Table(
        title="BiSECT, English, as published (Tables 1 and 8)",
        head=("corpus", "1-2 and 2-1 by pivot", "pairs", "kept", "tokens of long", "of a sentence"),
        rows=rows,
        note="pairs, kept and lengths: of the corpus, over all its pivots. Pivots that are not named: not "
        "checked. The pairs sum to 1,003,051; the paper's text says 938,102.",
    )


def _size(facts: Facts, entries: Sequence[Mapping[str, Any]]) -> Table:
    keys = (
        "name",
        "pairs",
        "unique_long",
        "unique_split",
        "new",
        "long_tokens",
        "sentence_tokens",
        "source",
    )
    sums = sum(
        (facts.counts.below("by_corpus", name) for name in facts.counts.below("by_corpus")),
        Counter[str](),
    )
    names = ("pairs", "long_tokens", "split_tokens", "new_millionths")
    pairs, long_tokens, split_tokens, new = (sums[name] for name in names)
    unique = (f"{facts.counts['unique', side]:,}" for side in ("long", "split"))
    lengths = (_mean(long_tokens, pairs), _mean(split_tokens, 2 * pairs))
    row = (_THIS, f"{pairs:,}", *unique, _mean(new / 1e4, pairs), *lengths, _THIS)
    return Table(
        title="Size and rewriting (Table 2)",
        head=(
            "corpus",
            "pairs",
            "unique long",
            "unique split",
            "%new",
            "tokens of long",
            "of a sentence",
            "source",
        ),
        rows=[row, *(tuple(_cell(entry.get(key)) for key in keys) for entry in entries)],
        note="%new: mean share of tokens of the two sentences that `long` does not have, with repetition, without "
        "case. " + _SOURCES,
    )


def _constructions(facts: Facts, entries: Sequence[Mapping[str, Any]]) -> Table:
    total = facts.kept
    printed = "; ".join(
        f"{entry['name']} {', '.join(map(str, entry['shares']))}%" for entry in entries
    )
    rows: list[tuple[str, ...]] = []
    for category in CATEGORIES:
        counts = facts.counts.below("constructions", category)
        number = counts.total()
        rows.append((category, "all", f"{number:,}", _percent(number, total)))
        rows += [
            ("", name, f"{number:,}", _percent(number, total)) for name, number in commonest(counts)
        ]
    return Table(
        title="Categories and constructions (Table 4)",
        head=("category", "construction", "pairs", "of all"),
        rows=rows,
        note="Labelled by rule. The paper labelled 100 pairs of each corpus by hand. Its seven constructions, the last "
        f"one Changes Across Sentence: {printed}.",
    )


def _sets(facts: Facts, entries: Sequence[Mapping[str, Any]]) -> Table:
    keys = ("train", "validation", "test")
    row = (_THIS, *(_cell(facts.counts["subset", key]) for key in keys), _THIS)
    rows = [row, *((e["name"], *(_cell(e[key]) for key in keys), e["source"]) for e in entries)]
    return Table(
        title="Sets (Tables 11 to 13: by language)",
        head=("corpus", *keys, "source"),
        rows=rows,
        note=_SOURCES,
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def _percent(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else ""


def _mean(total: float, number: int) -> str:
    return f"{total / number:.1f}" if number else ""
