"""The commands of the documents are run: verbatim, in order, once, in a fresh clone and an empty environment.

Those of README.md are the first, as for a new user; the others go on from there.
"""

import re
from collections.abc import Iterator
from typing import Any

import document_commands
import pytest
from documents import COMMANDS, DATA, NOT_RUN, ROOT, Block, blocks, command_blocks, documents
from served import free_port


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

    with fresh(tmp_path_factory.mktemp("clone"), BITEXT_PIVOT_SERVE_PORT=str(free_port())) as clone:
        yield clone


@pytest.mark.system
@pytest.mark.parametrize("block", command_blocks(), ids=str)
def test_the_commands_of_a_block_work(block: Block, clone: Any) -> None:
    document_commands.run(block, clone)
