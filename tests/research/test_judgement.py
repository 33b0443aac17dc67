"""Assessment: which pairs are drawn, what the page gives away, and what is reported of the answers."""

import base64
import json
import re
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from factories import judged
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden, Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import folders, manifest
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.recipes import bisect
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.research.assessment import assessment_page
from bitext_pivot.research.assessment.report import Answer, AnswerFile, alpha, report, wilson
from bitext_pivot.research.assessment.sample_design import (
    COLUMNS,
    AssessmentItem,
    SampleDesign,
    fingerprint,
    sample,
)

CATEGORIES = ("Direct Insertion", "Changes Near Split")


def row(
    number: int, category: str = CATEGORIES[0], corpus: str | None = "Everyday"
) -> dict[str, Any]:
    texts = {"long": f"Long {number} .", "split": [f"First {number} .", f"Segunda ñ {number} ."]}
    return {
        "id": f"{corpus}:{number}",
        "language": "en",
        "category": category,
        "corpus": corpus,
        **texts,
    }


ROWS = [
    *(row(n) for n in range(60)),
    *(row(n, CATEGORIES[1]) for n in range(60, 90)),
    *(row(n, corpus=None) for n in range(90, 100)),
]


@pytest.mark.parametrize(
    ("pairs", "expected"), [(10, [6, 3, 1]), (20, [12, 6, 2]), (5, [3, 2, 0]), (1, [1, 0, 0])]
)
def test_each_category_of_each_corpus_has_its_share(pairs: int, expected: list[int]) -> None:
    items = sample(ROWS, SampleDesign(pairs=pairs, controls=3))
    counts = Counter(
        (item.pair["category"], item.pair["corpus"]) for item in items if not item.is_control
    )
    strata = [(CATEGORIES[0], "Everyday"), (CATEGORIES[1], "Everyday"), (CATEGORIES[0], None)]
    assert [counts[stratum] for stratum in strata] == expected
    assert sum(item.is_control for item in items) == 3


@given(st.permutations(ROWS), st.integers(1, 60), st.integers(0, 20), st.integers())
def test_a_seed_draws_equal_pairs_in_any_order(
    shuffled: list[dict[str, Any]], pairs: int, controls: int, seed: int
) -> None:
    design = SampleDesign(pairs=pairs, controls=controls, seed=seed)
    items = sample(shuffled, design)
    assert items == sample(ROWS, design)
    assert len({item.pair["long"] for item in items}) == len(items) == pairs + controls


def test_a_control_item_has_a_second_sentence_of_no_item() -> None:
    items = sample(ROWS, SampleDesign(pairs=50, controls=20))
    broken = [item.pair for item in items if item.is_control]
    assert all(
        pair["split"] == [f"First {n} .", pair["split"][1]]
        for pair in broken
        if (n := pair["long"].split()[1])
    )
    foreign = {pair["split"][1] for pair in broken}
    assert len(foreign) == 20
    assert foreign.isdisjoint(f"Segunda ñ {item.pair['long'].split()[1]} ." for item in items)


@pytest.mark.parametrize(("rows", "pairs", "controls"), [(100, 84, 8), (24, 20, 2), (5, 5, 0)])
def test_a_small_data_set_gives_a_smaller_sample(rows: int, pairs: int, controls: int) -> None:
    items = sample(ROWS[:rows], SampleDesign(pairs=90))
    assert Counter(item.is_control for item in items) == Counter({False: pairs, True: controls})
    # This is the name in the answers.
    assert items == sample(ROWS[:rows], SampleDesign(pairs=pairs, controls=controls))


def test_a_data_set_without_pairs_is_refused() -> None:
    with pytest.raises(SettingsError, match="has no kept pairs"):
        sample([], SampleDesign())


def test_the_page_gives_texts_only() -> None:
    items = sample(ROWS, SampleDesign(pairs=10))
    html = assessment_page.render_page("fr-en", items, SampleDesign(pairs=10))
    (data,) = re.findall(r'id="data">([A-Za-z0-9+/=]*)</script>', html)
    shown = json.loads(zlib.decompress(base64.b64decode(data)))
    assert shown.keys() == {"design", "sha256", "items"}
    assert {tuple(item) for item in shown["items"]} == {("language", "long", "split")}
    assert [item["long"] for item in shown["items"]] == [item.pair["long"] for item in items]


