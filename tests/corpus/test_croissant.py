"""`croissant.json`: read by mlcroissant, with every file, column, source and statement."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import assigned, judged

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.croissant import croissant
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.export import export
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import Export, Files
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.recipes import bisect, joined
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.discourse.recipes import discofuse, discovery, explicitation

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning"
)  # of rdflib

KEPT = [
    judged(number, f"Il pleut 🐱 {number}, on reste.", "Il pleut.", "On reste ici.")
    for number in range(5)
]
REJECTED = [judged(9, "Nothing in common.", "A.", "B.", rejected_by="overlap")]
SIGNATURE: dict[str, Any] = {
    "settings": {"language": "en", "pivot": "fr", "own": [{"name": "letters", "release": "v2"}]},
    "engine": "marian opus-mt beam=4", "parser": "spacy 3.8", "filters": {"overlap": "overlap", "meaning": "LaBSE@1"},
}  # fmt: skip
CORPORA = {
    "Everyday/v1": {"licence": "CC0-1.0", "grounds": "", "sha256": "0" * 64},
    "letters/v2": {"licence": "unknown", "grounds": "", "sha256": "1" * 64},
}
COUNTS = Counts({("licence", "Everyday/v1", "CC0-1.0"): 3, ("licence", "letters/v2", "unknown"): 2})
FACTS = BuildFacts(
    title="fr-en: Everyday/v1", signature=SIGNATURE, corpora=CORPORA, counts=COUNTS,
    funnel=[FunnelStage(name="judge", rows=5, lost={"overlap": 1})],
)  # fmt: skip


def described(folder: Path, kept: Sequence[JudgedPair] = KEPT, **settings: Any) -> dict[str, Any]:
    """Write a data set of pairs with its description, and return that."""
    files = DataFiles(
        folder,
        Export.model_validate(settings),
        schemas(bisect.BISECT.rows.classes, ("overlap", "bertscore", "bertscore.f1")),
    )
    subsets: list[Any] = ["train", "test", "train", "train", "validation", "train"][
        -len(kept) - 1 :
    ]
    export(files, bisect.BISECT, assigned([*kept, *REJECTED], subsets))
    content = croissant(bisect.BISECT, FACTS, files, "en")
    atomic.write_json(folder / "croissant.json", content)
    return content


@pytest.fixture
def mlcroissant() -> Any:
    """The library. Prefect configures the log first: else it closes a handler with the file of a test later."""
    from prefect.logging.configuration import setup_logging

    setup_logging()
    return pytest.importorskip(
        "mlcroissant", reason="needs the extra dev (mlcroissant), which is not installed here"
    )


def loaded(value: Any) -> Any:
    """Return a value as mlcroissant reads it, with texts as texts and names without those of the fields around them."""
    if isinstance(value, float):
        return round(value, 9)  # pandas reads numbers of JSON nearly
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {name.rpartition("/")[2]: loaded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [loaded(part) for part in value]
    return value


@pytest.mark.parametrize("formats", [["parquet", "jsonl", "bisect"], ["jsonl"]])
def test_mlcroissant_reads_every_row(formats: list[str], tmp_path: Path, mlcroissant: Any) -> None:
    described(tmp_path, formats=formats, file_rows=2, statement={"published": "2026-11-26"})
    dataset = mlcroissant.Dataset(tmp_path / "croissant.json")
    assert dataset.metadata.ctx.issues.report() == ""
    rows = {row["id"]: row for row in map(loaded, dataset.records("pairs"))}
    subsets = {1: "test", 4: "validation"}
    for number, one in enumerate(KEPT):
        row = rows.pop(one.pair.id)
        assert row.pop("set") == subsets.get(number, "train")
        expected: dict[str, Any] = {**bisect.row(one)}
        assert row.pop("scores") == {"bertscore.f1": None, **expected.pop("scores")}
        assert row == expected
    assert rows == {}
    (rejected,) = map(loaded, dataset.records("rejected"))
    assert (rejected["rejected_by"], rejected["set"]) == ("overlap", "train")


def test_a_list_of_structs_is_read(tmp_path: Path, mlcroissant: Any) -> None:
    pair = KEPT[0].pair
    assert pair.alignment is not None
    with_link = replace(
        pair, alignment=replace(pair.alignment, attributes={"certainty": "0.7", "kind": "1-2"})
    )
    record = replace(
        KEPT[0],
        scored=replace(KEPT[0].scored, parsed=replace(KEPT[0].scored.parsed, pair=with_link)),
    )
    described(tmp_path, [record])
    (row,) = map(loaded, mlcroissant.Dataset(tmp_path / "croissant.json").records("pairs"))
    assert row["link"] == [{"name": "certainty", "value": "0.7"}, {"name": "kind", "value": "1-2"}]


@pytest.mark.parametrize("compress", [False, True])
def test_every_file_and_column_is_described(compress: bool, tmp_path: Path) -> None:
    content = described(tmp_path, compress=compress, formats=["jsonl", "tsv", "bisect"])
    objects = {
        part["@id"]: part for part in content["distribution"] if part["@type"] == "cr:FileObject"
    }
    paths = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*-0*.*")}
    assert objects.keys() == paths.keys() and len(objects) > 5
    for name, path in paths.items():
        assert objects[name]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert objects[name]["contentSize"] == f"{path.stat().st_size} B"
    records = {part["@id"]: part for part in content["recordSet"]}
    assert records.keys() == {"sets", "pairs", "rejected"}
    columns = [field["name"] for field in records["rejected"]["field"]]
    assert columns == ["set", *bisect.SplitRow.__annotations__, "rejected_by"]
    assert all(field["description"] for field in records["pairs"]["field"])


def test_sources_licences_and_tools_are_named(tmp_path: Path) -> None:
    content = described(tmp_path)
    assert content["license"] == ["https://spdx.org/licenses/CC0-1.0.html", "NOASSERTION"]
    derived = {part["@id"]: part for part in content["prov:wasDerivedFrom"]}
    assert derived.keys() == {"urn:opus:Everyday:v1", "urn:own:letters:v2"}
    assert derived["urn:opus:Everyday:v1"]["license"] == ["CC0-1.0"]
    assert derived["urn:own:letters:v2"]["license"] == ["NOASSERTION"]
    assert "url" not in derived["urn:own:letters:v2"]
    tools = content["rai:machineAnnotationTools"]
    assert {"marian opus-mt beam=4", "spacy 3.8", "meaning: LaBSE@1"} < {*tools}
    assert "kim-etal-2021-bisect" in content["citeAs"]


def test_the_author_can_state_other_things(tmp_path: Path) -> None:
    settings = {
        "biases": "Only weather.",
        "collection": "",
        "creators": ["Ana"],
        "url": "https://x.org",
        "version": "2.0.0",
    }
    content = described(tmp_path, statement=settings)
    assert content["rai:dataBiases"] == "Only weather."
    assert "rai:dataCollection" not in content
    assert content["creator"][0]["name"] == "Ana"
    assert (content["url"], content["version"]) == ("https://x.org", "2.0.0")


@pytest.mark.parametrize(("recipe", "files"), [
    (discofuse.DISCOFUSE, discofuse.FusedFiles()),
    (explicitation.recipe(["relations"]), explicitation.ExplicitationFiles()),
    (discovery.DISCOVERY, discovery.DiscoveryFiles()),
    (joined.JOINED, Export()),
], ids=["discofuse", "explicitation", "discovery", "joined"])  # fmt: skip
def test_other_recipes_are_described(
    recipe: Recipe[Any], files: Files, tmp_path: Path, mlcroissant: Any
) -> None:
    written = DataFiles(tmp_path, files, schemas(recipe.rows.classes, ("overlap",)))
    export(written, recipe, [])
    with written:
        for kind in recipe.rows.classes:
            written.begin(kind, "test")
    atomic.write_json(tmp_path / "croissant.json", croissant(recipe, FACTS, written, "en"))
    report = mlcroissant.Dataset(tmp_path / "croissant.json").metadata.ctx.issues.report()
    assert "error" not in report
