"""Which bitext a recipe reads: two languages, the corpora, and how they are cut into shards."""

import re
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from alignments.catalogue.names import named
from alignments.catalogue.opusdata import database
from alignments.extract import Extraction
from alignments.own import Asked, OwnBitext
from alignments.own_paths import from_path
from alignments.release import Release
from alignments.screening.screen import Screening
from pairs.errors import SettingsError
from pairs.languages import Language, check_different
from pairs.settings import Settings
from pairs.site import Site

_NAME = r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+(:(raw|xml|moses))?$"
_WITHOUT_RELEASE = r"[A-Za-z0-9_.-]+"
OFFERED = (
    "CCAligned/v1", "EMEA/v3", "EUconst/v1", "Europarl/v8", "giga-fren/v2", "JRC-Acquis/v3.0", "News-Commentary/v16",
    "ParaCrawl/v7.1", "UN/v20090831",
)  # fmt: skip
"""The corpora that a form offers: those of the presets. Any other may be named."""


def _corpus(name: str) -> str:
    """Return a name that is one; that a release is missing is said by `pinned`, which knows the releases."""
    if not re.fullmatch(f"{_NAME}|{_WITHOUT_RELEASE}", name):
        raise ValueError(
            "expected a corpus and its release, such as Europarl/v8, CCAligned/v1:moses or Europarl/latest"
        )
    return name


CorpusRelease = Annotated[str, AfterValidator(_corpus)]


def _offered(schema: dict[str, Any]) -> None:
    """Let a form offer corpora to choose from, with a line to name another one, and say what a name looks like."""
    schema["items"] = {
        "anyOf": [
            {"title": "From the list", "type": "string", "enum": list(OFFERED)},
            {"title": "By its name", "type": "string"},
        ],
        # words instead of the validator's "does not match": the only value expected is a sentence
        "if": {"not": {"type": "string", "pattern": _NAME}},
        "then": {"enum": ["a corpus and its release, such as Europarl/v8"]},
    }


class Bitext(Settings):
    """The bitext side of a recipe's form."""

    pivot: Language = Field(
        default="fr",
        title="Pivot language",
        description="Language of the other side of the bitext: it is translated away.",
    )
    language: Language = Field(default="en", title="Language", description="Language of the pairs that are built.")
    corpora: list[CorpusRelease] = Field(
        default=["Europarl/v8"],
        title="Corpora",
        description="OPUS corpora, each with its release: name/release, for instance Europarl/v8; name/latest is the "
        "one that OPUS flags as the latest, which is then recorded by its name. Behind a colon the form that is read: "
        "raw (documents, the default), xml (tokenised documents), moses (lines, split anew).",
        json_schema_extra=_offered,
    )
    own: list[OwnBitext] = Field(
        default=[],
        title="Bitext of your own",
        description="Line files, Moses zips, translation memories or document folders on the machine that builds.",
    )
    extraction: Extraction = Field(
        default=Extraction(),
        title="Extraction",
        description="Which links and sentences are read: here a first look is kept small.",
    )
    screening: Screening = Field(
        default=Screening(),
        title="Screening",
        description="What is left out before it is translated: boilerplate, wrong languages, repetitions.",
    )
    shard_rows: int = Field(
        default=5_000,
        ge=1,
        title="Rows a shard",
        description="A shard ends with the document in which it reaches so many alignments. What fails is built "
        "anew shard by shard.",
    )

    @model_validator(mode="before")
    @classmethod
    def _read_paths(cls, values: Any) -> Any:
        """Turn paths among `own` into settings (own_paths.py); without `corpora` only `own` is then read."""
        if not isinstance(values, dict) or not values.get("own"):
            return values
        pair = (values.get(name, cls.model_fields[name].default) for name in ("language", "pivot"))
        languages = tuple(map(str, pair))
        try:
            own = [from_path(one, *languages) if isinstance(one, str | Path) else one for one in values["own"]]
        except SettingsError as error:
            raise ValueError(str(error)) from error
        return {"corpora": [], **values, "own": own}

    @model_validator(mode="after")
    def _two_languages(self) -> Self:
        try:
            check_different(self.language, self.pivot)
        except SettingsError as error:
            raise ValueError(str(error)) from error
        if not self.corpora and not self.own:
            raise ValueError("corpora and own are both empty; expected something to read: name a corpus")
        forms = [name.partition(":")[0] for name in dict.fromkeys(self.corpora)]
        names = [*forms, *(f"{own.name}/{own.release}" for own in self.own)]
        if len(set(names)) < len(names):
            raise ValueError(f"{', '.join(names)} has a release twice, and rows are told apart by it: name each once")
        return self

    @property
    def title(self) -> str:
        """Name of what is built: `fr-en: Europarl/v8`."""
        names = [*self.corpora, *(f"{own.name}/{own.release}" for own in self.own)]
        return f"{self.folder}: {', '.join(names)}"

    @property
    def folder(self) -> str:
        """Folder of the language pair below the data folder, pivot first as in the title: `fr-en`."""
        return f"{self.pivot}-{self.language}"

    def pinned(self, site: Site) -> Self:
        """Return these settings with every corpus by OPUS' name and every `latest` by the name of that release.

        What is built and recorded must say which release it is; the catalogue is opened only when one is `latest`.
        Raises SettingsError when the catalogue has no such corpus, or not for this pair.
        """
        names = [named(name, self.language, self.pivot, lambda: database(site)) for name in self.corpora]
        # validated anew, because only now a release that is named twice is seen to be
        return type(self).model_validate({**dict(self), "corpora": list(dict.fromkeys(names))})

    def sources(self) -> list[Release | Asked]:
        """Return all that is to be read."""
        return [*self.releases(), *(Asked(own, self.language, self.pivot) for own in self.own)]

    def releases(self) -> list[Release]:
        """Return the releases named, each once, for this language pair."""
        return [Release.of(name, self.language, self.pivot) for name in dict.fromkeys(self.corpora)]
