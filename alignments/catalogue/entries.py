"""List what OPUS has for two languages: corpora, releases, forms, counts, sizes and licences.

The rows are those of opustools' database. Corpus and release are taken from the address of each file,
`OPUS-<corpus>/<release>/<kind>/<file>`, because the column `corpus` is wrong for some (UN is listed as UNPC). Some
pairs are filed against ASCII order.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bitext_pivot.alignments import fixes
from bitext_pivot.alignments.catalogue.licences import grounds, licence
from bitext_pivot.alignments.catalogue.opusdata import Database, Row
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import NAMES, check_different
from bitext_pivot.core.similar import similar

_SLIP = 0.8
"""Similarity of a misspelt name with the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One release of a corpus for one pair of languages, in the order in which OPUS files the pair."""

    corpus: str
    release: str
    a: str
    b: str
    latest: bool
    """OPUS flags the release as the latest of its corpus."""
    documents: int | None
    links: int | None
    """At least the lines of the moses file, which are made of the links: some link files were counted wrong."""
    tokens: tuple[int | None, int | None]
    """Of the first and of the second language."""
    files: Mapping[str, int]
    """Bytes by address relative to the base, rounded down to KiB: link file, archives of documents, moses, tmx."""

    @property
    def pair(self) -> str:
        """The pair as OPUS files it: `en-fr`."""
        return f"{self.a}-{self.b}"

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes by what they are: links, raw and xml (the archives of both languages), moses, tmx; if there."""
        root = f"OPUS-{self.corpus}/{self.release}"
        groups = {
            "links": [f"{root}/xml/{self.pair}.xml.gz"],
            "raw": [f"{root}/raw/{self.a}.zip", f"{root}/raw/{self.b}.zip"],
            "xml": [f"{root}/xml/{self.a}.zip", f"{root}/xml/{self.b}.zip"],
            "moses": [f"{root}/moses/{self.pair}.txt.zip"],
            "tmx": [f"{root}/tmx/{self.pair}.tmx.gz"],
        }
        return {
            kind: sum(self.files[name] for name in names)
            for kind, names in groups.items()
            if all(name in self.files for name in names)
        }

    @property
    def forms(self) -> list[str]:
        """Available forms; raw and xml need the link file and both archives."""
        sizes = self.sizes
        documents = [kind for kind in ("raw", "xml") if kind in sizes and "links" in sizes]
        return documents + [kind for kind in ("moses", "tmx") if kind in sizes]

    def plain(self) -> dict[str, Any]:
        """Return the entry for JSON, with bytes as integers and its licence."""
        return {
            "corpus": self.corpus, "release": self.release, "latest": self.latest, "pair": self.pair,
            "forms": self.forms, "documents": self.documents, "links": self.links,
            "tokens": dict(zip((self.a, self.b), self.tokens, strict=True)),
            "bytes": self.sizes, "files": dict(self.files),
            "licence": licence(self.corpus), "licence_source": grounds(self.corpus),
            "note": fixes.note(self.corpus, self.release),
        }  # fmt: skip


def find(catalogue: Database, first: str, second: str, corpus: str | None = None) -> list[Entry]:
    """Return the releases that have a pair, given in any order: largest corpus first, its latest release first.

    A language covers all spellings of its code (`pt-br`: pt_BR and pt_br); a corpus may have another name (`10^9` for
    giga-fren). Raises SettingsError, with the nearest name, for an unknown language, pair or corpus.
    """
    first_codes, second_codes = _spellings(first), _spellings(second)
    check_different(first_codes[0], second_codes[0])
    entries = [*map(_entry, catalogue.releases(first_codes, second_codes))]
    if not entries:
        raise _no_bitext(catalogue, first, second)
    if corpus is not None:
        name = _corpus(catalogue, corpus, {entry.corpus for entry in entries}, f"{first}-{second}")
        entries = [entry for entry in entries if entry.corpus == name]
    return entries


def complete_name(name: str, first: str, second: str, catalogue: Callable[[], Database]) -> str:
    """Return `corpus/release[:form]` with the name of the corpus in OPUS and, for `latest`, the name of the release.

    `catalogue` is called only for `latest` and for a name without release; other names are not checked. Raises
    SettingsError for a name without release, and if the latest release does not have the pair.
    """
    full, colon, form = name.partition(":")
    corpus, _, release = full.partition("/")
    corpus = fixes.canonical_name(corpus)
    if not release:
        entries = find(catalogue(), first, second, corpus)
        names = [
            f"{entry.corpus}/{entry.release}{' (latest)' if entry.latest else ''}"
            for entry in entries
        ]
        raise SettingsError(
            f"{name!r} names no release. OPUS has {entries[0].pair} in: {', '.join(names)}."
        )
    if release == "latest":
        entries = find(catalogue(), first, second, corpus)
        flagged = [entry for entry in entries if entry.latest]
        if not flagged:
            releases = ", ".join(entry.release for entry in entries)
            raise SettingsError(
                f"The latest release of {corpus} has no {first}-{second}. Name one that has it: {releases}."
            )
        corpus, release = flagged[0].corpus, flagged[0].release
    return f"{corpus}/{release}{colon}{form}"


