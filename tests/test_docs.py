"""The documents name only what exists, and every setting is described."""

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
STEPS = re.findall(r"`([\w/]+\.py):(\w+)`", (ROOT / "docs" / "walk.md").read_text(encoding="utf-8"))


def test_the_walk_names_what_exists() -> None:
    named = {
        file: {
            node.name
            for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body
            if hasattr(node, "name")
        }
        for file, _ in STEPS
    }
    assert [(file, name) for file, name in STEPS if name not in named[file]] == []


def test_the_walk_passes_every_stage() -> None:
    walked = {file for file, _ in STEPS}
    stages = {f"tasks/{path.name}" for path in (ROOT / "tasks").glob("*.py")} - {
        "tasks/__init__.py"
    }
    assert stages <= walked


def test_every_extra_that_a_document_names_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named: set[str] = set()
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = document.read_text(encoding="utf-8")
        named |= {*re.findall(r"extra `(\w+)`", text), *re.findall(r"bitext-pivot\[(\w+)\]", text)}
    assert {"discourse", "research"} <= named <= project["optional-dependencies"].keys()


def test_every_link_of_the_documents_leads_somewhere() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        (document.name, target)
        for document in documents
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert broken == []
