"""List what OPUS has for two languages: corpora, releases, forms, counts, sizes and licences.

The rows are those of opustools' database. Corpus and release are taken from the address of each file,
`OPUS-<corpus>/<release>/<kind>/<file>`, because the column `corpus` is wrong for some (UN is listed as UNPC). Some
pairs are filed against ASCII order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bitext_pivot.alignments import fixes
from bitext_pivot.alignments.catalogue.corpus_licences import corpus_licence, corpus_licence_source
from bitext_pivot.alignments.catalogue.opusdata import Catalogue
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import NAMES, check_different
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.similar import similar

_MISSPELLING_SIMILARITY = 0.8
"""Similarity of a misspelt name with the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
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
    tokens: Sequence[int | None]
    """Of the first and of the second language."""
    files: Mapping[str, int]
    """Bytes by address relative to the base, rounded down to KiB: link file, archives of documents, moses, tmx."""
    sizes: Mapping[str, int]
    """Bytes by what they are: links, raw and xml (the archives of both languages), moses, tmx; if there."""

    @property
    def pair(self) -> str:
        """The pair as OPUS files it: `en-fr`."""
        return f"{self.a}-{self.b}"

    @property
    def forms(self) -> list[str]:
        """Available forms; raw and xml need the link file and both archives."""
        kinds = ["moses", "tmx"]
        if "links" in self.sizes:
            kinds = ["raw", "xml", *kinds]
        return [kind for kind in kinds if kind in self.sizes]

    def plain(self) -> dict[str, Any]:
        """Return the entry for JSON, with bytes as integers and its licence."""
        return {
            "corpus": self.corpus, "release": self.release, "latest": self.latest, "pair": self.pair,
            "forms": self.forms, "documents": self.documents, "links": self.links,
            "tokens": dict(zip((self.a, self.b), self.tokens, strict=True)),
            "bytes": dict(self.sizes), "files": dict(self.files),
            "licence": corpus_licence(self.corpus), "licence_source": corpus_licence_source(self.corpus),
            "note": fixes.note(self.corpus, self.release),
        }  # fmt: skip


def find_entries(
    catalogue: Catalogue, first: str, second: str, corpus: str | None = None
) -> list[CatalogueEntry]:
    """Return the releases that have a pair, given in any order: largest corpus first, its latest release first.

    A language covers all spellings of its code (`pt-br`: pt_BR and pt_br); a corpus may have another name (`10^9` for
    giga-fren). Raises SettingsError, with the nearest name, for an unknown language, pair or corpus.
    """
    first_codes, second_codes = _spellings(first), _spellings(second)
    check_different(first_codes[0], second_codes[0])
    entries = [CatalogueEntry(**facts) for facts in catalogue.releases(first_codes, second_codes)]
    if not entries:
        raise _missing_pair_error(catalogue, first, second)
    if corpus is None:
        return entries
    name = fixes.canonical_name(corpus)
    of_corpus = [entry for entry in entries if entry.corpus.casefold() == name.casefold()]
    if not of_corpus:
        corpora = sorted({entry.corpus for entry in entries})
        problem = misspelt(corpus, corpora, what=f"corpus of OPUS with {first}-{second}")
        gone = fixes.withdrawal_reason(name)
        raise SettingsError(f"{corpus!r}: {gone}." if gone else problem)
    return of_corpus


def complete_name(name: str, first: str, second: str, catalogue: Callable[[], Catalogue]) -> str:
    """Return `corpus/release[:form]` with the name of the corpus in OPUS and, for `latest`, the name of the release.

    `catalogue` is called only for `latest` and for a name without release; other names are not checked. Raises
    SettingsError for a name without release, and if the latest release does not have the pair.
    """
    full, colon, form = name.partition(":")
    corpus, _, release = full.partition("/")
    corpus = fixes.canonical_name(corpus)
    if release and release != "latest":
        return f"{corpus}/{release}{colon}{form}"
    try:
        entries = find_entries(catalogue(), first, second, corpus)
    except SettingsError as error:
        if release:
            raise
        raise SettingsError(  # a mirror may have it
            f"{name!r} names no release; expected one behind the name, as in {corpus}/v1. {error}"
        ) from error
    releases = ", ".join(
        f"{entry.corpus}/{entry.release}{' (latest)' if entry.latest else ''}" for entry in entries
    )
    if not release:
        raise SettingsError(
            f"{name!r} names no release. OPUS has {entries[0].pair} in: {releases}."
        )
    flagged = [entry for entry in entries if entry.latest]
    if not flagged:
        raise SettingsError(
            f"The latest release of {corpus} has no {first}-{second}. Name one that has it: {releases}."
        )
    corpus, release = flagged[0].corpus, flagged[0].release
    return f"{corpus}/{release}{colon}{form}"


def unknown_release_message(
    catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]
) -> str:
    """Return the message about a release that the catalogue does not have for a pair, with the nearest names."""
    try:
        entries = find_entries(catalogue, *pair, corpus)
    except SettingsError as error:
        return str(error)
    name = entries[0].corpus
    if name != fixes.canonical_name(corpus):  # in another case
        return f"{corpus!r} is no corpus of OPUS. Did you mean {name!r}?"
    return f"{corpus} has {'-'.join(pair)} in {', '.join(entry.release for entry in entries)}, not in {release}."


def is_misspelt(catalogue: Catalogue, corpus: str) -> bool:
    """Return True for a misspelt name: nearly that of a corpus, and not another number of a series."""
    near = similar(
        fixes.canonical_name(corpus), catalogue.corpora(), likeness=_MISSPELLING_SIMILARITY
    )
    return any(
        name != fixes.canonical_name(corpus) and _digits(name) == _digits(corpus) for name in near
    )


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def missing_documents_message(
    catalogue: Catalogue, corpus: str, release: str, language: str
) -> str:
    """Return the message about a release without raw documents of a language, with the nearest names; "" if it has."""
    names = catalogue.documents(language)
    name = f"{corpus}/{release}"
    if name in names:
        return ""
    return misspelt(name, names, what=f"release with documents of {language!r} in OPUS")


def find_entry(
    catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]
) -> CatalogueEntry | None:
    """Return the entry of a release for a pair in the order of OPUS, None if the catalogue does not have it."""
    for facts in catalogue.releases(pair[:1], pair[1:]):
        entry = CatalogueEntry(**facts)
        if (entry.corpus, entry.release, entry.a, entry.b) == (corpus, release, *pair):
            return entry
    return None


def _spellings(language: str) -> list[str]:
    """Return all codes of a language: pt_BR and pt_br for `pt-br`."""
    base, _, region = language.casefold().replace("-", "_").partition("_")
    return [f"{base}_{region.upper()}", f"{base}_{region}"] if region else [base]


def _missing_pair_error(catalogue: Catalogue, first: str, second: str) -> SettingsError:
    """Return the error for a language pair without bitext: unknown codes come first, with the nearest ones."""
    languages = catalogue.languages()
    unknown = [name for name in (first, second) if not set(_spellings(name)) & set(languages)]
    meant = [NAMES.get(name.casefold(), name) for name in (first, second)]
    if unknown and meant != [first, second]:
        return SettingsError(
            f"OPUS knows languages by their codes. Did you mean {' '.join(meant)}?"
        )
    if unknown:
        return SettingsError(misspelt(unknown[0], languages, what="language of OPUS"))
    partners = sorted({code for name in _spellings(first) for code in catalogue.partners(name)})
    names = ", ".join(partners) or "none"
    return SettingsError(f"OPUS has no bitext {first}-{second}. {first} is linked with: {names}.")
