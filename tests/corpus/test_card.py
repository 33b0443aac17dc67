"""The funnel adds up, and the card says what ran."""

from collections import Counter

from corpus import card

LINKS = {"1-1": 50, "1-2": 6, "2-1": 4}
SKIPS = {"extract": Counter({"too long": 1}), "translate": Counter({"empty translation": 2})}
SKIPS |= {"parse": Counter(), "score": Counter()}
ROWS = {"extract": 9, "translate": 7, "parse": 7, "score": 7}
REJECTED = {"pasted": 1, "overlap": 0, "bertscore": 2}


def test_what_enters_a_stage_is_what_the_one_before_let_go() -> None:
    stages = card.funnel(LINKS, SKIPS, ROWS, REJECTED)
    assert [(stage.name, stage.entered, stage.left) for stage in stages] == [
        ("extract", 60, 9),
        ("translate", 9, 7),
        ("parse", 7, 7),
        ("score", 7, 7),
        ("filter pasted", 7, 6),
        ("filter overlap", 6, 6),
        ("filter bertscore", 6, 4),
    ]
    assert stages[0].lost == {"shape 1-1": 50, "too long": 1}
    assert [stage.entered - stage.left for stage in stages[:4]] == [sum(stage.lost.values()) for stage in stages[:4]]


def test_the_readme_tells_yield_licence_and_signature() -> None:
    statistics = card.Statistics(
        signature={"engine": "marian|beam:4", "min_confidence": "0.31: 5 % quantile of the 9 pairs of this build"},
        corpora={"Europarl/v7": {"licence": "unknown", "grounds": "none stated", "links": 60, "sha256": "ab" * 32}},
        funnel=card.funnel(LINKS, SKIPS, ROWS, REJECTED),
        subset={"train": 3, "validation": 1, "test": 0},
        category={"Direct Insertion": 3, "Changes Near Split": 1},
        category_bisect={"Changes Near Split": 4},
        construction={"other": 4},
    )
    text = card.readme("fr-en: Europarl/v7", statistics, "It has all pairs.")
    assert "4 pairs `long -> (s1, s2)` (44.4% of 9 candidate alignments)" in text
    assert "| Europarl/v7 | unknown | none stated | 60 | abababababababab |" in text
    assert "| validation | 1 |" in text
    assert "| Direct Insertion | 3 | 0 |" in text
    assert "| Changes Near Split | 1 | 4 |" in text
    assert "| Changes Across Sentence | 0 | 0 |" in text
    assert "marian|beam:4" in text
    assert "\n\nMinimum confidence of a translation: 0.31: 5 % quantile of the 9 pairs of this build.\n\n" in text
    assert "| translate | 9 | 7 | empty translation 2 |" in text
