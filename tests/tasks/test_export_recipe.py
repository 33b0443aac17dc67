"""The data set of a recipe over documents: divided, in all formats, with a card that adds up, kept when complete."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard

from corpus.divide import Division
from corpus.recipe import REJECTED, Recipe
from corpus.recipes.discofuse import DISCOFUSE, FusedFiles, FusedRow
from pairs.errors import SourceError
from pairs.records import FusedPair
from pairs.storage import atomic, manifest, shards

SIGNATURE = {"settings": {"language": "en"}, "parser": "spacy 3.8 tiny"}
RAIN = FusedPair(
    id="Days/v1/en/a:1", language="en", discourse_type="SINGLE_S_COORD", connective="and",
    has_pronoun=False, has_nominal=False,
    text=("It rained , and we stayed at home .",), first="It rained .", second="We stayed at home .",
    corpus="Days", release="v1", licence="CC0-1.0", document="a", positions=(1,), rejected_by=None,
)  # fmt: skip


def fused(number: int, document: str, text: str, **changes: Any) -> FusedPair:
    """Another pair, whose text is of one or two sentences."""
    name = {"id": f"Days/v1/en/{document}:{number}", "document": document, "positions": (number,)}
    return replace(RAIN, **{**name, "text": tuple(text.split(" | ")), **changes})


PAIRS = [
    RAIN,
    fused(2, "a", "Ana slept . | However , Björn « worked » .", discourse_type="PAIR_CONN", connective="however"),
    fused(3, "a", "Nobody came .", rejected_by="verbless"),
    fused(1, "b", "Snow fell , and the trains stood still ."),
    fused(2, "b", "A\t*tab* and\u2028more .", has_pronoun=True),
    fused(1, "c", "Snow fell -- and the trains stood still !"),
]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that exports records in shards of three, with settings of the export."""
    from prefect.logging import disable_run_logger

    from tasks import export_recipe as stage
    from tasks.divide import Divided, divide, hold_out

    monkeypatch.setattr(stage, "put", lambda artifact: published.append(artifact.markdown))
    published: list[str] = []

    def build(records: list[FusedPair] = PAIRS, recipe: Recipe[FusedPair] = DISCOFUSE, **settings: Any) -> Path:
        names = tmp_path / "documents.txt"
        names.write_text("b\n", encoding="utf-8")
        paths = [tmp_path / "en" / "fused-0" / f"Days-v1-{number:05d}.parquet" for number in range(2)]
        for path, some in zip(paths, (records[:3], records[3:]), strict=True):
            before = {"parsed": {"rows": 8, "skips": {}}, "sentences": {"rows": 9, "skips": {"empty": 1}}}
            shards.write(path, FusedPair, some, {"skips": {"no phenomenon": 2}, "before": before})
        form = SimpleNamespace(
            title="en: Days/v1",
            language="en",
            division=Division(test_documents=names, validation=0, test=0),
            export=FusedFiles.model_validate(settings),
        )
        with disable_run_logger():
            held_out = hold_out.fn(recipe, paths, form.division)
            places = [divide.fn(path, recipe, form.division, held_out).data for path in paths]
            folder: Path = stage.export.fn(recipe, Divided(paths, places), form, SIGNATURE)
        assert published[-1].startswith("Data set: ")
        return folder

    return build


def test_rows_of_each_kind_and_set_are_loaded_with_their_columns(
    build: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = pytest.importorskip("datasets", reason="needs the extra dev (datasets), which is not installed here")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = build()
    kept = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: [row["id"] for row in rows] for name, rows in kept.items()} == {
        "train": ["Days/v1/en/a:1", "Days/v1/en/a:2"],
        "test": ["Days/v1/en/b:1", "Days/v1/en/b:2"],
    }
    assert kept["train"].column_names == list(FusedRow.__annotations__)
    assert kept["train"][1]["text"] == ["Ana slept .", "However , Björn « worked » ."]
    rejected = datasets.load_dataset(str(folder), "rejected", cache_dir=str(tmp_path / "cache"))["train"]
    assert {row["id"]: row["rejected_by"] for row in rejected} == {
        "Days/v1/en/a:3": "verbless",
        "Days/v1/en/c:1": "duplicate of test",
    }


