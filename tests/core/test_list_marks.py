"""List marks belong to the sentence behind them, wherever sentences are counted."""

import pytest
from factories import pair

from bitext_pivot.core import false_boundaries
from bitext_pivot.core.list_marks import is_list_mark
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.splitting import languages, splitter
from bitext_pivot.filters.components import ComponentsFilter
from bitext_pivot.research.metrics.segmentation import sentences
from bitext_pivot.syntax.parsing import SpacyPipeline, parse_pairs

MARKS = [
    "1.", "12.", "1.1.", "1.2.3.", "1a.", "B.1.", "1.º", "a.", "A.", "I.", "IV.", "iv.", "(1)", "(iv)", "(a.)",
    "[1]",
    "1)", "§ 1.", "§1.", "§§ 1.", "Article 1.", "Step 12.", "Étape 2.", "Chapter IV.", "Annex A.1.",
]  # fmt: skip
NONE = [
    "He met Louis XIV.",
    "Yes.",
    "1999.",
    "3.5",
    "It rained.",
    "No.",
    "Vitamin A.",
    "",
    "1",
    "Anna and 1.",
]
TEXTS = "The applicant filed a request.", "The court rejected it."


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_known(mark: str) -> None:
    assert is_list_mark(mark)


@pytest.mark.parametrize("text", NONE)
def test_other_text_is_no_mark(text: str) -> None:
    assert not is_list_mark(text)


@pytest.mark.parametrize("mark", MARKS)
def test_splitters_and_metrics_count_it_with_the_next_sentence(mark: str) -> None:
    expected = [f"{mark} {TEXTS[0]}", TEXTS[1]]
    for language in languages():
        assert splitter(language).split(" ".join(expected)) == expected
        assert sentences(" ".join(expected), language) == expected
    assert sentences(" ".join(expected), "xx") == expected


@pytest.mark.parametrize("mark", ["A.", "IV.", "Step 1."])
def test_a_mark_is_no_sentence_of_a_link(mark: str) -> None:
    assert false_boundaries.is_false_boundary(mark, TEXTS[0], "en")


def components(long: str, pipeline: SpacyPipeline) -> float | None:
    parsed: list[ParsedPair]
    parsed, _ = parse_pairs([pair(long, *TEXTS)], pipeline)
    return ComponentsFilter().score(parsed)[0]


@pytest.mark.parametrize("mark", MARKS)
def test_components_counts_it_with_the_next_sentence(mark: str, pipeline: SpacyPipeline) -> None:
    long = "The applicant filed a request in June, and the court rejected it."
    assert components(f"{mark} {long}", pipeline) == components(long, pipeline) == 1
    assert components(f"{mark} {' '.join(TEXTS)}", pipeline) == 2
