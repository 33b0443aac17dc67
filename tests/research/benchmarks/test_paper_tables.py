"""The commands of the papers' tables, on small stand-ins of their files."""

import gzip
import json
import sys
from pathlib import Path

import bisect_test_set
import construction_shares
import copied_fusions
import explicitation
import predictability
import pytest

from bitext_pivot.core.storage import manifest
from bitext_pivot.discourse.explicitation.votes import Explicitation

SOURCES = [
    f"The {name} fell , and the road was closed ."
    for name in ("rain", "snow", "fog", "wall", "tree", "bridge")
]


def split(source: str) -> str:
    name = source.split()[1]
    return f"The {name} fell . <SEP> The road was closed ."


@pytest.mark.parametrize(("kept", "expected"), [
    ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]), ([0, 2, 5], [0, 2, 5]), ([5], [5]), ([3, 4], [3, 4]), ([], []),
])  # fmt: skip
def test_pairs_find_their_outputs(kept: list[int], expected: list[int]) -> None:
    outputs = [[split(source) for source in SOURCES], [source.upper() for source in SOURCES]]
    assert bisect_test_set.places([SOURCES[number] for number in kept], outputs) == expected


def test_equal_lines_are_found_in_their_order() -> None:
    texts = ["It rained .", "It rained .", "We left ."]
    assert bisect_test_set.places(["It rained .", "It rained ."], [texts]) == [0, 1]


def test_released_outputs_are_scored_beside_the_paper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "models" / "bisect_outputs" / "bisect"
    folder.mkdir(parents=True)
    for stem in filter(None, bisect_test_set.SYSTEMS.values()):
        text = "".join(f"{source if stem == 'dissim' else split(source)}\n" for source in SOURCES)
        (folder / f"{stem}.txt.gz").write_bytes(gzip.compress(text.encode()))
    rows = "".join(f"{source}\t{split(source)}\n" for source in SOURCES[1:4])
    (tmp_path / "bisect_test_visible.tsv").write_text(
        f"long\tsplit_with_<SEP>\n{rows}", encoding="utf-8"
    )
    assert bisect_test_set.main(tmp_path, ["--samples", "2"]) == 0
    printed = capsys.readouterr().out
    assert "3 pairs of the test set" in printed
    lines = {
        line.split(" | ")[0].strip("| "): line.split(" | ")
        for line in printed.splitlines()
        if "|" in line
    }
    assert lines["DisSim"][1:3] == ["dissim", "40.0"]
    assert lines["DisSim"][3:] == lines["source unchanged"][3:]
    assert lines["Copy512, BiSECT"][3:] == lines["reference"][3:]
    assert float(lines["reference"][3]) > float(lines["DisSim"][3])


@pytest.mark.quickstart
def test_shares_of_constructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{source}\t{split(source).replace('<SEP>', '<::::>')}\n" for source in SOURCES]
    path = tmp_path / "wiki.tsv.gz"
    path.write_bytes(gzip.compress("".join(rows).encode()))
    monkeypatch.setattr(sys, "argv", ["construction_shares.py", "--rows", "4", str(path)])
    construction_shares.main()
    printed = capsys.readouterr().out
    assert "wiki.tsv.gz, 4 |" in printed
    assert "| conjunction with subject | 100.0 |" in printed
    assert "| Direct Insertion | 100.0 |" in printed


def test_controls_of_a_mined_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "discovery-en" / "export-1"
    pairs = [("but", "alpha"), ("sadly,", "beta")] * 60
    rows = [
        {
            "id": str(n),
            "corpus": "C",
            "document": f"d{n // 4}",
            "first": "One .",
            "second": f"{word} two .",
            "marker": marker,
        }
        for n, (marker, word) in enumerate(pairs)
    ]
    kinds = {kind: rows[:40] for kind in ("base", "hard", "big", "10", "adv")}
    kinds["rejected"] = [
        row | {"rejected_by": "in no variant" if n < 80 else "length"} for n, row in enumerate(rows)
    ]
    for kind, lines in kinds.items():
        (folder / kind).mkdir(parents=True)
        (folder / kind / "train-00000.jsonl").write_text(
            "".join(f"{json.dumps(row)}\n" for row in lines)
        )
    manifest.write(
        folder, {f"{kind}/train-00000.jsonl": len(lines) for kind, lines in kinds.items()}, []
    )
    monkeypatch.setattr(sys, "argv", ["predictability.py", str(folder)])
    predictability.main()
    printed = capsys.readouterr().out
    assert "80 pairs with 2 markers" in printed
    assert "| most frequent marker | 1.2 | 50.0 |" in printed
    assert "| second sentence | 18.6 | 100.0 |" in printed
    assert "| both, shuffled | 24.8 | 100.0 |" in printed


def test_copied_fusions_by_phenomenon(tmp_path: Path) -> None:
    folder = tmp_path / "discofuse-en" / "export-1"
    (folder / "balanced").mkdir(parents=True)
    halves = {"first": "It rained .", "second": "We left ."}
    texts = {
        "PAIR_CONN": ["It rained .", "So we left ."],
        "PAIR_NONE": ["It rained .", "We left ."],
    }
    rows = [
        halves | {"id": name, "text": text, "discourse_type": name, "connective": ""}
        for name, text in texts.items()
    ]
    (folder / "balanced" / "test-00000.jsonl").write_text(
        "".join(f"{json.dumps(row)}\n" for row in rows)
    )
    manifest.write(folder, {"balanced/test-00000.jsonl": len(rows)}, [])
    found = {name: cells for name, *cells in copied_fusions.table(str(folder), "balanced")}
    assert found["PAIR_NONE"] == [1, "100.0", "100.0"]
    assert found["PAIR_CONN"][:2] == [1, "0.0"]
    assert found["all"][:2] == [2, "50.0"]
    assert float(found["PAIR_CONN"][2]) < float(found["all"][2]) < 100


def test_bleu_and_senses_of_back_translations(tmp_path: Path) -> None:
    original = "The road was closed on Monday ."
    table = []
    for number in range(4):
        row = {"system": "x", "year": "2008", "doc": "a", "line": str(number), "en": original}
        row |= {f"bt_{name}": f"However , {original}" for name in explicitation.LANGUAGES}
        table.append(row | {"bt_fr": original})
    scores = explicitation.bleu(table).splitlines()[-1].split(" | ")
    assert scores[1] == "100.0"
    assert float(scores[2]) < 100
    shares = explicitation.senses(
        table, Explicitation(profile="faithful"), explicitation.in_gum(tmp_path / "none")
    ).splitlines()
    assert (
        "GUM, 0 | readings, 6 | 2 votes, 2 | 3 votes, 2" in shares[0]
    )  # of two pairs, in three languages each
    assert shares[2] == "| Comparison.Contrast | 0.0 | 100.0 | 100.0 | 100.0 |"


def test_senses_of_gum(tmp_path: Path) -> None:
    columns = "doc\tunit1_txt\tunit2_txt\trel_type\tlabel"
    rows = [
        "a\tOne .\tTwo .\timplicit\tcomparison.concession",
        "a\tOne .\tTwo .\texplicit\tcontingency.cause",
    ]
    rows += [
        "a\tOne .\tTwo .\timplicit\tcomparison.contrast",
        "a\tOne .\tTwo .\timplicit\texpansion.level-of-detail",
    ]
    path = tmp_path / "gum.rels.gz"
    path.write_bytes(gzip.compress("\n".join([columns, *rows, ""]).encode()))
    assert explicitation.in_gum(path) == {"Comparison.Contrast": 2, "Expansion.Level-of-detail": 1}
