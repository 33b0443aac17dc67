"""What a parser does to the two filters that lean on it: good pairs lost, pasted sentences and verbless sides found.

usage: python benchmarks/parser_filters.py PIPELINE[,PIPELINE...] PUBLISHED.tsv...

Each table has published pairs, `long<TAB>s1 <SEP> s2`; the first 800 count. A line a pipeline, table and way of
counting: the share of published pairs rejected, and of the same pairs the share found when `long` is replaced by the
halves pasted with a blank (for verbs: by a side whose verbs, by the pipeline's own tags, were taken out).
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from filters.base import Filter
from filters.components import Components
from filters.verbs import Verbs
from pairs.parsing import Parser, Pipeline, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import Pair, ParsedPair

MOST = 800  # pairs of a table
VERBS = {"VERB", "AUX"}


def rejected(one: Filter, parsed: Sequence[ParsedPair]) -> float:
    """Return the share of pairs that a filter rejects, in percent."""
    return 100 * sum(not one.accepts(score) for score in one.score(parsed)) / len(parsed)


def pasted(pair: Pair) -> Pair:
    """Return a pair whose `long` is its two halves."""
    return replace(pair, long=" ".join(pair.split))


def verbless(parsed: ParsedPair) -> Pair:
    """Return a pair whose first half has lost its verbs."""
    half = parsed.split[0]
    kept = " ".join(token for token, pos in zip(half.tokens, half.pos, strict=True) if pos not in VERBS)
    return replace(parsed.pair, split=(kept or "Nothing.", parsed.pair.split[1]))


def measure(pairs: list[Pair], pipeline: Pipeline) -> None:
    """Print a line for each way of counting."""
    parsed, _ = parse_pairs(pairs, pipeline)
    both, _ = parse_pairs([pasted(pair) for pair in pairs], pipeline)
    bare, _ = parse_pairs([verbless(pair) for pair in parsed], pipeline)
    ways = {
        "components, sentences": (Components(), both),
        "components, roots": (Components(count="roots"), both),
        "verbs": (Verbs(), bare),
    }
    for name, (one, bad) in ways.items():
        print(f"  {name:24} published lost {rejected(one, parsed):5.1f} %   found {rejected(one, bad):5.1f} %")


def main(names: Sequence[str], tables: Sequence[Path]) -> None:
    """Measure each pipeline on each table."""
    for name in names:
        pipeline = load(Parser(pipeline=name), "en")
        for table in tables:
            pairs = [line.pair for line in read_lines(table, "en") if line.pair][:MOST]
            print(f"{Path(name).name}, {table.stem}: {len(pairs)} pairs")
            measure(pairs, pipeline)


if __name__ == "__main__":
    main(sys.argv[1].split(","), list(map(Path, sys.argv[2:])))
