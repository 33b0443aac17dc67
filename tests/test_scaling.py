"""docs/scaling.md: its sizing model counts right, its table is the model's, and `plan` says the same."""

import json
from pathlib import Path

import pytest
import sizing

from tasks import plan

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
RATES = {
    "alignments a link": 0.05,
    "sentences an alignment": 1.5,
    "pairs kept an alignment": 0.5,
    "links extracted a CPU second": 1_000.0,
    "sentences translated a CPU second, quickstart": 100.0,
    "sentences translated a CPU second, full size": 5.0,
    "pairs parsed a CPU second": 50.0,
    "pairs scored a CPU second": 25.0,
    "pairs judged a CPU second": 1_000.0,
    "rows exported a CPU second": 500.0,
    **{f"bytes {stage} a row": 1_000.0 for stage in sizing.STAGES},
    "bytes in the row stores a row": 500.0,
    "MB of a process with its models": 700.0,
    "MB more a thousand rows of a shard": 20.0,
    "bytes fetched a link": 150.0,
}


@pytest.mark.parametrize(("row", "of_a_million", "of_a_billion"), [
    ("alignments", 50_000, 50_000_000),
    ("pairs kept", 25_000, 25_000_000),
    ("GB fetched", 0.15, 150),
    ("GB on disk, all stages and stores", 0.325, 325),  # 6 stages of 1,000 bytes and 500 in the stores
    ("core hours: extract", 1_000 / 3_600, 1_000_000 / 3_600),
    ("core hours: translate, quickstart", 750 / 3_600, 750_000 / 3_600),
    ("core hours: translate, full size", 15_000 / 3_600, 15_000_000 / 3_600),
    ("core hours: score", 2_000 / 3_600, 2_000_000 / 3_600),
    ("core hours: export", 100 / 3_600, 100_000 / 3_600),
    ("rows a shard (shard_rows)", 5_000, 25_000),  # 50 million rows in 2,000 shards
    ("shards", 10, 2_000),
    ("task runs", 44, 8_004),
    ("GB of memory a worker", 0.8, 1.2),
])  # fmt: skip
def test_the_model_multiplies_what_was_measured(row: str, of_a_million: float, of_a_billion: float) -> None:
    assert sizing.sizes(RATES, 1_000_000)[row] == pytest.approx(of_a_million)
    assert sizing.sizes(RATES, 1_000_000_000)[row] == pytest.approx(of_a_billion)


def test_numbers_are_shown_with_the_digits_they_deserve() -> None:
    assert [sizing.shown(number) for number in (0.1234, 12.34, 7, 1234.5, 8_004)] == [
        "0.12",
        "12",
        "7",
        "1,234",
        "8,004",
    ]


def test_the_table_of_the_page_is_that_of_the_rates_beside_the_script() -> None:
    rates = json.loads((ROOT / "benchmarks" / "sizing.json").read_text(encoding="utf-8"))
    for links in sizing.LINKS:
        for row, number in sizing.sizes(rates, links).items():
            (line,) = [line for line in TEXT.splitlines() if line.startswith(f"| {row} |")]
            column = 2 + sizing.LINKS.index(links)
            assert line.split("|")[column].strip() == sizing.shown(number), row


def test_a_plan_expects_as_much_disk_as_was_measured() -> None:
    rates = json.loads((ROOT / "benchmarks" / "sizing.json").read_text(encoding="utf-8"))
    assert sizing.bytes_an_alignment(rates) == pytest.approx(plan._BYTES_AN_ALIGNMENT, rel=0.25)
