"""The package as a library: what importing it loads, and the notebook and the document docs/library.md."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from messages import Golden

import bitext_pivot
from bitext_pivot.core.storage import manifest

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "prefect", "spacy", "transformers", "pydantic", "pyarrow")


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = f"import sys, bitext_pivot; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_every_public_name_is_documented() -> None:
    for name in bitext_pivot.__all__:
        assert getattr(bitext_pivot, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = bitext_pivot.nothing


@pytest.mark.parametrize(
    ("sources", "references", "outputs"),
    [
        (["a b."], [["a."], ["b."]], ["a."]),
        (["a b."], [["a."]], ["a.", "b."]),
        (["a b.", ""], [["a."], ["b."]], ["a.", "b."]),
        (["a b.", "c."], [["a."], [" "]], ["a.", "b."]),
    ],
)
def test_evaluate_refuses_lines_that_do_not_match(
    sources: list[str], references: list[list[str]], outputs: list[str], golden: Golden
) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.evaluate({"mine": outputs}, sources, references)


SOURCES = ["a b.", "c d."]
REFERENCES = [["a. b."], ["c.", "d."]]


@pytest.mark.parametrize('changed', [
    {"references": ["x y.", "z."]},
    {"references": "ab"},
    {"references": None},
    {"references": [["a."], None]},
    {"references": [["a."], [None]]},
    {"references": [["a."], [b"b."]]},
    {"references": [{"a.": 1}, ["b."]]},
    {"references": []},
    {"sources": "ab"},
    {"sources": None},
    {"sources": {"a b.", "c d."}},
    {"sources": ["a b.", 2]},
    {"sources": [], "references": [], "outputs": {"mine": []}},
    {"sources": [], "references": [], "outputs": {}},
    {"outputs": {}},
    {"outputs": SOURCES},
    {"outputs": None},
    {"outputs": {"mine": "ab"}},
    {"outputs": {"mine": None}},
    {"outputs": {"mine": ["a.", None]}},
    {"outputs": {"mine": [["a.", "b."], ["c."]]}},
    {"outputs": {1: SOURCES}},
    {"scoring": {"samples": 10}},
])  # fmt: skip
def test_evaluate_refuses_what_is_no_list_of_texts(changed: dict[str, Any], golden: Golden) -> None:
    arguments: dict[str, Any] = {
        "outputs": {"mine": SOURCES},
        "sources": SOURCES,
        "references": REFERENCES,
    }
    with golden.refused(bitext_pivot.SettingsError) as raised:
        bitext_pivot.evaluate(**arguments | changed)
    assert "\n" not in str(raised.value)


def test_evaluate_reads_tuples_and_generators_as_lists() -> None:
    scoring = bitext_pivot.Scoring(samples=10)
    expected = bitext_pivot.evaluate({"mine": SOURCES}, SOURCES, REFERENCES, scoring=scoring)
    references = (tuple(line) for line in REFERENCES)
    results = bitext_pivot.evaluate(
        {"mine": iter(SOURCES)}, iter(SOURCES), references, scoring=scoring
    )
    assert results == expected


@pytest.mark.parametrize(
    "settings", [{"one": "fr"}, None, "fr-en", bitext_pivot.PivotBitext, bitext_pivot.Scoring()]
)
def test_build_refuses_what_is_no_recipe(settings: Any, golden: Golden) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.build(settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"task": "split"},
        None,
        "split",
        bitext_pivot.TrainModel,
        bitext_pivot.Scoring(),
        bitext_pivot.Filters(),
    ],
)
def test_train_refuses_what_is_no_training(settings: Any, golden: Golden) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.train(settings)


@pytest.mark.parametrize(('folder', 'lines'), [
    ("nowhere", ["a b."]),
    (".", ["a b."]),
    ("nowhere", []),
    (None, ["a b."]),
    ("", ["a b."]),
    (3, ["a b."]),
    ("nowhere", "a b."),
    ("nowhere", None),
    ("nowhere", {"a b."}),
    ("nowhere", ["a b.", None]),
    ("nowhere", [("a.", "b.")]),
])  # fmt: skip
def test_apply_refuses_what_is_no_model_or_no_lines(
    folder: Any, lines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.chdir(tmp_path)
    with golden.refused(bitext_pivot.SettingsError) as raised:
        bitext_pivot.apply(folder, lines)
    assert "\n" not in str(raised.value)


@pytest.fixture
def data_set(tmp_path: Path) -> Path:
    names = {"pairs/train-00000.jsonl": 2, "pairs/test-00000.jsonl": 1}
    for name, count in names.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"long": "a b."}\n' * count)
    manifest.write(tmp_path, names, [])
    return tmp_path


def test_load_reads_one_set(data_set: Path) -> None:
    sizes = [
        len(bitext_pivot.load(data_set, subset=subset))
        for subset in ("train", "validation", "test")
    ]
    assert sizes == [2, 0, 1]


@pytest.mark.parametrize('subset', [
    "t", "x", "", "Train", "train-00000",
    "tests", "all", None, 3,
])  # fmt: skip
def test_load_refuses_an_unknown_subset(data_set: Path, subset: Any, golden: Golden) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.load(data_set, subset=subset)


@pytest.mark.parametrize("kind", ["pair", "", "x", "pairs/train", None])
def test_load_refuses_an_unknown_kind(data_set: Path, kind: Any, golden: Golden) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.load(data_set, kind=kind)


@pytest.mark.parametrize('folder', [
    "nowhere", ".",
    "nowhere/latest",
    "", None, 3, ["a"],
    b"x", "notes.txt", "foo://bucket/x",
])  # fmt: skip
def test_load_refuses_what_is_no_data_set(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").touch()
    with golden.refused(bitext_pivot.SettingsError) as raised:
        bitext_pivot.load(folder)
    assert "\n" not in str(raised.value)


def test_load_without_keys_of_an_object_store_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    pytest.importorskip("s3fs")
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.load("s3://bucket/x")


@pytest.mark.parametrize('arguments', [
    {"pairs": None},
    {"pairs": "ab"},
    {"pairs": {}},
    {"pairs": [{"complex": "a", "simple": "b <SEP> c"}]},
    {"pairs": [1, None]},
    {"filters": {"preset": "rules"}},
    {"filters": "rules"},
    {"parser": "x"},
    {"language": "xx"},
    {"language": "French"},
    {"language": None},
])  # fmt: skip
def test_judge_refuses_arguments_of_other_types(arguments: dict[str, Any], golden: Golden) -> None:
    with golden.refused(bitext_pivot.SettingsError):
        bitext_pivot.judge(**{"pairs": []} | arguments)


def test_judge_takes_rows_and_data_frames() -> None:
    import pandas
    import pyarrow as pa

    rows = [{"long": "The cat slept and the dog ran.", "split": ["The cat slept.", "The dog ran."]}]
    parser = bitext_pivot.Parser(pipeline=str(ROOT / "quickstart" / "models" / "spacy-en-ud"))
    rules = bitext_pivot.Filters(preset="rules")
    (expected,) = bitext_pivot.judge(rows, filters=rules, parser=parser)
    halves = [{"complex": row["long"], "a": row["split"][0], "b": row["split"][1]} for row in rows]
    columns = {"long": "complex", "s1": "a", "s2": "b"}
    frame = pandas.DataFrame(halves)
    table = pa.Table.from_pandas(frame)
    for value, names in ((pandas.DataFrame(rows), {}), (frame, columns), (table, columns)):
        (judged,) = bitext_pivot.judge(value, columns=names, filters=rules, parser=parser)
        assert judged == expected and judged["rejected_by"] is None


def test_evaluate_scores_a_copy_of_the_reference_best() -> None:
    sources = ["It rained, so we stayed at home.", "She sings and he plays the piano."]
    references = [["It rained. <SEP> We stayed at home."], ["She sings. <SEP> He plays the piano."]]
    outputs = {"unchanged": sources, "reference": [line[0] for line in references]}
    scores = bitext_pivot.evaluate(
        outputs, sources, references, scoring=bitext_pivot.Scoring(samples=10)
    )
    assert scores["reference"]["BLEU"]["score"] == pytest.approx(100)
    assert scores["unchanged"]["SARI"]["score"] < scores["reference"]["SARI"]["score"]
    assert scores["unchanged"]["SARI"]["p_value"] is None


@pytest.mark.nightly
@pytest.mark.quickstart
def test_the_notebook_and_the_document_run(tmp_path: Path) -> None:
    docs = ROOT / "docs"
    cells = json.loads((docs / "first-corpus.ipynb").read_text(encoding="utf-8"))["cells"]
    blocks = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    blocks += re.findall(
        r"^```python\n(.*?)^```", (docs / "library.md").read_text(encoding="utf-8"), re.M | re.S
    )
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "BITEXT_"))
    }
    blocks.append(
        "import signal\nprint('interrupts:', signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    home = {
        "BITEXT_PIVOT_HOME": str(tmp_path / "data"), "PREFECT_HOME": str(tmp_path / "prefect"), "MPLBACKEND": "agg",
        "HF_HOME": str(tmp_path / "hub"),
    }  # fmt: skip
    (tmp_path / "prefect").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=docs,
        env=clean | home,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"pairs for training.*\nkept Direct Insertion\npasted [\w ]+\nnow overlap 0\.8\nnow pasted 1\.0\n",
        done.stdout,
        re.S,
    )
    assert "interrupts: True" in done.stdout
