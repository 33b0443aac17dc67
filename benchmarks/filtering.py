"""What the filters without a model and the labels cost: microseconds a pair on one core, on parsed pairs.

usage: python benchmarks/filtering.py TABLE [PIPELINE] [--pairs 2000] [--rounds 5]

TABLE has `long<TAB>s1 <SEP> s2` (as bisect_orig_visible.tsv). Its pairs are parsed once and stored as a shard. Each
round reads the shard anew, as the task that scores does, and scores it in batches as the sieve does. The median of the
rounds' CPU time is printed, reading not included (storing.py has that): for every filter in the order of the sieve
(what several share is paid by the first that asks), for the paper's and for all together, for the sieve as a whole
(with the dictionaries of scores) and for the same from records without a shard's columns, for the same rules said
plainly, a pair at a time (tests/plain_rules.py), and for the categories by either set of rules.
"""

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plain_rules import RULES

from filters.base import Filter
from filters.batch import Batch
from filters.sieve import AT_ONCE, Sieve
from pairs import shards
from pairs.categories import Categories, categorize
from pairs.columns import ParsedPairs
from pairs.parsing import Parser, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import ParsedPair


def asked_for(about: str | None, *, rounds: int) -> tuple[list[ParsedPair], int]:
    """Return the parsed pairs that the command line names, and how many rounds it wants."""
    arguments = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("table", type=Path)
    arguments.add_argument("pipeline", nargs="?", default="quickstart/models/spacy-en-ud")
    arguments.add_argument("--pairs", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=rounds)
    given = arguments.parse_args()
    return parsed(given.table, given.pipeline, given.pairs), given.rounds


def parsed(table: Path, pipeline: str, most: int) -> list[ParsedPair]:
    """Return the first pairs of a table, parsed."""
    pairs = [line.pair for line in read_lines(table, "en") if line.pair][:most]
    return parse_pairs(pairs, load(Parser(pipeline=pipeline), "en"))[0]


class Clock:
    """Microseconds a pair by name, one number a round."""

    def __init__(self, pairs: Sequence[ParsedPair], shard: Path) -> None:
        self._shard, self._size = shard, shards.write(shard, ParsedPair, pairs)
        self.times: dict[str, list[float]] = defaultdict(list)

    def fresh(self) -> list[ParsedPairs]:
        """Return the pairs as a shard brings them, some at a time; the collector has nothing left to do for them."""
        parts = list(shards.read_parsed(self._shard))
        gc.collect()
        return parts

    def note(self, name: str, seconds: float) -> None:
        """Enter what a round took."""
        self.times[name].append(seconds / self._size * 1e6)

    def time(self, name: str, work: Callable[[ParsedPairs], object]) -> None:
        """Enter what a piece of work takes on fresh pairs."""
        parts = self.fresh()
        start = time.process_time()
        for part in parts:
            work(part)
        self.note(name, time.process_time() - start)


def filter_by_filter(clock: Clock, name: str, filters: dict[str, Filter]) -> None:
    """Let filters score fresh pairs batch by batch, and note each and all together."""
    parts, spent = clock.fresh(), dict.fromkeys(filters, 0.0)
    for batch in [Batch(part[start : start + AT_ONCE]) for part in parts for start in range(0, len(part), AT_ONCE)]:
        for one, asked in filters.items():
            began = time.process_time()
            asked.score(batch)
            spent[one] += time.process_time() - began
    for one, seconds in spent.items():
        clock.note(f"{name}: {one}", seconds)
    clock.note(f"{name}: together", sum(spent.values()))


def a_round(clock: Clock, cheap: dict[str, Filter]) -> None:
    """Time everything once."""
    paper = {name: one for name, one in cheap.items() if one.preset == "paper"}
    filter_by_filter(clock, "paper", paper)
    filter_by_filter(clock, "strict", cheap)
    sieve = Sieve()
    clock.time("sieve, no model", sieve.cheap)
    clock.time("sieve, from records", lambda pairs: sieve.cheap([*pairs]))
    clock.time("plain rules", lambda pairs: [RULES[name](pair) for name in cheap if name in RULES for pair in pairs])
    for rules in ("code", "paper"):
        chosen = Categories(rules=rules)
        clock.time(f"categorize, {rules}", lambda pairs, chosen=chosen: [categorize(pair, chosen) for pair in pairs])


def main() -> None:
    """Print a line a figure."""
    pairs, rounds = asked_for(__doc__, rounds=5)
    cheap = {name: one for name, one in Sieve(preset="strict").active().items() if not one.dear}
    gc.collect()
    gc.freeze()  # what was loaded for parsing is no work of the filters'
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock(pairs, Path(folder) / "pairs.parquet")
        for _ in range(rounds + 1):
            a_round(clock, cheap)
    tokens = sum(len(side.tokens) for pair in pairs for side in (pair.long, *pair.split))
    print(f"{len(pairs)} pairs, {tokens / len(pairs):.0f} tokens a pair; microseconds a pair, pairs a second")
    for name, times in clock.times.items():
        median = statistics.median(times[1:])  # the first round reads the word lists
        print(f"{name:24}{median:8.1f}{1e6 / median:12,.0f}")


if __name__ == "__main__":
    main()
