"""A Prefect server for fault injection and the browser, the build to compare with, and the faults."""

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from builds import FIVE, QUICKSTART, write_corpus
from fault_injection import HEARTBEAT, OUTAGE, SETTINGS, Build, Far, Open, Outage, Zombie, arrives
from filelock import FileLock
from served import Page, kill, served


@pytest.fixture(scope="package")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page as `make serve` brings it, with the corpora Everyday/v1 and Tiny/v1."""
    opus = write_corpus(tmp_path_factory.mktemp("opus"), FIVE)
    (opus / "OPUS-Everyday").symlink_to(QUICKSTART / "opus" / "OPUS-Everyday")
    home = tmp_path_factory.mktemp("page")
    with served(home, BITEXT_PIVOT_OPUS=str(opus), PREFECT_WORKER_QUERY_SECONDS="1") as page:
        shorten_patience(page)
        yield page


def shorten_patience(page: Page) -> None:
    """Let the server miss a run without a heartbeat after HEARTBEAT seconds rather than three minutes."""
    (automation,) = page.ask("POST", "automations/filter", {})
    kept = {name: automation[name] for name in ("name", "description", "enabled", "actions")}
    page.ask(
        "PUT",
        f"automations/{automation['id']}",
        kept | {"trigger": automation["trigger"] | {"within": HEARTBEAT}},
    )


@pytest.fixture(scope="package")
def calm(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a build that nothing befell."""
    home = tmp_path_factory.mktemp("calm")
    assert page.ends(page.run("fr-en", SETTINGS, home))[0] == "Completed"
    return home


@pytest.fixture
def build(tmp_path: Path, calm: Path) -> Build:
    """A data folder for this test."""
    return Build(tmp_path / "home", calm)


@pytest.fixture
def gated(build: Build) -> Iterator[Open]:
    """Let builds in the folder stop before the shard at the gate, until the function is called or the test ends."""
    build.gate.parent.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        stack.enter_context(FileLock(build.lock))
        yield stack.close


@pytest.fixture(scope="package")
def far(page: Page) -> Iterator[Far]:
    """A worker behind a line that can be cut."""
    far = Far(page)
    yield far
    far.end()


@pytest.fixture(scope="module")
def zombie(page: Page, calm: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zombie]:
    """A run of a machine that is gone; it starts before the other faults, so that its time passes meanwhile."""
    build = Build(tmp_path_factory.mktemp("zombie") / "home", calm)
    build.gate.parent.mkdir(parents=True)
    far, lock = Far(page), FileLock(build.lock)
    with lock:
        run = page.run("far", SETTINGS, build.home)
        arrives(build)
        kill(far.worker, page.process(run))
        far.end()
        yield Zombie(run, build, time.monotonic(), lambda: lock.release(force=True))


@pytest.fixture(scope="module")
def outage(
    page: Page, far: Far, calm: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Outage]:
    """A line that is cut while a shard is being built, for as long as OUTAGE says, whatever else happens meanwhile."""
    build = Build(tmp_path_factory.mktemp("outage") / "home", calm)
    build.gate.parent.mkdir(parents=True)
    with FileLock(build.lock):
        run = page.run("far", SETTINGS, build.home)
        arrives(build)
        far.line.whole.clear()
    repaired = threading.Timer(OUTAGE, far.line.whole.set)
    repaired.start()
    yield Outage(run, build, repaired)
    repaired.cancel()
    far.line.whole.set()


@pytest.fixture
def disk(build: Build) -> Iterator[Callable[[psutil.Process], Open]]:
    """Make the disk full for a process, and return what makes it free again.

    Where we may mount one, it is a disk of 64 MB that a big file fills; elsewhere the process may write no file of
    more than 512 bytes, which it learns in the same way.
    """
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(build.home)]
    mounted = subprocess.run(mount, capture_output=True).returncode == 0
    big = build.home / "big"

    def fill(process: psutil.Process) -> Open:
        if not mounted and not hasattr(process, "rlimit"):
            pytest.skip(
                "no disk may be mounted here, and the system cannot limit another process's files (macOS)"
            )
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
