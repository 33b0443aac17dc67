"""The commands of the documents are run: verbatim, in order, once, in a fresh clone and an empty environment."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from builds import rows
from documents import COMMANDS, DATA, NOT_RUN, ROOT, Block, blocks, command, command_blocks, documents
from served import ENDED, free_port, token, until

WITHIN = 900.0  # seconds for a block
SUBMITTED = ("plan-bitext/plan", "pivot-bitext/first-fr-en")
"""Deployments that are run with their own settings between `make serve` and `make stop`."""


def test_every_block_is_of_a_known_kind() -> None:
    unknown = [f"{block}: {block.language}" for block in blocks() if block.language not in (*COMMANDS, *DATA)]
    assert unknown == []


def test_every_command_that_is_not_run_is_in_a_document() -> None:
    listed = set().union(*(block.listed for block in blocks()))
    assert sorted(NOT_RUN.keys() - listed) == []


def test_every_target_of_make_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        (path.name, target)
        for path in documents()
        if path.name != "CHANGELOG.md"  # names targets of older versions
        for target in re.findall(r"`[^`\n]*\bmake ([a-z]+)\b[^`\n]*`", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert sorted((document, target) for document, target in named if target not in targets) == []


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A fresh clone, set up, with mirrors."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so there is nothing to clone")
    from fresh_clone import fresh

    port = free_port()
    with fresh(tmp_path_factory.mktemp("documents"), BITEXT_PIVOT_SERVE_PORT=str(port)) as clone:
        yield clone


@pytest.mark.system
@pytest.mark.parametrize("block", command_blocks(), ids=str)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
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
