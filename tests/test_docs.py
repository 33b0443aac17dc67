"""The documents name only what exists, and every setting is described."""

import ast
import re
import tomllib
from pathlib import Path

from pydantic import BaseModel

from bitext_pivot.core.site import Site
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.flows.unfuse_settings import UnfuseText

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


def models(model: type[BaseModel]) -> list[type[BaseModel]]:
    """A settings model and all models nested in it."""
    inner = [f.annotation for f in model.model_fields.values()]
    nested = [kind for kind in inner if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return [model, *(one for kind in nested for one in models(kind))]


FORMS: tuple[type[BaseModel], ...] = (
    PivotBitext,
    UnfuseText,
    MineMarkers,
    ExplicitateBitext,
    TrainModel,
)
FORM_MODELS: list[type[BaseModel]] = [*(one for form in FORMS for one in models(form)), Site]


def test_every_setting_is_described() -> None:
    fields = [(one.__name__, *item) for one in FORM_MODELS for item in one.model_fields.items()]
    assert len(fields) > 100
    assert [(model, name) for model, name, field in fields if not field.description] == []
    assert [model.__name__ for model in FORM_MODELS if not model.__doc__] == []


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
