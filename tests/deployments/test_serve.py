"""`make serve`: a server on this machine only, a worker, all deployments; `make stop` leaves nothing running."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import presets
import psutil
import pytest
from served import token

ROOT = Path(__file__).parents[2]


def test_a_busy_port_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = os.environ | {"BITEXT_PIVOT_HOME": str(tmp_path), "BITEXT_PIVOT_SERVE_PORT": str(port)}
        done = command("start", environment)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"Port {port} is in use by another program. Set BITEXT_PIVOT_SERVE_PORT to a free port: "
        f"BITEXT_PIVOT_SERVE_PORT={port + 1 if port < 65535 else port - 1} make serve"
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a page that was started with `start`, with a password, on a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")} | {
        "BITEXT_PIVOT_HOME": str(tmp_path_factory.mktemp("home")), "BITEXT_PIVOT_SERVE_PORT": port,
        "PREFECT_SERVER_API_AUTH_STRING": "user:secret", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    done = command("start", environment)
    yield environment | {"STARTED": done.stdout}
    command("stop", environment)


def command(name: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `deployments/serve.py name`."""
    script = str(ROOT / "deployments" / "serve.py")
    return subprocess.run([sys.executable, script, name], env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.system
def test_start_registers_all_deployments_and_restricts_the_page(served: dict[str, str]) -> None:
    base = f"http://127.0.0.1:{served['BITEXT_PIVOT_SERVE_PORT']}"
    assert f"{base}/v2/deployments" in served["STARTED"]
    assert command("status", served).returncode == 0
    given: dict[str, Any] = {"json": {}, "auth": ("user", "secret"), "timeout": 30}
    given["headers"] = token(base, auth=given["auth"])
    found = httpx.post(f"{base}/api/deployments/filter", **given).json()
    assert {one["name"] for one in found} == {one.name for one in presets.deployments()}
    automations = httpx.post(f"{base}/api/automations/filter", **given).json()
    assert [one["name"] for one in automations] == ["Mark runs without a heartbeat as crashed"]
    settings = httpx.get(f"{base}/api/admin/settings", auth=("user", "secret"), timeout=30).json()
    recorder = settings["server"]["services"]["task_run_recorder"]
    assert (recorder["batch_size"], recorder["flush_interval"]) == (200, 1)
    text = httpx.get(f"{base}/v2/deployments", headers={"Accept": "text/html"}, timeout=30).text
    assert f"connect-src 'self' {base} ws://127.0.0.1" in text


@pytest.mark.system
def test_a_second_start_changes_nothing(served: dict[str, str]) -> None:
    again = command("start", served)
    assert again.returncode == 0, again.stdout
    assert again.stdout.count("is up already") == 2
    assert "\n0 of them are new or changed\n" in again.stdout


@pytest.mark.system
def test_without_the_password_the_api_answers_nothing(served: dict[str, str]) -> None:
    base = f"http://127.0.0.1:{served['BITEXT_PIVOT_SERVE_PORT']}"
    assert httpx.get(f"{base}/api/admin/settings", timeout=30).status_code == 401
    assert httpx.get(f"{base}/api/csrf-token?client=stranger", timeout=30).status_code == 401
    # a request that changes something needs a token first, and the token needs the password
    assert httpx.post(f"{base}/api/deployments/filter", json={}, timeout=30).status_code == 403


@pytest.mark.system
def test_only_loopback_is_listened_on(served: dict[str, str]) -> None:
    port = int(served["BITEXT_PIVOT_SERVE_PORT"])
    number = json.loads((Path(served["BITEXT_PIVOT_HOME"]) / "prefect" / "server.json").read_text())["pid"]
    server = psutil.Process(number)
    listening = {
        one.laddr.ip
        for process in (server, *server.children(recursive=True))  # of all processes only root may ask on macOS
        for one in process.net_connections("tcp")
        if one.laddr and one.laddr.port == port and one.status == "LISTEN"
    }
    assert listening == {"127.0.0.1"}


@pytest.mark.system
def test_stop_ends_all_that_start_began(served: dict[str, str]) -> None:
    folder = Path(served["BITEXT_PIVOT_HOME"]) / "prefect"
    assert command("stop", served).returncode == 0
    left = [
        one.pid
        for one in psutil.process_iter(["environ"])
        if (one.info["environ"] or {}).get("PREFECT_HOME") == str(folder)
    ]
    assert left == []
    assert command("status", served).returncode == 1
