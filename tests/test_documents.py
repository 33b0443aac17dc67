"""The commands of the documents are run: verbatim, in order, once, in a fresh clone and an empty environment.

Those of README.md are run by test_readme.py, in a clone of their own, so that two processes share the work.
"""

import re
from typing import Any

import document_commands
import pytest
from documents import COMMANDS, DATA, NOT_RUN, ROOT, Block, blocks, command_blocks, documents


def test_every_block_is_of_a_known_kind() -> None:
    unknown = [
        f"{block}: {block.language}"
        for block in blocks()
        if block.language not in (*COMMANDS, *DATA)
    ]
    assert unknown == []


def test_every_command_that_is_not_run_is_in_a_document() -> None:
    listed = set().union(*(block.listed for block in blocks()))
    assert sorted(NOT_RUN.keys() - listed) == []


def test_every_target_of_make_in_the_documents_exists() -> None:
    targets = set(
        re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    named = {
        (path.name, target)
        for path in documents()
        if path.name != "CHANGELOG.md"  # names targets of older versions
        for target in re.findall(
            r"`[^`\n]*\bmake ([a-z]+)\b[^`\n]*`", path.read_text(encoding="utf-8")
        )
    }
    assert len(named) > 5
    assert sorted((document, target) for document, target in named if target not in targets) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "block", [block for block in command_blocks() if block.document != "README.md"], ids=str
)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
