"""Fault injection with a real server and worker: after every fault only what is missing is built.

Most builds stop at a gate: the test holds the lock of the third of five shards of pairs, so that the build has done a
part and cannot end. Every case ends with the files of an undisturbed build, byte by byte, and leaves untouched what was
built before the fault. A lost machine and a lost connection take a minute; these cases begin early and the other tests
run meanwhile. A cancelled run and a shard that fails are in test_browser.py, lost files in tests/flows.
"""

import time
from collections import Counter
from collections.abc import Callable

import psutil
import pytest
from fault_injection import HEARTBEAT, SETTINGS, Build, Far, Open, Outage, Zombie, arrives
from served import PATIENCE, Page, kill, shards_of, until

ALL, ALL_REUSED = Counter(Completed=5), Counter(Reused=5)
THE_REST = Counter(Completed=1, Reused=4)
STAGES = ("translate", "parse", "score", "judge")


def goes_on(page: Page, run: str, build: Build, **stages: Counter[str]) -> None:
    """Press Retry, see the run complete, the data set whole, and what the tasks of the second attempt did."""
    page.retry(run)
    page.completes(run)
    build.is_whole()
    page.shows(run, 2, **stages)
    left = {
        "flow_runs": {"id": {"any_": [run]}},
        "task_runs": {"state": {"type": {"any_": ["RUNNING", "PENDING"]}}},
    }
    # no task looks as if it were running; the server hears of the last ones a moment after the run has ended
    until(lambda: page.ask("POST", "task_runs/filter", left) == [])


@pytest.mark.nightly
def test_a_run_whose_machine_is_gone_stays_running_at_first(page: Page, zombie: Zombie) -> None:
    assert page.state(zombie.run)[0] == "Running"


@pytest.mark.nightly
def test_the_flow_process_is_killed(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    kill(page.process(run))
    assert page.ends(run)[0] == "Crashed"
    gated()
    goes_on(page, run, build, **dict.fromkeys(STAGES, THE_REST))


@pytest.mark.nightly
def test_a_run_survives_a_killed_worker_and_server(page: Page, build: Build, gated: Open) -> None:
    run = page.run("fr-en", SETTINGS, build.home)
    arrives(build)
    worker = page.part("worker")
    process = page.process(run)
    worker.kill()
    psutil.wait_procs([worker], timeout=PATIENCE)
    page.command("serve")
    assert page.state(run)[0] == "Running"
    assert process.is_running()
    kill(page.part("server"))
    gated()
    # The current shard is finished without a server, but Prefect starts no further one.
    until(build.gate.exists)
    page.command("serve")
    page.completes(run)
    build.is_whole()


@pytest.mark.nightly
def test_a_run_cut_off_from_the_server_ends_its_shard(page: Page, outage: Outage) -> None:
    until(outage.build.gate.exists)
    assert outage.repaired.is_alive(), (
        "the shard was ended when the line was whole again: this proves nothing"
    )
    assert page.state(outage.run)[0] == "Running"


@pytest.mark.nightly
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
    assert build.remember() < len(shards_of(build.calm))
    assert not build.gate.exists()
    goes_on(page, run, build)


@pytest.mark.nightly
def test_the_run_goes_on_when_the_line_is_whole_again(page: Page, outage: Outage) -> None:
    outage.repaired.join()
    page.completes(outage.run)
    # The server was away for a shorter time than the automation waits.
    assert "Crashed" not in page.history(outage.run)
    outage.build.is_whole()
    again = page.run("far", SETTINGS, outage.build.home)
    assert page.ends(again)[0] == "Completed"
    page.shows(again, 1, **dict.fromkeys(STAGES, ALL_REUSED))


@pytest.mark.nightly
def test_the_server_notices_a_run_whose_machine_is_gone(
    page: Page, far: Far, zombie: Zombie
) -> None:
    state, message = page.ends(zombie.run)
    assert state == "Crashed"
    # Only the automation writes these words.
    assert "No heartbeat for three minutes" in message
    assert time.monotonic() - zombie.killed > HEARTBEAT / 2
    zombie.let_go()
    goes_on(page, zombie.run, zombie.build, translate=THE_REST)
