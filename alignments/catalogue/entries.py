"""What OPUS has for two languages: corpora, every release by its name, forms, numbers, sizes and licences.

The rows are those of opustools' database (`alignments.catalogue.opusdata`) or of the OPUS-API
(`alignments.catalogue.opusapi`). Corpus, release and pair are read off the address of each file,
`OPUS-<corpus>/<release>/<kind>/<file>`: the column `corpus` is wrong for some (UN stands under UNPC), and some pairs
are filed against ASCII order.
"""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from alignments import fixes
from alignments.catalogue.licences import grounds, licence
from alignments.catalogue.opusdata import Row
from pairs.errors import SettingsError
from pairs.languages import NAMES, check_different

_ADDRESS = re.compile(r".*/(OPUS-([^/]+)/([^/]+)/([^/]+)/[^/]+)")
_KIB = 1024


class Catalogue(Protocol):
    """Where rows come from: a database of opustools or the OPUS-API."""

    def languages(self) -> list[str]:
        """Return the codes of all languages."""

    def corpora(self) -> list[str]:
        """Return the names of all corpora."""

    def partners(self, language: str) -> list[str]:
        """Return the languages that have links with a language."""

    def rows(self, ones: Sequence[str], others: Sequence[str]) -> Iterable[Row]:
        """Yield the rows of all pairs of two codes, and of the documents of each."""


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
    """Never fewer than the lines of the moses file, which are made of them: some link files were counted wrong."""
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
        """What the bitext can be had as: raw and xml need the link file and both archives."""
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


def find(catalogue: Catalogue, one: str, other: str, corpus: str | None = None) -> list[Entry]:
    """Return the releases that have a pair, given in any order: corpora with most links first, their latest first.

    A language stands for all spellings of its code (`pt-br` for pt_BR and pt_br), a corpus for what is meant by it
    (`10^9` for giga-fren). Raises SettingsError, with the nearest name, for a language, pair or corpus that is not one.
    """
    ones, others = _spellings(one), _spellings(other)
    check_different(ones[0], others[0])
    entries = _entries(catalogue.rows(ones, others))
    if not entries:
        raise _no_bitext(catalogue, one, other)
    if corpus is not None:
        name = _corpus(catalogue, corpus, {entry.corpus for entry in entries}, f"{one}-{other}")
        entries = [entry for entry in entries if entry.corpus == name]
    most: dict[str, int] = {}
    for entry in entries:
        most[entry.corpus] = max(most.get(entry.corpus, 0), entry.links or 0)
    return sorted(entries, key=lambda e: (-most[e.corpus], e.corpus, not e.latest, -(e.links or 0), e.release, e.pair))


def doubt(catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]) -> str:
    """Return what the catalogue says about a release that it does not have for a pair: the nearest names there are."""
    try:
        entries = find(catalogue, *pair, corpus)
    except SettingsError as error:
        return str(error)
    return f"{corpus} has {'-'.join(pair)} in {', '.join(entry.release for entry in entries)}, not in {release}."


def lookup(catalogue: Catalogue, corpus: str, release: str, pair: tuple[str, str]) -> Entry | None:
    """Return the entry of a release for a pair as OPUS files it, None when the catalogue does not have it."""
    a, b = pair
    entries = _entries(catalogue.rows([a], [b]))
    return next((e for e in entries if (e.corpus, e.release, e.a, e.b) == (corpus, release, a, b)), None)


@dataclass(slots=True)
class _Gathered:
    """What the rows of one release and pair tell: rows by kind (xml, moses, tmx), bytes by address."""

    rows: dict[str, Row] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)


