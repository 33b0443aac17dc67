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
from bitext_pivot.syntax import parsing
from bitext_pivot.tasks.run import loaded_models

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


SOURCES = ["a b.", "c d."]
REFERENCES = [["a. b."], ["c.", "d."]]
Arguments = dict[str, Any]
REFUSED: dict[str, list[Arguments]] = {
    "evaluate": [
        {"references": ["x y.", "z."]},
        {"references": "ab"},
        {"references": None},
        {"references": [["a."], None]},
        {"references": [["a."], [None]]},
        {"references": [["a."], [b"b."]]},
        {"references": [{"a.": 1}, ["b."]]},
        {"references": []},
        {"references": [["a. b."], [" "]]},
        {"sources": "ab"},
        {"sources": None},
        {"sources": {"a b."}},
        {"sources": ["a b.", 2]},
        {"sources": ["a b.", ""]},
        {"sources": ["a b."]},
        {"sources": [], "references": [], "outputs": {"mine": []}},
        {"sources": [], "references": [], "outputs": {}},
        {"outputs": {}},
        {"outputs": SOURCES},
        {"outputs": None},
        {"outputs": {"mine": "ab"}},
        {"outputs": {"mine": None}},
        {"outputs": {"mine": ["a.", None]}},
        {"outputs": {"mine": ["a."]}},
        {"outputs": {"mine": [["a.", "b."], ["c."]]}},
        {"outputs": {1: SOURCES}},
        {"scoring": {"samples": 10}},
    ],
    "build": [
        {"settings": settings}
        for settings in ({"one": "fr"}, None, "fr-en", bitext_pivot.PivotBitext, bitext_pivot.Scoring())
    ],
    "train": [
        {"settings": settings}
        for settings in ({"task": "split"}, None, "split", bitext_pivot.TrainModel, bitext_pivot.Scoring())
    ],
    "apply": [
        *({"folder": folder} for folder in ("nowhere", ".", None, "", 3, "x" * 300)),
        *({"lines": lines} for lines in ([], "a b.", None, {"a b."}, ["a b.", None], [("a.", "b.")])),
    ],
    "load": [
        *({"folder": folder} for folder in
          ("nowhere", ".", "nowhere/latest", "x" * 300, "", None, 3, ["a"], b"x", "notes.txt", "foo://bucket/x")),
        *({"subset": subset} for subset in ("t", "", "Train", "train-00000", "all", None, 3)),
        *({"kind": kind} for kind in ("pair", "", "x", "pairs/train", None)),
    ],
    "judge": [
        {"pairs": None},
        {"pairs": "ab"},
        {"pairs": {}},
        {"pairs": [{"complex": "a", "simple": "b <SEP> c"}]},
        {"pairs": [1, None]},
        *({"columns": columns} for columns in ({"long": 1}, {1: "x"}, {"long": ["a"]}, 5, "ab", [1])),
        {"filters": {"preset": "rules"}},
        {"filters": "rules"},
        {"parser": "x"},
        {"language": "xx"},
        {"language": "French"},
        {"language": None},
    ],
}  # fmt: skip
"""Arguments in place of good ones."""
GOOD: dict[str, Arguments] = {
    "evaluate": {"outputs": {"mine": SOURCES}, "sources": SOURCES, "references": REFERENCES},
    "apply": {"folder": "nowhere", "lines": ["a b."]},
    "load": {"folder": "data"},
    "judge": {"pairs": []},
}
CALLS = [(name, changed) for name, all_changes in REFUSED.items() for changed in all_changes]


@pytest.mark.parametrize(("name", "changed"), CALLS)
def test_what_a_function_cannot_use_is_refused(
    name: str,
    changed: Arguments,
    data_set: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Golden,
) -> None:
    (tmp_path / "notes.txt").touch()
    monkeypatch.chdir(tmp_path)
    with golden.refused(bitext_pivot.SettingsError):
        getattr(bitext_pivot, name)(**GOOD.get(name, {}) | changed)


def test_evaluate_reads_tuples_and_generators_as_lists() -> None:
    scoring = bitext_pivot.Scoring(samples=10)
    expected = bitext_pivot.evaluate({"mine": SOURCES}, SOURCES, REFERENCES, scoring=scoring)
    references = (tuple(line) for line in REFERENCES)
    results = bitext_pivot.evaluate(
        {"mine": iter(SOURCES)}, iter(SOURCES), references, scoring=scoring
    )
    assert results == expected


@pytest.fixture
def data_set(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    names = {"pairs/train-00000.jsonl": 2, "pairs/test-00000.jsonl": 1}
    for name, count in names.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"long": "a b."}\n' * count)
    manifest.write(folder, names, [])
    return folder


def test_load_reads_one_set(data_set: Path) -> None:
    sizes = [
        len(bitext_pivot.load(data_set, subset=subset))
        for subset in ("train", "validation", "test")
    ]
    assert sizes == [2, 0, 1]


def test_judge_takes_rows_and_data_frames() -> None:
    import datasets
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
    data = datasets.Dataset.from_list(rows)
    for value, names in (
        (pandas.DataFrame(rows), {}), (frame, columns), (table, columns), (data, {}),
        (data.to_iterable_dataset(), {}), (data.with_format("pandas"), {}),
    ):  # fmt: skip
        (judged,) = bitext_pivot.judge(value, columns=names, filters=rules, parser=parser)
        assert judged == expected and judged["rejected_by"] is None


def test_judge_loads_a_parser_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded_models.clear_model_caches()
    load, loaded = parsing.load_pipeline, list[object]()

    def noted(*arguments: Any) -> parsing.SpacyPipeline:
        loaded.append(arguments)
        return load(*arguments)

    monkeypatch.setattr(parsing, "load_pipeline", noted)
    parser = bitext_pivot.Parser(pipeline=str(ROOT / "quickstart" / "models" / "spacy-en-ud"))
    for long in ("The cat slept and the dog ran.", "It rained, so the dog ran."):
        rules = bitext_pivot.Filters(preset="rules")
        bitext_pivot.judge([(long, ["It rained.", "The dog ran."])], filters=rules, parser=parser)
    assert len(loaded) == 1


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
def test_the_notebook_and_the_documents_run(tmp_path: Path) -> None:
    docs = ROOT / "docs"
    cells = json.loads((docs / "first-corpus.ipynb").read_text(encoding="utf-8"))["cells"]
    blocks = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for document in (docs / "library.md", ROOT / "README.md"):
        text = document.read_text(encoding="utf-8")
        blocks += re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "BITEXT_"))
    }
    blocks.insert(0, "import signal\nbegun = signal.getsignal(signal.SIGINT)")  # ignored in a job
    blocks.append("print('interrupts:', signal.getsignal(signal.SIGINT) is begun)")
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
    assert "\npasted other\n" in done.stdout
    assert "interrupts: True" in done.stdout
