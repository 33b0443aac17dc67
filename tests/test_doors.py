"""Rules that the code keeps: one module opens files of others, and how comments and assignments are written."""

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILES = sorted(
    file for package in ROOT.glob("*/__init__.py") for file in package.parent.rglob("*.py")
)

OPENERS = {
    "core/storage/received.py": "the gate: files that somebody else may have written",
    "core/text_files.py": "text files that a user names, behind core/reading/input_files.py",
    "core/text_damage.py": "a table of the package",
    "core/data_files.py": "tables of the package; JSON texts that were read before",
    "core/hub/processor.py": "/proc/cpuinfo",
    "core/storage/atomic.py": "files that are written here; the value of a checksum",
    "core/storage/shards.py": "a shard that is being written",
    "core/storage/store.py": "rows of a store, each with its checksum",
    "alignments/catalogue/opusdata.py": "the catalogue of the package opustools; lists that its own query makes",
    "alignments/download/partial_file.py": "the part of a download",
    "discourse/reading/multiway.py": "rows of a file written here",
    "alignments/screening/boilerplate.py": "a table of the package",
    "alignments/texts/lines.py": "members of a zip",
    "alignments/xces/links.py": "archives, whose readers have limits of their own",
    "alignments/xces/sentences.py": "members of a zip",
    "alignments/zips.py": "archives, whose readers have limits of their own",
    "syntax/english_words.py": "a dictionary of the package lemminflect",
    "translation/cached.py": "rows of a store",
    "filters/neural/bertscore.py": "keys of a store",
    "filters/neural/known_good.py": "a table of the package",
    "corpus/citation.py": "a table of the package",
    "corpus/offline_page.py": "pages of the package",
    "corpus/rebuild.py": "a card that the user names, behind `refuse_others`",
    "research/metrics/fkgl.py": "a dictionary of the package",
    "research/models/model_card.py": "a table of the package",
    "core/outside.py": "a file of code that the command line of the user names",
    "deployments/server_address.py": "files of settings that Prefect itself reads",
    "deployments/servers.py": "a log that is written here",
    "commands/command_line.py": "JSON of an option that was typed",
    "commands/main.py": "the null device",
    "commands/show.py": "a browser",
    "core/storage/locks.py": "the file of a lock, of which nothing is read",
}
"""The only files that open a file or parse JSON, each with what it is."""


def opens(path: Path) -> bool:
    """Return True if a file of code opens a file, reads one or parses JSON."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            name = called.rpartition(".")[2]
            if name in {"open", "read_text", "read_bytes"} or called in {"json.load", "json.loads"}:
                return True
    return False


def test_what_others_wrote_is_opened_by_one_module() -> None:
    opening = {str(path.relative_to(ROOT)) for path in FILES if opens(path)}
    assert sorted(opening - OPENERS.keys()) == []
    unused = OPENERS.keys() - opening - {"core/text_files.py"}  # its openers are in a table
    assert sorted(unused) == []


CODE = sorted(
    path
    for path in ROOT.rglob("*.py")
    if not {".venv", "build", "data", "demo"} & {*path.relative_to(ROOT).parts}
)
DIRECTIVE = re.compile(r"#\s*(fmt:|noqa|type: ignore)")


def trailing_comments(source: str) -> list[int]:
    """Return the lines that begin with a closing bracket and end with a comment, where the formatter moved it."""
    lines = source.splitlines()
    return [
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
        and lines[token.start[0] - 1].lstrip().startswith((")", "]", "}"))
        and not DIRECTIVE.match(token.string)
    ]


def double_assignments(source: str) -> list[int]:
    """Return the lines of assignments of several values to several names that take more than one line."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and node.end_lineno != node.lineno
    ]


def test_a_comment_stands_above_its_statement_and_one_name_is_assigned_at_a_time() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in CODE
        for rule in (trailing_comments, double_assignments)
        for line in rule(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_both_rules_find_what_they_forbid() -> None:
    assert trailing_comments("x = (\n    1\n)  # why\ny = [\n]  # fmt: skip\n") == [3]
    assert double_assignments("a, b = (\n    1,\n    2,\n)\nc, d = 1, 2\n") == [1]
