"""No file of the product gets thicker: what makes a line hard to read at once may not become more in a file.

Counted are conditional expressions, comprehensions with two `for`, lines of more than 110 columns, and `fmt: skip`.
tests/thickness.tsv has how many a file may have, 0 for what it does not list: a new file starts with none. After a file
lost some, or two branches were merged, write what there is now, and look at what grew before you commit it:

    python tests/test_thickness.py
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_name("thickness.tsv")
COLUMNS = (
    "conditional expressions",
    "comprehensions with two for",
    "lines over 110 columns",
    "fmt: skip",
)
LONGEST = 110
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def counted(source: str) -> Counter[str]:
    """Count what makes a source file thick, by column."""
    counts = Counter[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.IfExp):
            counts["conditional expressions"] += 1
        if isinstance(node, Comprehension) and len(node.generators) > 1:
            counts["comprehensions with two for"] += 1
    for line in source.splitlines():
        counts["lines over 110 columns"] += len(line) > LONGEST
        counts["fmt: skip"] += "# fmt: skip" in line
    return +counts


def present() -> dict[str, Counter[str]]:
    """Count each file of the product: the folders at the root that are packages, and src."""
    folders = [path.parent for path in ROOT.glob("*/__init__.py")]
    found = {}
    for folder in [*folders, ROOT / "src"]:
        for path in folder.rglob("*.py"):
            found[path.relative_to(ROOT).as_posix()] = counted(path.read_text(encoding="utf-8"))
    return found


def allowed() -> dict[str, Counter[str]]:
    """Read the table."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        name, *numbers = line.split("\t")
        found[name] = Counter(dict(zip(COLUMNS, map(int, numbers), strict=True)))
    return found


def grown(before: dict[str, Counter[str]], after: dict[str, Counter[str]]) -> list[str]:
    """Say what a file has more of than it may have, a line each."""
    found = []
    for name, counts in sorted(after.items()):
        limits = before.get(name, Counter())
        for column in COLUMNS:
            if counts[column] > limits[column]:
                found.append(f"{name}: {column}, {limits[column]} -> {counts[column]}")
    return found


def test_no_file_gets_thicker() -> None:
    problems = grown(allowed(), present())
    assert problems == [], (
        "Unfold these lines (one step a line); if that is worse: python tests/test_thickness.py"
    )


def test_the_table_is_sorted_and_without_zeros() -> None:
    table = allowed()
    assert list(table) == sorted(table)
    assert all(any(counts.values()) for counts in table.values())
    assert len(present()) > 300  # it is the product that is counted


@pytest.mark.parametrize(("source", "expected"), [
    ("x = 1\n", {}),
    ("x = 1 if y else 2 if z else 3\n", {"conditional expressions": 2}),
    ("if y:\n    x = 1\nelse:\n    x = 2\n", {}),
    ("x = [a for b in c for a in b]\n", {"comprehensions with two for": 1}),
    ("x = {a: b for b in c for a in b}\nf(a for b in c for a in b)\n", {"comprehensions with two for": 2}),
    ("x = [[a for a in b] for b in c]\n", {}),
    ("for b in c:\n    for a in b:\n        f(a)\n", {}),
    (f"x = '{'é' * 104}'\n", {}),
    (f"x = '{'é' * 105}'\n", {"lines over 110 columns": 1}),
    ("f(\n    a, b,\n)  # fmt: skip\n", {"fmt: skip": 1}),
    ("x = 'if else for for'  # 1 if y else 2\n", {}),
])  # fmt: skip
def test_what_is_counted(source: str, expected: dict[str, int]) -> None:
    assert counted(source) == expected


@pytest.mark.parametrize(("before", "after", "expected"), [
    ({}, {}, []),
    ({"a.py": {"fmt: skip": 2}}, {"a.py": {"fmt: skip": 1}}, []),
    ({"a.py": {"fmt: skip": 1}}, {"a.py": {"fmt: skip": 2}}, ["a.py: fmt: skip, 1 -> 2"]),
    ({"a.py": {"fmt: skip": 1}}, {"b.py": {"fmt: skip": 1}}, ["b.py: fmt: skip, 0 -> 1"]),  # a new file has none
    ({"a.py": {"fmt: skip": 1}}, {}, []),
])  # fmt: skip
def test_what_grew(
    before: dict[str, dict[str, int]], after: dict[str, dict[str, int]], expected: list[str]
) -> None:
    limits = {name: Counter(counts) for name, counts in before.items()}
    found = {name: Counter(counts) for name, counts in after.items()}
    assert grown(limits, found) == expected


def main() -> None:
    """Write what there is now, and say what grew."""
    counts = present()
    before = allowed() if TABLE.exists() else {}
    for line in grown(before, counts):
        print(line)
    rows = [
        [name, *(str(counts[name][column]) for column in COLUMNS)]
        for name in sorted(counts)
        if counts[name]
    ]
    lines = ["\t".join(row) for row in [["file", *COLUMNS], *rows]]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