def _entries(rows: Iterable[Row]) -> list[Entry]:
    pairs: dict[tuple[str, str, str, str], _Gathered] = {}
    documents: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for row in rows:
        address = _ADDRESS.fullmatch(row["url"])
        if address is None:
            continue  # a corpus without files: komi
        name, corpus, release, kind = address.groups()
        size = (_number(row["size"]) or 0) * _KIB
        if row["target"]:
            gathered = pairs.setdefault((corpus, release, row["source"], row["target"]), _Gathered())
            gathered.rows[kind] = row
            gathered.files[name] = size
        else:
            documents.setdefault((corpus, release), {}).setdefault(row["source"], {})[name] = size
    releases: dict[str, set[str]] = {}
    for corpus, release, *_ in pairs:
        releases.setdefault(corpus, set()).add(release)
    return [
        _entry(key, gathered, documents.get(key[:2], {}), only=len(releases[key[0]]) == 1)
        for key, gathered in pairs.items()
    ]


def _entry(
    key: tuple[str, str, str, str], gathered: _Gathered, documents: Mapping[str, Mapping[str, int]], *, only: bool
) -> Entry:
    corpus, release, a, b = key
    row = next(gathered.rows[kind] for kind in ("xml", "moses", "tmx") if kind in gathered.rows)
    counted = [_number(gathered.rows[kind]["alignment_pairs"]) for kind in ("xml", "moses") if kind in gathered.rows]
    misfiled = row["corpus"] != corpus  # then the flag speaks of another corpus
    return Entry(
        corpus=corpus,
        release=release,
        a=a,
        b=b,
        latest=only if misfiled else str(row["latest"]) == "True",
        documents=_number(row["documents"]),
        links=max(filter(None, counted), default=None),
        tokens=(_number(row["source_tokens"]), _number(row["target_tokens"])),
        files={**gathered.files, **documents.get(a, {}), **documents.get(b, {})},
    )


def _number(value: object) -> int | None:
    """Return a count of the catalogue, None for one that nobody counted ("")."""
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else None


def _spellings(language: str) -> list[str]:
    """Return all codes that a language may be filed under: `pt-br` is pt_BR and pt_br."""
    base, _, region = language.casefold().replace("-", "_").partition("_")
    return [f"{base}_{region.upper()}", f"{base}_{region}"] if region else [base]


def _no_bitext(catalogue: Catalogue, one: str, other: str) -> SettingsError:
    """Return the error for a language pair without bitext: unknown codes come first, with the nearest ones."""
    known = catalogue.languages()
    unknown = [name for name in (one, other) if not set(_spellings(name)) & set(known)]
    meant = [NAMES.get(name.casefold(), name) for name in (one, other)]
    if unknown and meant != [one, other]:
        return SettingsError(f"OPUS knows languages by their codes. Did you mean {' '.join(meant)}?")
    if unknown:
        return SettingsError(f"{unknown[0]!r} is no language of OPUS. {_nearest(unknown[0], known)}")
    partners = sorted({code for name in _spellings(one) for code in catalogue.partners(name)})
    return SettingsError(f"OPUS has no bitext {one}-{other}. {one} is linked with: {', '.join(partners) or 'none'}.")


def _corpus(catalogue: Catalogue, corpus: str, here: Collection[str], pair: str) -> str:
    """Return the corpus that is meant, one of those that have the pair."""
    name = fixes.meant(corpus)
    known = {other.casefold(): other for other in here}
    if name.casefold() in known:
        return known[name.casefold()]
    gone = fixes.withdrawn(name)
    if gone is not None:
        raise SettingsError(f"{corpus!r}: {gone}. {_nearest(name, here)}")
    if name.casefold() in {other.casefold() for other in catalogue.corpora()}:
        raise SettingsError(f"{corpus!r} has no {pair}. {_nearest(name, here)}")
    raise SettingsError(f"{corpus!r} is no corpus of OPUS with {pair}. {_nearest(name, here)}")


def _nearest(name: str, known: Collection[str]) -> str:
    """Say which of many names are near, without regard to capitals."""
    plain = {other.casefold(): other for other in sorted(known)}
    near = [plain[other] for other in difflib.get_close_matches(name.casefold(), plain, n=3, cutoff=0.5)]
    return f"The nearest of {len(known)}: {', '.join(near)}." if near else f"None of {len(known)} is similar."
