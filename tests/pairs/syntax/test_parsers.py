"""Processes that parse: what one process would say, whoever says it; one that dies fails the shard and is replaced."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from factories import pair

from pairs.errors import SettingsError, ShardError
from pairs.records import Parse
from pairs.syntax import parsers, parsing
from pairs.syntax.parsing import AT_ONCE, Parser, Pipeline, load, parse_pairs

MODEL = Path(__file__).parents[3] / "quickstart" / "models" / "spacy-en-ud"
TEXTS = [f"Number {n} came, and it saw {n % 7} cats." for n in range(3 * AT_ONCE + 5)]
pytestmark = pytest.mark.quickstart


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load(Parser(pipeline=str(MODEL)), "en")


@pytest.fixture(scope="module", autouse=True)
def processes() -> Iterator[None]:
    """End the processes when these tests are done with them."""
    yield
    parsers._pool(2).shutdown(wait=True, kill_workers=True)


def apart(texts: list[str], model: Path = MODEL, language: str = "en") -> Iterator[Parse | str]:
    return parsers.parse_texts(texts, Parser(pipeline=str(model)), language, 2)


def test_two_processes_say_what_one_says_in_the_same_order(pipeline: Pipeline) -> None:
    texts = [*TEXTS, "a\0b", " ", *reversed(TEXTS)]
    assert list(apart(texts)) == list(parsing.parse_texts(texts, pipeline))


def test_pairs_are_the_same_and_counted_the_same(pipeline: Pipeline) -> None:
    pairs = [*(pair(text, "It came.", "It saw cats.") for text in TEXTS), pair("a\0", "b", "c"), pair("a", "", "c")]
    here = parse_pairs(pairs, pipeline)
    assert parse_pairs(pairs, pipeline, parse=apart) == here
    assert here[1] == {"unparsable text": 1, "text without tokens": 1}


def test_batches_are_cut_by_the_texts_alone() -> None:
    assert [list(batch) for batch in parsing.batches("abcdefg", 3)] == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert list(parsing.batches([])) == []


def test_no_texts_are_no_parses() -> None:
    assert list(apart([])) == []


def test_a_folder_is_found_from_wherever_the_processes_were_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = next(apart(TEXTS[:1]))
    (tmp_path / "moved").symlink_to(MODEL)
    monkeypatch.chdir(tmp_path)
    assert next(apart(TEXTS[:1], Path("moved"))) == first


def test_settings_that_cannot_work_are_told_as_here(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is for 'en', but the pairs are in 'fr'"):
        list(apart(TEXTS, language="fr"))


def test_a_process_that_dies_fails_the_shard_and_the_next_shard_is_parsed(pipeline: Pipeline) -> None:
    parses = apart(TEXTS * 20)
    next(parses)
    for process in list(parsers._pool(2)._processes.values()):
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(ShardError, match=r"A process that parses ended .* memory for 2 spaCy .*BITEXT_PIVOT_WORKERS"):
        list(parses)
    assert list(apart(TEXTS[:3])) == list(parsing.parse_texts(TEXTS[:3], pipeline))


def test_a_build_that_is_killed_leaves_no_process_behind() -> None:
    program = (
        "import os, signal, sys; from pairs.syntax import parsers; from pairs.syntax.parsing import Parser\n"
        "next(parsers.parse_texts(['It came.'] * 999, Parser(pipeline=sys.argv[1]), 'en', 2))\n"
        "print(*parsers._pool(2)._processes, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(MODEL)],
        cwd=MODEL.parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    left = [psutil.Process(int(pid)) for pid in done.stdout.split() if psutil.pid_exists(int(pid))]
    assert len(done.stdout.split()) == 2
    deadline = time.monotonic() + 60
    while any(is_at_work(process) for process in left) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not any(is_at_work(process) for process in left)


def is_at_work(process: psutil.Process) -> bool:
    """Whether a process runs; one that ended and that nobody has asked about does not."""
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
