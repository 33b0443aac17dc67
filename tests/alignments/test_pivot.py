from collections import Counter
from collections.abc import Sequence

import pytest
from factories import source
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.alignments.pivot import build_pairs, texts_to_translate
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Alignment, Pair


def _alignment(
    number: int, one: str, two: tuple[str, str], one_language: str = "en", two_language: str = "fr"
) -> Alignment:
    return Alignment(
        id=f"Tiny/v1/en-fr:{number}", source=source("Tiny", "x", "y"),
        one_language=one_language, two_language=two_language, one=one, two=two,
        one_id="1", two_ids=("1", "2"), attributes={},
    )  # fmt: skip


def _pairs(
    alignments: Sequence[Alignment],
    translations: Sequence[str],
    *confidences: float | None,
    language: str = "en",
) -> tuple[list[Pair], Counter[str]]:
    """Pairs of these translations by engine m, without confidences unless they are given."""
    both = zip(translations, confidences or [None] * len(translations), strict=True)
    return build_pairs(alignments, language, both, "m")


SPLIT_IS_FOREIGN = _alignment(1, "It rained and we left.", ("Il pleuvait.", "Nous sommes partis."))
LONG_IS_FOREIGN = _alignment(
    2, "Rentrés, nous avons dormi.", ("We came home.", "We slept."), "fr", "en"
)


def test_the_foreign_side_is_listed_sentence_by_sentence() -> None:
    assert texts_to_translate([SPLIT_IS_FOREIGN, LONG_IS_FOREIGN], "en") == [
        "Il pleuvait.",
        "Nous sommes partis.",
        "Rentrés, nous avons dormi.",
    ]
    assert texts_to_translate([SPLIT_IS_FOREIGN, LONG_IS_FOREIGN], "fr") == [
        "It rained and we left.",
        "We came home.",
        "We slept.",
    ]


def test_translations_take_their_places() -> None:
    pairs, skips = _pairs(
        [SPLIT_IS_FOREIGN, LONG_IS_FOREIGN],
        ["It rained.", "We left.", "Home, we slept."],
        0.5,
        0.9,
        0.7,
    )
    assert skips == Counter()
    assert pairs == [
        Pair(id="Tiny/v1/en-fr:1", language="en", long="It rained and we left.", split=("It rained.", "We left."),
             pivot="fr", translated="split", engine="m", alignment=SPLIT_IS_FOREIGN,
             confidences=(0.5, 0.9)),
        Pair(id="Tiny/v1/en-fr:2", language="en", long="Home, we slept.", split=("We came home.", "We slept."),
             pivot="fr", translated="long", engine="m", alignment=LONG_IS_FOREIGN,
             confidences=(0.7,)),
    ]  # fmt: skip


@pytest.mark.parametrize("unknown", [(None, 0.9), (0.9, None), (None, None)])
def test_a_pair_with_a_text_of_unknown_confidence_has_none(
    unknown: tuple[float | None, ...],
) -> None:
    (pair,), _ = _pairs([SPLIT_IS_FOREIGN], ["a", "b"], *unknown)
    assert pair.confidences == ()


@pytest.mark.parametrize("translations", [["", "b", "c"], ["a", " \n", "c"], ["a", "\u00a0", "c"]])
def test_an_empty_translation_is_counted_and_its_neighbours_stay(translations: list[str]) -> None:
    pairs, skips = _pairs([SPLIT_IS_FOREIGN, LONG_IS_FOREIGN], translations)
    assert skips == {"empty translation": 1}
    assert [(pair.id, pair.long) for pair in pairs] == [("Tiny/v1/en-fr:2", "c")]


def test_a_language_that_an_alignment_has_not_is_refused() -> None:
    with pytest.raises(
        SettingsError, match="Tiny/v1/en-fr:1 aligns en with fr, so it cannot become a pair in 'de'"
    ):
        texts_to_translate([SPLIT_IS_FOREIGN], "de")


_TEXTS = st.text(min_size=1).filter(str.strip)
_ALIGNMENTS = st.lists(
    st.builds(
        lambda one, two, swap: _alignment(1, one, two, *(("fr", "en") if swap else ("en", "fr"))),
        _TEXTS, st.tuples(_TEXTS, _TEXTS), st.booleans(),
    ),
    max_size=8,
)  # fmt: skip


@given(alignments=_ALIGNMENTS, language=st.sampled_from(["en", "fr"]))
def test_what_was_translated_is_found_again_where_the_pair_says(
    alignments: list[Alignment], language: str
) -> None:
    marked = [f"{number}" for number, _ in enumerate(texts_to_translate(alignments, language))]
    pairs, _ = _pairs(alignments, marked, language=language)
    back = [
        text
        for pair in pairs
        for text in (pair.split if pair.translated == "split" else (pair.long,))
    ]
    assert back == marked
