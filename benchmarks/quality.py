"""How many good pairs the filters keep, and how many bad ones of each kind they find.

usage: python benchmarks/quality.py --eval FOLDER --write benchmarks/results/filters.md

The page goes to the file, and its first tables are printed. filter-choices.md beside it is written by hand.

FOLDER holds BiSECT's published pairs (bisect_test_visible.tsv, bisect_orig_visible.tsv: `long<TAB>s1 <SEP> s2`) and
natural links with machine translations (wmt_natural_visible.tsv; their two sentences are cut by a rule, so that some of
these "good" pairs are none). Thresholds were chosen on the even lines of these files, counted from
1 behind the heading; bad pairs are reported on the odd ones. Filters that need a model run only on pairs that the
others accept. Comparisons are kept in the row store (BITEXT_PIVOT_HOME), so a second run takes as long as the parser.
"""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bad_pairs import KINDS, build
from changed_pairs import CHANGED
from eval_pairs import all_sources

from bitext_pivot.core.records import Pair, ParsedPair
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Filter, ModelFilter, RuleFilter, Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.content_overlap import ContentOverlapFilter
from bitext_pivot.filters.neural.meaning import MeaningFilter
from bitext_pivot.syntax.parsing import Parser, SpacyPipeline, load_pipeline, parse_pairs

RECALL = {"test": 0.98, "orig": 0.95}
"""Required shares of the published pairs."""
FLOOR = 0.95
FLOORS = {
    "digit changed": 0.90, "date changed": 0.70, "names replaced": 0.60, "neighbour": 0.92,
    "cut behind abbreviation": 0.90, "first twice": 0.70, "first in other words": 0.70, "half says both": 0.60,
    "half covers long": 0.60, "clause made up": 0.55, "seam without mark": 0.40, "two words untranslated": 0.50,
    "two thirds wrong": 0.40,
}  # fmt: skip
"""Shares of bad pairs to find: by kind, and `FLOOR` for the others."""
SAMPLE = 300
"""Pairs of each set that bad pairs are built from."""
NOTES = Path(__file__).with_name("reviewed.tsv")
ALARMS = Path(__file__).with_name("alarms.tsv")
"""Alarms of rules that were read: how many are right, on text read before a rule was set and on unread text."""


@dataclass(frozen=True, slots=True)
class Found:
    """The pairs of one set and, for every filter, the places of those that it rejects."""

    pairs: Sequence[ParsedPair]
    rejected: dict[str, set[int]]

    def by_any(self, but: str | None = None) -> set[int]:
        """Return the places that any filter rejects, or any but one."""
        return set().union(*(places for name, places in self.rejected.items() if name != but))

    def share(self, places: Iterable[int], rest: int | None = None) -> float:
        """Return the share of these places among all, or among the lines whose number leaves this rest by two."""
        all_places = [
            n
            for n, parsed in enumerate(self.pairs)
            if rest is None or number(parsed.pair) % 2 == rest
        ]
        return len(set(places).intersection(all_places)) / max(1, len(all_places))


def number(pair: Pair) -> int:
    """Return the line that a pair came from."""
    return int(pair.id)


def judge(pairs: Sequence[Pair], filters: dict[str, Filter], pipeline: SpacyPipeline) -> Found:
    """Run every rule filter on every pair, and model-based filters on pairs that no rule filter rejects."""
    parsed, _ = parse_pairs(pairs, pipeline)
    rejected: dict[str, set[int]] = {}
    scores: Sequence[float | None]
    for name, filter_ in filters.items():  # rule filters come first
        excluded = (
            rejected_by_rules(rejected, filters) if isinstance(filter_, ModelFilter) else set()
        )
        places = sorted(set(range(len(parsed))) - excluded)
        survivors = [parsed[n] for n in places]
        if isinstance(filter_, ModelFilter):
            scores = filter_.score(survivors, Runtime.of(Site()))
        elif isinstance(filter_, RuleFilter):
            scores = filter_.score(survivors)
        measured = [
            (n, score) for n, score in zip(places, scores, strict=True) if score is not None
        ]
        rejected[name] = {n for n, score in measured if not filter_.accepts(score)}
        if isinstance(filter_, MeaningFilter):
            overlap = ContentOverlapFilter()
            rejected["content_overlap"] -= {n for n, score in measured if score >= overlap.similar}
    return Found(parsed, rejected)


def rejected_by_rules(rejected: dict[str, set[int]], filters: dict[str, Filter]) -> set[int]:
    """Return the places that rule filters reject; on those of `content_overlap` `meaning` decides."""
    rules = {name for name, filter_ in filters.items() if isinstance(filter_, RuleFilter)} - {
        "content_overlap"
    }
    return set().union(*(places for name, places in rejected.items() if name in rules))


