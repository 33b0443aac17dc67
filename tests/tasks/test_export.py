"""The data set of a recipe: divided, in all formats, with a card that adds up, kept when complete."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from factories import judged, source
from huggingface_hub import DatasetCard

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.records import FusedPair
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest, shards
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipe import REJECTED, CountSpec, Recipe, RowSpec
from bitext_pivot.corpus.recipes.bisect import bisect
from bitext_pivot.discourse.recipes.discofuse import DISCOFUSE, FusedFiles, FusedRow

SIGNATURE = {"settings": {"language": "en", "pivot": "fr"}, "parser": "spacy 3.8 tiny"}
RAIN = FusedPair(
    id="Days/v1/en/a:1", language="en", discourse_type="SINGLE_S_COORD", connective="and",
    has_pronoun=False,
    text=("It rained , and we stayed at home .",), first="It rained .", second="We stayed at home .",
    source=source("Days", "a"), positions=(1,), rejected_by=None,
)  # fmt: skip


def fused(number: int, document: str, text: str, **changes: Any) -> FusedPair:
    """Another pair, whose text is of one or two sentences."""
    name = {
        "id": f"Days/v1/en/{document}:{number}",
        "source": source("Days", document),
        "positions": (number,),
    }
    return replace(RAIN, **{**name, "text": tuple(text.split(" | ")), **changes})


PAIRS = [
    RAIN,
    fused(
        2,
        "a",
        "Ana slept . | However , Björn « worked » .",
        discourse_type="PAIR_CONN",
        connective="however",
    ),
    fused(3, "a", "Nobody came .", rejected_by="verbless"),
    fused(1, "b", "Snow fell , and the trains stood still ."),
    fused(2, "b", "A\t*tab* and\u2028more .", has_pronoun=True),
    fused(1, "c", "Snow fell -- and the trains stood still !"),
]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that exports records in shards of three, with settings of the export."""
    from bitext_pivot.tasks import export as stage
    from bitext_pivot.tasks.divide import DividedShards, divide, hold_out

    monkeypatch.setattr(stage, "publish", lambda *said: published.append(said[:2]))
    published: list[tuple[Path, str]] = []

    def build(
        records: Sequence[Any] = PAIRS,
        recipe: Recipe[Any] = DISCOFUSE,
        foreign: Sequence[Path] = (),
        **settings: Any,
    ) -> Path:
        names = tmp_path / "documents.txt"
        names.write_text("b\n", encoding="utf-8")
        paths = [
            tmp_path / "en" / "fused-00000000" / f"Days-v1-{number:05d}.parquet"
            for number in range(2)
        ]
        for path, some in zip(paths, (records[:3], records[3:]), strict=True):
            before = {
                "parsed": {"rows": 8, "skips": {}},
                "sentences": {"rows": 9, "skips": {"empty": 1}},
            }
            shards.write(
                path, recipe.records.record, some, {"skips": {"no phenomenon": 2}, "before": before}
            )
        form = SimpleNamespace(
            title="en: Days/v1",
            language="en",
            division=Division(test_documents=names, validation=0, test=0, contamination=foreign),
            export=(
                FusedFiles if recipe.records.record is FusedPair else PairExportSettings
            ).model_validate(settings),
        )
        held_out = hold_out(recipe, paths, form.division, tmp_path / "en")
        assignments: list[Any] = [
            divide(path, recipe, form.division, held_out).output for path in paths
        ]
        facts = BuildFacts(title=form.title, signature=SIGNATURE)
        folder: Path = stage.write_data_set(recipe, DividedShards(paths, assignments), form, facts)
        assert published[-1] == (folder, form.title)
        return folder

    return build


def test_the_released_form_has_a_header_and_eight_columns(build: Callable[..., Path]) -> None:
    folder = build(formats=["jsonl", "discofuse"])
    header, *lines = (folder / "pairs" / "train-00000.tsv").read_text(encoding="utf-8").split("\n")
    assert header.split("\t")[5:] == [
        "connective_string",
        "has_coref_type_pronoun",
        "has_coref_type_nominal",
    ]
    halves = ["It rained .", "We stayed at home ."]
    assert [line.split("\t") for line in lines[:-1]] == [
        ["It rained , and we stayed at home .", "", *halves, "SINGLE_S_COORD", "and", "0.0", "0.0"],
        [
            "Ana slept .",
            "However , Björn « worked » .",
            *halves,
            "PAIR_CONN",
            "however",
            "0.0",
            "0.0",
        ],
    ]
    counts = atomic.load_json(folder / "stats.json")["counts"]
    assert counts["skipped"] == {
        "not in the files of discofuse: separator or line break in the text": 1
    }
    assert not (folder / "rejected" / "train-00000.tsv").exists()
    rows = [
        json.loads(line)
        for line in (folder / "pairs" / "test-00000.jsonl").read_text("utf-8").splitlines()
    ]
    assert [row["has_pronoun"] for row in rows] == [False, True]


