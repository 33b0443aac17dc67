"""Files of pairs: every line comes back, with its pair or with what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.pair_files import from_pairs, read_lines

TSV = [
    ("It rained, so we stayed.\tIt rained. <SEP> We stayed.", None),
    ("Il pleuvait… \u00a0donc on resta.\tIl pleuvait. <SEP> On resta.\textra column", None),
    ("no tab at all <SEP> here", "no tab between the long sentence and its two sentences"),
    ("long\tno separator", "not exactly two sentences"),
    ("long\ta <SEP> b <SEP> c", "not exactly two sentences"),
    ("long\ta <SEP> ", "second half is empty"),
    ("\ta <SEP> b", "long is empty"),
    ("", "no tab between"),
    ("nul \x00\ta <SEP> b", "long holds a NUL or a lone surrogate"),
]

JSONL = [
    ('{"long": "It rained, so we stayed.", "split": ["It rained.", "We stayed."], "id": "x7"}', None),
    ('{"long": "It rained.", "split": "It rained. <SEP> We stayed.", "id": null}', None),
    ('{"long": "It rained."', "not JSON"),
    ('["long", "split"]', "no JSON object"),
    ('{"long": 3, "split": ["a", "b"]}', "long is empty"),
    ('{"long": "a", "split": ["a", "b", "c"]}', "not exactly two sentences"),
    ('{"long": "\\ud800", "split": ["a", "b"]}', "lone surrogate"),
]


@pytest.mark.parametrize(("suffix", "cases"), [("tsv", TSV), ("jsonl", JSONL)])
def test_every_line_comes_back_in_order(suffix: str, cases: list[tuple[str, str | None]], tmp_path: Path) -> None:
    path = tmp_path / f"pairs.{suffix}"
    path.write_text("\n".join(text for text, _ in cases) + "\n", encoding="utf-8")
    lines = list(read_lines(path, "en"))
    assert [line.number for line in lines] == list(range(1, len(cases) + 1))
    for line, (_, problem) in zip(lines, cases, strict=True):
        assert (line.pair is None) == (problem is not None)
        assert (problem or "") in (line.problem or "")


def test_sentences_and_id_are_kept_or_the_line_number(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f"{JSONL[0][0]}\n{JSONL[1][0]}\n", encoding="utf-8")
    first, second = (line.pair for line in read_lines(tmp_path / "a.jsonl", "en"))
    assert first and second and (first.id, second.id) == ("x7", "2")
    assert (first.long, first.split) == ("It rained, so we stayed.", ("It rained.", "We stayed."))


def test_bytes_that_are_not_utf8_spoil_their_line_only(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"caf\xe9\tb <SEP> c\r\nd\te <SEP> f\r\n")
    first, second = read_lines(tmp_path / "a.tsv", "en")
    assert first.problem == "not UTF-8"
    assert second.pair is not None
    assert second.pair.split == ("e", "f")


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("\ufeffa b\ta <SEP> b\n", encoding="utf-8")
    (line,) = read_lines(tmp_path / "a.tsv", "en")
    assert line.pair and line.pair.long == "a b"


def test_line_breaks_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\u2028b\x85c\tb <SEP> c\n", encoding="utf-8")
    (line,) = read_lines(tmp_path / "a.tsv", "en")
    assert line.pair is not None
    assert line.pair.long == "a b c"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.tsv cannot be read .*Name a file of pairs"):
        list(read_lines(tmp_path / "none.tsv", "en"))


@pytest.mark.parametrize(("pair", "problem"), [
    (("It rained.", ["It.", "Rained."]), None), (("It rained.", "It. <SEP> Rained."), None),
    (iter(["It rained.", iter(["It.", "Rained."])]), None),
    (None, "no long sentence"), (3, "no long sentence"), ("ab", "no long sentence"), (("a",), "no long sentence"),
    (("a", "b", "c"), "no long sentence"), ({"long": "a", "split": ["b", "c"]}, "no long sentence"),
    (("a", None), "not exactly two sentences"), (("a", 3), "not exactly two sentences"),
    (("a", "b c"), "not exactly two"),
    (("a", ["b", "c", "d"]), "not exactly two sentences"), ((None, ["b", "c"]), "long is empty"),
    (("a", [1, 2]), "first half"),
])  # fmt: skip
def test_what_is_no_pair_in_memory_is_a_line_with_a_problem(pair: Any, problem: str | None) -> None:
    good = ("It rained.", ["It.", "Rained."])
    first, line, last = from_pairs([good, pair, good], "en")
    assert first.pair and last.pair
    assert (line.pair is None) == (problem is not None)
    assert line.problem is None or line.problem.startswith(str(problem))
