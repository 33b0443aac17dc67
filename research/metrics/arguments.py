"""Texts of an evaluation that come from a program, checked as the lines of files are."""

from collections.abc import Mapping

from bitext_pivot.core.arguments import as_list, as_texts, described
from bitext_pivot.core.errors import SettingsError

_SYSTEMS = "a dictionary with a list of outputs for each system, such as {'mine': outputs}"
_REFERENCES = "a list of references for each source, such as [['It rained. <SEP> We left.']]"


def sources_of(value: object) -> list[str]:
    """Return the sources as a list. Raises SettingsError if they are no texts or there are none."""
    sources = as_texts(value, name="sources", expected="a list with one text for each line")
    if not sources:
        raise SettingsError("sources: there are none. Expected at least one text.")
    return sources


def references_of(value: object) -> list[list[str]]:
    """Return the references of each source as lists. Raises SettingsError if a line has no list of texts."""
    lines = as_list(value, name="references", expected=_REFERENCES)
    return [
        as_texts(line, name=f"references of line {number}", expected=_REFERENCES)
        for number, line in enumerate(lines, 1)
    ]


def systems_of(value: object) -> dict[str, list[str]]:
    """Return the outputs of each system as a list. Raises SettingsError if there is no system, or one without texts."""
    if not isinstance(value, Mapping):
        raise SettingsError(f"outputs: {described(value)} is no dictionary. Expected {_SYSTEMS}.")
    if not value:
        raise SettingsError(f"outputs: there is no system. Expected {_SYSTEMS}.")
    for name in value:
        if not isinstance(name, str) or not name:
            raise SettingsError(
                f"outputs: {described(name)} is no name of a system. Expected {_SYSTEMS}."
            )
    return {
        name: as_texts(lines, name=name, expected="one output for each source")
        for name, lines in value.items()
    }
