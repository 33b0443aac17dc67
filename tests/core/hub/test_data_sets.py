"""Pairs of a data set on the hub, by its name: one table of it is downloaded."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hubs
import pytest

SCRIPT = """
import sys
from pathlib import Path
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.reading.pair_files import read_pairs
for name in sys.argv[1:]:
    try:
        print([line.pair.long for line in read_pairs(Path(name), "en")])
    except BuildError as error:
        print(type(error).__name__, str(error).replace("\\n", " "))
"""
FILES = {
    "owner/one": {
        "README.md": "A card.",
        "dataset_infos.json": "{}",
        "data/train-00000-of-00002.jsonl": '{"long": "a", "split": ["b", "c"]}\n',
        "data/train-00001-of-00002.jsonl": '{"long": "d", "split": ["e", "f"]}\n',
    },
    "owner/two": {"train.tsv": "a\tb <SEP> c\n", "test.tsv": "d\te <SEP> f\n"},
}


@pytest.fixture
def read(tmp_path: Path) -> Iterator[Callable[..., list[str]]]:
    """Read pairs by names in a new process, whose hub has FILES; return a line for each name."""
    for repository, files in FILES.items():
        for name, text in files.items():
            path = tmp_path / "hub" / repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    with hubs.serve(tmp_path / "hub") as hub:

        def run(*names: str, **variables: str) -> list[str]:
            environment = os.environ | {
                "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "home"), "NO_PROXY": "127.0.0.1",
                "HF_HUB_OFFLINE": "0",
            }  # fmt: skip
            done = subprocess.run(
                [sys.executable, "-c", SCRIPT, *names], cwd=tmp_path, env=environment | variables,
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            assert done.stderr == ""  # no retries of the client either
            return done.stdout.splitlines()

        yield run


NAMES = {
    "owner/one": "['a', 'd']",
    "owner/two/test": "['d']",
    "owner/two": "SettingsError owner/two has several tables: test, train.",
    "owner/none": "SettingsError The data set 'owner/none' is not a local folder",
    "nowhere.tsv": "SettingsError nowhere.tsv cannot be read (No such file",
}


def test_a_name_on_the_hub_is_one_table(read: Callable[..., list[str]]) -> None:
    lines = zip(read(*NAMES), NAMES.values(), strict=True)
    assert [line for line, start in lines if not line.startswith(start)] == []


def test_without_the_hub_a_name_is_refused(read: Callable[..., list[str]]) -> None:
    (line,) = read("owner/one", HF_HUB_OFFLINE="1")
    assert line.startswith("SettingsError The data set 'owner/one'") and "HF_HUB_OFFLINE" in line


def test_a_hub_that_cannot_be_reached_is_asked_once(read: Callable[..., list[str]]) -> None:
    (line,) = read("owner/one", HF_ENDPOINT="http://127.0.0.1:70000")
    assert "HF_ENDPOINT: Port out of range" in line
    (line,) = read("owner/one", HF_ENDPOINT="http://127.0.0.1:9")
    assert line.startswith("SourceError The data set 'owner/one' is neither a local folder")
