"""Where the files of an OPUS release are, and getting them.

Layout of the object storage: `OPUS-<corpus>/<release>/xml/<a>-<b>.xml.gz` holds the links of a pair (a before b in
ASCII order) and `OPUS-<corpus>/<release>/raw/<language>.zip` all documents of a language, untokenised (`xml/` has them
tokenised). The links lie under `xml/` whichever form of the sentences is read. `moses/<a>-<b>.txt.zip` holds all links
as lines of text, with neither documents nor the borders of sentences.

A base address that is a folder is used in place: nothing is copied. Over HTTP the link file comes first, then the two
zips at the same time, and of a zip only the documents needed where that pays (alignments/download/files.py). A corpus
has the same identity in any case.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import httpx

from alignments.catalogue import fixes
from alignments.download import answers
from alignments.download.answers import shown, unreachable
from alignments.download.files import File, Wanted, bring
from alignments.download.parts import kept
from alignments.download.sessions import Log, Session, Transfer, client
from pairs import atomic
from pairs.errors import AbsentError, SettingsError
from pairs.languages import check_different
from pairs.settings import choose, misspelt

__all__ = ["Archives", "Form", "Release", "Transfer", "address", "check", "client", "fetch", "here", "in_place"]
__all__ += ["kept", "local_folder", "place", "unreachable"]

_NAME = re.compile(r"\w[\w.+@-]*", re.ASCII)
_AS_USUAL = Transfer()
_logger = logging.getLogger(__name__)
Form = Literal["raw", "xml", "moses"]
"""What OPUS calls preprocessing: documents as they were, tokenised documents, or lines of text."""


@dataclass(frozen=True, slots=True)
class Release:
    """One corpus, one release and one pair of languages as OPUS files them: but for a few, `a` before `b` in ASCII."""

    corpus: str
    release: str
    a: str
    b: str
    form: Form = "raw"

    def __post_init__(self) -> None:
        choose(self.form, list(get_args(Form)), what=f"form of {self.name}")
        for name in (self.corpus, self.release, self.a, self.b):
            if not _NAME.fullmatch(name):
                raise SettingsError(
                    f"{name!r} in {self.name!r} cannot be part of an OPUS address: expected letters, digits and "
                    ". _ + @ - only, as in Europarl/v7 and pt_BR. Mend the name."
                )
        check_different(self.a, self.b)

    @classmethod
    def of(cls, name: str, one: str, other: str) -> "Release":
        """Return the release `corpus/release`, or `corpus/release:form`, of two languages given in any order.

        Raises SettingsError when the name is written otherwise or the languages are the same.
        """
        name, _, form = name.partition(":")
        corpus, _, release = name.partition("/")
        a, b = fixes.filed(corpus, release, one, other)
        return cls(corpus, release, a, b, cast(Form, form or "raw"))

    @property
    def languages(self) -> tuple[str, str]:
        """The two languages in OPUS order: links go from the first to the second."""
        return self.a, self.b

    @property
    def name(self) -> str:
        """`corpus/release/a-b`, the first part of every alignment's id."""
        return f"{self.corpus}/{self.release}/{self.a}-{self.b}"

    @property
    def links(self) -> str:
        """Address of the link file, relative to the base."""
        return f"OPUS-{self.corpus}/{self.release}/xml/{self.a}-{self.b}.xml.gz"

    @property
    def lines(self) -> str:
        """Address of the zip of lines (form `moses`), relative to the base."""
        return f"OPUS-{self.corpus}/{self.release}/moses/{self.a}-{self.b}.txt.zip"

    def sentences(self, language: str) -> str:
        """Return the address of a language's documents (forms `raw` and `xml`), relative to the base."""
        return f"OPUS-{self.corpus}/{self.release}/{self.form}/{language}.zip"

    @property
    def files(self) -> tuple[str, ...]:
        """Addresses of what must be fetched, relative to the base; the first one tells which links there are."""
        if self.form == "moses":
            return (self.lines,)
        return self.links, self.sentences(self.a), self.sentences(self.b)


@dataclass(frozen=True, slots=True)
class Archives:
    """The files of a release on this machine."""

    release: Release
    paths: Mapping[str, Path]
    """By address relative to the base, in the order of `release.files`."""
    sha256: str
    """Of the first file."""
    sizes: Mapping[str, int]
    """Bytes of the whole files, by address relative to the base."""

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
    def identity(self) -> dict[str, str | int]:
        """What goes into a shard key: the checksum of the first file and all sizes, the same wherever they lie."""
        return {"sha256": self.sha256, **self.sizes}


