"""The funnel adds up, and the card says what ran."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import DatasetCard
from markdown_it import MarkdownIt

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus import card
from bitext_pivot.corpus.citation import signature_line
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.facts import BuildFacts, BuildStats, FunnelStage, build_funnel
from bitext_pivot.corpus.first_screen import first_screen
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.front_matter import front_matter
from bitext_pivot.corpus.recipes.bisect import BISECT, bisect
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.corpus.statement import Statement

COUNTS = Counts.read({
    "stage": {
        "alignments": {"rows": 9, "lost": {"shape 1-1": 50, "too long": 1}},
        "pairs": {"rows": 7, "lost": {"empty translation": 2}},
        "parsed": {"rows": 7, "lost": {}},
        "scored": {"rows": 7, "lost": {}},
    },
    "rejected": {"pasted": 1, "bertscore": 1},
    "divided": {"duplicate of test": 1},
    "subset": {"train": 3, "validation": 1},
    "kinds": {"pairs": 4, "rejected": 3},
    "labels": {"category": {"Direct Insertion": 3, "Changes Near Split": 1}, "construction": {"other": 4}},
    "licence": {"Europarl/v7": {"CC0-1.0": 1, "unknown": 3}},
    "links": {"Europarl/v7": {"shapes": {"1-1": 50, "1-2": 6, "2-1": 4}}},
})  # fmt: skip
FILTERS = ("pasted", "overlap", "bertscore")
SIGNATURE = {
    "engine": "marian opus-mt-fr-en@371e9f1f1faf56f1 direction=fr-en beam=4",
    "parser": "spacy 3.8.18 en_core_web_sm 3.8.0 25b8f01e longest=5000",
    "bertscore": "bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6 fast lambda=1",
    "filters": {"pasted": "pasted", "bertscore": "bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6"},
    "models": {
        "translate": {
            "model": "Helsinki-NLP/opus-mt-fr-en",
            "revision": "dd7f6540a7a48a7f4db59e5c0b9c42c8eea67f18",
        }
    },
    "settings": {"pivot": "fr", "language": "en", "filters": {"preset": "strict"}},
    "min_confidence": "0.65: measured for the model",
}
FACTS = BuildFacts(
    title="fr-en: Europarl/v7",
    signature=SIGNATURE,
    corpora={"Europarl/v7": {"licence": "unknown", "grounds": "none stated", "sha256": "ab" * 32}},
    counts=COUNTS,
    funnel=build_funnel(BISECT.records.stages, COUNTS, FILTERS),
    examples={"Direct Insertion": ["first", "second"], "Changes Near Split": ["other"]},
)


def test_lines_of_the_funnel_lose_what_the_next_lack() -> None:
    assert [(stage.name, stage.rows) for stage in FACTS.funnel] == [
        ("extract", 9),
        ("translate", 7),
        ("parse", 7),
        ("score", 7),
        ("filter pasted", 6),
        ("filter overlap", 6),
        ("filter bertscore", 5),
        ("divide", 4),
    ]
    assert FACTS.funnel[0].entered == 60 and FACTS.kept == 4
    assert [a.rows for a in FACTS.funnel[:-1]] == [b.entered for b in FACTS.funnel[1:]]


def test_rows_that_the_division_left_out_are_the_reason_for_an_empty_training_set() -> None:
    counts = Counts.read({
        "subset": {"test": 109, "validation": 1},
        "divided": {"near-duplicate of test": 2_107, "duplicate of validation": 3},
    })  # fmt: skip
    signature = {**SIGNATURE, "settings": {"language": "en", "division": DIVISION}}
    warning = replace(FACTS, signature=signature, counts=counts).warning
    assert (
        "none of 110 rows is for training" in warning and "2,107 near-duplicate of test" in warning
    )
    assert "--division.near_duplicates 1" in warning
    few = replace(FACTS, signature=signature, counts=Counts.read({"subset": {"train": 48}}))
    assert "--division.validation 0 --division.test 0" in few.warning
    assert "near_duplicates" not in few.warning


DIVISION = {"validation": 0.05, "test": 0.05}


@pytest.mark.parametrize(("numbers", "division", "sets"), [
    ({"train": 960, "validation": 25, "test": 15}, DIVISION, ["test"]),
    ({"train": 830, "test": 170}, DIVISION, ["validation", "test"]),
    ({"train": 950, "validation": 50}, {"validation": 0.05, "test": 0}, []),
    ({"train": 30}, DIVISION, ["validation", "test"]),
    ({"train": 30, "validation": 4, "test": 1}, DIVISION, []),
    ({"train": 17}, DIVISION, ["validation", "test"]),
    ({"train": 8, "test": 1}, DIVISION, ["validation"]),
    ({"train": 29, "test": 13}, DIVISION, ["validation", "test"]),
    ({"train": 27, "validation": 12, "test": 3}, DIVISION, ["validation"]),
    ({}, DIVISION, []),
    ({"train": 900}, DIVISION | {"validation_corpora": ["Dev"], "test_documents": "test.txt"}, []),
])  # fmt: skip
def test_a_set_far_from_its_share_is_a_warning_on_the_card(
    numbers: dict[str, int], division: dict[str, Any], sets: list[str]
) -> None:
    signature = {**SIGNATURE, "settings": {"language": "en", "division": division}}
    facts = replace(FACTS, signature=signature, counts=Counts.read({"subset": numbers}))
    assert re.findall(r"the (\w+) set has", facts.warning) == sets
    assert ("**Warning: Far" in card.readme(BISECT, facts, "")) is bool(sets)


@pytest.mark.parametrize(
    ("rows", "extracted", "later", "words"),
    [
        (0, {"shape 1-1": 5}, {}, "The most frequent reasons for losses: 5 shape 1-1."),
        (
            12,
            {"duplicate": 108, "shape 1-1": 230},
            {},
            "The most frequent reasons for losses: 108 duplicate.",
        ),
        (
            9,
            {"cut": 6, "shape 2-2": 9},
            {"verbs": 7},
            "The most frequent reasons for losses: 9 shape 2-2, 7 verbs, 6 cut.",
        ),
        (
            9,
            {"shape 1-1": 9, "cut": 0},
            {"numbers": 2},
            "The most frequent reasons for losses: 2 numbers.",
        ),
        (9, {"shape 1-1": 9}, {"equal pair": 64}, "No alignment was lost."),
        (9, {}, {}, "No alignment was lost."),
    ],
)
def test_the_largest_losses_of_all_stages_come_first_without_links_of_shape_1_1(
    rows: int, extracted: dict[str, int], later: dict[str, int], words: str
) -> None:
    stages = [
        FunnelStage(name="extract", rows=rows, lost=extracted),
        FunnelStage(name="filter numbers", rows=rows, lost=later),
        FunnelStage(name="divide", rows=rows, lost={}),
    ]
    assert replace(FACTS, funnel=stages).most_lost == words


def test_the_card_shows_what_each_filter_rejects_in_each_corpus() -> None:
    verdicts = {
        "Europarl/v7": {"kept": 3, "bertscore": 1, "duplicate of test": 1},
        "My|corpus_of_a_very_long_name_indeed/v2019": {"kept": 1, "pasted": 1},
    }
    facts = replace(FACTS, counts=COUNTS + Counts.read({"verdicts": verdicts}))
    text = card.readme(BISECT, facts, "")
    lines = text[text.index("| corpus | before filters |") :].splitlines()
    assert lines[2:5] == [
        "| Europarl/v7 | 5 | 3 | 1 bertscore, 1 duplicate of test |",
        r"| My\|corpus_of_a_very_long_name_indeed/v2019 | 2 | 1 | 1 pasted |",
        "",
    ]


@pytest.mark.parametrize(("changes", "words", "absent"), [
    ({}, ["**4 rows** of", "3 train, 1 validation, 0 test", "Not measured", "No model of", "2 empty", "sample /x"],
     ["Warning", "No row"]),
    ({"warning": "Far."}, ["**Warning: Far.**"], []),
    ({"counts": {}}, ["**0 rows** of", "empty translation", "No row was kept. Change the setting behind"],
     ["How good", "sample /x", "inspector.html"]),
    ({"counts": {"rejected": {"verbs": 3, "confidence": 1}}}, ["Read rejected rows in its"], ["model"]),
    ({"counts": {"rejected": {"verbs": 1, "confidence": 3}}}, ["Use another model"], ["inspector.html"]),
    ({"counts": {"rejected": {"confidence": 3}}, "signature": {"settings": {}, "min_confidence": "0.97: set"}},
     ["No row was kept. Lower `--filters.advanced.confidence.min_confidence`"], ["are poor"]),
    ({"signature": {"settings": {}, "filters": {"entailment": "e"}}}, ["checked the meaning."], ["No model of"]),
    ({"signature": {"settings": {}}}, ["Not measured"], ["checked by", "this engine"]),
    ({"signature": {"settings": {}, "trial": {"alignments": 200, "confidence": 0.8312}}},
     ["200 alignments", "0.83"], []),
    ({"signature": {"settings": {}, "filters": {"judge": "j"}}}, ["A language model judged"], ["checked the"]),
    ({"signature": {"settings": {"filters": {"preset": "strict"}}, "filters": {},
                    "min_confidence": "not filtered: no minimum is measured for the model; nothing judges them"}},
     ["(preset `checked` does).", "for low confidence: no minimum is measured"], [" %"]),
    ({"signature": {"settings": {}, "min_confidence": "0.65: measured for the model"}}, [], ["low confidence"]),
])  # fmt: skip
def test_the_first_screen_answers_how_many_how_good_what_was_lost_what_next(
    changes: dict[str, Any], words: list[str], absent: list[str]
) -> None:
    text = first_screen(BuildStats.model_validate({**FACTS.to_json(), **changes}), "/x")
    assert [word for word in words if word not in text] == []
    assert [word for word in absent if word in text] == []


def test_the_card_has_yield_licences_models_and_limits() -> None:
    text = card.readme(BISECT, FACTS, "It has all pairs.")
    for line in (
        "**4 rows**: 3 train, 1 validation, 0 test. The most frequent reasons for losses: 2 empty translation, "
        "1 bertscore, ",
        "44.4% of 9 alignments are kept.",
        "| Europarl/v7 | none stated | 60 | abababababababab |",
        "| Europarl/v7 | unknown | 3 |\n| Europarl/v7 | CC0-1.0 | 1 |",
        "| validation | 1 |",
        "No kept row is in `test`, so `load_dataset` returns no such split.",
        "| Direct Insertion | 3 |\n| Changes Near Split | 1 |",
        "\n\nMinimum confidence of a translation: 0.65: measured for the model.\n\n",
        "| translate | 7 | 2 empty translation |",
        f"| translation | `{SIGNATURE['engine']}` |",
        "| bertscore | `bertscore all-MiniLM-L6-v2 77ddd853c50d layer=6` |",
        "From the hub: Helsinki-NLP/opus-mt-fr-en@dd7f6540a7a48a7f4db59e5c0b9c42c8eea67f18.",
        "One side of each pair is machine-translated",
        "`examples.md`: examples of each category",
        "3 rows have no stated licence.",
        "### first\n\n### other\n\n### second\n\n## Known limits",
    ):
        assert line in text
    assert "| pasted | `" not in text


ON_MEANING = {
    "bertscore": "compared", "meaning": "compared", "entailment": "checked", "judge": "judged",
}  # fmt: skip
UNCHECKED = "No model of natural language inference checked"


@pytest.mark.parametrize(("filters", "expected"), [
    (["pasted"], "No other model compared the two sides."),
    (["pasted", "bertscore", "meaning"], "The encoders of `bertscore` and `meaning`"),
    (["bertscore", "entailment"], "A model of natural language inference checked the meaning"),
])  # fmt: skip
def test_the_card_says_what_checked_the_meaning(filters: list[str], expected: str) -> None:
    signature = {**SIGNATURE, "filters": {name: f"{name} x 0f0f" for name in filters}}
    on_meaning = {name: deed for name, deed in ON_MEANING.items() if name in filters}
    text = card.readme(
        bisect(filters, on_meaning=on_meaning), replace(FACTS, signature=signature), ""
    )
    assert expected in text
    assert (UNCHECKED in text) == ("entailment" not in filters)


def test_the_card_names_the_judge() -> None:
    signature = {
        **SIGNATURE,
        "filters": {"bertscore": "bertscore x 0f0f", "judge": "judge a/b prompt=0 answers=1"},
    }
    facts = replace(FACTS, signature=signature)
    recipe = bisect(["bertscore", "judge"], on_meaning={"bertscore": "compared", "judge": "judged"})
    text = card.readme(recipe, facts, "")
    judged = "A language model judged the pairs that all other filters accept: `a/b`."
    assert judged in text
    assert UNCHECKED not in text


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
        signature_line({**SIGNATURE, **changes}, [])
        for changes in ({}, {"settings": settings}, {"parser": "x y=2"})
    }
    assert len(lines) == 3


def test_the_card_quotes_its_signature_and_can_be_cited() -> None:
    text = card.readme(BISECT, FACTS, "It has all pairs.")
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
    found: Any = DatasetCard(text_with(dict.fromkeys(licences, 1))).data
    assert (found.license, found.to_dict().get("license_name")) == expected


@pytest.mark.parametrize(
    ("kept", "size"), [(0, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (20_000_000, "n>10M")]
)
def test_the_hub_reads_the_size(kept: int, size: str) -> None:
    found: Any = DatasetCard(text_with({"CC0-1.0": kept})).data
    assert (found.size_categories, found.language, found.task_categories) == (
        size,
        "en",
        ["text-generation"],
    )


def text_with(licences: dict[str, int]) -> str:
    """Return a whole card with other licences of rows."""
    counts = Counts({("licence", "Europarl/v7", name): number for name, number in licences.items()})
    facts = replace(FACTS, counts=counts)
    files = DataSetFiles(
        Path("nowhere"), PairExportSettings(), schemas(BISECT.rows.classes, ["overlap"])
    )
    head = front_matter(facts, "en", files, BISECT)
    return head + card.readme(BISECT, facts, "It has all pairs.")


def test_the_hub_reads_sources_paper_and_how_rows_were_made() -> None:
    data: Any = DatasetCard(text_with({"CC0-1.0": 1})).data
    assert data.source_datasets == ["extended|other-Europarl-v7"]
    assert {"arxiv:2109.05006", "synthetic", "machine-translated", "bitext-pivot"} <= {*data.tags}


def test_the_card_has_what_its_author_states() -> None:
    changed = Statement(
        biases="Only <b>weather</b>\nin spring.", personal_data="", creators=["Ana", "Bo"]
    )
    text = card.readme(BISECT, FACTS, "It has all pairs.", changed)
    assert (
        "**Biases.** Only &lt;b&gt;weather&lt;/b&gt; in spring." in text
        or "**Biases.** Only \\<b" in text
    )
    assert "**Personal data.**" not in text
    assert "**Version.** 1.0.0\n\n**Creators.** Ana, Bo\n" in text
    assert "**Wrong uses.** Do not treat a row as a fact" in text
    assert "**Personal data.**" in card.readme(BISECT, FACTS, "It has all pairs.")


HOSTILE = "<i>a</i> [b](x:c) *d* `e` | f"


@pytest.mark.parametrize("changes", [
    {"title": HOSTILE},
    {"signature": {**SIGNATURE, "trial": {"warning": HOSTILE}}},
    {"signature": {**SIGNATURE, "warnings": [HOSTILE]}},
    {"signature": {**SIGNATURE, "min_confidence": HOSTILE}},
    {"signature": {**SIGNATURE, "engine": HOSTILE}},
    {"signature": {**SIGNATURE, "models": {"translate": {"model": HOSTILE, "revision": "0"}}}},
    {"signature": {**SIGNATURE, "files": {HOSTILE: "0"}}},
    {"corpora": {HOSTILE: {"grounds": HOSTILE, "sha256": "0"}}},
    {"counts": COUNTS + Counts({("licence", HOSTILE, HOSTILE): 1, ("labels", "category", HOSTILE): 1})},
    {"counts": COUNTS + Counts({("skipped", HOSTILE): 1})},
    {"funnel": [FunnelStage(name="extract", rows=1, lost={}), FunnelStage(name="x", rows=1, lost={HOSTILE: 9})]},
    {"counts": COUNTS + Counts({("verdicts", HOSTILE, "kept"): 1, ("verdicts", "x", "kept"): 1})},
])  # fmt: skip
def test_no_text_becomes_an_element_of_a_card(changes: dict[str, Any]) -> None:
    facts = replace(FACTS, **changes)
    page = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = page.render(card.readme(BISECT, facts, "").partition("## Cite")[0])
    html += page.render(first_screen(BuildStats.model_validate(facts.to_json()), "/x"))
    assert not re.search("<i>|<em>|<a |<code>e</code>", html)
    assert "<td>f</td>" not in html
