"""Which bitext a recipe reads: two languages, the corpora, and how they are cut into shards."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from alignments.extract import Extraction
from alignments.opus import Release
from pairs.languages import Language
from pairs.settings import Settings

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
        min_length=1,
        title="Corpora",
        description="OPUS corpora, each with its release: name/release, for instance Europarl/v8.",
    )
    extraction: Extraction = Field(
        default=Extraction(), title="Extraction", description="Which links and sentences are read."
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
        return self

    @property
    def title(self) -> str:
        """Name of what is built: `fr-en: Europarl/v8`."""
        return f"{self.pivot}-{self.language}: {', '.join(self.corpora)}"

    @property
    def folder(self) -> str:
        """Folder of the language pair below the data folder, in OPUS order: `en-fr`."""
        return "-".join(sorted((self.language, self.pivot)))

    def releases(self) -> list[Release]:
        """Return the releases named, each once, for this language pair."""
        return [Release.of(name, self.language, self.pivot) for name in dict.fromkeys(self.corpora)]
