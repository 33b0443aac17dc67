"""`bitext-pivot evaluate`: scores and signatures of files, and files that cannot be compared."""

import json
from pathlib import Path
from typing import Any

import nli_models
import pytest
from messages import Golden, Said

from bitext_pivot.commands.main import main
from bitext_pivot.filters.neural import entailment_check

SOURCE = [
    " The train was late, so we waited in the cold.",
    "Ein Zug, der spät kam, fuhr los — und wir blieben.",
]
FIRST = [
    "The train was late. <SEP> So we waited in the cold.",
    "Ein Zug kam spät. <SEP> Wir blieben.",
]
SECOND = [
    "The train was late . <::::> We waited .\tWe waited.",
    "Ein Zug fuhr los. <::::> Wir blieben.",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of texts, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "source.txt": SOURCE,
        "first.txt": FIRST,
        "second.txt": SECOND,
        "gap.txt": ["", SECOND[1]],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def evaluated(*arguments: str) -> dict[str, Any]:
    """Run the command with `first.txt` as the reference; return its JSON."""
    assert (
        main(
            [
                "evaluate",
                *arguments,
                "--source",
                "source.txt",
                "--samples",
                "20",
                "--json",
                "scores.json",
            ]
        )
        == 0
    )
    result: dict[str, Any] = json.loads(Path("scores.json").read_text(encoding="utf-8"))
    return result


@pytest.mark.usefixtures("folder")
def test_the_table_has_outputs_as_columns_and_signatures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = evaluated(
        "first.txt", "source.txt", "--references", "first.txt", "--references", "second.txt"
    )
    first, source = result["systems"]["first.txt"], result["systems"]["source.txt"]
    assert (
        first["BLEU"]["score"],
        first["%one split"]["score"],
        source["%one split"]["score"],
    ) == pytest.approx((100, 100, 0))
    assert first["GLEU"] | {"mean": 0} == {"score": 100, "p_value": None, "mean": 0, "ci": 0}
    assert source["self-BLEU"]["score"] == pytest.approx(100) and source["%new"]["score"] == 0
    assert set(result["signatures"]) == set(first) == set(source)
    assert result["settings"]["references"] == ["first.txt", "second.txt"]
    printed = capsys.readouterr().out
    assert "first.txt" in printed and "p: bootstrap test against first.txt" in printed
    for name, signature in result["signatures"].items():
        assert f"{name}|{signature}\n" in printed
    assert result["signatures"]["SARI"].startswith(
        "nrefs:var|bs:20|seed:12345|variant:bisect|case:lc|tok:treebank|"
    )


@pytest.mark.usefixtures("folder")
def test_an_empty_output_counts_and_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluated(
        "gap.txt", "--references", "first.txt", "--sari", "discofuse", "--test", "randomization"
    )
    assert result["systems"]["gap.txt"]["%one split"]["score"] == 50
    assert "gap.txt: 1 of 2 lines are empty" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_columns_of_tables_may_have_other_names() -> None:
    rows = [f'"{long}","{split}"' for long, split in zip(SOURCE, FIRST, strict=True)]
    Path("test.csv").write_text("\n".join(["complex,simple", *rows]), encoding="utf-8")
    given = ["--source", "test.csv", "--references", "test.csv", "--json", "scores.json"]
    named = ["--columns", "long=complex,split=simple"]
    assert main(["evaluate", "first.txt", *given]) == 2
    assert main(["evaluate", "first.txt", *given, *named]) == 0
    scores = json.loads(Path("scores.json").read_text(encoding="utf-8"))["systems"]["first.txt"]
    assert scores["BLEU"]["score"] == pytest.approx(100)


def test_files_of_equal_names_are_named_by_their_paths(folder: Path) -> None:
    (folder / "other").mkdir()
    # A path of Windows.
    (folder / "other" / "first.txt").write_bytes("\ufeff".encode() + "\r\n".join(FIRST).encode())
    result = evaluated(
        "first.txt", "other/first.txt", "--references", "first.txt", "--language", "de"
    )
    assert set(result["systems"]) == {"first.txt", "other/first.txt", "blind cut"}
    assert result["systems"]["other/first.txt"]["SARI"]["p_value"] == 1
    assert "FKGL" not in result["signatures"]


def test_bertscore_of_an_encoder_and_references_moved_by_paraphrases(folder: Path) -> None:
    (folder / "ppdb.tsv").write_text("waited\tstayed\n", encoding="utf-8")
    (folder / "stayed.txt").write_text(
        "The train was late . <SEP> We stayed .\nEin Zug.\n", encoding="utf-8"
    )
    plain = evaluated("stayed.txt", "--references", "second.txt", "--bertscore", "all-MiniLM-L6-v2")
    moved = evaluated("stayed.txt", "--references", "second.txt", "--ppdb", "ppdb.tsv")
    assert 30 < plain["systems"]["stayed.txt"]["BERTScore"]["score"] < 100
    assert "encoder:all-MiniLM-L6-v2|" in plain["signatures"]["BERTScore"]
    for name in ("SARI", "GLEU"):
        assert (
            moved["systems"]["stayed.txt"][name]["score"]
            > plain["systems"]["stayed.txt"][name]["score"]
        )
        assert "ppdb:" in moved["signatures"][name]


@pytest.mark.usefixtures("folder")
def test_a_blind_cut_stands_beside_the_systems() -> None:
    result = evaluated("source.txt", "--references", "first.txt", "--sari", "easse")
    cut, source = result["systems"]["blind cut"], result["systems"]["source.txt"]
    assert (
        cut["%one split"]["score"],
        source["%unsplit"]["score"],
        source["sentences"]["score"],
    ) == (100, 100, 1)
    assert (
        cut["SARI"]["score"] > source["SARI"]["score"] and cut["%one split"]["p_value"] is not None
    )
    assert "variant:easse|case:lc|tok:13a" in result["signatures"]["SARI"]


def test_sentences_that_follow_from_the_source_are_counted(folder: Path) -> None:
    model = nli_models.save(folder / "nli", items=nli_models.probes())
    rows = entailment_check.probes("en")
    texts = {
        "premises.txt": [row[0] for row in rows],
        "outputs.txt": [f"{row[1]} <SEP> {row[2]}" for row in rows],
    }
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    arguments = [
        "outputs.txt",
        "--source",
        "premises.txt",
        "--references",
        "outputs.txt",
        "--json",
        "scores.json",
    ]
    assert main(["evaluate", *arguments, "--entailment", model, "--samples", "20"]) == 0
    result = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    # The negation does not follow.
    assert result["systems"]["outputs.txt"]["%entailed"]["score"] == 50
    assert f"model:{model}|digest:" in result["signatures"]["%entailed"]
    random = nli_models.save(folder / "random")
    assert main(["evaluate", *arguments, "--entailment", random]) == 2


@pytest.mark.parametrize(("name", "content", "message"), [
    ("out.txt", None, "out.txt cannot be read (No such file or directory)"),
    ("out.txt", b"", "out.txt is empty"), ("out.txt", b" \n\n", "out.txt is empty"),
    ("out.txt", b"one\n", "out.txt has 1 lines and source.txt has 2"),
    ("out.txt", b"a\nb\n\n", "out.txt has 3 lines and source.txt has 2"),
    ("out.txt", b"a\ncaf\xe9\n", "out.txt is not UTF-8 (bad lines: 1, the first is line 2"),
    ("out.txt", "zwei\n".encode("utf-16"), "out.txt is UTF-16"),
    ("first.txt", b"a\n<SEP> \n", "first.txt: line 2 has no text"),
    ("first.txt", b"a\n", "first.txt has 1 lines and source.txt has 2"),
    ("source.txt", b"a\n \n", "source.txt: line 2 has no text"),
])  # fmt: skip
def test_a_file_that_cannot_be_compared_is_refused(
    folder: Path, name: str, content: bytes | None, message: str, refused: Said
) -> None:
    files = {"out.txt": b"a\nb\n", name: content}
    for path, text in files.items():
        if text is not None:
            (folder / path).write_bytes(text)
    (line,) = refused(
        "evaluate", "out.txt", "--source", "source.txt", "--references", "first.txt", "--json", "x"
    ).splitlines()
    assert message in line
    assert not (folder / "x").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--bertscore", "some/encoder"],
        ["--sari", "other"],
        ["--samples", "0"],
        ["--tokenizer", "moses"],
    ],
)
def test_a_setting_that_cannot_work_is_refused(
    arguments: list[str], refused: Said, golden: Golden
) -> None:
    golden.same(
        refused(
            "evaluate",
            "first.txt",
            "--source",
            "source.txt",
            "--references",
            "first.txt",
            *arguments,
        )
    )


def test_lines_with_what_is_no_text_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    from bitext_pivot.research.metrics.evaluation_files import warn_of_remains

    lines = ["It rained. <SEP> We [sic] left.", "It rained <:::: > ... [the] rest"]
    warn_of_remains("good", lines)
    remains = ["</s> <pad>", "[SEP]", "<sep>", "\u2047", "<|endoftext|>", "\tWe left.", "&amp;"]
    remains += [f"{token} We left." for token in ("[SPLIT]", "|||", "|", "##", "\\n")]
    warn_of_remains("bad", [*lines, *(f"It rained. {text}" for text in remains)])
    assert [text.partition(":")[0] for text in caplog.messages] == ["bad"]
    assert f": {len(remains)} of {len(remains) + 2} lines" in caplog.messages[0]
