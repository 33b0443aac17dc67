"""Where the files of an OPUS release are, and getting them.

Layout of the object storage: `OPUS-<corpus>/<release>/xml/<a>-<b>.xml.gz` holds the links of a pair (a before b in
ASCII order) and `OPUS-<corpus>/<release>/raw/<language>.zip` all documents of a language, untokenised (`xml/` has them
tokenised). The links lie under `xml/` whichever form of the sentences is read. `moses/<a>-<b>.txt.zip` holds all links
as lines of text, with neither documents nor the borders of sentences.

A base address that is a folder is used in place: nothing is copied. Over HTTP a file is written under a temporary name,
its size compared with what was announced, and renamed; the JSON beside it (bytes, sha256, url) is written last, so
only a file that has it and has its size is believed.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

import httpx

from pairs import shards
from pairs.errors import AbsentError, SettingsError, ShardError, SourceError
from pairs.settings import choose, misspelt

_NAME = re.compile(r"\w[\w.+@-]*", re.ASCII)
_CHUNK = 1 << 18
Form = Literal["raw", "xml", "moses"]
"""What OPUS calls preprocessing: documents as they were, tokenised documents, or lines of text."""
_ABSENT = {403, 404, 410}  # object stores answer 403 for what does not exist when listing is forbidden


@dataclass(frozen=True, slots=True)
class Release:
    """One corpus, one release and one pair of languages, `a` before `b` in ASCII order as OPUS files them."""

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
        if self.a >= self.b:
            raise SettingsError(
                f"The pair {self.a!r}, {self.b!r} is not in OPUS order (two languages, ASCII order). "
                "Use Release.of, which sorts them."
            )

    @classmethod
    def of(cls, name: str, one: str, other: str) -> "Release":
        """Return the release `corpus/release`, or `corpus/release:form`, of two languages given in any order.

        Raises SettingsError when the name is written otherwise or the languages are the same.
        """
        name, _, form = name.partition(":")
        corpus, _, release = name.partition("/")
        if one == other:
            raise SettingsError(f"The pair is {one!r} twice: expected two languages. Name another one.")
        a, b = sorted((one, other))
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


def fetch(release: Release, base: str, folder: Path, *, timeout: float = 60.0) -> Archives:
    """Return the files of `release`, downloaded to `<folder>/<corpus>/<release>/` or used where they lie.

    `base` is http(s)://, file:// or a folder; `timeout` is in seconds without a byte. Raises SettingsError for another
    kind of address, SourceError when a file is not there or does not come whole, ShardError when it cannot be written.
    """
    source = local_folder(base)
    if source is None:
        paths = {name: place(release, name, folder) for name in release.files}
        with client(timeout) as session:
            digests = {name: _download(session, release, address(base, name), path) for name, path in paths.items()}
        digest = digests[release.files[0]]
    else:
        paths = {name: in_place(release, source, name) for name in release.files}
        digest = shards.sha256(paths[release.files[0]])
    return Archives(
        release=release,
        paths=paths,
        sha256=digest,
        sizes={name: path.stat().st_size for name, path in paths.items()},
    )


def local_folder(base: str) -> Path | None:
    """Return the folder that a base address names, None for http(s); raises SettingsError for any other scheme."""
    scheme, separator, _ = base.partition("://")
    if not separator:
        return Path(base)
    if scheme in {"http", "https"}:
        return None
    if scheme == "file":
        return Path(url2pathname(urlsplit(base).path))
    raise SettingsError(f"{base!r} is no base address of OPUS: expected http(s)://, file:// or a folder. Mend it.")


def address(base: str, name: str) -> str:
    """Return the whole address of a file under an http(s) base."""
    return f"{base.rstrip('/')}/{quote(name)}"


def place(release: Release, name: str, folder: Path) -> Path:
    """Return where a file of the release lands: the address without its first folder, below `<folder>/<corpus>`."""
    return folder / release.corpus / name.partition("/")[2]


def kept(path: Path) -> str | None:
    """Return the SHA-256 of a downloaded file that is there whole, None when it must be fetched."""
    try:
        facts = shards.facts(path)
        return str(facts["sha256"]) if path.stat().st_size == facts["bytes"] else None
    except (OSError, KeyError, ShardError):
        return None


def client(timeout: float) -> httpx.Client:
    """Return an HTTP client; compression is off, so that a body is as long as its announced length."""
    return httpx.Client(
        timeout=timeout, follow_redirects=True, headers={"Accept-Encoding": "identity", "User-Agent": "bitext-pivot"}
    )


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


def _download(session: httpx.Client, release: Release, url: str, path: Path) -> str:
    """Bring one file to `path` unless it is there whole; return its SHA-256."""
    digest = kept(path)
    if digest is not None:
        return digest
    with shards.replacing(path) as partial:
        size, digest = _body(session, release, url, partial)
    shards.write_json(shards.manifest(path), {"bytes": size, "sha256": digest, "url": url})
    return digest


def _body(session: httpx.Client, release: Release, url: str, partial: Path) -> tuple[int, str]:
    try:
        with session.stream("GET", url) as response, partial.open("wb") as file:
            check(response, release, url)
            sha256, size = hashlib.sha256(), 0
            for chunk in response.iter_raw(_CHUNK):
                sha256.update(chunk)
                size += file.write(chunk)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unreachable(url, error) from error
    announced = response.headers.get("Content-Length", str(size))
    if announced != str(size):
        raise SourceError(f"{url} ended after {size} bytes; {announced} were announced. Run again to fetch it anew.")
    return size, sha256.hexdigest()


def check(response: httpx.Response, release: Release, url: str) -> None:
    """Raise SourceError unless the answer is 200: AbsentError, with what was asked for, when it does not exist."""
    if response.status_code in _ABSENT:
        raise AbsentError(
            f"{url} does not exist (answer {response.status_code}). Asked for: corpus {release.corpus!r}, release "
            f"{release.release!r}, pair {release.a}-{release.b}. Check the three, and the base address."
        )
    if response.status_code != httpx.codes.OK:
        raise SourceError(f"{url} answered {response.status_code}, expected 200. Try again later, or another mirror.")


def unreachable(url: str, error: Exception) -> SourceError:
    """Return the SourceError for a connection that was refused, cut, too slow or never possible."""
    detail = str(error) or type(error).__name__
    return SourceError(
        f"{url} did not come whole ({type(error).__name__}: {detail}). Nothing half-fetched is kept: "
        "check the network and the base address, then run again."
    )
