"""`datasets.load_dataset` reads an exported folder: configurations, sets, typed columns, every row."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from factories import assigned, judged
from huggingface_hub import DatasetCard

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import Pair
from bitext_pivot.corpus.card import readme
from bitext_pivot.corpus.data_set_export import export_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.division import Subset
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.front_matter import front_matter, without_front_matter
from bitext_pivot.corpus.recipes.bisect import BISECT, SplitRow, row
from bitext_pivot.corpus.schema import schemas

KEPT = [
    judged(number, f"Il pleut 🐱 {number}, on reste.", "Il pleut.", "On reste ici.")
    for number in range(5)
]
REJECTED = [judged(9, "Nothing in common.", "A.", "B.", rejected_by="overlap")]
SCORES = ("overlap", "bertscore", "bertscore.f1")
FACTS = BuildFacts(
    title="fr-en: Everyday/v1",
    signature={"settings": {"language": "en"}},
    funnel=[FunnelStage(name="x", rows=0, lost={})],
)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the function that loads a folder, with its cache in a temporary folder and without the network."""
    for name in ("DATASETS", "HUB"):
        monkeypatch.setenv(f"HF_{name}_OFFLINE", "1")
    datasets = pytest.importorskip(
        "datasets", reason="needs the extra dev (datasets), which is not installed here"
    )

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    return lambda *arguments: datasets.load_dataset(
        *map(os.fspath, arguments), cache_dir=str(tmp_path / "cache")
    )


def write(
    folder: Path, pairs: Any, subset: Callable[[Pair], Subset] = lambda _: "train", **settings: Any
) -> Path:
    """Write a data set and its card; all pairs are for training unless `subset` says otherwise."""
    files = DataSetFiles(
        folder, PairExportSettings.model_validate(settings), schemas(BISECT.rows.classes, SCORES)
    )
    export_records(files, BISECT, assigned(pairs, [subset(one.pair) for one in pairs]))
    card = front_matter(FACTS, "en", files, BISECT) + "# Pairs\n"
    (folder / "README.md").write_text(card, encoding="utf-8")
    return folder


def filled(one: dict[str, Any]) -> dict[str, Any]:
    """Return a row with all scores, None for those of filters that did not run."""
    return {**one, "scores": dict.fromkeys(SCORES) | one["scores"]}


@pytest.mark.parametrize("settings", [
    {},
    {"formats": ["tsv", "bisect", "parquet"], "compress": True, "file_rows": 2},
    {"formats": ["jsonl", "wikisplit"], "compress": True, "file_rows": 2},
], ids=["default", "parquet", "jsonl"])  # fmt: skip
def test_both_kinds_of_rows_are_loaded_with_their_types(
    settings: dict[str, Any], tmp_path: Path, load: Any
) -> None:
    if settings.get("compress"):
        pytest.importorskip(
            "zstandard", reason="needs the extra dev (zstandard), which is not installed here"
        )
    folder = write(tmp_path / "en", [*KEPT, *REJECTED], **settings)
    loaded = load(folder)
    assert list(loaded) == ["train"]
    assert loaded["train"].to_list() == [filled(dict(row(one))) for one in KEPT]
    rejected = load(folder, "rejected")["train"]
    assert rejected.to_list() == [
        filled({**row(one), "rejected_by": one.rejected_by}) for one in REJECTED
    ]
    types = {name: str(feature) for name, feature in rejected.features.items()}
    assert types["split_at"] == "Value('int64')" and types["rejected_by"] == "Value('string')"
    assert types["foreign"] == types["split"] == "List(Value('string'))"
    assert types["link"] == "List({'name': Value('string'), 'value': Value('string')})"
    assert set(rejected.features["scores"]) == set(SCORES)
    del types["rejected_by"]
    assert {name: str(feature) for name, feature in loaded["train"].features.items()} == types


def test_rejected_rows_that_are_not_there_are_not_on_the_card(tmp_path: Path, load: Any) -> None:
    folder = write(tmp_path / "en", KEPT)
    assert len(load(folder, "pairs")["train"]) == len(KEPT)
    with pytest.raises(ValueError, match="'rejected' not found"):
        load(folder, "rejected")


