"""Pack the quickstart's own sentences (quickstart/text) as two OPUS corpora in object-storage layout.

usage: python quickstart/pack.py [FOLDER]      (default: quickstart/opus)

French is written the way Europarl is (running numbers as ids, CHAPTER and SPEAKER around the sentences, bare links),
Spanish the way crawled corpora are (`sN.k` ids in `<p>`, links with an id). In Everyday each bitext has its own
documents; in Chronicle all share the English ones. The bytes do not depend on the day.
"""

import gzip
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).parent
RELEASE = "v1"
README = "sentence links written for the quickstart of bitext-pivot.\n"
LICENCE = "CC0 1.0 Universal\n"


@dataclass
class Link:
    """The sentences of one link by language, and the defect planted in it, if any."""

    sides: dict[str, list[str]] = field(default_factory=dict)
    defect: str | None = None


def read_text(path: Path) -> dict[str, list[Link]]:
    """Return the links of a text file by document; the format is explained at the head of the file."""
    documents: dict[str, list[Link]] = {}
    links: list[Link] = []
    fresh = True
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            links, fresh = documents.setdefault(line[2:].strip(), []), True
        elif not line.strip():
            fresh = True
        elif not line.startswith("#"):
            if fresh:
                links.append(Link())
                fresh = False
            _add(links[-1], line)
    return documents


def _add(link: Link, line: str) -> None:
    if line.startswith("! "):
        link.defect = line[2:].strip()
    else:
        language, _, sentence = line.partition(": ")
        link.sides.setdefault(language, []).append(sentence)


def pack(folder: Path) -> None:
    """Write link files and sentence archives of all texts below `folder`."""
    everyday = {
        text.stem.partition("-")[0]: read_text(text) for text in (HERE / "text").glob("*-en.txt")
    }
    pack_corpus(
        folder, "Everyday",
        {foreign: {f"{'-'.join(sorted((foreign, 'en')))}/{name}": links for name, links in documents.items()}
         for foreign, documents in sorted(everyday.items())},
        crawled={"es"},
    )  # fmt: skip
    shared = read_text(HERE / "text" / "chronicle.txt")
    pack_corpus(
        folder, "Chronicle",
        {foreign: {name: links for name, links in shared.items() if any(foreign in link.sides for link in links)}
         for foreign in ("de", "es", "fr")},
    )  # fmt: skip


def pack_corpus(
    folder: Path,
    corpus: str,
    bitexts: dict[str, dict[str, list[Link]]],
    crawled: Collection[str] = (),
) -> None:
    """Write the link files and sentence archives of a corpus with English: documents by name, by foreign language.

    Languages in `crawled` have the ids of crawled corpora.
    """
    root = folder / f"OPUS-{corpus}" / RELEASE
    archives: dict[str, dict[str, str]] = {}
    for foreign, documents in bitexts.items():
        first, second = sorted((foreign, "en"))
        crawl = foreign in crawled
        links = _link_file(documents, first, second, crawl=crawl)
        _write_gzip(root / "xml" / f"{first}-{second}.xml.gz", "".join(links))
        for language in (first, second):
            members = archives.setdefault(language, {})
            for name, document in documents.items():
                sentences = [link.sides.get(language, []) for link in document]
                members[f"{corpus}/raw/{language}/{name}.xml"] = "".join(
                    _sentence_file(sentences, crawl=crawl)
                )
    for language, members in archives.items():
        _write_zip(
            root / "raw" / f"{language}.zip",
            {**members, "README": f"{corpus}: {README}", "LICENSE": LICENCE},
        )


def _link_file(
    documents: dict[str, list[Link]], first: str, second: str, *, crawl: bool
) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield '<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n<cesAlign version="1.0">\n'
    for name, links in documents.items():
        yield f'<linkGrp targType="s" fromDoc="{first}/{name}.xml.gz" toDoc="{second}/{name}.xml.gz">\n'
        ids = {
            language: _ids([link.sides.get(language, []) for link in links], crawl)
            for language in (first, second)
        }
        for number, sides in enumerate(zip(ids[first], ids[second], strict=True), 1):
            targets = quoteattr(";".join(" ".join(side) for side in sides))
            yield (
                f'<link id="SL{number}" xtargets={targets} />\n'
                if crawl
                else f"<link xtargets={targets} />\n"
            )
        yield "</linkGrp>\n"
    yield "</cesAlign>\n"


def _ids(sentences: Iterable[list[str]], crawl: bool) -> list[list[str]]:
    count, ids = 0, []
    for number, side in enumerate(sentences, 1):
        if crawl:
            ids.append([f"s{number}.{place}" for place, _ in enumerate(side, 1)])
        else:
            ids.append([str(count + place) for place, _ in enumerate(side, 1)])
            count += len(side)
    return ids


def _sentence_file(sentences: list[list[str]], crawl: bool) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield (
        "<text>\n" if crawl else '<document>\n<CHAPTER ID="0">\n<SPEAKER ID="1" NAME="Narrator">\n'
    )
    for number, (side, ids) in enumerate(zip(sentences, _ids(sentences, crawl), strict=True), 1):
        if crawl:
            inner = "".join(
                f'<s id="{name}">{escape(text)}</s>' for name, text in zip(ids, side, strict=True)
            )
            yield f'<p id="p{number}">{inner}</p>\n' if side else ""
        else:
            yield f'<P id="{number}">\n' if side else ""
            yield from (
                f'<s id="{name}">{escape(text)}</s>\n' for name, text in zip(ids, side, strict=True)
            )
            yield "</P>\n" if side else ""
    yield "</text>\n" if crawl else "</SPEAKER>\n</CHAPTER>\n</document>\n"


def _write_gzip(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def _write_zip(path: Path, members: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(members.items()):
            archive.writestr(
                zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED
            )


if __name__ == "__main__":
    pack(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "opus")
