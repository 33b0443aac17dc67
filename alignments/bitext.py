"""Settings of the bitext side of a recipe: two languages, corpora, extraction, screening, shards."""

import re
from typing import Annotated, Any, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from bitext_pivot.alignments.catalogue.entries import complete_name
from bitext_pivot.alignments.catalogue.opusdata import open_catalogue
from bitext_pivot.alignments.custom_bitext import CustomBitextRequest, CustomBitextSetting
from bitext_pivot.alignments.custom_paths import replace_paths, settings_from_path
from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.release import PLAIN_NAME, Release, check_corpus_names
from bitext_pivot.alignments.screening.screen import Screening
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import LanguageCode, check_different
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site

_SIDES = ("language", "pivot")
_NAME = rf"^{PLAIN_NAME}(:(raw|xml|moses))?$"
_WITHOUT_RELEASE = r"[A-Za-z0-9_.-]+"
LISTED_CORPORA = (
    "CCAligned/v1", "EMEA/v3", "EUconst/v1", "Europarl/v8", "giga-fren/v2", "JRC-Acquis/v3.0", "News-Commentary/v16",
    "ParaCrawl/v7.1", "UN/v20090831",
)  # fmt: skip
"""The corpora that the form lists: those of the presets."""


def _check_corpus_name(name: str) -> str:
    """Return a valid name; `pinned` refuses one without release, because it knows the releases."""
    if not re.fullmatch(f"{_NAME}|{_WITHOUT_RELEASE}", name):
        raise ValueError(
            "expected a corpus and its release, such as Europarl/v8, CCAligned/v1:moses or Europarl/latest"
        )
    return name


CorpusName = Annotated[str, AfterValidator(_check_corpus_name)]


def _add_corpus_list(schema: dict[str, Any]) -> None:
    """Add to the form a list of corpora, an input for any other name, and a message about invalid names."""
    schema["items"] = {
        "anyOf": [
            {"title": "From the list", "type": "string", "enum": list(LISTED_CORPORA)},
            {"title": "By its name", "type": "string"},
        ],
        # the form shows this sentence for an invalid name, instead of the pattern
        "if": {"not": {"type": "string", "pattern": _NAME}},
        "then": {"enum": ["a corpus and its release, such as Europarl/v8"]},
    }


def _accept_paths(schema: dict[str, Any]) -> None:
    """Let the form and HTTP give a path, as the command does, in place of the settings of a bitext."""
    path = {"title": "A path", "type": "string", "minLength": 1}
    schema["items"] = {"anyOf": [path, *schema["items"]["oneOf"]]}


class Bitext(Settings):
    """The bitext side of a recipe's form."""

    pivot: LanguageCode = Field(default="fr", title="Pivot language")
    """Language of the other side of the bitext, machine-translated into the target language."""
    language: LanguageCode = "en"
    """Language of the pairs that are built."""
    corpora: list[CorpusName] = Field(default=["Europarl/v8"], json_schema_extra=_add_corpus_list)
    """OPUS corpora with their releases: name/release, such as Europarl/v8, or name/latest, which is replaced
    by the release that OPUS flags as the latest. Append a form after a colon: raw (documents, the default),
    xml (tokenised documents), moses (lines, split into sentences again)."""
    own: list[CustomBitextSetting] = Field(
        default=[], title="Bitext of your own", json_schema_extra=_accept_paths
    )
    """Line files, Moses zips, translation memories or tables on the build machine: a path (memory.tmx, pairs.csv
    ...) or JSON."""
    extraction: Extraction = Extraction()
    """Which links and sentences are read; limits for a first look."""
    screening: Screening = Screening()
    """What is left out before translation: boilerplate, wrong languages, duplicates."""
    shard_rows: int = Field(default=5_000, ge=1, title="Shard size")
    """Alignments per shard; a shard ends with the document in which it reaches this number. A failed shard is
    rebuilt alone."""

    @model_validator(mode="before")
    @classmethod
    def _read_paths(cls, values: Any) -> Any:
        """Replace paths in `own` by settings (custom_paths.py); without `corpora` only `own` is read."""
        if not isinstance(values, dict) or not values.get("own"):
            return values
        languages = [values.get(name, cls.model_fields[name].default) for name in _SIDES]
        if not all(language in get_args(LanguageCode) for language in languages):
            return {"corpora": [], **values, "own": []}  # the languages are refused
        entries = replace_paths(values["own"], lambda path: settings_from_path(path, *languages))
        return {"corpora": [], **values, "own": entries}

    @model_validator(mode="after")
    def _two_languages(self) -> Self:
        try:
            check_different(self.language, self.pivot)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        releases = [name.partition(":")[0] for name in dict.fromkeys(self.corpora)]
        check_corpus_names([*releases, *(bitext.full_name for bitext in self.own)])
        return self

    @property
    def title(self) -> str:
        """Name of what is built: `fr-en: Europarl/v8`."""
        names = [*self.corpora, *(bitext.full_name for bitext in self.own)]
        return f"{self.folder}: {', '.join(names)}"

    @property
    def folder(self) -> str:
        """Folder of the language pair below the data folder, pivot first as in the title: `fr-en`."""
        return f"{self.pivot}-{self.language}"

    def pinned(self, site: Site) -> Self:
        """Return these settings with the names that OPUS uses for corpora, and releases in place of `latest`.

        The catalogue is opened only for `latest`. Raises SettingsError if it does not have such a corpus for this pair.
        """
        names = [
            complete_name(name, self.language, self.pivot, lambda: open_catalogue(site))
            for name in self.corpora
        ]
        # validated again: two names may be the same release
        return type(self).model_validate({**dict(self), "corpora": list(dict.fromkeys(names))})

    def sources(self) -> list[Release | CustomBitextRequest]:
        """Return all sources: releases of OPUS, then user-supplied bitext."""
        return [*self.releases(), *self.requested()]

    def requested(self) -> list[CustomBitextRequest]:
        """Return user-supplied bitext, in these languages."""
        return [CustomBitextRequest(bitext, self.language, self.pivot) for bitext in self.own]

    def releases(self) -> list[Release]:
        """Return the releases of `corpora` for this language pair."""
        return [Release.of(name, self.language, self.pivot) for name in dict.fromkeys(self.corpora)]
