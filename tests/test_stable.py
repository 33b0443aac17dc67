"""What CHANGELOG.md calls stable: each name in golden/stable.json is still there. New ones may stand beside them.

A name that may go, in a version that says so, is deleted from that file by hand. New names are added to it by
`python -c "import test_stable; test_stable.write()"` in this folder.
"""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import BaseModel

GOLDEN = Path(__file__).parent / "golden" / "stable.json"


def classes(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the settings models that an annotation names, at any depth."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from classes(part)


def options(model: type[BaseModel], group: str = "") -> Iterator[str]:
    """Yield the settings of a model and of its groups, as options name them."""
    for name, field in model.model_fields.items():
        option = f"{group}{field.alias or name}"
        yield option
        for inner in classes(field.annotation):
            yield from options(inner, f"{option}.")


def stable() -> dict[str, set[str]]:
    """The names that are there now, by what they are names of."""
    import bitext_pivot
    from bitext_pivot.commands.run import commands_model
    from bitext_pivot.core.site import Site
    from bitext_pivot.corpus.recipes.bisect import Row

    names = {"columns": {*get_type_hints(Row)}, "variables": {*options(Site)}}
    for command, field in commands_model().model_fields.items():
        names[command] = {name for form in classes(field.annotation) for name in options(form)}
    for public in bitext_pivot.__all__:
        function = getattr(bitext_pivot, public)
        arguments = inspect.signature(function).parameters if inspect.isfunction(function) else ()
        names[f"import {public}"] = {*arguments}
    return names


def write() -> None:
    """Add the names that are there now to those in the file."""
    names = {of: {*known} for of, known in json.loads(GOLDEN.read_text(encoding="utf-8")).items()}
    for of, present in stable().items():
        names.setdefault(of, set()).update(present)
    lines = {of: sorted(names[of]) for of in sorted(names)}
    GOLDEN.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


@pytest.mark.parametrize("of", sorted(json.loads(GOLDEN.read_text(encoding="utf-8"))))
def test_no_stable_name_is_gone(of: str) -> None:
    known = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert of in stable()
    assert {*known[of]} - stable()[of] == set()
