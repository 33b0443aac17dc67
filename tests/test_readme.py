"""The commands of README.md, in a fresh clone; those of the other documents are in test_documents.py.

The first block builds the demo, which test_demo.py reads. The others run each night.
"""

from typing import Any

import document_commands
import pytest
from documents import Block, command_blocks

pytestmark = pytest.mark.system

DEMO, *LATER = [block for block in command_blocks() if block.document == "README.md"]


@pytest.mark.parametrize(
    "block", [DEMO, *(pytest.param(block, marks=pytest.mark.nightly) for block in LATER)], ids=str
)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
