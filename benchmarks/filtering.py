"""Cost of rule filters and labels relative to parsing, in CPU seconds.

usage: python benchmarks/filtering.py TABLE [PIPELINE] [--pairs 2000]

TABLE has `long<TAB>s1 <SEP> s2` (as bisect_orig_visible.tsv). Every 50 pairs are parsed, then filtered, so that all
steps see the same machine load. Required: all rule filters together cost less than 3 % of parsing with the quickstart
parser.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lemminflect import getAllLemmas

from corpus.pair_files import read_lines
from filters.base import RuleFilter
from filters.chain import FilterChain
from pairs.labelling.categories import label
from pairs.records import Pair
from pairs.syntax.parsing import Parser, load, parse_pairs

_AT_ONCE = 50


def measure(pairs: list[Pair], pipeline: Any, seconds: defaultdict[str, float]) -> None:
    """Parse, filter and label some pairs, and add the CPU seconds of each step."""

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = work()
        seconds[name] += time.process_time() - start
        return result

    filters = FilterChain(preset="strict")
    parsed, _ = timed("parsing", lambda: parse_pairs(pairs, pipeline))
    timed("all rule filters", lambda: filters.rule_scores(parsed))
    timed("categories", lambda: [label(pair) for pair in parsed])
    for name, one in filters.active().items():
        if isinstance(one, RuleFilter):
            timed(f"  {name} alone", partial(one.score, parsed))


def main() -> None:
    """Print one line per step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("pipeline", nargs="?", default="quickstart/models/spacy-en-ud")
    parser.add_argument("--pairs", type=int, default=2000)
    arguments = parser.parse_args()
    pairs = [line.pair for line in read_lines(arguments.table, "en") if line.pair][: arguments.pairs]
    pipeline = load(Parser(pipeline=arguments.pipeline), "en")
    measure(pairs[:_AT_ONCE], pipeline, defaultdict(float))  # loads what is loaded once
    start = time.process_time()
    getAllLemmas("arise")
    print(f"loading the dictionary of English that `verbs` asks, once per process: {time.process_time() - start:.1f} s")
    seconds = defaultdict[str, float](float)
    for start in range(0, len(pairs), _AT_ONCE):
        measure(pairs[start : start + _AT_ONCE], pipeline, seconds)
    print(f"{len(pairs)} pairs; CPU microseconds per pair, share of parsing")
    for name, total in seconds.items():
        print(f"{name:24}{total / len(pairs) * 1e6:10.1f}{total / seconds['parsing']:10.2%}")


if __name__ == "__main__":
    main()
