"""The BERTScore threshold of an encoder, by pairs that are known to be good: the last lines are its entry.

usage: python benchmarks/calibrate_encoder.py FILE... --model MODEL --layer LAYER

The entry belongs into filters/neural/encoders.toml.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.reading import pair_files
from bitext_pivot.core.reading.pair_files import PairLine
from bitext_pivot.core.records import Pair, Parse, ParsedPair
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.bertscore import BertscoreFilter
from bitext_pivot.filters.neural.precision import library_version

LOSS = 0.015
"""Share of the good pairs of a file that the threshold may reject."""
LEAST = 50
"""Pairs that a file must have."""
STEPS = [round(0.05 * step, 2) for step in range(20)]
"""Thresholds that are tried; coarse, because other pairs will be met."""
_NO_PARSE = Parse(
    tokens=(), starts=(), lemmas=(), tags=(), pos=(), deps=(), heads=(), morphs=(), scheme="ud"
)


def calibrate(
    files: Mapping[Path, Iterable[PairLine]], bertscore: BertscoreFilter, runtime: Runtime
) -> Iterator[str]:
    """Yield a table for each file, given with its lines, and the entry of encoders.toml.

    A table has the share in percent that each threshold rejects: of the pairs (`good`), and of false ones with the
    second half (`half`) or both halves (`both`) of the pair half a file further on. The threshold is the largest
    multiple of 0.05 that rejects at most 1.5 % of the good pairs of each file.

    Raises:
        SettingsError: a file cannot be read or has fewer than 50 pairs, or every threshold rejects too many.
    """
    good: dict[str, Sequence[float]] = {}
    for file, pairs in [(file, _pairs(file, lines)) for file, lines in files.items()]:
        scores = {
            kind: bertscore.score(examples, runtime) for kind, examples in _kinds(pairs).items()
        }
        good[file.name] = scores["good"]
        yield f"{file.name}: {len(pairs)} pairs; rejected of good ones, and of those with half or both of another, %"
        yield f"{'min_score':9}" + "".join(f"{kind:>7}" for kind in scores)
        for step in STEPS:
            yield f"{step:9.2f}" + "".join(
                f"{100 * _rejected(values, step):7.1f}" for values in scores.values()
            )
        yield ""
    fitting = [
        step for step in STEPS if all(_rejected(scores, step) <= LOSS for scores in good.values())
    ]
    if not fitting:
        raise SettingsError(
            f"No threshold keeps {100 - 100 * LOSS:g} % of these pairs with {bertscore.model}, "
            f"layer {bertscore.compared_layer}. Name another layer or encoder, or better pairs."
        )
    yield from _entry(bertscore, fitting[-1], good, runtime)


def _pairs(file: Path, lines: Iterable[PairLine]) -> list[Pair]:
    pairs = [line.pair for line in lines if line.pair]
    if len(pairs) < LEAST:
        raise SettingsError(
            f"{file} has {len(pairs)} pairs, expected {LEAST} or more. Name a file of good pairs."
        )
    return pairs


def _kinds(pairs: Sequence[Pair]) -> dict[str, list[ParsedPair]]:
    """Return good pairs, and false ones made of them, without parses, which BERTScore does not need."""
    half = len(pairs) // 2
    partners = [*pairs[half:], *pairs[:half]]
    splits = {
        "good": [pair.split for pair in pairs],
        "half": [
            (pair.split[0], partner.split[1]) for pair, partner in zip(pairs, partners, strict=True)
        ],
        "both": [partner.split for partner in partners],
    }
    return {
        kind: [
            unparsed(replace(pair, split=split))
            for pair, split in zip(pairs, kind_splits, strict=True)
        ]
        for kind, kind_splits in splits.items()
    }


def unparsed(pair: Pair) -> ParsedPair:
    """Return a pair with empty parses."""
    return ParsedPair(pair=pair, long=_NO_PARSE, split=(_NO_PARSE, _NO_PARSE))


def _rejected(scores: Sequence[float], threshold: float) -> float:
    return sum(score < threshold for score in scores) / len(scores)


def _entry(
    bertscore: BertscoreFilter,
    threshold: float,
    good: Mapping[str, Sequence[float]],
    runtime: Runtime,
) -> Iterator[str]:
    """Yield the lines of the entry; the name is quoted where TOML asks for it."""
    losses = [
        f"{100 * _rejected(scores, threshold):.1f} % of {len(scores)}, {name}"
        for name, scores in good.items()
    ]
    settings = f"{bertscore.mode} {bertscore.precision(runtime.device)} {library_version()}"
    how = (
        f"{datetime.now(UTC):%Y-%m-%d}, benchmarks/calibrate_encoder.py, {settings}: the largest multiple of 0.05 that "
        f"rejects at most {100 * LOSS:g} % of the pairs of each file; it rejects {'; '.join(losses)}"
    )
    yield f"[{bertscore.model if re.fullmatch(r'[A-Za-z0-9_-]+', bertscore.model) else json.dumps(bertscore.model)}]"
    yield f"layer = {bertscore.compared_layer}"
    yield f"min_score = {threshold:g}"
    yield f"calibrated = {json.dumps(how, ensure_ascii=False)}"


def main(arguments: argparse.Namespace) -> None:
    """Print the tables and the entry."""
    bertscore = BertscoreFilter(model=arguments.model, layer=arguments.layer, min_score=0)
    files = {file: pair_files.read_pairs(file, "en") for file in arguments.files}
    for line in calibrate(files, bertscore, Runtime.of(Site())):
        print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        help="TSV `long<TAB>s1 <SEP> s2`, or JSON lines; 50 pairs or more in each",
    )
    parser.add_argument(
        "--model", required=True, help="the encoder: a name on the hub, or a folder"
    )
    parser.add_argument(
        "--layer", type=int, help="the layer to compare; default: the layer in encoders.toml"
    )
    try:
        main(parser.parse_args())
    except BuildError as error:
        sys.exit(str(error))
