"""Run the commands of a document's block as a reader does: verbatim, in order, in a fresh clone."""

import re
from typing import Any

import httpx
from builds import rows
from documents import Block, command
from served import ENDED, token, until

WITHIN = 900.0  # seconds for a block
SUBMITTED = ("plan-bitext/plan", "pivot-bitext/first-fr-en")
"""Deployments that are run with their own settings between `make serve` and `make stop`."""


def run(block: Block, clone: Any) -> None:
    """Run the commands of a block; fail if one fails, prints a traceback or makes no data set."""
    commands = [command(line) for line in block.commands]
    stop = commands.index("make stop") if "make stop" in commands else len(commands)
    printed = output(block, block.commands[:stop], clone)
    if "make serve" in commands:
        address = re.findall(r"(http://127\.0\.0\.1:\d+)", printed)[-1]
        for deployment in SUBMITTED:
            submit(address, deployment)
        assert rows(clone.root / "data" / "fr-en" / "latest")
    output(block, block.commands[stop:], clone)


def output(block: Block, commands: list[str], clone: Any) -> str:
    """Run some commands of a block and return what they print; fail if one fails or prints a traceback."""
    status, printed = clone.run(commands, WITHIN)
    problem = f"{block} ended with {status}:\n{block.text}\n...\n{printed[-3_000:]}"
    assert status == 0, problem
    assert "Traceback (most recent call last)" not in printed, problem
    return str(printed)


def submit(address: str, deployment: str) -> None:
    """Do what Submit does in the UI with the form as it is, and wait until the run has ended well."""

    def ask(method: str, path: str, body: Any = None) -> Any:
        headers = {} if method == "GET" else token(address)
        answer = httpx.request(method, f"{address}/api/{path}", json=body, headers=headers, timeout=60, trust_env=False)
        assert answer.is_success, answer.text
        return answer.json()

    found = ask("GET", f"deployments/name/{deployment}")
    body = {"parameters": found["parameters"], "state": {"type": "SCHEDULED"}}
    run = ask("POST", f"deployments/{found['id']}/create_flow_run", body)["id"]

    def ended() -> dict[str, Any] | None:
        state: dict[str, Any] = ask("GET", f"flow_runs/{run}")["state"] or {"name": ""}
        return state if state["name"] in ENDED else None

    state = until(ended, WITHIN)
    assert state["name"] == "Completed", f"{deployment}: {state['name']}, {state['message']}"
