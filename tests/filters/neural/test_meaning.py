"""What each half alone means: BERTScore's precision against `long`, the store, what is refused."""

import pytest
from factories import unparsed
from pydantic import ValidationError

from filters.base import Runtime
from filters.neural import encoded
from filters.neural.checkpoint import checkpoint
from filters.neural.encoder import encoder
from filters.neural.meaning import Meaning
from pairs.errors import SettingsError

LONG = "The baker , who is old , opened the window ."
FIRST, SECOND = "The baker is old .", "He opened the window ."
STRANGER = "Interest rates rose sharply in March ."
GOOD, *BAD = PAIRS = [unparsed(LONG, *halves) for halves in ((FIRST, SECOND), (FIRST, STRANGER), (STRANGER, SECOND))]


def test_the_parts_are_the_precisions_of_each_half_against_long(runtime: Runtime) -> None:
    found = encoder(checkpoint("all-MiniLM-L6-v2", 6), "float32", "cpu").compare([(FIRST, LONG), (SECOND, LONG)], 1)
    first, second = (round(one.precision, 6) for one in found)
    assert Meaning().parts([GOOD], runtime) == [{"score": min(first, second), "first": first, "second": second}]
    assert Meaning().parts([GOOD], runtime)[0].keys() == {"score", *Meaning.PARTS}
    assert first != second


def test_a_strange_half_is_rejected_whichever_it_is(runtime: Runtime) -> None:
    assert [Meaning().accepts(score) for score in Meaning().score(PAIRS, runtime)] == [True, False, False]


def test_order_is_kept_and_no_pair_changes_another(runtime: Runtime) -> None:
    scores = Meaning().score(PAIRS, runtime)
    assert Meaning().score(PAIRS[::-1], runtime) == scores[::-1]
    assert [Meaning().score([one], runtime)[0] for one in PAIRS] == scores
    assert Meaning().score([], runtime) == []


def test_what_was_compared_is_not_compared_again(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(encoded.AT_ONCE, "cpu", 1)
    once = Meaning().score(PAIRS[:2], runtime)
    monkeypatch.setattr(encoded, "encoder", None)
    assert Meaning(min_precision=0.9).score(PAIRS[:2] * 2, runtime) == once * 2
    with pytest.raises(TypeError):
        Meaning().score(PAIRS[2:], runtime)


def test_the_threshold_is_no_part_of_what_is_measured(runtime: Runtime) -> None:
    assert [Meaning(min_precision=0.4).accepts(score) for score in (0.39, 0.4, 0.41)] == [False, True, True]
    assert Meaning(min_precision=0.9).measuring() == Meaning().measuring()
    assert Meaning(min_precision=0.9).signature(runtime) == Meaning().signature(runtime)
    assert Meaning(layer=5, min_precision=0.4).signature(runtime) != Meaning().signature(runtime)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "no-such-model"}, r"no default layer for the encoder 'no-such-model'\. Give `layer`, or choose one"),
        ({"layer": 3}, "No minimum precision of a half is known for .* with this layer. Give `min_precision`"),
        ({"model": "roberta-large"}, "No minimum precision of a half is known for the encoder 'roberta-large'"),
    ],
)
def test_a_guess_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises((SettingsError, ValidationError), match=message):
        Meaning.model_validate(settings)
