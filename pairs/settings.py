"""The base of every model that says *what to build*; such models are the flow's form and enter the shard keys."""

import difflib
import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from pairs.errors import SettingsError


class Settings(BaseModel):
    """Frozen settings that refuse undeclared fields and name the field that was probably meant."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _name_the_field_meant(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        known = set(cls.model_fields) | {field.alias for field in cls.model_fields.values() if field.alias}
        for name in values:
            if name not in known:
                raise ValueError(misspelt(str(name), sorted(known), what=f"setting of {cls.__name__}"))
        return values


def misspelt(name: str, known: list[str], *, what: str) -> str:
    """Say that `name` is not known, and which of the `known` names was probably meant."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return f"{name!r} is no {what}. {hint}Known: {', '.join(known)}."


def choose(name: str, known: list[str], *, what: str) -> str:
    """Return `name` when it is one of `known`; raises SettingsError with the nearest name otherwise."""
    if name not in known:
        raise SettingsError(misspelt(name, known, what=what))
    return name


def key(*parts: object) -> str:
    """Eight hexadecimal digits that change whenever one of the parts (settings, names, numbers) does."""
    plain = [part.model_dump(mode="json") if isinstance(part, BaseModel) else part for part in parts]
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
