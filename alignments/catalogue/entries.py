"""List the releases that OPUS has for two languages, with forms, counts, sizes and licences.

The rows come from the database of opustools. Corpus and release are parsed from the URL of each file,
`OPUS-<corpus>/<release>/<kind>/<file>`, because the column `corpus` is wrong for some files (UN is listed as UNPC).
The two languages of a release are usually in ASCII order, but not always.
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
"""Minimum similarity between a misspelt name and the correct name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One release of a corpus for one language pair.

    `a` and `b` are the codes of the two languages, in the order in which OPUS names them in the release.
    """

    corpus: str
    release: str
    a: str
    b: str
    latest: bool
    """True if OPUS flags the release as the latest of its corpus."""
    documents: int | None
    links: int | None
    """Number of links. The stated counts of some link files are too low, so this is at least the number of
    lines in the Moses zip."""
    tokens: Sequence[int | None]
    """Number of tokens in the first and in the second language."""
    files: Mapping[str, int]
    """Size of each file by its relative URL, in bytes rounded down to KiB: link file, archives of documents,
    moses, tmx."""
    sizes: Mapping[str, int]
    """Size by kind, in bytes: links, raw and xml (the archives of both languages together), moses, tmx. Kinds
    that do not exist are missing."""

    @property
    def pair(self) -> str:
        """The pair in the order of OPUS: `en-fr`."""
        return f"{self.a}-{self.b}"

    @property
    def forms(self) -> list[str]:
        """Available forms (raw, xml, moses). raw and xml need the link file and the archives of both languages."""
        kinds = ["moses", "tmx"]
        if "links" in self.sizes:
            kinds = ["raw", "xml", *kinds]
        return [kind for kind in kinds if kind in self.sizes]

    def to_dict(self) -> dict[str, Any]:
        """Return the entry and its licence as a dictionary for JSON, with sizes in bytes."""
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
    """Return the releases that have a language pair: largest corpus first, latest release first.

    The two languages may be given in any order. A language covers all spellings of its code (`pt-br`: pt_BR and pt_br),
    and a corpus may be given by an alias (`10^9` for giga-fren). Raises SettingsError with the most similar name if the
    language, the pair or the corpus is unknown.
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
    """Return `corpus/release[:form]` with the corpus name of OPUS, and a release in place of `latest`.

    `catalogue` opens the catalogue. It is called only for `latest` and for a name without a release; other names are
    not checked. Raises SettingsError if the name has no release, or if the latest release does not have the pair.
    """
    full, colon, form = name.partition(":")
    corpus, _, release = full.partition("/")
    corpus = fixes.canonical_name(corpus)
    if release and release != "latest":
        return f"{corpus}/{release}{colon}{form}"
    try:
        entries = find_entries(catalogue(), first, second, corpus)
    except SettingsError as error:
        problem = (
            "names a release that only OPUS's catalogue knows" if release else "has no release"
        )
        raise SettingsError(  # even if OPUS lacks the corpus, a mirror may have it
            f"{name!r} {problem}; expected a corpus and its release, as in {corpus}/v1. {error}"
        ) from error
    releases = ", ".join(
        f"{entry.corpus}/{entry.release}{' (latest)' if entry.latest else ''}" for entry in entries
    )
    if not release:
        raise SettingsError(
            f"{name!r} names no release. Write one of the releases with {entries[0].pair}: {releases}."
        )
    flagged = [entry for entry in entries if entry.latest]
    if not flagged:
        raise SettingsError(
            f"The latest release of {corpus} does not have {first}-{second}. Name a release that has it: {releases}."
        )
    corpus, release = flagged[0].corpus, flagged[0].release
    return f"{corpus}/{release}{colon}{form}"


def unknown_release_message(
    catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]
) -> str:
    """Return an error message for a release that the catalogue does not list for a language pair.

    The message contains the most similar names.
    """
    try:
        entries = find_entries(catalogue, *pair, corpus)
    except SettingsError as error:
        return str(error)
    name = entries[0].corpus
    if name != fixes.canonical_name(corpus):  # the names differ in case
        return f"{corpus!r} is not a corpus of OPUS. Did you mean {name!r}?"
    return f"{corpus} has {'-'.join(pair)} in {', '.join(entry.release for entry in entries)}, not in {release}."


def is_misspelt(catalogue: Catalogue, corpus: str) -> bool:
    """Return True if `corpus` is nearly, but not exactly, the name of a corpus in the catalogue.

    Both names must have the same digits: `TED2014` is not a misspelling of `TED2013`.
    """
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
    """Return an error message if a release has no raw documents of a language, or "" if it has them.

    The message contains the most similar names.
    """
    names = catalogue.documents(language)
    name = f"{corpus}/{release}"
    if name in names:
        return ""
    return misspelt(name, names, what=f"release with documents of {language!r} in OPUS")


def find_entry(
    catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]
) -> CatalogueEntry | None:
    """Return the catalogue entry of a release, or None.

    `pair` must contain the two languages in the order in which OPUS names them in the release.
    """
    for facts in catalogue.releases(pair[:1], pair[1:]):
        entry = CatalogueEntry(**facts)
        if (entry.corpus, entry.release, entry.a, entry.b) == (corpus, release, *pair):
            return entry
    return None


def _spellings(language: str) -> list[str]:
    """Return all codes that OPUS uses for a language: pt_BR and pt_br for `pt-br`."""
    base, _, region = language.casefold().replace("-", "_").partition("_")
    return [f"{base}_{region.upper()}", f"{base}_{region}"] if region else [base]


def _missing_pair_error(catalogue: Catalogue, first: str, second: str) -> SettingsError:
    """Return the error to raise for a language pair without bitext.

    If one of the two language codes is unknown, the message is about this code.
    """
    languages = catalogue.languages()
    unknown = [name for name in (first, second) if not set(_spellings(name)) & set(languages)]
    meant = [NAMES.get(name.casefold(), name) for name in (first, second)]
    if unknown and meant != [first, second]:
        return SettingsError(
            f"OPUS names languages by their codes. Did you mean {' '.join(meant)}?"
        )
    if unknown:
        return SettingsError(misspelt(unknown[0], languages, what="language of OPUS"))
    partners = sorted({code for name in _spellings(first) for code in catalogue.partners(name)})
    names = ", ".join(partners) or "none"
    return SettingsError(
        f"OPUS has no bitext {first}-{second}. It has bitext of {first} with: {names}."
    )