def doubt(catalogue: Database, corpus: str, release: str, pair: tuple[str, str]) -> str:
    """Return the message about a release that the catalogue does not have for a pair, with the nearest names."""
    try:
        entries = find(catalogue, *pair, corpus)
    except SettingsError as error:
        return str(error)
    name = entries[0].corpus
    if name != fixes.canonical_name(corpus):  # in another case
        return f"{corpus!r} is no corpus of OPUS. Did you mean {name!r}?"
    return f"{corpus} has {'-'.join(pair)} in {', '.join(entry.release for entry in entries)}, not in {release}."


def is_slip(catalogue: Database, corpus: str) -> bool:
    """Return True for a misspelt name: nearly that of a corpus, and not another number of a series."""
    names = catalogue.corpora()
    if fixes.canonical_name(corpus) in names:
        return False
    letters = {_letters(name) for name in names}
    if _letters(corpus) in letters:
        return any(_plain(name) == _plain(corpus) for name in names)
    return bool(similar(_letters(corpus), letters, likeness=_SLIP))


def _plain(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))


def doubt_documents(catalogue: Database, corpus: str, release: str, language: str) -> str:
    """Return the message about a release without raw documents of a language, with the nearest names; "" if it has."""
    names = catalogue.documents(language)
    name = f"{corpus}/{release}"
    if name in names:
        return ""
    return f"OPUS has no documents of {language!r} in {name}. {_nearest(name, names)}"


def lookup(catalogue: Database, corpus: str, release: str, pair: tuple[str, str]) -> Entry | None:
    """Return the entry of a release for a pair in the order of OPUS, None if the catalogue does not have it."""
    for row in catalogue.releases(pair[:1], pair[1:]):
        if (row["corpus"], row["release"], row["a"], row["b"]) == (corpus, release, *pair):
            return _entry(row)
    return None


def _entry(row: Row) -> Entry:
    """Return the entry of a row of `Database.releases`."""
    return Entry(
        corpus=row["corpus"],
        release=row["release"],
        a=row["a"],
        b=row["b"],
        latest=bool(row["latest"]),
        documents=row["documents"],
        links=row["links"],
        tokens=(row["source_tokens"], row["target_tokens"]),
        files=json.loads(row["files"]),
    )


def _spellings(language: str) -> list[str]:
    """Return all codes of a language: pt_BR and pt_br for `pt-br`."""
    base, _, region = language.casefold().replace("-", "_").partition("_")
    return [f"{base}_{region.upper()}", f"{base}_{region}"] if region else [base]


def _no_bitext(catalogue: Database, first: str, second: str) -> SettingsError:
    """Return the error for a language pair without bitext: unknown codes come first, with the nearest ones."""
    languages = catalogue.languages()
    unknown = [name for name in (first, second) if not set(_spellings(name)) & set(languages)]
    meant = [NAMES.get(name.casefold(), name) for name in (first, second)]
    if unknown and meant != [first, second]:
        return SettingsError(
            f"OPUS knows languages by their codes. Did you mean {' '.join(meant)}?"
        )
    if unknown:
        return SettingsError(
            f"{unknown[0]!r} is no language of OPUS. {_nearest(unknown[0], languages)}"
        )
    partners = sorted({code for name in _spellings(first) for code in catalogue.partners(name)})
    names = ", ".join(partners) or "none"
    return SettingsError(f"OPUS has no bitext {first}-{second}. {first} is linked with: {names}.")


def _corpus(catalogue: Database, corpus: str, corpora: Collection[str], pair: str) -> str:
    """Return the name of the corpus in OPUS; raises SettingsError unless it is one of the pair's `corpora`."""
    name = fixes.canonical_name(corpus)
    spellings = {candidate.casefold(): candidate for candidate in corpora}
    if name.casefold() in spellings:
        return spellings[name.casefold()]
    gone = fixes.withdrawn(name)
    if gone is not None:
        raise SettingsError(f"{corpus!r}: {gone}. {_nearest(name, corpora)}")
    if name.casefold() in {candidate.casefold() for candidate in catalogue.corpora()}:
        raise SettingsError(f"{corpus!r} has no {pair}. {_nearest(name, corpora)}")
    raise SettingsError(f"{corpus!r} is no corpus of OPUS with {pair}. {_nearest(name, corpora)}")


def _nearest(name: str, names: Collection[str]) -> str:
    """Return a sentence with the most similar names."""
    near = similar(name, names, likeness=0.5, number=3)
    if not near:
        return f"None of {len(names)} is similar."
    return f"The nearest of {len(names)}: {', '.join(near)}."