@pytest.mark.parametrize(("count", "total", "expected"), [
    (0, 10, (0.0, 0.2775)), (1, 10, (0.0179, 0.4042)), (5, 10, (0.2366, 0.7634)), (10, 10, (0.7225, 1.0)),
    (79, 100, (0.7002, 0.8583)),
])  # fmt: skip
def test_wilson_as_in_tables_of_it(count: int, total: int, expected: tuple[float, float]) -> None:
    assert wilson(count, total) == pytest.approx(expected, abs=1e-4)


def test_alpha_as_krippendorff_prints_it() -> None:
    """The reliability data of four observers in Krippendorff, Computing Krippendorff's Alpha-Reliability (2011)."""
    lines = ["123321412...", "1233224125..", ".33323422513", "12332441251."]
    ratings = [
        (str(coder), unit, float(digit))
        for coder, line in enumerate(lines)
        for unit, digit in enumerate(line)
        if digit != "."
    ]
    assert alpha(ratings) == pytest.approx(0.849, abs=5e-4)
    assert alpha([("a", 1, 2.0), ("a", 2, 0.0), ("b", 3, 1.0)]) is None


def answers(
    items: list[AssessmentItem], annotator: str, verdict: str, score: int, control: int = 0
) -> AnswerFile:
    """Answers of someone who gives all pairs one verdict, and all control items another score."""
    given = [
        Answer(item=n, verdict="significant", kind="added", score=control) if item.is_control else
        Answer(item=n, verdict=verdict, kind="missing" if verdict == "significant" else None, score=score)
        for n, item in enumerate(items, 1)
    ]  # fmt: skip
    return AnswerFile(
        annotator=annotator, design=SampleDesign(pairs=10), sha256=fingerprint(items), answers=given
    )


def table(text: str, title: str) -> list[list[str]]:
    section = text.partition(f"## {title}")[2].partition("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if "|" in line
    ][2:]


def test_verdicts_of_several_annotators_count_as_their_median() -> None:
    items = sample(ROWS, SampleDesign(pairs=10))
    files = [answers(items, "Ana", "perfect", 90), answers(items, "Bo", "significant", 40)]
    text = report("fr-en", items, files).markdown()
    assert [line[:3] for line in table(text, "All pairs (of 10)")][2] == [
        "significant error",
        "10",
        "100.0%",
    ]
    assert table(text, "Significant errors by kind (of 10)")[0][:2] == ["missing", "10"]
    assert "Pairs: 10. Annotators: 2. Mean score: 65.0." in text
    third = [*files, answers(items, "Cy", "minor", 70)]
    assert table(report("fr-en", items, third).markdown(), "All pairs (of 10)")[1][1] == "10"


def test_who_fails_the_control_items_is_named_and_not_counted() -> None:
    items = sample(ROWS, SampleDesign(pairs=10))
    files = [
        answers(items, "Ana", "perfect", 90),
        answers(items, "Bo", "significant", 40, control=51),
    ]
    text = report("fr-en", items, files).markdown()
    assert [line[0::3] for line in table(text, "Annotators")] == [["Ana", "yes"], ["Bo", "no"]]
    assert table(text, "All pairs (of 10)")[0][:3] == ["perfect", "10", "100.0%"]
    with pytest.raises(SettingsError, match="every annotator failed"):
        report("fr-en", items, files[1:])


def test_answers_about_other_pairs_are_refused() -> None:
    items = sample(ROWS, SampleDesign(pairs=10))
    with pytest.raises(SettingsError, match="belong to another data set"):
        report(
            "fr-en",
            sample(ROWS[30:], SampleDesign(pairs=10)),
            [answers(items, "Ana", "perfect", 90)],
        )


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "fr-en" / "export-1"
    (folder / "pairs").mkdir(parents=True)
    (folder / "pairs" / "train-00000.jsonl").write_text(
        "".join(f"{json.dumps(one)}\n" for one in ROWS)
    )
    manifest.write(folder, {"pairs/train-00000.jsonl": len(ROWS)}, [])
    return folder


