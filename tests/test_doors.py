"""Declared dependencies are those that are imported, and files keep to their budgets.

Which files may import a heavy library is in pyproject.toml (ruff's banned-api).
"""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = (
    "commands",
    "flows",
    "tasks",
    "alignments",
    "translation",
    "filters",
    "discourse",
    "corpus",
    "metrics",
    "pairs",
)
FILES = sorted([ROOT / "bitext_pivot.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))])
NOT_IMPORTED = {
    "fastapi": "its range keeps Prefect's server working",
    "opustools": "its database is the catalogue",
    "protobuf": "transformers reads SentencePiece models with it",
}
"""Declared distributions that the product does not import, with the reason."""
OPTIONAL = {"prefect-dask", "fastcoref", "datasets"}
"""Imported if the extra is installed; `datasets` comes with fastcoref."""


def imported(path: Path) -> set[str]:
    """Top-level names that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    modules = set().union(*(imported(path) for path in [*FILES, *(ROOT / "deployments").glob("*.py")]))
    distributions = {
        plain(name) for module, names in packages_distributions().items() if module in modules for name in names
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {plain(requirement) for requirement in project["dependencies"]}
    assert distributions - OPTIONAL - {"bitext-pivot"} <= declared
    assert declared - distributions <= NOT_IMPORTED.keys()


def plain(requirement: str) -> str:
    """Name of a distribution in normal form, without its version."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def test_files_and_functions_keep_to_their_budget() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in FILES}
    limits = {name: 45 if name.startswith("flows/") else 250 for name in texts}
    assert [name for name, text in texts.items() if text.count("\n") > limits[name]] == []
    functions = [
        (name, node.name, node.end_lineno - node.lineno)
        for name, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert len(functions) > 1_000
    assert [one for one in functions if one[2] >= 60] == []
