"""Bad days of a build, each against a real server and worker: afterwards only what is missing is built.

Most builds here are met at a gate: the test holds the claim on the third of five shards of pairs, so that the build has
done a part and cannot end. Every case ends with the files of an undisturbed build, byte by byte, and with all that was
built before the bad day untouched.
"""

import contextlib
import os
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from bad_days import SETTINGS, Build, Far, arrives
from filelock import FileLock
from served import Page, kill, until

pytestmark = pytest.mark.page

Open = Callable[[], None]
OUTAGE = float(os.environ.get("BITEXT_PIVOT_TEST_OUTAGE", "20"))  # seconds; the two minutes of a bad day: 120
ALL, ALL_REUSED = Counter(Completed=5), Counter(Reused=5)
THE_REST = Counter(Completed=1, Reused=4)
STAGES = ("translate", "parse", "score", "judge")


def goes_on(page: Page, run: str, build: Build, **stages: Counter[str]) -> None:
    """Press Retry, see the run complete, the data set whole, and what the tasks of the second attempt did."""
    page.retry(run)
    page.completes(run)
    build.is_whole()
    page.shows(run, 2, **stages)


@dataclass
class Zombie:
    """A run whose process and worker were killed, and when."""

    run: str
    build: Build
    killed: float
    let_go: Open


@pytest.fixture(scope="module")
def zombie(page: Page, calm: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zombie]:
    """A run of a machine that is gone; it was made before the other bad days, so that its time passes meanwhile."""
    build = Build(tmp_path_factory.mktemp("zombie") / "home", calm)
    build.gate.parent.mkdir(parents=True)
    far, claim = Far(page), FileLock(build.lock)
    with claim:
        run = page.run("far", SETTINGS, build.home)
        arrives(build)
        kill(far.worker, page.process(run))
        far.end()
        yield Zombie(run, build, time.monotonic(), lambda: claim.release(force=True))


def test_a_run_whose_machine_is_gone_stays_running_at_first(page: Page, zombie: Zombie) -> None:
    assert page.state(zombie.run)[0] == "Running"


def test_a_task_that_raises(page: Page, build: Build) -> None:
    build.gate.mkdir(parents=True)  # a folder where the third shard of pairs should be
    run = page.run("fr-en", SETTINGS, build.home)
    state, message = page.ends(run)
    assert state == "Failed"
    assert "Everyday-v1-00002" in message
    assert "Run again with the same settings to build these alone" in message
    others = {stage: Counter(Completed=4) for stage in STAGES}
    page.shows(run, 1, **others | {"translate": Counter(Completed=4, Failed=1)})
    assert build.remember() > 16
    build.gate.rmdir()
    goes_on(page, run, build, **dict.fromkeys(STAGES, THE_REST))


def test_the_flow_process_is_killed(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    kill(page.process(run))
    assert page.ends(run)[0] == "Crashed"
    gated()
    goes_on(page, run, build, translate=THE_REST, parse=Counter(Completed=3, Reused=2), judge=ALL)


def test_the_worker_is_killed_and_the_run_does_not_mind(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    worker = page.part("worker")
    process = page.process(run)
    worker.kill()
    psutil.wait_procs([worker], timeout=30)
    page.command("start")
    assert page.state(run)[0] == "Running"
    assert process.is_running()
    gated()
    assert page.ends(run)[0] == "Completed"
    build.is_whole()


def test_worker_and_run_are_killed_at_once(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    kill(page.part("worker"), page.process(run))
    assert page.state(run)[0] == "Running"  # nobody is left to tell
    page.command("start")
    state, message = page.state(run)
    assert state == "Crashed"
    assert "Press Retry: what is built stays built" in message
    gated()
    goes_on(page, run, build, translate=THE_REST)


def test_the_server_is_killed_and_comes_back(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    kill(page.part("server"))
    gated()
    until(build.gate.exists)  # a shard in work is ended without a server; Prefect begins no next one
    page.command("start")
    page.completes(run)
    build.is_whole()
    again = page.run("fr-en", SETTINGS, build.home)
    assert page.ends(again)[0] == "Completed"
    page.shows(again, 1, **dict.fromkeys(STAGES, ALL_REUSED))


def test_a_run_is_cancelled(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    process = page.process(run)
    page.cancel(run)
    assert page.ends(run)[0] == "Cancelled"
    psutil.wait_procs([process], timeout=60)
    assert not process.is_running()
    gated()
    goes_on(page, run, build, translate=THE_REST)


def test_a_second_run_of_the_same_build_beside_the_first(page: Page, build: Build, gated: Open) -> None:
    both = [page.run(name, SETTINGS, build.home) for name in ("fr-en", "de-en")]
    arrives(build)
    for run in both:
        until(lambda run=run: page.state(run)[0] == "Running")
        page.process(run)
    gated()
    assert [page.ends(run)[0] for run in both] == ["Completed", "Completed"]
    build.is_whole()
    page.shows(both, 1, **dict.fromkeys(STAGES, ALL + ALL_REUSED))


@pytest.fixture
def disk(build: Build) -> Iterator[Callable[[psutil.Process], Open]]:
    """Make the disk full for a process, and return what makes it free again.

    Where we may mount one, it is a disk of 64 MB that a big file fills; elsewhere the process may write no file of
    more than 512 bytes, which it learns in the same way.
    """
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(build.home)]
    mounted = subprocess.run(mount, capture_output=True).returncode == 0
    big = build.home / "big"
    if mounted:
        shutil.copytree(build.calm / "models", build.home / "models")

    def fill(process: psutil.Process) -> Open:
        if not mounted:
            process.rlimit(psutil.RLIMIT_FSIZE, (512, 512))
            return lambda: None
        with contextlib.suppress(OSError), big.open("wb", buffering=0) as file:
            while True:
                file.write(b"0" * 4096)
        return big.unlink

    yield fill
    if mounted:
        subprocess.run(["umount", "--lazy", str(build.home)], check=True)


def test_the_disk_is_full(
    page: Page, build: Build, disk: Callable[[psutil.Process], Open], request: pytest.FixtureRequest
) -> None:
    gated = request.getfixturevalue("gated")  # on the small disk
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    free = disk(page.process(run))
    gated()
    state, message = page.ends(run)
    assert state == "Failed"
    assert "run again" in message.lower()
    free()
    assert build.remember() < 40
    goes_on(page, run, build)


def test_the_line_to_the_server_is_cut(page: Page, far: Far, build: Build, gated: Open) -> None:
    run = page.run("far", SETTINGS, build.home)
    arrives(build)
    far.line.whole.clear()
    gated()
    time.sleep(OUTAGE)
    far.line.whole.set()
    page.completes(run)
    assert "Crashed" not in page.history(run)  # it was away for less than the automation waits
    build.is_whole()


def test_a_run_whose_machine_is_gone_is_noticed_by_the_server(page: Page, zombie: Zombie) -> None:
    state, message = page.ends(zombie.run, within=300)
    assert state == "Crashed"
    assert "No heartbeat for three minutes" in message
    assert time.monotonic() - zombie.killed > 60
    zombie.let_go()
    far = Far(page)
    try:
        goes_on(page, zombie.run, zombie.build, translate=THE_REST)
    finally:
        far.end()
