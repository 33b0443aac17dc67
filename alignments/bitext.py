"""Settings of builds that read bitext: languages, corpora, extraction, screening and size of shards."""

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
"""Corpora that the form of the Prefect UI offers as a list: those of the presets (predefined builds)."""


def _check_corpus_name(name: str) -> str:
    """Return the name if it looks like `Europarl/v8` or `Europarl`. Raises ValueError otherwise.

    A name without a release is accepted here. `Bitext.pinned` refuses it later, in a message that lists the releases.
    """
    if not re.fullmatch(f"{_NAME}|{_WITHOUT_RELEASE}", name):
        raise ValueError(
            "expected a corpus and its release, such as Europarl/v8, CCAligned/v1:moses or Europarl/latest"
        )
    return name


CorpusName = Annotated[str, AfterValidator(_check_corpus_name)]


def _add_corpus_list(schema: dict[str, Any]) -> None:
    """Add a list of corpora, a text input and a message for invalid names to the schema of the form."""
    schema["items"] = {
        "anyOf": [
            {"title": "From the list", "type": "string", "enum": list(LISTED_CORPORA)},
            {"title": "By its name", "type": "string"},
        ],
        # for an invalid name, the form shows this sentence instead of the pattern
        "if": {"not": {"type": "string", "pattern": _NAME}},
        "then": {"enum": ["a corpus and its release, such as Europarl/v8"]},
    }


def _accept_paths(schema: dict[str, Any]) -> None:
    """Extend the JSON schema of the setting `own`, so that an entry may be just a path.

    Prefect's form and HTTP API validate entries with this schema. They then accept paths, as the command line does.
    """
    path = {"title": "A path", "type": "string", "minLength": 1}
    schema["items"] = {"anyOf": [path, *schema["items"]["oneOf"]]}


class Bitext(Settings):
    """Settings of a build that reads bitext, from OPUS or from the user's own files."""

    pivot: LanguageCode = Field(default="fr", title="Pivot language")
    """Language of the side that is machine-translated into the language of the pairs."""
    language: LanguageCode = "en"
    """Language of the pairs."""
    corpora: list[CorpusName] = Field(default=["Europarl/v8"], json_schema_extra=_add_corpus_list)
    """OPUS corpora with their releases: name/release, such as Europarl/v8, or name/latest for the release
    that OPUS flags as the latest. A colon and a form may follow: raw (documents, the default), xml
    (tokenised documents) or moses (lines, which are split into sentences again)."""
    own: list[CustomBitextSetting] = Field(
        default=[], title="Bitext of your own", json_schema_extra=_accept_paths
    )
    """Line files, Moses zips, translation memories or tables on the build machine, each as a path
    (memory.tmx, pairs.csv ...) or as JSON."""
    extraction: Extraction = Extraction()
    """Which links and sentences are read, with limits for a first look."""
    screening: Screening = Screening()
    """Which alignments are skipped before translation: boilerplate, wrong languages, duplicates."""
    shard_rows: int = Field(default=5_000, ge=1, title="Shard size")
    """Alignments per shard. A shard ends with the document in which it reaches this number. A failed shard is
    rebuilt alone."""

    @model_validator(mode="before")
    @classmethod
    def _replace_paths(cls, values: Any) -> Any:
        """Replace paths in `own` by settings. If `own` is given and `corpora` is not, no OPUS corpus is read."""
        if not isinstance(values, dict) or not values.get("own"):
            return values
        languages = [values.get(name, cls.model_fields[name].default) for name in _SIDES]
        if not all(language in get_args(LanguageCode) for language in languages):
            return {"corpora": [], **values, "own": []}  # pydantic refuses the languages
        entries = replace_paths(values["own"], lambda path: settings_from_path(path, *languages))
        return {"corpora": [], **values, "own": entries}

    @model_validator(mode="after")
    def _check_languages_and_names(self) -> Self:
        try:
            check_different(self.language, self.pivot)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        releases = [name.partition(":")[0] for name in dict.fromkeys(self.corpora)]
        check_corpus_names([*releases, *(bitext.full_name for bitext in self.own)])
        return self

    @property
    def title(self) -> str:
        """Title of the build, with languages and corpora: `fr-en: Europarl/v8`."""
        names = [*self.corpora, *(bitext.full_name for bitext in self.own)]
        return f"{self.folder}: {', '.join(names)}"

    @property
    def folder(self) -> str:
        """Name of the language pair's folder in the data folder, pivot first: `fr-en`."""
        return f"{self.pivot}-{self.language}"

    def pinned(self, site: Site) -> Self:
        """Return settings in which each corpus has its name in OPUS, and a release in place of `latest`.

        The catalogue is opened only for `latest` and for a name without a release. Raises SettingsError if the latest
        release does not have this language pair, or if a release is not stated.
        """
        names = [
            complete_name(name, self.language, self.pivot, lambda: open_catalogue(site))
            for name in self.corpora
        ]
        # validate again, because two names may turn out to be the same release
        return type(self).model_validate({**dict(self), "corpora": list(dict.fromkeys(names))})

    def sources(self) -> list[Release | CustomBitextRequest]:
        """Return all sources: releases of OPUS, then the user's own bitext."""
        return [*self.releases(), *self.custom_requests()]

    def custom_requests(self) -> list[CustomBitextRequest]:
        """Return a request for each bitext of the user's own: its settings and the two languages."""
        return [CustomBitextRequest(bitext, self.language, self.pivot) for bitext in self.own]

    def releases(self) -> list[Release]:
        """Return the OPUS releases named in `corpora`, for this language pair."""
        return [
            Release.parse(name, self.language, self.pivot) for name in dict.fromkeys(self.corpora)
        ]
