"""Command blocks of the documents, and which of them are not run."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = ("", "sh", "bash", "console")
"""Languages of blocks that hold commands; a block without a language does so too."""
DATA = ("json", "text", "tsv", "toml", "python", "yaml")
"""Languages of blocks that are not shell commands."""
_BLOCK = re.compile(
    r"^ *```(?P<language>\S*)[^\n]*\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL
)
_COMMENT = re.compile(r"(^|\s+)#.*$")

_LISTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["listed"]
NOT_RUN = {text: listed["reason"] for listed in _LISTED for text in listed["texts"]}
"""Reason by whole block, or by command without its comment, for everything that is not run."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document; `line` is that of its fence, counted from 1."""

    document: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The block's lines but those in `NOT_RUN`."""
        if self.text in NOT_RUN:
            return []
        return [line for line in self._lines() if command(line) not in NOT_RUN]

    @property
    def listed(self) -> set[str]:
        """The entries of `NOT_RUN` that are in this block."""
        return {self.text, *map(command, self._lines())} & NOT_RUN.keys()

    def _lines(self) -> list[str]:
        lines = self.text.replace("\\\n", "").splitlines()
        if self.language == "console":  # what follows no prompt is output
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return [line for line in lines if command(line)]


def command(line: str) -> str:
    """Return a line of a block without its comment."""
    return _COMMENT.sub("", line).strip()


def documents() -> list[Path]:
    """Return README.md, and then all other documents in order."""
    others = sorted(
        [ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    )
    return [ROOT / "README.md", *others]


def blocks() -> list[Block]:
    """Return all fenced blocks of the documents, in order."""
    return list(chain.from_iterable(map(_blocks, documents())))


def command_blocks() -> list[Block]:
    """Return the blocks of which something is to be run that no block before has."""
    found, seen = [], set[str]()
    for block in blocks():
        texts = set(map(command, block.commands)) if block.language in COMMANDS else set()
        found += [block] if texts - seen else []
        seen |= texts
    return found


def _blocks(path: Path) -> Iterator[Block]:
    text = path.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(str(path.relative_to(ROOT)), line, match["language"], match["text"])
