"""Which bitext a recipe reads: two languages, the corpora, and how they are cut into shards."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from alignments.catalogue.entries import named
from alignments.catalogue.opusdata import database
from alignments.extract import Extraction
from alignments.opus import Release
from alignments.own import Asked, OwnBitext
from alignments.screening.screen import Screening
from pairs.languages import Language
from pairs.settings import Settings
from pairs.site import Site

CorpusRelease = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+(:(raw|xml|moses))?$")]


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
    )
    own: list[OwnBitext] = Field(
        default=[],
        title="Bitext of your own",
        description="Line files, Moses zips, translation memories or document folders on this machine.",
    )
    extraction: Extraction = Field(
        default=Extraction(), title="Extraction", description="Which links and sentences are read."
    )
    screening: Screening = Field(
        default=Screening(), title="Screening", description="Boilerplate, wrong languages, repetitions."
    )
    shard_rows: int = Field(
        default=5_000,
        ge=1,
        title="Rows a shard",
        description="A shard ends with the document in which it reaches so many alignments.",
    )

    @model_validator(mode="after")
    def _two_languages(self) -> Self:
        if self.language == self.pivot:
            raise ValueError(
                f"language and pivot are both {self.language!r}; the two sides of a bitext differ: name another pivot"
            )
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
        return f"{self.pivot}-{self.language}: {', '.join(names)}"

    @property
    def folder(self) -> str:
        """Folder of the language pair below the data folder, in OPUS order: `en-fr`."""
        return "-".join(sorted((self.language, self.pivot)))

    def pinned(self, site: Site | None = None) -> Self:
        """Return these settings with every corpus by OPUS' name and every `latest` by the name of that release.

        What is built and recorded must say which release it is; the catalogue is opened only when one is `latest`.
        Raises SettingsError when the catalogue has no such corpus, or not for this pair.
        """
        names = [named(name, self.language, self.pivot, lambda: database(site or Site())) for name in self.corpora]
        # validated anew, because only now a release that is named twice is seen to be
        return type(self).model_validate({**dict(self), "corpora": list(dict.fromkeys(names))})

    def sources(self) -> list[Release | Asked]:
        """Return all that is to be read."""
        return [*self.releases(), *(Asked(own, self.language, self.pivot) for own in self.own)]

    def releases(self) -> list[Release]:
        """Return the releases named, each once, for this language pair."""
        return [Release.of(name, self.language, self.pivot) for name in dict.fromkeys(self.corpora)]
