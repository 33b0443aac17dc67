"""Damaged input, a user whom the system does not know, no memory: one line each, and no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from messages import Said

from bitext_pivot.commands.judge_file import judge_file
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax.parsing import SpacyPipeline

ROOT = Path(__file__).parents[1]
DEEP = "[" * 100_000
NESTED = "[" * 700 + "]" * 700


def test_a_deep_value_of_an_option_is_refused_in_one_line(
    refused: Said,
) -> None:
    (printed,) = refused("build", "--export.statement", f'{{"a":{DEEP}').splitlines()
    assert (
        "A value in an option, a preset or a card is nested too deeply" in printed
        and len(printed) < 2_000
    )


LINES = [
    (DEEP, "not JSON (nested too deeply)"),
    (
        f'{{"id": {NESTED}, "long": "a b.", "split": ["a.", "b."]}}',
        "the id is not a text or a number",
    ),
    (f'{{"id": 1, "long": {NESTED}, "split": ["a.", "b."]}}', "long is not a text"),
    (
        json.dumps({"long": "x " * 250_000, "split": ["He left.", "She stayed."]}),
        "a sentence has 499,999 characters; parser.longest allows 5,000",
    ),
]


def test_a_bad_line_of_judge_is_one_rejected_line(pipeline: SpacyPipeline, tmp_path: Path) -> None:
    good = json.dumps({"long": "I sing and you dance.", "split": ["I sing.", "You dance."]})
    path, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    path.write_text("\n".join([good, *(text for text, _ in LINES), good]), encoding="utf-8")
    filters = Filters.model_validate({"preset": "rules"})
    runtime = Runtime.of(Site(device="cpu"))
    verdicts = judge_file(
        read_pairs(path, "en"), out, filters=filters, pipeline=pipeline, runtime=runtime
    )
    first, *bad, last = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert "problem" not in first and "problem" not in last
    assert [(line["rejected_by"], line["problem"]) for line in bad] == [
        ("unreadable", text) for _, text in LINES
    ]
    assert verdicts["unreadable"] == len(LINES)


STRANGER = """
import os, pwd, sys
def unknown(user): raise KeyError(user)
pwd.getpwuid = unknown
from bitext_pivot.commands.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.nightly
def test_a_user_without_an_entry_gets_a_home(tmp_path: Path) -> None:
    """As in a container with a foreign user id: Prefect and the model hub look for a home folder."""
    names = {"HOME", "USER", "LOGNAME", "LNAME", "USERNAME"}
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in names and "PREFECT" not in name
    }
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, "plan", "--preset", "demo-fr-en"],
        cwd=ROOT, env=environment | {"BITEXT_PIVOT_HOME": str(tmp_path), "BITEXT_PIVOT_OPUS": "quickstart/opus"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (
        f"User {os.getuid()} has no home folder on this machine: using {tmp_path}" in done.stderr
        and "Traceback" not in done.stderr
    )


LIMITED = """
import resource, sys
from bitext_pivot.commands.main import main
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 60_000_000,) * 2)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="reads its own size from /proc")
def test_no_address_space_is_one_line(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a" * 30_000_000, encoding="utf-8")
    command = [
        sys.executable,
        "-c",
        LIMITED,
        "judge",
        str(pairs),
        "--output",
        str(tmp_path / "out.jsonl"),
    ]
    done = subprocess.run(
        [*command, "--filters.preset", "rules"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("bitext-pivot: This process ran out of memory (")
