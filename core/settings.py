"""Base of all settings models that say *what to build*: they make the form of a flow and enter the shard keys."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.similar import question

_LISTED = 12
"""Names that a message lists beside the one that was probably meant: more would hide it."""
_MOST = 40
"""Names that a message lists if none is like the one that was given."""


_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": (int, float),
    "float": (int, float),
    "bool": bool,
}
"""What a value is by the type of its part of a schema."""


class Word(str):
    """A text that was typed: it becomes a number where a setting is one."""

    __slots__ = ()


def _typed(schema: Any, cls: type) -> Any:
    """Return a part of a schema of a class in which numbers and truth values check their type first."""
    if isinstance(schema, list):
        return [_typed(part, cls) for part in schema]
    if not isinstance(schema, dict) or schema.get("cls", cls) is not cls:
        return schema
    parts = {name: _typed(part, cls) for name, part in schema.items()}
    kind = schema.get("type")
    if kind not in _KINDS:
        return parts
    return core_schema.no_info_before_validator_function(partial(_checked, kind), parts)


def _checked(kind: str, value: Any) -> Any:
    is_other = isinstance(value, bool) and kind != "bool"
    if is_other or not isinstance(value, _KINDS[kind]) and not isinstance(value, Word):
        raise PydanticKnownError(f"{kind}_type")  # type: ignore[arg-type]
    return value


class Settings(BaseModel):
    """Frozen settings. Unknown fields are refused with the name of the field that was probably meant.

    JSON, TOML and Python give values of their types: `true` and "1" are no numbers, and 1 is no truth value.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        field_title_generator=lambda name, _: name.replace("_", " ").capitalize(),
        allow_inf_nan=False,
    )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the class, which takes no value for one of another type."""
        schema: CoreSchema = _typed(handler(source), cls)
        return schema

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_fields(cls, values: Any) -> Any:
        if isinstance(values, dict):
            refuse_unknown_fields(cls, values)
        return values


def refuse_unknown_fields(
    form: type[BaseModel], values: Mapping[str, Any], *, what: str = "", advice: str = ""
) -> None:
    """Raise ValueError for the first name in `values` that is no field of a form, with the field that was meant.

    `what` the fields are, and `advice` are for the message.
    """
    fields = form.model_fields
    names = set(fields) | {field.alias for field in fields.values() if field.alias}
    for name in values:
        if name in names:
            continue
        inner = [
            group
            for group, field in fields.items()
            if name in getattr(field.annotation, "model_fields", {})
        ]
        if inner:
            raise ValueError(f"{name!r} is no setting of {form.__name__}: write {inner[0]}.{name}.")
        problem = misspelt(str(name), sorted(names), what=what or f"setting of {form.__name__}")
        raise ValueError(f"{problem} {advice}".rstrip())


def local_files(settings: object) -> list[Path]:
    """Return the files and folders of this machine that settings name, at any depth, in their order."""
    if isinstance(settings, Path):
        return [settings]
    if isinstance(settings, BaseModel):
        settings = list(dict(settings).values())
    return (
        [path for value in settings for path in local_files(value)]
        if isinstance(settings, list)
        else []
    )


def misspelt(name: str, names: Sequence[str], *, what: str) -> str:
    """Return the message for an unknown name, with the nearest of `names`."""
    problem = f"{name!r} is no {what}."
    meant = question(name, names, likeness=0.5)
    if meant and len(names) > _LISTED:
        return problem + meant
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{problem}{meant} Known: {', '.join(names[:_MOST]) or 'none'}{more}."


def choose(name: str, names: list[str], *, what: str) -> str:
    """Return `name` if it is one of `names`; raise SettingsError with the nearest name otherwise."""
    if name not in names:
        raise SettingsError(misspelt(str(name), names, what=what))
    return name


def key(*parts: object) -> str:
    """Return eight hexadecimal digits that change whenever one of the parts (settings, names, numbers) does."""
    plain = [
        part.model_dump(mode="json") if isinstance(part, BaseModel) else part for part in parts
    ]
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