def test_counts_add_up_over_stages_kinds_sets_labels_and_licences(
    build: Callable[..., Path],
) -> None:
    folder = build()
    facts = atomic.load_json(folder / "stats.json")
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert facts["funnel"] == [
        {"name": "sentences", "rows": 18, "lost": {"empty": 2}},
        {"name": "parse", "rows": 16, "lost": {}},
        {"name": "unfuse", "rows": 6, "lost": {"no phenomenon": 4}},
        {"name": "judge", "rows": 5, "lost": {"verbless": 1}},
        {"name": "divide", "rows": 4, "lost": {"duplicate of test": 1}},
    ]
    counts = facts["counts"]
    assert (counts["rejected"], counts["divided"]) == ({"verbless": 1}, {"duplicate of test": 1})
    assert counts["subset"] == {"train": 2, "test": 2}
    assert counts["kinds"] == {"pairs": 4, "rejected": 2}
    assert counts["labels"]["discourse_type"] == {"PAIR_CONN": 1, "SINGLE_S_COORD": 3}
    assert counts["licence"] == {"Days/v1": {"CC0-1.0": 4}}
    for text in (
        "**4 rows**: 2 train, 0 validation, 2 test. The most frequent reasons for losses: 4 no phenomenon, ",
        'load_dataset("FOLDER", "rejected")',
        "| unfuse | 6 | 4 no phenomenon |",
        "geva-etal-2019",
        r"\*tab\* and",
    ):
        assert text in card
    assert card.count("- id: ") == 4
    assert manifest.problems(folder) == []


def test_a_record_is_in_each_kind_and_counted_once(build: Callable[..., Path]) -> None:
    rows = RowSpec(
        classes={"all": FusedRow, "one": FusedRow, REJECTED: FusedRow},
        row=lambda pair, kind: {**DISCOFUSE.rows.row(pair, kind), "first": kind},
        kinds=lambda pair: ("all", "one") if len(pair.text) == 1 else ("all",),
    )
    recipe = replace(DISCOFUSE, rows=rows, counted=CountSpec(labels=("discourse_type", "first")))
    folder = build(recipe=recipe)
    counts = atomic.load_json(folder / "stats.json")["counts"]
    assert counts["kinds"] == {"all": 4, "one": 3, "rejected": 2}
    assert counts["labels"] == {
        "discourse_type": {"PAIR_CONN": 1, "SINGLE_S_COORD": 3},
        "first": {"all": 4},
    }
    assert (
        json.loads((folder / "one" / "train-00000.jsonl").read_text(encoding="utf-8"))["first"]
        == "one"
    )


def test_no_records_are_refused_and_no_kept_ones_reported(build: Callable[..., Path]) -> None:
    from bitext_pivot.tasks.divide import divide_all

    folder = build([replace(one, rejected_by="verbless") for one in PAIRS])
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "No row was kept" in card
    data: Any = DatasetCard(card).data
    configurations = data.to_dict()["configs"]
    assert [one["config_name"] for one in configurations] == ["pairs", "rejected"]
    assert not any(one.get("default") for one in configurations)
    assert not folder.with_name("latest").exists()
    settings = SimpleNamespace(title="en: Days/v1", division=Division())
    with pytest.raises(SourceError, match="en: Days/v1: the sources contain nothing to build from"):
        divide_all(DISCOFUSE, [], settings, Site())


def test_bisect_has_equal_examples_for_any_shards(build: Callable[..., Path]) -> None:
    some = [
        judged(number, f"It rained {number} times .", f"It rained {number} .", "So .")
        for number in range(40)
    ]
    some[3] = replace(some[3], rejected_by="overlap")
    folder = build(some, bisect(["bertscore", "overlap"], {}))
    assert {"examples.md", "alignments.md"} < set(manifest.files(folder) or {})
    page = (folder / "examples.md").read_text(encoding="utf-8")
    assert "## Direct Insertion (10 shown)" in page and page.count("\n\n### ") == 10
    first, second = (folder / "README.md").read_text(encoding="utf-8"), page
    shown = {line for line in first.splitlines() if line.startswith("### ")}
    assert shown == {line for line in second.splitlines() if line.startswith("### ")}
    assert 'load_dataset("FOLDER", "pairs")' in first
    assert "Mean number of tokens: " in first


def test_the_card_of_fusions_has_the_papers_sizes_and_connectives() -> None:
    numbers: dict[tuple[str, ...], int] = {
        ("labels", "connective", name): count
        for name, count in {"and": 30, ", but": 5, "but": 5, "": 60}.items()
    }
    counts = Counts(numbers)
    counts["subset", "train"] = 100
    counts["kinds", "balanced"] = 12
    text = DISCOFUSE.card.notes(
        BuildFacts(title="discofuse-en", signature=SIGNATURE, counts=counts)
    )
    assert "| pairs | 100 | 44,177,443 | 16,642,323 |" in text
    assert "| in the balanced selection | 12 | 12,080,513 | 4,581,352 |" in text
    assert "| and | 30.0% | 12.0% | 12.5% |" in text
    assert "| but | 10.0% | 10.9% | 10.7% |" in text
    assert "| however | 0.0% | 3.5% | 8.2% |" in text
    assert DISCOFUSE.card.notes(BuildFacts(title="empty", signature=SIGNATURE))
