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


def anchors(page: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub and mkdocs make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_link_of_the_documents_leads_somewhere() -> None:
    folders = [ROOT, ROOT / "benchmarks" / "results"]
    documents = [path for folder in folders for path in folder.glob("*.md")]
    broken = []
    for document in [*documents, *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)]+)", document.read_text(encoding="utf-8")):
            path, _, anchor = target.partition("#")
            page = document.parent / path if path else document
            if not page.exists() or anchor and anchor not in anchors(page):
                broken.append((document.name, target))
    assert broken == []
