"""Settings of the text side of a recipe over documents: a language, corpora of OPUS and documents of the user."""

import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.custom_paths import replace_paths
from bitext_pivot.alignments.extraction import SkipDamaged
from bitext_pivot.alignments.release import RawReleaseName, Release, check_corpus_names
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.reading.monolingual import CustomDocuments, DocumentSource

CustomDocumentsSetting = Annotated[CustomDocuments, Field(discriminator="kind")]


class RunningText(Settings):
    """The text side of a recipe's form."""

    NAME: ClassVar[str] = "documents"
    """Name of the recipe, first in the title and in the name of the folder of its data sets."""

    language: LanguageCode = "en"
    """Language of the documents."""
    corpora: list[RawReleaseName] = ["Europarl/v8"]
    """OPUS corpora with their releases, such as Europarl/v8; all their documents in the language are read,
    from the raw form."""
    skip_damaged: SkipDamaged = False
    """Leave out documents that are damaged in their archive, and count them. Otherwise the archive is fetched
    again, and the build stops if it is still damaged."""
    own: list[CustomDocumentsSetting] = Field(default=[], title="Documents of your own")
    """Folders of texts and files on the build machine."""
    shard_rows: int = Field(default=5_000, ge=1, title="Shard size")
    """Sentences per shard; a shard ends with the document in which it reaches this number. A failed shard is
    rebuilt alone."""

    @model_validator(mode="before")
    @classmethod
    def _read_paths(cls, values: Any) -> Any:
        """Replace paths in `own` by settings; without `corpora` only `own` is read."""
        if not isinstance(values, dict) or not values.get("own"):
            return values
        return {"corpora": [], **values, "own": replace_paths(values["own"], _settings_from_path)}

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        check_corpus_names(self.names)
        return self

    @property
    def names(self) -> list[str]:
        """Corpora and releases, those of OPUS first: `Europarl/v8`."""
        return [*self.corpora, *(documents.full_name for documents in self.own)]

    @property
    def title(self) -> str:
        """Name of what is built: `discofuse-en: Europarl/v8`."""
        return f"{self.NAME}-{self.language}: {', '.join(self.names)}"

    @property
    def documents(self) -> list[DocumentSource]:
        """All documents: releases of OPUS, then those of the user."""
        return [
            *(Release.parse(name, self.language, self.language) for name in self.corpora),
            *self.own,
        ]


def _settings_from_path(path: Path) -> dict[str, Any]:
    """Return the settings of `CustomDocumentsSetting` for a path; the corpus gets the name of the file or folder."""
    if path.is_dir():
        kind = "folder"
    elif row_files.ending(path) in row_files.TABLES or not path.exists():
        kind = "jsonl"
    else:
        raise ValueError(
            f"own: {path} is one file; expected JSON lines (.jsonl), CSV, Parquet or a folder "
            "of texts: name its folder"
        )
    return {
        "kind": kind,
        "name": name_from_stem(re.split(r"\.(?:jsonl?|ndjson|csv|parquet|arrow)\b", path.name)[0]),
        "path": path,
    }
