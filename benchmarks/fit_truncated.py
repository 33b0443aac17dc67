"""Fit the weights of the filter `truncated` on real pairs and the same pairs with one half truncated.

usage: python benchmarks/fit_truncated.py FOLDER > filters/truncated.toml

FOLDER as for benchmarks/quality.py. Only even lines are used, and only good pairs that all other rule filters accept.
Logistic regression with a small L2 penalty, truncated halves against halves of good pairs; a truncated half has weight
0.5.
"""

import sys
from itertools import chain
from pathlib import Path

import numpy as np
from bad_pairs import KINDS, build
from eval_pairs import all_sources
from numpy.typing import NDArray
from quality import number
from sklearn.linear_model import LogisticRegression

from bitext_pivot.core.records import Pair, ParsedPair
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.truncated import SIGNS, signs
from bitext_pivot.filters.view import View
from bitext_pivot.syntax.parsing import Parser, Pipeline, load, parse_pairs

CUT = {"first cut and closed": 0, "second cut and closed": 1}
"""Kinds of bad pairs, and which half is cut."""
Numbers = NDArray[np.float64]


def measured(pairs: list[ParsedPair]) -> Numbers:
    """Return the signs of many pairs."""
    return np.array([signs(View(pair)) for pair in pairs]).reshape(-1, 2, len(SIGNS))


def accepted(pairs: list[ParsedPair]) -> list[ParsedPair]:
    """Return the pairs that all other rule filters accept."""
    others = [
        filter_
        for name, filter_ in Filters().active().items()
        if isinstance(filter_, RuleFilter) and name != "truncated"
    ]
    verdicts = [
        [score is None or filter_.accepts(score) for score in filter_.score(pairs)]
        for filter_ in others
    ]
    return [pair for pair, *passes in zip(pairs, *verdicts, strict=True) if all(passes)]


def fitted(whole: Numbers, cut: Numbers) -> tuple[Numbers, float]:
    """Return the weights and the bias that separate cut halves (rows of signs) from whole ones."""
    rows = np.concatenate([whole, cut])
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    rows = np.hstack([(rows - middle) / spread, np.ones((len(rows), 1))])
    is_cut = np.repeat([0, 1], [len(whole), len(cut)])
    model = LogisticRegression(fit_intercept=False, tol=1e-8, max_iter=1000)
    weights = model.fit(rows, is_cut, np.where(is_cut, 0.5, 1.0)).coef_[0]
    plain = weights[:-1] / spread
    return plain, float(weights[-1] - plain @ middle)


def toml(weights: Numbers, bias: float) -> str:
    """Return the file of weights."""
    head = "# Written by benchmarks/fit_truncated.py: what each sign adds to the log odds that a half was cut."
    lines = (f'"{sign}" = {weight:.3f}' for sign, weight in zip(SIGNS, weights, strict=True))
    return "\n".join([head, f"bias = {bias:.3f}", "", "[weights]", *lines, ""])


def even(pairs: list[Pair], pipeline: Pipeline) -> list[ParsedPair]:
    """Parse the pairs of even lines."""
    return parse_pairs([pair for pair in pairs if number(pair) % 2 == 0], pipeline)[0]


def main(folder: Path) -> None:
    """Fit, and print the weights."""
    pipeline = load(Parser(pipeline="quickstart/models/spacy-en-ud"), "en")
    sources = list(chain.from_iterable(all_sources(folder).values()))
    whole = measured(accepted(even([source.pair for source in sources], pipeline))).reshape(
        -1, len(SIGNS)
    )
    halves = [
        measured(even(list(build(kind, KINDS[kind], sources, seed=2)), pipeline))[:, half]
        for kind, half in CUT.items()
    ]
    print(toml(*fitted(whole, np.concatenate(halves))), end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
