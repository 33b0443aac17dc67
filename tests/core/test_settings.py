"""Settings refuse what they do not know, and keys change exactly when settings do."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings, Word, choose, key, local_files

ROOT = Path(__file__).parents[2]
BASES = {"Settings", "BaseSettings"}


class Overlap(Settings):
    """An example."""

    min_ratio: float = Field(default=0.25, ge=0, le=1)
    """Least r."""


class Chain(Settings):
    """A group with a nested one."""

    filters: Overlap = Overlap()


@pytest.mark.parametrize(
    ("model", "name", "message"),
    [
        (
            Overlap,
            "min_ration",
            r"'min_ration' is not a setting. Did you mean 'min_ratio'\?",
        ),
        (
            Chain,
            "min_ratio",
            r"'min_ratio' is not a setting at this place: write filters\.min_ratio\.",
        ),
    ],
)
def test_an_unknown_field_is_refused_with_the_name_meant(
    model: type[Settings], name: str, message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        model.model_validate({name: 0.5})


class Numbers(Settings):
    """One of each type that another one passes for."""

    whole: int = 1
    part: float | None = 1.0
    switch: bool = False
    many: dict[str, list[int]] = {}
    inner: Overlap = Overlap()


@pytest.mark.parametrize("values", [
    {"whole": True}, {"whole": "1"}, {"whole": 1.5}, {"part": True}, {"part": "0.5"}, {"switch": 1},
    {"switch": "true"}, {"many": {"a": [1, True]}}, {"many": {"a": ["1"]}}, {"inner": {"min_ratio": True}},
])  # fmt: skip
def test_only_a_typed_word_becomes_a_number(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="valid (number|integer|boolean)"):
        Numbers.model_validate(values)
    with pytest.raises(ValidationError):
        Numbers.model_validate_json(json.dumps(values))
    typed = Numbers(whole=Word("2"), part=Word("1"), switch=Word("true"), many={"a": [Word("3")]})
    assert typed == Numbers(whole=2, part=1, switch=True, many={"a": [3]})


def test_a_key_is_eight_hexadecimal_digits_of_the_content() -> None:
    assert key(Overlap(), "a") == key(Overlap(min_ratio=0.25), "a")
    assert len({key(Overlap(), "a"), key(Overlap(min_ratio=0.3), "a"), key(Overlap(), "b")}) == 3
    assert len(key("a")) == 8
    assert int(key("a"), 16) >= 0


class Sources(Settings):
    """Files at several depths."""

    file: Path
    groups: list[Path | str | Overlap] = []
    inner: "Sources | None" = None


def test_the_files_of_settings_are_found_at_any_depth_in_order() -> None:
    inner = Sources(file=Path("c"), groups=["text", Overlap(), Path("d")])
    assert local_files(Sources(file=Path("a"), groups=[Path("b")], inner=inner)) == [
        Path(name) for name in "abcd"
    ]
    assert local_files(Chain()) == []


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(
        SettingsError, match=r"'Europrl' is not a corpus. Did you mean 'Europarl'\? Known: Books"
    ):
        choose("Europrl", ["Books", "Europarl"], what="corpus")


def classes() -> dict[str, ast.ClassDef]:
    """All classes of the product by file and name."""
    found = {}
    for package in ROOT.glob("*/__init__.py"):
        for path in package.parent.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[f"{path.relative_to(ROOT)}:{node.name}"] = node
    return found


def settings_classes() -> dict[str, ast.ClassDef]:
    """The classes that derive from Settings or BaseSettings, also through others."""
    everything = classes()
    bases = set(BASES)
    found: dict[str, ast.ClassDef] = {}
    before = -1
    while len(found) > before:
        before = len(found)
        for where, node in everything.items():
            if bases & {ast.unparse(base) for base in node.bases}:
                found[where] = node
                bases.add(node.name)
    return found


def faults(node: ast.ClassDef) -> Iterator[str]:
    """Say what is against the convention of settings: docstrings for descriptions, titles only if they say more."""
    for field, following in zip(node.body, [*node.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or "ClassVar" in ast.unparse(field.annotation):
            continue
        name = ast.unparse(field.target)
        if not (isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)):
            yield f"{name} has no docstring"
        for word in ast.walk(field):
            if isinstance(word, ast.keyword) and word.arg == "description":
                yield f"{name} has a description"
            if isinstance(word, ast.keyword) and word.arg == "title":
                if ast.unparse(word.value) == repr(name.replace("_", " ").capitalize()):
                    yield f"{name} has the title of its name"


def test_settings_are_described_in_docstrings_and_named_by_their_fields() -> None:
    found = settings_classes()
    assert [f"{where}: {fault}" for where, node in found.items() for fault in faults(node)] == []
    names = {where.rpartition(":")[2] for where in found}
    assert (
        len(found) > 90
        and {"Site", "PrefectServer", "PivotBitext", "Apply", "EntailmentFilter", "AnswerFile"}
        <= names
    )


def test_docstrings_and_names_reach_the_schema_of_all_commands() -> None:
    from bitext_pivot.commands.run import commands_model

    schema = commands_model().model_json_schema()
    forms = {name: form for name, form in schema["$defs"].items() if "properties" in form} | {
        "Command": schema
    }
    assert {"Build", "Filters", "Hyperparameters", "Evaluate"} <= forms.keys()
    fields = {
        f"{form}.{name}": field
        for form in forms
        for name, field in forms[form]["properties"].items()
    }
    assert [name for name, field in fields.items() if not field.get("description")] == []
    assert fields["Hyperparameters.learning_rate"]["title"] == "Learning rate"
    # pydantic itself gives no title to a group.
    assert fields["Filters.advanced"]["title"] == "Advanced"
