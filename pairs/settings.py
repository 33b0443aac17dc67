"""The base of every model that says *what to build*; such models are the flow's form and enter the shard keys."""

import difflib
import hashlib
import json
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from pairs import forms
from pairs.errors import SettingsError


class Settings(BaseModel):
    """Frozen settings that refuse undeclared fields and name the field that was probably meant."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    at_first: ClassVar[frozenset[str]] = frozenset()
    """The fields that a form shows at first, the others are folded (pairs/forms.py); none: it shows all."""
    folded: ClassVar[bool] = False
    """Whether a form folds the whole group, and puts it behind what is not folded."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the form (pairs/forms.py)."""
        schema = handler(core_schema)
        model = handler.resolve_ref_schema(schema)
        for name, field in cls.model_fields.items():
            if isinstance(field.default, Settings):
                forms.group(model["properties"][name], field.default._differing(), folded=field.default.folded)
            else:
                forms.value_or_empty(model["properties"][name])
        if cls.at_first:
            forms.fold(model, cls.at_first)
        return schema

    def _differing(self) -> dict[str, Any]:
        """Return what differs from the defaults, as a form has it."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        return forms.refolded(values, self.at_first) if self.at_first else values

    @model_validator(mode="before")
    @classmethod
    def _name_the_field_meant(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        values = forms.unfolded(values) if cls.at_first else values
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
