"""The commands of README.md, in a fresh clone; those of the other documents are in test_documents.py.

The first block builds the demo, which test_demo.py reads. The others run each night.
"""

import shutil
from pathlib import Path
from typing import Any

import document_commands
import pytest
from documents import Block, command_blocks

pytestmark = pytest.mark.system

DEMO, *LATER = [block for block in command_blocks() if block.document == "README.md"]


def test_the_demo_is_built(clone: Any, database: Path) -> None:
    """Prefect's tables are there, which take a quarter of a minute to make: the later blocks make them."""
    prefect = clone.root / "demo" / "prefect"
    prefect.mkdir(parents=True)
    shutil.copy(database, prefect)
    document_commands.run(DEMO, clone)


@pytest.mark.nightly
@pytest.mark.parametrize("block", LATER, ids=str)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