def test_the_command_draws_a_page_and_reads_answers(
    dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    done: Said,
) -> None:
    monkeypatch.chdir(tmp_path)
    folders.point_latest(dataset)
    assert main(["sample", str(dataset.with_name("latest")), "--pairs", "10"]) == 0
    # the same rows when the answers are there, whatever `latest` is by then
    said = capsys.readouterr().out
    assert f"bitext-pivot sample {dataset} --read ANSWERS.json" in said and "too few" not in said
    assert "control items (too few for --pairs 20000): open" in done(
        "sample", str(dataset), "--pairs", "20000", "--output", "all.html"
    )
    assert "fr-en: assessment" in Path("sample.html").read_text(encoding="utf-8")
    items = sample(ROWS, SampleDesign(pairs=10))
    for name in ("Ana", "Bo"):
        Path(f"{name}.json").write_text(answers(items, name, "minor", 70).model_dump_json())
    capsys.readouterr()
    assert main(["sample", str(dataset), "--read", "Ana.json", "--read", "Bo.json"]) == 0
    assert (
        "# Assessment of fr-en\n\nPairs: 10. Annotators: 2. Mean score: 70.0."
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "text",
    ["no JSON", '{"annotator": "Ana", "design": {}, "sha256": "", "answers": [{"item": 0}]}', None],
)
def test_bad_files_of_answers_are_refused(
    dataset: Path,
    tmp_path: Path,
    refused: Said,
    text: str | None,
    golden: Golden,
) -> None:
    file = tmp_path / "answers.json"
    if text is not None:
        file.write_text(text)
    golden.same(refused("sample", str(dataset), "--read", str(file)))


def test_changed_files_of_a_data_set_are_refused(dataset: Path, refused: Said) -> None:
    path = dataset / "pairs" / "train-00000.jsonl"
    path.write_text(path.read_text().replace("a", "b", 1))
    assert "differs from its manifest: pairs/train-00000.jsonl has another SHA-256" in refused(
        "sample", str(dataset)
    )


@pytest.mark.parametrize("export", [
    {"formats": ["parquet"]}, {"formats": ["jsonl", "parquet", "bisect"]}, {"formats": ["jsonl"]},
    {"formats": ["jsonl"], "compress": True, "file_rows": 2},
])  # fmt: skip
def test_kept_pairs_are_read_in_order_from_a_data_set(
    export: dict[str, Any], tmp_path: Path
) -> None:
    pairs = [
        judged(n, f"Où est-ce {n} ?\u2028.", "Où ?", "Là .", "overlap" if n == 2 else None)
        for n in range(5)
    ]
    local, target = tmp_path / "local", tmp_path / "fr-en" / "export-1"
    with DataSetFiles(
        local,
        PairExportSettings.model_validate(export),
        schemas(BISECT.rows.classes, ["overlap", "bertscore"]),
    ) as files:
        for one in pairs:
            kind = "pairs" if one.rejected_by is None else "rejected"
            files.write(kind, "train", {**bisect.row(one), "rejected_by": one.rejected_by})
    for name in files.rows:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes((local / name).read_bytes())
    manifest.write(target, files.rows, [])
    folders.point_latest(target)
    found = list(reading.read_rows(str(target.with_name("latest")), columns=COLUMNS))
    assert [pair["long"] for pair in found] == [
        one.pair.long for one in pairs if one.rejected_by is None
    ]
    expected = {
        "id": "Everyday/v1/en-fr:0",
        "language": "en",
        "split": ["Où ?", "Là ."],
        "corpus": "Everyday",
    }
    assert found[0] == {**expected, "long": pairs[0].pair.long, "category": "Direct Insertion"}
    assert reading.language_pair(str(target.with_name("latest"))) == "fr-en"
