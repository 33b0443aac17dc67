"""The commands of README.md, in a fresh clone; those of the other documents are in test_documents.py."""

from typing import Any

import document_commands
import pytest
from documents import Block, command_blocks

pytestmark = pytest.mark.system


@pytest.mark.parametrize(
    "block", [block for block in command_blocks() if block.document == "README.md"], ids=str
)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
