"""What a form refuses across its groups: language pairs without a default model, languages without a parser.

Imports neither Prefect nor a model library, so that settings can be read without them.
"""

from typing import Any, get_args

from alignments.bitext import Bitext, refused_together
from pairs.errors import SettingsError
from pairs.languages import Language
from pairs.pipelines import default_pipeline
from translation.directions import pivots_into


def refused_in_the_form(schema: dict[str, Any]) -> None:
    """Add to the schema of a form what `check` would refuse and what is known without opening a model.

    Without a model of its own a build needs a direction that translation/models.toml knows, and without a pipeline of
    its own a language that pairs/pipelines.toml knows.
    """
    languages = list(get_args(Language))
    no_model = {"engine": {"enum": ["marian", "marian-transformers"]}, "model": {"type": "null"}}
    own_model = "any other language, with a model named under Translation"
    own_pipeline = "any other language, with a pipeline named under Parser"
    by_default = Bitext.model_fields["language"].default  # where a request says nothing
    directions = [
        {
            "if": {
                "properties": {"language": {"const": language}, "pivot": {"enum": languages}},
                "required": [] if language == by_default else ["language"],
            },
            "then": {"properties": {"pivot": {"enum": [*pivots_into(language), language, own_model]}}},
        }
        for language in languages
        if pivots_into(language)
    ]
    no_pivot = {"enum": [language for language in languages if not pivots_into(language)]}
    directions.append(  # one rule for all of them: the server checks the whole schema for each deployment
        {
            "if": {"properties": {"language": no_pivot, "pivot": {"enum": languages}}, "required": ["language"]},
            "then": {"properties": {"pivot": {"enum": [own_model]}}},
        }
    )
    refused = refused_together()
    refused["pivot"]["allOf"].append(_if_part("translation", no_model) | {"then": {"allOf": directions}})
    unparsed = {"enum": [language for language in languages if not _has_pipeline(language)]}
    parsed = [*(language for language in languages if _has_pipeline(language)), own_pipeline]
    told = {"properties": {"language": {"if": unparsed, "then": {"enum": parsed}}}}
    refused["language"] = _if_part("parser", {"pipeline": {"type": "null"}}) | {"then": told}
    schema["dependentSchemas"] = refused


def _has_pipeline(language: str) -> bool:
    try:
        default_pipeline(language)
    except SettingsError:
        return False
    return True


def _if_part(group: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the condition that a group has such fields, or does not have them at all."""
    return {"if": {"properties": {group: {"properties": fields}}}}
