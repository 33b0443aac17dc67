"""The base class of all settings, and messages about unknown names.

The settings of a flow define its form in the Prefect UI, and their values become part of shard keys: the digests in the
folder names of shards.
"""

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
"""A message lists all known names if there are at most this many, otherwise only the most similar name."""
_MOST = 40
"""Maximum number of names a message lists."""


_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": (int, float),
    "float": (int, float),
    "bool": bool,
}
"""The Python types that each type of a pydantic schema accepts."""


class Word(str):
    """A string typed on the command line, which is converted if the setting is a number."""

    __slots__ = ()


def _with_strict_types(schema: Any, cls: type) -> Any:
    """Return a pydantic schema that checks the types of numbers and booleans before it validates them."""
    if isinstance(schema, list):
        return [_with_strict_types(part, cls) for part in schema]
    if not isinstance(schema, dict) or schema.get("cls", cls) is not cls:
        return schema
    parts = {name: _with_strict_types(part, cls) for name, part in schema.items()}
    kind = schema.get("type")
    if kind not in _KINDS:
        return parts
    return core_schema.no_info_before_validator_function(partial(_check_type, kind), parts)


def _check_type(kind: str, value: Any) -> Any:
    is_other = isinstance(value, bool) and kind != "bool"
    if is_other or not isinstance(value, _KINDS[kind]) and not isinstance(value, Word):
        raise PydanticKnownError(f"{kind}_type")  # type: ignore[arg-type]
    return value


class Settings(BaseModel):
    """Frozen settings. An unknown field is refused, with a suggestion if a field has a similar name.

    Values from JSON, TOML and Python must have the right type: `true` and "1" are not numbers, and 1 is not a boolean.
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
        """Return the schema of the class, which does not convert values of another type."""
        schema: CoreSchema = _with_strict_types(handler(source), cls)
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
    """Raise ValueError for the first name in `values` that is not a field of a form, with a suggestion.

    In the message, `what` names the kind of fields and `advice` follows the problem.
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
            raise ValueError(f"{name!r} is not a setting at this place: write {inner[0]}.{name}.")
        problem = misspelt(str(name), sorted(names), what=what or "setting")
        raise ValueError(f"{problem} {advice}".rstrip())


def local_files(settings: object) -> list[Path]:
    """Return the local files and folders that settings name, at any depth, in order."""
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
    """Return the message for an unknown name, with the most similar of the known `names`."""
    problem = f"{name!r} is not a {what}."
    meant = question(name, names, likeness=0.5)
    if meant and len(names) > _LISTED:
        return problem + meant
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{problem}{meant} Known: {', '.join(names[:_MOST]) or 'none'}{more}."


def choose(name: str, names: list[str], *, what: str) -> str:
    """Return `name` if it is one of `names`. Otherwise raise SettingsError with the most similar name."""
    if name not in names:
        raise SettingsError(misspelt(str(name), names, what=what))
    return name


def key(*parts: object) -> str:
    """Return a digest of `parts`, such as settings, names and numbers, in eight hexadecimal digits.

    Such digests are part of the folder names of shards and data sets: `judged-1a2b3c4d`.
    """
    plain = [
        part.model_dump(mode="json") if isinstance(part, BaseModel) else part for part in parts
    ]
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