@pytest.mark.parametrize(
    ("pairs", "kind", "more"), [(KEPT, "pairs", []), (REJECTED, "rejected", ["rejected_by"])]
)
@pytest.mark.parametrize("formats", [["parquet"], ["jsonl"]])
def test_a_data_set_of_one_set_and_kind_is_loaded(
    pairs: list[Any], kind: str, more: list[str], formats: list[str], tmp_path: Path, load: Any
) -> None:
    folder = write(tmp_path / "en", pairs, lambda _: "test", formats=formats)
    loaded = load(folder, kind)
    assert {name: len(rows) for name, rows in loaded.items()} == {"test": len(pairs)}
    assert loaded["test"].column_names == [*get_type_hints(SplitRow), *more]
    kept = sum(one.rejected_by is None for one in pairs)
    text = readme(BISECT, replace(FACTS, counts=Counts({("subset", "test"): kept})), "")
    assert ("No kept row is in `train` or `validation`, so" in text) == (pairs is KEPT)
    assert ("No row was kept, so `load_dataset" in text) == (pairs is REJECTED)


def test_a_card_without_front_matter_is_its_text() -> None:
    text = readme(BISECT, FACTS, "It has all pairs.")
    files = DataSetFiles(
        Path("nowhere"), PairExportSettings(), schemas(BISECT.rows.classes, SCORES)
    )
    head = front_matter(FACTS, "en", files, BISECT)
    assert without_front_matter(head + text) == text
    assert without_front_matter(text) == text


@pytest.mark.parametrize("formats", [["parquet"], ["jsonl"]])
@pytest.mark.parametrize("compress", [False, True])
def test_the_card_states_columns_rows_and_bytes_as_datasets_counts_them(
    formats: list[str], compress: bool, tmp_path: Path, load: Any
) -> None:
    if compress:
        pytest.importorskip(
            "zstandard", reason="needs the extra dev (zstandard), which is not installed here"
        )
    names: list[Subset] = ["test", "train", "validation", "train", "train"]
    subsets = dict(zip((one.pair.id for one in KEPT), names, strict=True))
    settings = {"formats": formats, "compress": compress, "file_rows": 2}
    folder = write(
        tmp_path / "en", [*KEPT, *REJECTED], lambda pair: subsets.get(pair.id, "test"), **settings
    )
    stated = {
        part["config_name"]: part
        for part in DatasetCard.load(folder / "README.md").data.dataset_info
    }
    for kind in ("pairs", "rejected"):
        loaded = load(folder, kind)
        rows = {split["name"]: split["num_examples"] for split in stated[kind]["splits"]}
        assert rows == {name: len(part) for name, part in loaded.items()}
        ending = "parquet" if formats == ["parquet"] else "jsonl"
        sizes = [path.stat().st_size for path in folder.glob(f"{kind}/*.{ending}*")]
        assert stated[kind]["download_size"] == sum(sizes)
        counted = sum(part.data.nbytes for part in loaded.values())
        assert stated[kind]["dataset_size"] == pytest.approx(counted, rel=0.2)


@pytest.mark.parametrize(
    "formats", [["parquet"], ["jsonl"], ["jsonl", "bisect"], ["tsv", "parquet"]], ids="-".join
)
def test_without_a_kept_pair_rejected_ones_are_loaded_by_name_alone(
    formats: list[str], tmp_path: Path, load: Any
) -> None:
    folder = write(tmp_path / "en", REJECTED, formats=formats)
    with pytest.raises(ValueError, match="Config name is missing"):
        load(folder)
    with pytest.raises(ValueError, match="no data"):
        load(folder, "pairs")
    assert [one["rejected_by"] for one in load(folder, "rejected")["train"]] == ["overlap"]


def test_a_data_set_without_a_row_has_no_other_files_in_their_place(
    tmp_path: Path, load: Any
) -> None:
    folder = write(tmp_path / "en", [])
    for arguments in ((folder,), (folder, "pairs")):
        with pytest.raises(ValueError, match="no data"):
            load(*arguments)