def fetch(release: Release, base: str, folder: Path, *, transfer: Transfer = _AS_USUAL, log: Log = _logger) -> Archives:
    """Return the files of `release`, downloaded to `<folder>/<corpus>/<release>/` or used where they lie.

    `base` is http(s)://, file:// or a folder. A line a file is logged. Raises SettingsError for another kind of address
    or a proxy that cannot work, SourceError when a file is not there, is damaged or does not come whole (PassingError
    when it may come later), ShardError when it cannot be written.
    """
    source = local_folder(base)
    if source is None:
        with Session(transfer, base, _asked(release), log) as session:
            files = bring(session, [_wanted(release, name, base, folder) for name in release.files])
        sha256 = str(atomic.facts(files[0].path)["sha256"])
    else:
        paths = [in_place(release, source, name) for name in release.files]
        files = [File(path, path.stat().st_size) for path in paths]
        sha256 = atomic.sha256(paths[0])
    return Archives(
        release=release,
        paths={name: file.path for name, file in zip(release.files, files, strict=True)},
        sha256=sha256,
        sizes={name: file.size for name, file in zip(release.files, files, strict=True)},
    )


def here(release: Release, name: str, folder: Path) -> int | None:
    """Return the bytes of a whole file when it, or what this pair needs of it, was fetched; None when not.

    Whether an excerpt still suffices for the links is looked at when it is fetched.
    """
    path = place(release, name, folder)
    if kept(path) is not None:
        return path.stat().st_size
    excerpt = _excerpt(release, path)
    return int(atomic.facts(excerpt)["whole"]) if kept(excerpt) is not None else None


def _excerpt(release: Release, path: Path) -> Path:
    """Return where the members that a pair needs lie; the file's name stays the language's."""
    return path.parent / f"of-{release.a}-{release.b}" / path.name


def _wanted(release: Release, name: str, base: str, folder: Path) -> Wanted:
    path = place(release, name, folder)
    return Wanted(address(base, name), path, _excerpt(release, path))


def local_folder(base: str) -> Path | None:
    """Return the folder that a base address names, None for http(s); raises SettingsError for any other scheme."""
    scheme, separator, _ = base.partition("://")
    if not separator:
        return Path(base)
    if scheme in {"http", "https"}:
        return None
    if scheme == "file":
        return Path(url2pathname(urlsplit(base).path))
    raise SettingsError(
        f"{shown(base)!r} is no base address of OPUS: expected http(s)://, file:// or a folder. Mend it."
    )


def address(base: str, name: str) -> str:
    """Return the whole address of a file under an http(s) base, whose name and password `client` takes."""
    return f"{shown(base).rstrip('/')}/{quote(name)}"


def place(release: Release, name: str, folder: Path) -> Path:
    """Return where a file of the release lands: the address without its first folder, below `<folder>/<corpus>`."""
    return folder / release.corpus / name.partition("/")[2]


def in_place(release: Release, source: Path, name: str) -> Path:
    """Return a file of a base that is a folder; raises AbsentError, with the nearest name, when it is not there."""
    path = source / name
    if not path.is_file():
        raise AbsentError(f"{path} is not there. {_nearest(release, source, name)}")
    return path


def _nearest(release: Release, source: Path, name: str) -> str:
    """Say which part of a missing file's address is the wrong one, and what the folder has instead."""
    corpora, corpus = source, source / f"OPUS-{release.corpus}"
    known = sorted(path.name.removeprefix("OPUS-") for path in corpora.glob("OPUS-*"))
    if not known:
        return f"{source} holds no OPUS-<corpus> folder at all: name another base address."
    if release.corpus not in known:
        return misspelt(release.corpus, known, what=f"corpus under {source}")
    known = sorted(path.name for path in corpus.iterdir() if path.is_dir())
    if release.release not in known:
        return misspelt(release.release, known, what=f"release of {release.corpus} under {source}")
    wanted, suffix = Path(name), ".xml.gz" if name == release.links else ".zip"
    known = sorted(path.name.removesuffix(suffix) for path in (source / wanted.parent).glob(f"*{suffix}"))
    what = f"pair of {release.corpus} {release.release} under {source}" if suffix == ".xml.gz" else "language there"
    return misspelt(wanted.name.removesuffix(suffix), known, what=what)


def check(response: httpx.Response, release: Release, url: str) -> None:
    """Raise SourceError unless the answer is 200: AbsentError, with what was asked for, when it does not exist."""
    answers.check(response, url, _asked(release))


def _asked(release: Release) -> str:
    return f"corpus {release.corpus!r}, release {release.release!r}, pair {release.a}-{release.b}"
