from collections import Counter

import pytest
from factories import alignment
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bitext_pivot.alignments.extraction import AlignmentBatch
from bitext_pivot.alignments.screening import boilerplate, identify
from bitext_pivot.alignments.screening.screen import Screening, screen_batches
from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Alignment

Texts = tuple[str, str, str]
GOOD = (
    "Il a plu toute la nuit et nous sommes restés chez nous.",
    "It rained all night long.",
    "We stayed at home all day.",
)
OTHER = (
    "Le chat dort sur la table de la cuisine, il ronfle.",
    "The cat sleeps on the kitchen table.",
    "It is snoring.",
)


def made(number: int, texts: Texts = GOOD) -> Alignment:
    return alignment(*texts, number=number)


def batch(*alignments: Alignment, skips: Counter[str] | None = None) -> AlignmentBatch:
    skips = Counter() if skips is None else skips
    shapes = Counter({"2-1": len(alignments) + skips.total() - skips["bad link"], "1-1": 3})
    return AlignmentBatch(alignments, shapes, skips)


def run(batches: list[AlignmentBatch], settings: Screening | None = None) -> list[AlignmentBatch]:
    return list(screen_batches(batches, settings or Screening()))


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ((GOOD[0], "in writing.", GOOD[2]), "boilerplate: speaker tag"),
        ((GOOD[0], GOOD[1], "Yes."), "too few words"),
        ((GOOD[0] * 3, GOOD[1], GOOD[2]), "length ratio"),
        ((GOOD[0], GOOD[1], "We stayed. It was cold all day."), "several sentences in a half"),
        ((GOOD[0], GOOD[1], "Nous sommes restés à la maison."), "other language"),
        ((GOOD[1] + GOOD[2], GOOD[1], GOOD[2]), "same text on both sides"),
        (GOOD, "duplicate"),
        (("- " + GOOD[0], GOOD[1], GOOD[2]), "duplicate"),
    ],
)
def test_alignments_left_out_are_counted_by_reason(texts: Texts, reason: str) -> None:
    read = batch(
        made(1), made(4, texts), made(6, OTHER), skips=Counter({"too long": 2, "bad link": 1})
    )
    (screened,) = run([read])
    assert screened.alignments == (made(1), made(6, OTHER))
    assert screened.skips == {"too long": 2, "bad link": 1, reason: 1}
    assert screened.shapes == read.shapes
    # "It is snoring." has nine letters outside of "It".
    assert screened.notes == {"language not judged": 1}


def test_cleaning_is_noted_only_for_what_stays() -> None:
    tagged = ("(FR) " + GOOD[0], "- " + GOOD[1], GOOD[2])
    lost = ("(FR) " + OTHER[0], OTHER[1], "Yes.")
    (screened,) = run([batch(made(1, tagged), made(2, lost))])
    assert screened.alignments == (made(1),)
    assert screened.notes == {"cleaned: language tag": 1, "cleaned: dash": 1}


def test_what_was_left_out_for_another_reason_has_no_duplicates() -> None:
    short = (GOOD[0], GOOD[1], "Yes.")
    (screened,) = run([batch(made(1, short), made(2, short))])
    assert screened.skips == {"too few words": 2}


def test_all_checks_can_be_off() -> None:
    settings = Screening.model_validate(
        {
            "boilerplate": {"enabled": False},
            "lengths": {"min_words": 0, "max_ratio": None},
            "sentences": {"enabled": False},
            "language": {"enabled": False},
            "duplicates": {"enabled": False},
        }
    )
    read = batch(made(1), made(2), made(3, ("x", "in writing.", "x")))
    assert run([read], settings) == [read]


_TEXTS = st.sampled_from(
    [GOOD, OTHER, (GOOD[0], "in writing.", "x"), ("(FR) " + GOOD[0], *GOOD[1:]), ("a", "b", "c")]
)


@given(st.lists(st.lists(_TEXTS, max_size=4), max_size=6), st.integers(1, 5))
def test_every_candidate_is_kept_or_counted(documents: list[list[Texts]], bad: int) -> None:
    batches, number = [], 0
    for texts in documents:
        alignments = [made(number + place, some) for place, some in enumerate(texts, 1)]
        number += len(texts)
        batches.append(batch(*alignments, skips=Counter({"bad link": bad, "too long": 1})))
    screened = run(batches)
    assert len(screened) == len(batches)
    for one in screened:
        kept, skips = len(one.alignments), one.skips
        assert one.shapes["1-2"] + one.shapes["2-1"] == kept + skips.total() - skips["bad link"]
    numbers = [int(kept.id.rpartition(":")[2]) for one in screened for kept in one.alignments]
    assert numbers == sorted(set(numbers))


def test_the_signature_changes_with_the_patterns_of_both_languages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = Screening().signature("en", "fr")
    assert identify.signature("en", "fr") in before
    monkeypatch.setitem(section("fr", "boilerplate"), "heading", ["rien"])
    changed = Screening().signature("en", "fr")
    assert changed != before
    monkeypatch.setattr(boilerplate, "rule_sources", lambda *_: "[[rule]]")
    assert Screening().signature("en", "fr") not in {before, changed}


@pytest.mark.parametrize("setting", ["languages", "boilerplat"])
def test_a_misspelt_setting_is_refused(setting: str) -> None:
    with pytest.raises(ValidationError, match=f"{setting!r} is not a setting. Did you mean"):
        Screening.model_validate({setting: {}})
