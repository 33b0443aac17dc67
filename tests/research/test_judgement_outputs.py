"""Assessment of outputs: what is drawn, what the page gives away, and what is reported by system."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from messages import Said

from bitext_pivot.research.assessment.outputs import sample
from bitext_pivot.research.assessment.report import AnswerFile, mean_interval, report
from bitext_pivot.research.assessment.sample_design import (
    Ask,
    AssessmentItem,
    SampleDesign,
    fingerprint,
)

SOURCES = [f"It is line {n} , and it is long ." for n in range(40)]
SYSTEMS = {
    "good": [f"It is line {n} . <SEP> It is long ." for n in range(40)],
    "bad": [f"It is {n} . <SEP> Long line . <SEP> End ." for n in range(40)],
    "as good": [
        f"It is line {n} . <SEP> It is long ." if n % 2 else f"Line {n} . <SEP> Long ."
        for n in range(40)
    ],
}
GROUPS = ["Coordination" if n < 20 else "Apposition" for n in range(40)]
SCORES = {"good": 90, "bad": 10, "as good": 60}


def drawn(**settings: Any) -> list[AssessmentItem]:
    return sample(SOURCES, SYSTEMS, GROUPS, SampleDesign(**settings))


def line(item: AssessmentItem) -> str:
    return str(item.pair["long"])


def test_each_line_has_the_output_of_each_system_and_equal_ones_share_an_item() -> None:
    items = drawn(pairs=30, controls=4)
    shown = [item for item in items if not item.is_control]
    assert len(items) - len(shown) == 4
    assert len({line(item) for item in shown}) == 10
    by_system = Counter(name for item in shown for name in item.pair["systems"])
    assert by_system == {"good": 10, "bad": 10, "as good": 10}
    for item in shown:
        number = SOURCES.index(line(item))
        assert item.pair["category"] == GROUPS[number]
        for name in item.pair["systems"]:
            assert " <SEP> ".join(item.pair["split"]) == SYSTEMS[name][number]


def test_systems_are_mixed() -> None:
    first = [item.pair["systems"] for item in drawn(pairs=30, controls=0)]
    assert first != sorted(first)
    assert [line(item) for item in drawn(pairs=30)] == [line(item) for item in drawn(pairs=30)]
    assert [line(item) for item in drawn(pairs=30)] != [
        line(item) for item in drawn(pairs=30, seed=2)
    ]


def test_a_control_item_ends_with_the_sentence_of_another_line() -> None:
    numbered = {"a": [f"First {n} . <SEP> Second {n} ." for n in range(40)]}
    controls = [
        item
        for item in sample(SOURCES, numbered, GROUPS, SampleDesign(pairs=8, controls=5))
        if item.is_control
    ]
    assert len(controls) == 5
    for item in controls:
        first, second = (text.split()[1] for text in item.pair["split"])
        assert first == line(item).split()[3] != second


def given(items: list[AssessmentItem], ask: Ask, verdict: str | None) -> AnswerFile:
    """Answers of someone who scores the items by their best system, control items 0."""
    answers = []
    for number, item in enumerate(items, 1):
        scores = [SCORES[name] for name in item.pair["systems"]]
        score = max(scores, default=0)
        answers.append({"item": number, "verdict": verdict, "kind": None, "score": score})
    design = {"ask": ask}
    file = {"annotator": "Ana", "design": design, "sha256": fingerprint(items), "answers": answers}
    return AnswerFile.model_validate(file)


def table(text: str, title: str) -> list[list[str]]:
    section = text.partition(f"## {title}")[2].partition("\n## ")[0]
    return [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in section.splitlines()
        if "|" in row
    ][2:]


def test_scores_by_system_and_by_group() -> None:
    items = drawn(pairs=120, controls=0, ask="rating")
    text = report("test.src", items, [given(items, "rating", None)]).markdown()
    rows = {name: values for name, *values in table(text, "Scores by system")}
    assert rows["bad"] == ["40", "10.0", "10.0 - 10.0"]
    assert rows["good"] == ["40", "90.0", "90.0 - 90.0"]
    mean, (low, high) = float(rows["as good"][1]), map(float, rows["as good"][2].split(" - "))
    assert mean == 75
    assert 65 < low < mean < high < 85
    groups = {name: values for name, *values in table(text, "Scores by group and system")}
    assert groups["Apposition"][1:] == ["10.0 (10.0 - 10.0; 20)", "90.0 (90.0 - 90.0; 20)"]
    assert "All pairs" not in text


def test_classes_by_system() -> None:
    items = drawn(pairs=30, controls=2, ask="quality")
    text = report("test.src", items, [given(items, "quality", "disfluency")]).markdown()
    assert [row[:3] for row in table(text, "bad (of 10)")] == [
        ["perfect", "0", "0.0%"], ["minor issues", "0", "0.0%"], ["disfluencies", "10", "100.0%"],
        ["several errors", "0", "0.0%"],
    ]  # fmt: skip
    assert "Significant errors by kind" not in text


@pytest.mark.parametrize(("ask", "answer"), [
    ("errors", {"verdict": "disfluency", "score": 1}), ("quality", {"verdict": "significant", "score": 1}),
    ("rating", {"verdict": "perfect", "score": 1}), ("rating", {"verdict": None, "score": None}),
    ("errors", {"verdict": None, "score": 5}), ("errors", {"verdict": "perfect", "score": None}),
    ("quality", {"verdict": "perfect", "score": 101}),
])  # fmt: skip
def test_answers_to_another_question_are_refused(ask: str, answer: dict[str, Any]) -> None:
    file = {
        "annotator": "Ana",
        "design": {"ask": ask},
        "sha256": "",
        "answers": [{"item": 1, "kind": None} | answer],
    }
    with pytest.raises(ValueError, match="validation error"):
        AnswerFile.model_validate(file)


def test_the_interval_of_a_mean_is_about_two_standard_errors() -> None:
    low, high = mean_interval([0.0, 100.0] * 50)
    assert low == pytest.approx(40.2, abs=2)
    assert high == pytest.approx(59.8, abs=2)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Write sources, groups and outputs; return the arguments of the command."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {
        "test.src": SOURCES,
        "groups.txt": GROUPS,
        "a.txt": SYSTEMS["good"],
        "b.txt": SYSTEMS["bad"],
    }.items():
        Path(name).write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")
    return ["sample", "test.src", "--outputs", "a.txt", "--outputs", "b.txt"]


def test_the_command_draws_outputs_and_reads_answers(files: list[str], done: Said) -> None:
    with_groups = [*files, "--groups", "groups.txt"]
    said = done(*with_groups, "--pairs", "20", "--controls", "2", "--ask", "rating")
    assert "22 pairs to assess, 2 of them control items" in said
    assert "--outputs a.txt --outputs b.txt --groups groups.txt --read ANSWERS.json" in said
    systems = {"a.txt": SYSTEMS["good"], "b.txt": SYSTEMS["bad"]}
    design = SampleDesign(pairs=20, controls=2, ask="rating")
    items = sample(SOURCES, systems, GROUPS, design)
    answers = [
        {
            "item": n,
            "verdict": None,
            "kind": None,
            "score": 80 if item.pair["systems"] == ["a.txt"] else 10,
        }
        for n, item in enumerate(items, 1)
    ]
    saved = {
        "annotator": "Ana",
        "design": design.model_dump(),
        "sha256": fingerprint(items),
        "answers": answers,
    }
    Path("ana.json").write_text(json.dumps(saved))
    text = done(*with_groups, "--read", "ana.json")
    assert "# Assessment of test.src" in text
    assert [row[:3] for row in table(text, "Scores by system")] == [
        ["a.txt", "10", "80.0"],
        ["b.txt", "10", "10.0"],
    ]


@pytest.mark.parametrize(("options", "message"), [
    (["sample", "test.src", "--groups", "groups.txt"], "Add --outputs FILE."),
    (["sample", "missing.src", "--outputs", "a.txt"], "missing.src cannot be read"),
    (["sample", "test.src", "--outputs", "short.txt"], "short.txt has 3 lines and test.src has 40"),
    (["sample", "test.src", "--outputs", "a.txt", "--groups", "short.txt"], "short.txt has 3 lines and test.src has"),
    (["sample", "test.src", "--outputs", "empty.txt"], "empty.txt is empty"),
    (["sample", "test.src", "--outputs", "a.txt", "--output", "a.txt"], "is also an input"),
    (["sample", "test.src", "--outputs", "a.txt", "--ask", "opinion"], "ask"),
])  # fmt: skip
@pytest.mark.usefixtures("files")
def test_what_does_not_fit_is_refused(options: list[str], message: str, refused: Said) -> None:
    Path("short.txt").write_text("a\nb\nc\n")
    Path("empty.txt").write_text("\n" * 40)
    assert message in " ".join(refused(*options).split())
