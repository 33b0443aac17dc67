"""Run the commands of a document's block as a reader does: verbatim, in order, in a fresh clone."""

import re
from typing import Any

from builds import rows
from documents import Block, command
from served import Api

WITHIN = 1800.0  # seconds for a block
SUBMITTED = ("plan-bitext/plan", "pivot-bitext/first-fr-en")
"""Deployments that are run with their own settings between `make serve` and `make stop`."""


def run(block: Block, clone: Any) -> None:
    """Run the commands of a block; fail if one fails, prints a traceback or makes no data set."""
    commands = [command(line) for line in block.commands]
    stop = commands.index("make stop") if "make stop" in commands else len(commands)
    printed = output(str(block), block.commands[:stop], clone)
    if "make serve" in commands:
        address = re.findall(r"(http://127\.0\.0\.1:\d+)", printed)[-1]
        api = Api(address)
        for deployment in SUBMITTED:
            state, message = api.ends(api.submit(deployment), within=WITHIN)
            assert state == "Completed", f"{deployment}: {state}, {message}"
        assert rows(clone.root / "data" / "fr-en" / "latest")
    output(str(block), block.commands[stop:], clone)


def output(place: str, commands: list[str], clone: Any) -> str:
    """Run commands that stand at a place, and return what they print; fail if one fails or prints a traceback."""
    status, printed = clone.run(commands, WITHIN)
    problem = f"{place} ended with {status}:\n{chr(10).join(commands)}\n...\n{printed[-3_000:]}"
    assert status == 0, problem
    assert "Traceback (most recent call last)" not in printed, problem
    return str(printed)
