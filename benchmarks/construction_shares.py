"""BiSECT's Table 4: shares of the constructions and categories in files of pairs, labelled by our rules.

usage: python benchmarks/construction_shares.py [--rows 1500] [--pipeline quickstart/models/spacy-en-ud] FILE...

Each FILE has pairs as `bitext-pivot judge` reads them: `long<TAB>s1 <SEP> s2`, WikiSplit's `<::::>`, or JSON lines,
also compressed. Of larger files `--rows` pairs are drawn by a hash. Prints a Markdown table, in percent. The paper
labelled 100 pairs of each corpus by hand.
"""

import argparse
from collections import Counter
from pathlib import Path

from eval_pairs import COLUMNS, PUBLISHED

from bitext_pivot.core.reading.pair_files import checked_lines
from bitext_pivot.core.records import CATEGORIES, Pair
from bitext_pivot.core.sampling import HashSample
from bitext_pivot.core.tables import markdown_table
from bitext_pivot.syntax.labelling.categories import label
from bitext_pivot.syntax.labelling.constructions import CONSTRUCTIONS, OTHER
from bitext_pivot.syntax.parsing import Parser, Pipeline, load, parse_pairs


def drawn(path: Path, rows: int) -> list[Pair]:
    """Return the pairs of a file, at most so many."""
    sample = HashSample[Pair](rows)
    columns = {}
    if path.name in PUBLISHED.values():
        columns = COLUMNS
    for line in checked_lines(path, "en", columns):
        if line.pair:
            sample.add(line.pair.long, lambda pair=line.pair: pair)  # type: ignore[misc]
    return sample.values()


def counts(path: Path, rows: int, pipeline: Pipeline) -> Counter[str]:
    """Return the pairs of each construction and of each category."""
    parsed, _ = parse_pairs(drawn(path, rows), pipeline)
    labels = [label(pair) for pair in parsed]
    constructions = Counter(one.construction for one in labels)
    return constructions + Counter(str(one.category) for one in labels)


def main() -> None:
    """Print the shares of each file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--pipeline", default="quickstart/models/spacy-en-ud")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    pipeline = load(Parser(pipeline=arguments.pipeline), "en")
    found = {path.name: counts(path, arguments.rows, pipeline) for path in arguments.files}
    pairs = {
        name: sum(number[category] for category in CATEGORIES) for name, number in found.items()
    }
    names = [*(name for name in CONSTRUCTIONS if name != OTHER), OTHER, *CATEGORIES]
    rows = [
        (name, *(f"{100 * number[name] / pairs[file]:.1f}" for file, number in found.items()))
        for name in names
    ]
    print(markdown_table(("", *(f"{name}, {pairs[name]}" for name in found)), rows))


if __name__ == "__main__":
    main()
