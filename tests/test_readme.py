"""The commands of README.md, in a fresh clone; those of the other documents are in test_documents.py.

The first block builds the demo: test_demo.py runs it in the same clone.
"""

from typing import Any

import document_commands
import pytest
from documents import Block, command_blocks

LATER = [block for block in command_blocks() if block.document == "README.md"][1:]


@pytest.mark.system
@pytest.mark.nightly
@pytest.mark.parametrize("block", LATER, ids=str)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