def percent(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.1f}"


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a markdown table."""
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def reviewed() -> dict[tuple[str, str], str]:
    """Return the review notes on rejected pairs, by set and line."""
    with NOTES.open(encoding="utf-8", newline="") as file:
        return {
            (row["set"], row["line"]): row["note"] for row in csv.DictReader(file, delimiter="\t")
        }


def good_share(name: str, result: Found) -> float:
    """Return the share of pairs that pass, without the rejected ones that a review found to be bad."""
    notes = reviewed()
    rejected = result.by_any()
    lost = sum(
        notes.get((name, result.pairs[n].pair.id), "good").startswith("good") for n in rejected
    )
    passes = len(result.pairs) - len(rejected)
    return passes / (passes + lost)


def _passed(name: str, result: Found) -> list[str]:
    """Return how many pairs of a set pass: of all, of even and of odd lines; what is required, and of good pairs."""
    rejected = result.by_any()
    shares = [percent(1 - result.share(rejected, rest)) for rest in (None, 0, 1)]
    asked = ["-", "-"]
    if name in RECALL:
        asked = [percent(RECALL[name]), percent(good_share(name, result))]
    return [name, str(len(result.pairs)), *shares, *asked]


def recall(goods: dict[str, Found]) -> list[str]:
    """Return the section on good pairs: what passes, and what each filter costs."""
    passed = [_passed(name, result) for name, result in goods.items()]
    heading = ["set", "pairs", "pass, %", "even lines", "odd lines", "required", "of good pairs"]
    filters = next(iter(goods.values())).rejected
    costs = [
        [
            f"`{name}`",
            *(
                f"{len(good.rejected[name])} / {len(good.by_any() - good.by_any(name))}"
                for good in goods.values()
            ),
        ]
        for name in filters
    ]
    return [
        "## Good pairs",
        "",
        *table(heading, passed),
        "Good pairs that a filter rejects / that it alone rejects:",
        "",
        *table(["filter", *goods], costs),
    ]


def precision(bads: dict[str, dict[str, Found]]) -> list[str]:
    """Return the section on bad pairs: what share of each kind is found, on the lines that chose no threshold."""
    sets = list(next(iter(bads.values())))
    rows = []
    for kind, founds in bads.items():
        shares = [
            founds[name].share(founds[name].by_any(), 1) if founds[name].pairs else None
            for name in sets
        ]
        low = min((share for share in shares if share is not None), default=1.0)
        floor = FLOORS.get(kind, FLOOR)
        cells = ("-" if s is None else percent(s) for s in shares)
        rows.append([kind, *cells, percent(floor), "" if low >= floor else "below"])
    return [
        "## Bad pairs",
        "",
        "Rejected, %, odd lines:",
        "",
        *table(["kind", *sets, "required", ""], rows),
    ]


def losses(goods: dict[str, Found]) -> list[str]:
    """Return the list of published pairs that are rejected: line, filters, and review note."""
    notes, lines = reviewed(), ["## Published pairs that are rejected", ""]
    for name in RECALL:
        result = goods[name]
        rows = []
        for n in sorted(result.by_any()):
            line = result.pairs[n].pair.id
            names = ", ".join(name for name, places in result.rejected.items() if n in places)
            rows.append([line, names, notes.get((name, line), "not reviewed")])
        kinds = Counter(row[2].partition(":")[0] for row in rows)
        lines += [
            f"{name}: {len(rows)} ({', '.join(f'{n} {kind}' for kind, n in kinds.most_common())})",
            "",
        ]
        lines += table(["line", "filter", "review"], rows)
    return lines


def alarms() -> list[str]:
    """Return the table of the alarms that were read."""
    with ALARMS.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file, delimiter="\t")
    text = "Right alarms of all, on pairs that other rules reject, too; drawn by a hash, one reader, 2026-11-27."
    return ["## Alarms that were read", "", text, "", *table(heading, rows)]


def report(folder: Path) -> list[str]:
    """Judge everything and return the lines of the report."""
    filters, parser = Filters(), Parser()
    installed, pipeline = parser.describe_pipeline("en"), load_pipeline(parser, "en")
    sources = all_sources(folder)
    active = filters.active()
    goods = {
        name: judge([source.pair for source in group], active, pipeline)
        for name, group in sources.items()
    }
    bads: dict[str, dict[str, Found]] = {}
    for kind, function in (KINDS | CHANGED).items():
        samples = {name: group[:: max(1, len(group) // SAMPLE)] for name, group in sources.items()}
        built = {
            name: list(build(kind, function, group, seed=1)) for name, group in samples.items()
        }
        bads[kind] = {name: judge(group, active, pipeline) for name, group in built.items()}
        print(kind, file=sys.stderr)
    head = [
        "# What the filters keep and find", "",
        f"Preset `{filters.preset}`, parser {installed}. Written by `benchmarks/quality.py`, which",
        "describes the sets; `bad_pairs.py` and `changed_pairs.py` describe the kinds. Bad pairs are built",
        f"from {SAMPLE} pairs of each set or more.", "",
    ]  # fmt: skip
    return [*head, *recall(goods), *precision(bads), *alarms(), *losses(goods)]


def main() -> None:
    """Write the report and print its first tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--eval", type=Path, required=True, help="folder with the three tables")
    parser.add_argument("--write", type=Path, required=True, help="file to write")
    arguments = parser.parse_args()
    text = "\n".join(report(arguments.eval)).rstrip() + "\n"
    arguments.write.write_text(text, encoding="utf-8")
    print(text[: text.index("## Published pairs that")].rstrip())


if __name__ == "__main__":
    main()
