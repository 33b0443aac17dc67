"""Settings of a recipe that reads documents: language, OPUS corpora and the user's own documents."""

import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.custom_paths import replace_paths
from bitext_pivot.alignments.extraction import SkipDamaged
from bitext_pivot.alignments.release import RawReleaseName, Release, check_corpus_names
from bitext_pivot.core import text_files
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.reading.monolingual import CustomDocuments, DocumentSource

CustomDocumentsSetting = Annotated[CustomDocuments, Field(discriminator="kind")]


class RunningText(Settings):
    """Settings of a recipe that reads documents."""

    NAME: ClassVar[str] = "documents"
    """Name of the recipe. The title of a build and the name of its folder begin with it."""

    language: LanguageCode = "en"
    """Language of the documents."""
    corpora: list[RawReleaseName] = ["Europarl/v8"]
    """OPUS corpora with their releases, such as Europarl/v8. All their documents in the language are read, in
    the raw form."""
    skip_damaged: SkipDamaged = False
    """Skip and count documents that are damaged inside their archive. Otherwise the archive is downloaded
    again, and the build stops if it is still damaged."""
    own: list[CustomDocumentsSetting] = Field(default=[], title="Documents of your own")
    """Folders of text files, JSON lines and tables on the build machine."""
    shard_rows: int = Field(default=5_000, ge=1, title="Shard size")
    """Number of sentences per shard. Each shard is built on its own, and a failed shard is rebuilt alone. A shard ends
    with the document in which it reaches this number."""

    @model_validator(mode="before")
    @classmethod
    def _read_paths(cls, values: Any) -> Any:
        """Replace paths in `own` by settings.

        If `own` is given and `corpora` is not, no OPUS corpus is read.
        """
        if not isinstance(values, dict) or not values.get("own"):
            return values
        return {"corpora": [], **values, "own": replace_paths(values["own"], _settings_from_path)}

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        check_corpus_names(self.names)
        return self

    @property
    def names(self) -> list[str]:
        """Names of the OPUS corpora, such as `Europarl/v8`, then of the user's own documents."""
        return [*self.corpora, *(documents.full_name for documents in self.own)]

    @property
    def title(self) -> str:
        """Title of the build: `discofuse-en: Europarl/v8`."""
        return f"{self.NAME}-{self.language}: {', '.join(self.names)}"

    @property
    def documents(self) -> list[DocumentSource]:
        """The sources of documents: the OPUS releases, followed by the user's own documents."""
        return [
            *(Release.parse(name, self.language, self.language) for name in self.corpora),
            *self.own,
        ]


def _settings_from_path(path: Path) -> dict[str, Any]:
    """Return the settings of the user's own documents at a path.

    The name of the file or folder becomes the name of the corpus.
    """
    if path.is_dir():
        kind = "folder"
    elif text_files.extension(path) in row_files.TABLE_EXTENSIONS or not path.exists():
        kind = "jsonl"
    else:
        raise ValueError(
            f"own: {path} is a single text file; expected JSON lines (.jsonl), CSV, Parquet or a folder "
            "of text files: name its folder"
        )
    return {
        "kind": kind,
        "name": name_from_stem(re.split(r"\.(?:jsonl?|ndjson|csv|parquet|arrow)\b", path.name)[0]),
        "path": path,
    }
