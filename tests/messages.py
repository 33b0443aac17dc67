"""What users read: whole messages in one golden file, tests/golden/messages.toml, by the test that brings them about.

A test says which error it expects, and the file says in which words. After a change of words:
`WRITE_MESSAGES=1 python -m pytest -n0 FILES`, and read the difference.
"""

import functools
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "golden" / "messages.toml"
Refusal = TypeVar("Refusal", bound=Exception)
Said = Callable[..., str]
"""What runs a command and returns what it says: the fixtures `done` and `refused`."""
PORT = re.compile(r"(?<=127\.0\.0\.1:)\d{4,5}\b")
KEY = re.compile(r"(?<=export-)[0-9a-f]{8}\b")
"""The digits of a data set's folder, which change with every column."""


@functools.cache
def read() -> dict[str, dict[str, str]]:
    """The messages, by file of tests below `tests` and by test."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def write(messages: dict[str, dict[str, str]]) -> None:
    """Write the file anew, sorted."""
    lines = []
    for file in sorted(messages):
        lines.append(f"\n[{quoted(file)}]")
        lines += [
            f"{quoted(case)} = {quoted(text)}" for case, text in sorted(messages[file].items())
        ]
    FILE.write_text("\n".join(lines).lstrip() + "\n", encoding="utf-8")
    read.cache_clear()


def quoted(text: str) -> str:
    """Return a text as TOML has it; lines stay lines."""
    lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in text.split("\n")]
    return f'"{lines[0]}"' if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'


class Golden:
    """The messages of one test; the second and later ones are numbered, and what all cases say is written once."""

    begun: ClassVar[set[tuple[str, str]]] = set()
    """Tests that this process has written."""

    def __init__(self, test: str, temporary: Path) -> None:
        path, _, name = test.partition("::")
        self.file = path.removeprefix("tests/")
        self.test, bracket, case = name.partition("[")
        self.case = bracket + case
        self.count = 0
        self.temporary = re.compile(rf"{re.escape(str(temporary))}(/[\w.-]+)?")

    @contextmanager
    def refused(self, *errors: type[Refusal]) -> Iterator[pytest.ExceptionInfo[Refusal]]:
        """Expect one of the errors, with the message of the file."""
        with pytest.raises(errors) as caught:
            yield caught
        self.same(str(caught.value))

    def same(self, text: str) -> None:
        """Compare a text with that of the file, but for folders and ports."""
        self.count += 1
        test = f"{self.test} {self.count}" if self.count > 1 else self.test
        found = KEY.sub("DIGITS", self.temporary.sub("TMP", text).replace(str(ROOT), "ROOT"))
        found = PORT.sub("PORT", found)
        if os.environ.get("WRITE_MESSAGES"):
            self.write(test, found)
        messages = read().get(self.file, {})
        assert found == messages.get(test + self.case, messages.get(test))

    def write(self, test: str, found: str) -> None:
        """Add a message to the file, without those of earlier runs of the same test."""
        messages = read()
        mine = messages.setdefault(self.file, {})
        if (self.file, test) not in self.begun:
            self.begun.add((self.file, test))
            for name in [name for name in mine if name.partition("[")[0] == test]:
                del mine[name]
        mine[test + self.case] = found
        cases = [name for name in mine if name.partition("[")[0] == test]
        if len(cases) > 1 and len({mine[name] for name in cases}) == 1:
            for name in cases:
                del mine[name]
            mine[test] = found
        write(messages)
