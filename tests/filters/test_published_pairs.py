"""The cheap filters on real pairs: what the paper kept must pass, and its halves pasted together must not."""

from collections import Counter
from pathlib import Path

import pytest
from support import pair

from filters.sieve import Sieve
from pairs.parsing import Parser, load, parse_pairs
from pairs.records import Pair, ParsedPair

MODEL = Path(__file__).parents[2] / "quickstart" / "models" / "spacy-en-ud"
pytestmark = [pytest.mark.shared, pytest.mark.quickstart]


def published(shared: Path, rows: slice) -> list[Pair]:
    lines = (shared / "eval" / "bisect_test_visible.tsv").read_text(encoding="utf-8").splitlines()[1:]
    columns = [line.split("\t") for line in lines[rows]]
    return [pair(long, *(half.strip() for half in split.split("<SEP>"))) for long, split, *_ in columns]


def parsed(pairs: list[Pair]) -> list[ParsedPair]:
    found, skips = parse_pairs(pairs, load(Parser(pipeline=str(MODEL)), "en"))
    assert not skips
    return found


def rejected(pairs: list[ParsedPair]) -> Counter[str]:
    """How many pairs each cheap filter would reject by itself."""
    cheap = {name: one for name, one in Sieve().active().items() if not one.dear}
    return Counter(name for name, one in cheap.items() for score in one.score(pairs) if not one.accepts(score))


def test_published_pairs_pass(shared: Path) -> None:
    assert rejected(parsed(published(shared, slice(150)))).total() <= 1


def test_their_halves_pasted_with_a_space_do_not(shared: Path) -> None:
    halves = [one.split for one in published(shared, slice(100))]
    assert rejected(parsed([pair(" ".join(split), *split) for split in halves]))["components"] >= 95


def test_their_halves_pasted_without_a_space_do_not(shared: Path) -> None:
    halves = [one.split for one in published(shared, slice(100))]
    pasted = [pair(first.removesuffix(" .") + "." + second, first, second) for first, second in halves]
    letters = sum(first.removesuffix(" .")[-2:].isalpha() and second[:2].isalpha() for first, second in halves)
    assert rejected(parsed(pasted))["pasted"] >= letters * 0.95
