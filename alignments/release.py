"""A release of an OPUS corpus: its names, the URLs of its files, and the files on this machine.

`OPUS-<corpus>/<release>/xml/<a>-<b>.xml.gz` holds the links of a language pair, for all forms of the sentences.
`raw/<language>.zip` and `xml/<language>.zip` hold all documents of a language, untokenised and tokenised.
`moses/<a>-<b>.txt.zip` holds all links as lines of text, without documents and sentence boundaries.
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

# a name in OPUS; corpus_names.py checks the names that users choose
_NAME = regex.compile(r"[\p{L}\p{M}\p{Nd}_][\p{L}\p{M}\p{Nd}_.+@-]*")
DAMAGE_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
"""Exceptions that gzip, bz2, lzma and zipfile raise for a damaged, encrypted or unsupported file or member.
"""
CorpusForm = Literal["raw", "xml", "moses"]
"""The form of a corpus, called preprocessing in OPUS: untokenised documents (`raw`), tokenised documents
(`xml`), or lines of text (`moses`)."""
PLAIN_NAME = "[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"
"""Pattern of a corpus and its release, as typed in a form: `Europarl/v8`."""


def _check_release_name(name: str) -> str:
    if not re.fullmatch(PLAIN_NAME, name) or name.endswith("/latest"):
        raise ValueError("expected a corpus and its release, such as Europarl/v8")
    return name


RawReleaseName = Annotated[str, AfterValidator(_check_release_name)]
"""A corpus and its release, without a form because only raw documents are read: `Europarl/v8`."""


def check_corpus_names(names: Sequence[str]) -> None:
    """Raise ValueError if the list is empty, or if rows of two corpora would have equal names."""
    if not names:
        raise ValueError("corpora and own are both empty; expected at least one corpus: name one")
    files = {name.replace("/", "-").casefold() for name in names}  # Europarl-v8-00000.parquet
    if len(files) < len(names):
        raise ValueError(
            f"{', '.join(names)} would give rows and files the same names, because case and the difference between "
            "- and / are ignored: name each release once"
        )


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a corpus for one language pair.

    `a` and `b` are the codes of the two languages, in the order in which OPUS names them in the release: ASCII order,
    with few exceptions.
    """

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
    def parse(cls, name: str, first: str, second: str) -> "Release":
        """Return the release named `corpus/version` or `corpus/version:form`.

        The two languages may be given in any order. Raises SettingsError if the name is not of this shape.
        """
        name, _, form = name.partition(":")
        corpus, _, version = name.partition("/")
        a, b = fixes.opus_order(corpus, version, first, second)
        return cls(corpus, version, a, b, cast(CorpusForm, form or "raw"))

    @property
    def languages(self) -> tuple[str, str]:
        """The two languages in the order of OPUS: the first is the left side of each link."""
        return self.a, self.b

    @property
    def full_name(self) -> str:
        """Corpus and version: `Europarl/v8`."""
        return f"{self.corpus}/{self.version}"

    @property
    def name(self) -> str:
        """`corpus/version/a-b`, with which the id of every alignment begins."""
        return f"{self.full_name}/{self.a}-{self.b}"

    @property
    def links(self) -> str:
        """URL of the link file, relative to the OPUS base URL."""
        return f"OPUS-{self.full_name}/xml/{self.a}-{self.b}.xml.gz"

    @property
    def lines(self) -> str:
        """URL of the Moses zip, relative to the OPUS base URL."""
        return f"OPUS-{self.full_name}/moses/{self.a}-{self.b}.txt.zip"

    def sentences(self, language: str) -> str:
        """Return the URL of a language's documents (form `raw` or `xml`), relative to the OPUS base URL."""
        return f"OPUS-{self.full_name}/{self.form}/{language}.zip"

    @property
    def files(self) -> tuple[str, ...]:
        """URLs of the files to download, relative to the OPUS base URL: the file with the links, then the documents.

        If both languages are the same, there is only one file, with the documents of that language.
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
    """Path of each file by its relative URL, in the order of `release.files`."""
    identity: Mapping[str, Mapping[str, str | int]]
    """Values that identify the files in the keys of shards, by relative URL: `bytes` (size of the file), and
    `sha256` or, for a zip of documents, the digest of the zip's `directory`."""

    @property
    def links(self) -> Path:
        """Path of the link file (form `raw` or `xml`)."""
        return self.paths[self.release.links]

    @property
    def lines(self) -> Path:
        """Path of the Moses zip (form `moses`)."""
        return self.paths[self.release.lines]

    def sentences(self, language: str) -> Path:
        """Return the path of a language's documents (form `raw` or `xml`)."""
        return self.paths[self.release.sentences(language)]

    @property
    def sha256(self) -> str:
        """SHA-256 of the first file."""
        return str(self.identity[self.release.files[0]]["sha256"])


def document_names(member: str) -> Iterator[str]:
    """Yield the names by which links may refer to a zip member.

    These are the member name itself and the name without one or two leading folders.
    """
    yield member
    for _ in range(2):
        _, separator, member = member.partition("/")
        if separator:
            yield member
