"""A release of OPUS: names, addresses of its files, and the files on this machine.

`OPUS-<corpus>/<release>/xml/<a>-<b>.xml.gz` has the links of a language pair, whichever form of the sentences is read.
`raw/<language>.zip` and `xml/<language>.zip` have all documents of a language, untokenised and tokenised.
`moses/<a>-<b>.txt.zip` has all links as lines of text, without documents and sentence boundaries.
"""

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

import regex  # type: ignore[import-untyped]
from pydantic import AfterValidator

from bitext_pivot.alignments import fixes
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import choose

_NAME = regex.compile(
    r"[\p{L}\p{M}\p{Nd}_][\p{L}\p{M}\p{Nd}_.+@-]*"
)  # names.py: of corpora that users supply
DAMAGE_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
"""Exceptions of gzip, bz2, lzma and zipfile for a file or member that is damaged, encrypted or unsupported."""
CorpusForm = Literal["raw", "xml", "moses"]
"""Preprocessing in OPUS: untokenised documents, tokenised documents, or lines of text."""
PLAIN_NAME = "[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"
"""Pattern of a corpus and its release in a form."""


def _check_release_name(name: str) -> str:
    if not re.fullmatch(PLAIN_NAME, name) or name.endswith("/latest"):
        raise ValueError("expected a corpus and its release, such as Europarl/v8")
    return name


RawReleaseName = Annotated[str, AfterValidator(_check_release_name)]
"""A corpus and its release, read from the raw form: `Europarl/v8`."""


def check_corpus_names(names: Sequence[str]) -> None:
    """Raise ValueError if no corpus is named, or two of them would have the same rows or files."""
    if not names:
        raise ValueError(
            "corpora and own are both empty; expected something to read: name a corpus"
        )
    files = {name.replace("/", "-").casefold() for name in names}  # Europarl-v8-00000.parquet
    if len(files) < len(names):
        raise ValueError(
            f"{', '.join(names)} has a release twice, perhaps with - in place of / or in other case, and rows and "
            "files are distinguished by it: name each once"
        )


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a corpus for one pair of languages, in the order of OPUS: with few exceptions ASCII order."""

    corpus: str
    version: str
    a: str
    b: str
    form: CorpusForm = "raw"

    def __post_init__(self) -> None:
        choose(self.form, list(get_args(CorpusForm)), what=f"form of {self.name}")
        for name in (self.corpus, self.version, self.a, self.b):
            if not _NAME.fullmatch(name):
                raise SettingsError(
                    f"{name!r} in {self.name!r} cannot be part of an OPUS address: expected letters, digits and "
                    ". _ + @ - only, as in Europarl/v7 and pt_BR. Fix the name."
                )

    @classmethod
    def of(cls, name: str, first: str, second: str) -> "Release":
        """Return the release named `corpus/version` or `corpus/version:form`, of two languages in any order.

        Raises SettingsError for any other name.
        """
        name, _, form = name.partition(":")
        corpus, _, version = name.partition("/")
        a, b = fixes.opus_order(corpus, version, first, second)
        return cls(corpus, version, a, b, cast(CorpusForm, form or "raw"))

    @property
    def languages(self) -> tuple[str, str]:
        """The two languages in OPUS order: links go from the first to the second."""
        return self.a, self.b

    @property
    def full_name(self) -> str:
        """Corpus and version: `Europarl/v8`."""
        return f"{self.corpus}/{self.version}"

    @property
    def name(self) -> str:
        """`corpus/version/a-b`, the first part of every alignment's id."""
        return f"{self.full_name}/{self.a}-{self.b}"

    @property
    def links(self) -> str:
        """Address of the link file, relative to the base."""
        return f"OPUS-{self.full_name}/xml/{self.a}-{self.b}.xml.gz"

    @property
    def lines(self) -> str:
        """Address of the zip of lines (form `moses`), relative to the base."""
        return f"OPUS-{self.full_name}/moses/{self.a}-{self.b}.txt.zip"

    def sentences(self, language: str) -> str:
        """Return the address of a language's documents (forms `raw` and `xml`), relative to the base."""
        return f"OPUS-{self.full_name}/{self.form}/{language}.zip"

    @property
    def files(self) -> tuple[str, ...]:
        """Addresses of the files to download, relative to the base; the first one has the links.

        Of a pair of one language twice those are its documents, which have no links.
        """
        if self.a == self.b:
            return (self.sentences(self.a),)
        if self.form == "moses":
            return (self.lines,)
        return self.links, self.sentences(self.a), self.sentences(self.b)


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The files of a release on this machine."""

    release: Release
    paths: Mapping[str, Path]
    """By address relative to the base, in the order of `release.files`."""
    identity: Mapping[str, Mapping[str, str | int]]
    """What enters the key of a shard, by address relative to the base: `bytes` of the whole file, and its `sha256`, or
    the digest of the `directory` of a zip of documents."""

    @property
    def links(self) -> Path:
        """The link file (forms `raw` and `xml`)."""
        return self.paths[self.release.links]

    @property
    def lines(self) -> Path:
        """The zip of lines (form `moses`)."""
        return self.paths[self.release.lines]

    def sentences(self, language: str) -> Path:
        """Return the documents of a language (forms `raw` and `xml`)."""
        return self.paths[self.release.sentences(language)]

    @property
    def sha256(self) -> str:
        """SHA-256 of the first file."""
        return str(self.identity[self.release.files[0]]["sha256"])


def document_names(member: str) -> Iterator[str]:
    """Yield the names that links may use for a member of a zip: with and without up to two leading folders."""
    yield member
    for _ in range(2):
        _, separator, member = member.partition("/")
        if separator:
            yield member
