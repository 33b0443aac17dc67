"""The commands of README.md, in a fresh clone; those of the other documents are in test_documents.py."""

from collections.abc import Iterator
from typing import Any

import document_commands
import pytest
from documents import Block, command_blocks

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with document_commands.set_up(tmp_path_factory.mktemp("readme")) as clone:
        yield clone


@pytest.mark.parametrize("block", [block for block in command_blocks() if block.document == "README.md"], ids=str)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
