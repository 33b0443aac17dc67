"""The command line: options from the settings, misspelt ones named, `judge` line for line."""

import json
from pathlib import Path

import pytest

from bitext_pivot import main

PAIRS = [
    "My sister plays the piano, and my brother washes the car.\t"
    "My sister plays the piano. <SEP> My brother washes the car.",
    "The train was late.We waited in the cold.\tThe train was late. <SEP> We waited in the cold.",
    "no pair here",
    "The old bridge, which was closed, opened again.\tThe old bridge was closed. <SEP> A long list of names.",
    "She cooks rice because he likes it.\tShe cooks rice. <SEP> He likes it.",
]


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What `judge` makes of the pairs above."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    (tmp_path / "pairs.tsv").write_text("\n".join(PAIRS) + "\n", encoding="utf-8")
    assert main(["judge", str(tmp_path / "pairs.tsv"), "--output", str(tmp_path / "out.jsonl")]) == 0
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]


def test_judge_gives_one_line_for_each_line(judged: list[dict[str, object]]) -> None:
    assert [line["line"] for line in judged] == [1, 2, 3, 4, 5]
    assert [line["rejected_by"] for line in judged] == [None, "pasted", "unreadable", "verbs", None]
    assert judged[2] == {
        "line": 3,
        "rejected_by": "unreadable",
        "problem": "no tab between the long sentence and its two sentences",
    }


def test_judge_labels_kept_and_rejected_pairs_alike(judged: list[dict[str, object]]) -> None:
    for line in (judged[0], judged[1], judged[3], judged[4]):
        assert line["category"] in {"Direct Insertion", "Changes Near Split", "Changes Across Sentence"}
        labels = line["edit_labels"]
        assert isinstance(labels, dict)
        assert len(labels["source"]) == len(labels["target"]) == len(labels["delta"])
    assert judged[0]["category"] == "Direct Insertion"
    assert judged[0]["construction"] == "conjunction with subject"


def test_scores_of_filters_that_were_not_reached_are_absent(judged: list[dict[str, object]]) -> None:
    assert "bertscore" in judged[0]["scores"] and "bertscore" not in judged[1]["scores"]


@pytest.mark.parametrize(("arguments", "words"), [
    (["build", "--pivto", "fr"], "Did you mean --pivot?"),
    (["build", "--translation.engin", "echo"], "Did you mean --translation.engine?"),
    (["judge", "x.tsv", "--outptu", "y"], "Did you mean --output?"),
    (["biuld"], "invalid choice: 'biuld'"),
])  # fmt: skip
def test_a_misspelt_option_is_refused_with_the_one_meant(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "words"), [
    (["build", "--pivot", "xx"], "pivot"),
    (["build", "--pivot", "en"], "language and pivot are both 'en'"),
    (["build", "--corpora", "Europarl"], "corpora"),
    (["build", "--sieve.overlap.min_overlap", "1.5"], "less than or equal to 1"),
    (["plan", "--shard_rows", "0"], "greater than or equal to 1"),
])  # fmt: skip
def test_a_value_that_cannot_be_is_refused_with_its_name(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["build"], ["plan"], ["judge"]])
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert len(capsys.readouterr().out) > 200


def test_an_unknown_file_is_one_line_of_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(tmp_path / "none.tsv"), "--output", str(tmp_path / "out.jsonl")]) == 1
    assert "none.tsv cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_plan_tells_sizes_before_a_byte_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opus = Path(__file__).parent.parent / "quickstart" / "opus"
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(opus))
    assert main(["plan", "--pivot", "es", "--corpora", "Everyday/v1"]) == 0
    printed = capsys.readouterr().out
    assert "OPUS-Everyday/v1/xml/en-es.xml.gz" in printed and "kB" in printed
    assert "Helsinki-NLP/opus-mt-es-en" in printed and "en_core_web_sm" in printed
    assert "There already, of any settings: nothing" in " ".join(printed.split())
    assert not (tmp_path / "home").exists()
