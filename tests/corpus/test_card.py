"""The funnel adds up, and the card says what ran."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import DatasetCard

from corpus import card
from corpus.citation import signature_line
from corpus.files import DataFiles
from corpus.formats import Export
from corpus.front_matter import front_matter
from corpus.recipes.bisect import BISECT
from corpus.schema import schemas

LINKS = {"1-1": 50, "1-2": 6, "2-1": 4}
SKIPS = {"extract": Counter({"too long": 1}), "translate": Counter({"empty translation": 2})}
SKIPS |= {"parse": Counter(), "score": Counter()}
ROWS = {"extract": 9, "translate": 7, "parse": 7, "score": 7}
REJECTED = {"pasted": 1, "overlap": 0, "bertscore": 2}
SIGNATURE = {
    "engine": "marian opus-mt-fr-en@371e9f1f1faf56f1 direction=fr-en beam=4",
    "parser": "spacy 3.8.18 en_core_web_sm 3.8.0 25b8f01e longest=5000",
    "bertscore": "bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6 fast lambda=1",
    "filters": {"pasted": "pasted", "bertscore": "bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6"},
    "models": {
        "translate": {"model": "Helsinki-NLP/opus-mt-fr-en", "revision": "dd7f6540a7a48a7f4db59e5c0b9c42c8eea67f18"}
    },
    "settings": {"pivot": "fr", "language": "en", "filters": {"preset": "strict"}},
    "min_confidence": "0.31: 5 % quantile of the 9 pairs of this build",
}
STATISTICS = card.Statistics(
    signature=SIGNATURE,
    corpora={"Europarl/v7": {"licence": "unknown", "grounds": "none stated", "links": 60, "sha256": "ab" * 32}},
    funnel=card.funnel(LINKS, SKIPS, ROWS, REJECTED),
    subset={"train": 3, "validation": 1, "test": 0},
    category={"Direct Insertion": 3, "Changes Near Split": 1},
    category_bisect={"Changes Near Split": 4},
    construction={"other": 4},
    licence={"CC0-1.0": 1, "unknown": 3},
    translated={"long": 1, "split": 3},
)


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


def test_the_card_has_yield_licences_models_and_limits() -> None:
    text = card.readme("fr-en: Europarl/v7", STATISTICS, "It has all pairs.")
    for line in (
        "4 pairs `long -> (s1, s2)` (44.4% of 9 candidate alignments)",
        "| Europarl/v7 | unknown | none stated | 60 | abababababababab |",
        "| unknown | 3 |\n| CC0-1.0 | 1 |",
        "| validation | 1 |",
        "`load_dataset` does not have `test` of the kept pairs: there are none.",
        "| Direct Insertion | 3 | 0 |",
        "| Changes Near Split | 1 | 4 |",
        "| Changes Across Sentence | 0 | 0 |",
        "\n\nMinimum confidence of a translation: 0.31: 5 % quantile of the 9 pairs of this build.\n\n",
        "| translate | 9 | 7 | empty translation 2 |",
        f"| translation | `{SIGNATURE['engine']}` |",
        "| bertscore | `bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6` |",
        "From the hub: Helsinki-NLP/opus-mt-fr-en@dd7f6540a7a48a7f4db59e5c0b9c42c8eea67f18.",
        "machine-translated (1 of `long`, 3 of `split`)",
        "- 3 pairs have no stated licence.",
    ):
        assert line in text
    assert "| pasted | `" not in text


@pytest.mark.parametrize(("changes", "expected"), [
    ({}, "pair:fr-en|corpora:Europarl/v7|mt:Helsinki-NLP/opus-mt-fr-en@dd7f6540a7a4|parser:spacy+3.8.18+en_core_web_sm+"
         "3.8.0+25b8f01e|filters:strict|bertscore:all-MiniLM-L6-v2+77ddd853c50d"),
    ({"models": {}, "bertscore": None}, "pair:fr-en|corpora:Europarl/v7|mt:marian+opus-mt-fr-en@371e9f1f1faf56f1|"
     "parser:spacy+3.8.18+en_core_web_sm+3.8.0+25b8f01e|filters:strict"),
    ({"engine": "apertium 3.8.3 spa-eng@0f0f", "models": {}, "parser": "", "bertscore": None, "settings":
      {"language": "en"}}, "pair:en|corpora:Europarl/v7|mt:apertium+3.8.3+spa-eng@0f0f"),
], ids=["hub", "folder", "apertium"])  # fmt: skip
def test_the_signature_is_one_line_with_what_ran(changes: dict[str, Any], expected: str) -> None:
    line = signature_line({**SIGNATURE, **changes}, ["Europarl/v7"])
    assert re.fullmatch(rf"bitext-pivot\|v:[\w.+]+\|{re.escape(expected)}\|key:[0-9a-f]{{8}}", line)


def test_the_key_in_the_signature_changes_with_every_setting() -> None:
    settings = {**SIGNATURE["settings"], "shard_rows": 7}  # type: ignore[dict-item]
    lines = {
        signature_line({**SIGNATURE, **changes}, []) for changes in ({}, {"settings": settings}, {"parser": "x y=2"})
    }
    assert len(lines) == 3


def test_the_card_quotes_its_signature_and_can_be_cited() -> None:
    text = card.readme("fr-en: Europarl/v7", STATISTICS, "It has all pairs.")
    line = signature_line(SIGNATURE, ["Europarl/v7"])
    assert f"```text\n{line}\n```" in text
    (entries,) = re.findall(r"```bibtex\n(.*?)```", text, re.DOTALL)
    assert re.findall(r"^@\w+{(.+),$", entries, re.MULTILINE) == [
        "bitext-pivot", "kim-etal-2021-bisect", "tiedemann-2012-parallel"
    ]  # fmt: skip
    assert entries.count("{") == entries.count("}")
    assert line in entries


@pytest.mark.parametrize(("licences", "expected"), [
    (["CC0-1.0"], ("cc0-1.0", None)),
    (["unknown"], ("unknown", None)),
    (["Open Government Licence"], ("other", "open-government-licence")),
    (["unknown", "CC-BY-4.0"], ("other", "cc-by-4.0-and-unknown")),
    ([], (None, None)),
])  # fmt: skip
def test_the_hub_reads_a_licence_that_all_rows_have(
    licences: list[str], expected: tuple[str | None, str | None]
) -> None:
    found = DatasetCard(text_with(licence=dict.fromkeys(licences, 1))).data
    assert (found.license, found.to_dict().get("license_name")) == expected


@pytest.mark.parametrize(("kept", "size"), [(0, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (20_000_000, "n>10M")])
def test_the_hub_reads_the_size(kept: int, size: str) -> None:
    found = DatasetCard(text_with(licence={"CC0-1.0": kept})).data
    assert (found.size_categories, found.language, found.task_categories) == (size, "en", ["text-generation"])


def text_with(**changes: Any) -> str:
    """Return a whole card with other statistics."""
    statistics = replace(STATISTICS, **changes)
    files = DataFiles(Path("nowhere"), Export(), schemas(BISECT.rows, ["overlap"]))
    head = front_matter("fr-en: Europarl/v7", "en", files, BISECT, licence=statistics.licence)
    return head + card.readme("fr-en: Europarl/v7", statistics, "It has all pairs.")