def test_the_released_form_has_a_header_and_eight_columns(build: Callable[..., Path]) -> None:
    folder = build(formats=["jsonl", "discofuse"])
    header, *lines = (folder / "pairs" / "train-00000.tsv").read_text(encoding="utf-8").split("\n")
    assert header.split("\t")[5:] == ["connective_string", "has_coref_type_pronoun", "has_coref_type_nominal"]
    halves = ["It rained .", "We stayed at home ."]
    assert [line.split("\t") for line in lines[:-1]] == [
        ["It rained , and we stayed at home .", "", *halves, "SINGLE_S_COORD", "and", "0.0", "0.0"],
        ["Ana slept .", "However , Björn « worked » .", *halves, "PAIR_CONN", "however", "0.0", "0.0"],
    ]
    facts = atomic.load_json(folder / "stats.json")
    assert facts["skipped"] == {"not in the files of discofuse: separator or line break in the text": 1}
    assert not (folder / "rejected" / "train-00000.tsv").exists()
    rows = [json.loads(line) for line in (folder / "pairs" / "test-00000.jsonl").read_text("utf-8").splitlines()]
    assert [row["has_pronoun"] for row in rows] == [False, True]


def test_counts_add_up_over_stages_kinds_sets_labels_and_licences(build: Callable[..., Path]) -> None:
    folder = build()
    facts, card = atomic.load_json(folder / "stats.json"), (folder / "README.md").read_text(encoding="utf-8")
    assert facts["stages"] == [
        {"name": "sentences", "rows": 18, "skips": {"empty": 2}},
        {"name": "parsed", "rows": 16, "skips": {}},
        {"name": "fused", "rows": 6, "skips": {"no phenomenon": 4}},
    ]
    assert facts["rejected"] == {"verbless": 1, "duplicate of test": 1}
    assert facts["subset"] == {"train": 2, "validation": 0, "test": 2}
    assert facts["kinds"] == {"pairs": 4, "rejected": 2}
    assert facts["labels"]["discourse_type"] == {"PAIR_CONN": 1, "SINGLE_S_COORD": 3}
    assert facts["licence"] == {"Days/v1": {"CC0-1.0": 4}}
    for text in (
        "4 rows",
        'load_dataset("FOLDER", "rejected")',
        "| fused | 6 | no phenomenon 4 |",
        "geva-etal-2019",
        r"\*tab\* and",
    ):
        assert text in card
    assert card.count("- id: ") == 4
    assert manifest.problems(folder) == []


def test_a_record_is_in_each_of_its_kinds_and_counted_once(build: Callable[..., Path]) -> None:
    recipe: Recipe[FusedPair] = Recipe(
        record=FusedPair,
        rows={"all": FusedRow, "one": FusedRow, REJECTED: FusedRow},
        stages=DISCOFUSE.stages,
        row=lambda pair, kind: {**DISCOFUSE.row(pair, kind), "first": kind},
        kinds=lambda pair: ("all", "one") if len(pair.text) == 1 else ("all",),
        item=DISCOFUSE.item,
        labels=("discourse_type", "first"),
        paper=DISCOFUSE.paper,
        view=DISCOFUSE.view,
    )
    folder = build(recipe=recipe)
    facts = atomic.load_json(folder / "stats.json")
    assert facts["kinds"] == {"all": 4, "one": 3, "rejected": 2}
    assert facts["labels"] == {"discourse_type": {"PAIR_CONN": 1, "SINGLE_S_COORD": 3}, "first": {"all": 4}}
    assert json.loads((folder / "one" / "train-00000.jsonl").read_text(encoding="utf-8"))["first"] == "one"


def test_a_complete_data_set_is_kept_and_a_damaged_one_is_written_again(build: Callable[..., Path]) -> None:
    folder = build()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert build() == folder
    assert {path: path.stat().st_mtime_ns for path in before} == before
    part = folder / "pairs" / "train-00000.parquet"
    part.write_bytes(part.read_bytes()[:100])
    assert build() == folder
    assert pq.read_table(part).num_rows == 2
    assert build(formats=["jsonl"]) == folder  # the settings of the export are in the signature of a real build


def test_no_records_at_all_are_refused_and_no_kept_ones_are_said(build: Callable[..., Path]) -> None:
    from tasks import export_recipe as stage

    folder = build([replace(one, rejected_by="verbless") for one in PAIRS])
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "No row was kept" in card
    assert [one["config_name"] for one in DatasetCard(card).data.to_dict()["configs"]] == ["rejected"]
    with pytest.raises(SourceError, match="no documents were found"):
        stage.export_recipe(DISCOFUSE, [], SimpleNamespace(title="en: Days/v1"), SIGNATURE)
