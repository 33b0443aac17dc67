"""`benchmarks/calibrate_encoder.py`: the threshold by good pairs."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import calibrate_encoder
import pytest
from calibrate_encoder import calibrate

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural.bertscore import BertscoreFilter

MODEL = "all-MiniLM-L6-v2"


class Scores(BertscoreFilter):
    """Scores by the number in `long`; a pair with a half of another one has none of it."""

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[float]:
        del runtime
        return [
            int(one.pair.long)
            / 100
            * sum(half == f"{one.pair.long}{n}" for n, half in enumerate(one.pair.split))
            / 2
            for one in pairs
        ]


def pairs(folder: Path, name: str, numbers: range) -> Path:
    file = folder / name
    file.write_text("".join(f"{n}\t{n}0 <SEP> {n}1\n" for n in numbers), encoding="utf-8")
    return file


def lines(files: list[Path]) -> list[str]:
    read = {file: read_pairs(file, "en") for file in files}
    return list(calibrate(read, Scores(model=MODEL, min_score=0), Runtime.of(Site(device="cpu"))))


def test_the_largest_step_that_keeps_enough_is_chosen(tmp_path: Path) -> None:
    files = [pairs(tmp_path, "one.tsv", range(32, 132)), pairs(tmp_path, "two.tsv", range(47, 147))]
    printed = lines(files)
    entry = tomllib.loads("\n".join(printed[-4:]))[MODEL]
    assert (entry["layer"], entry["min_score"]) == (6, 0.3)
    assert "0.0 % of 100, one.tsv; 0.0 % of 100, two.tsv" in entry["calibrated"]
    assert "     0.35    3.0   38.0  100.0" in printed[: printed.index("")]


@pytest.mark.parametrize(("kept", "expected"), [(1, 0.4), (2, 0.35)])
def test_one_and_a_half_percent_may_be_lost(tmp_path: Path, kept: int, expected: float) -> None:
    file = tmp_path / "pairs.tsv"
    numbers = [35] * kept + [40] * (100 - kept)
    file.write_text("".join(f"{n}\t{n}0 <SEP> {n}1\n" for n in numbers), encoding="utf-8")
    assert tomllib.loads("\n".join(lines([file])[-4:]))[MODEL]["min_score"] == expected


def test_few_pairs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="has 49 pairs, expected 50 or more"):
        lines([pairs(tmp_path, "few.tsv", range(49))])


def test_an_encoder_that_rejects_good_pairs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate_encoder, "STEPS", [0.5])
    with pytest.raises(SettingsError, match=r"No threshold keeps 98.5 % of these pairs"):
        lines([pairs(tmp_path, "bad.tsv", range(1, 60))])
