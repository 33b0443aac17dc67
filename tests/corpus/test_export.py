"""The files of a data set: what a line holds, and that both formats tell the same pairs in the same order."""

import dataclasses
import json
from pathlib import Path

import pytest
from factories import judged

from corpus import export
from pairs.records import JudgedPair
from pairs.storage import shards

PAIRS = [
    judged(1, "It rained, so we stayed.", "It rained.", "We stayed."),
    judged(2, "Le café — naïve 🐱 e\u0301t\u2028é.", "Le café.", "Naïve."),
    judged(3, "Nothing in common.", "A.", "B.", rejected_by="overlap"),
    judged(4, "It says <SEP> itself.", "It says.", "Itself."),
]


def test_a_line_tells_the_pair_and_where_it_comes_from() -> None:
    assert export.row(PAIRS[0]) == {
        "id": "Everyday/v1/en-fr:1",
        "language": "en",
        "long": "It rained, so we stayed.",
        "split": ["It rained.", "We stayed."],
        "category": "Direct Insertion",
        "category_bisect": "Changes Near Split",
        "construction": "other",
        "split_at": 11,
        "pivot": "fr",
        "translated": "split",
        "engine": "echo",
        "corpus": "Everyday",
        "release": "v1",
        "documents": {"en": "en/a.xml", "fr": "fr/a.xml"},
        "sentence_ids": {"en": ["4"], "fr": ["5", "6"]},
        "link": {},
        "licence": "CC0-1.0",
        "scores": {"bertscore": 0.9, "overlap": 0.512346},
    }


@pytest.mark.parametrize(("at", "offset"), [(2, 11), (None, None)])
def test_the_split_is_an_offset_in_long_or_nowhere(at: int | None, offset: int | None) -> None:
    assert export.character(dataclasses.replace(PAIRS[0], split_at=at)) == offset


def test_kept_pairs_are_in_both_formats_and_rejected_ones_aside(tmp_path: Path) -> None:
    counts = export.export(tmp_path, PAIRS)
    lines = (tmp_path / "pairs.jsonl").read_bytes().decode().splitlines()
    assert [json.loads(line)["id"][-1] for line in lines] == ["1", "2", "4"]
    assert json.loads(lines[1])["long"] == PAIRS[1].pair.long
    assert (tmp_path / "pairs.src").read_text() == "It rained, so we stayed.\n"
    assert (tmp_path / "pairs.dst").read_text() == "It rained. <SEP> We stayed.\n"
    assert list(shards.read(tmp_path / "rejected.parquet", JudgedPair)) == [PAIRS[2]]
    assert counts["rejected"] == {"overlap": 1}
    assert counts["category"] == {"Direct Insertion": 3}
    assert counts["category_bisect"] == {"Changes Near Split": 3}
    assert counts["skipped"] == {"not in pairs.src: <SEP> or a line break in the text": 2}


def test_a_failure_midway_leaves_no_file(tmp_path: Path) -> None:
    def broken():
        yield PAIRS[0]
        raise RuntimeError

    with pytest.raises(RuntimeError):
        export.export(tmp_path, broken())
    assert list(tmp_path.iterdir()) == []
