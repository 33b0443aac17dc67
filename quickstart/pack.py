"""Pack the quickstart's own sentences (quickstart/text) as two OPUS corpora in object-storage layout.

usage: python quickstart/pack.py

French is written the way Europarl is (running numbers as ids, CHAPTER and SPEAKER around the sentences, bare links),
Spanish the way crawled corpora are (`sN.k` ids in `<p>`, links with an id). In Everyday each bitext has its own
documents; in Chronicle all share the English ones. The bytes do not depend on the day.
"""

import gzip
import zipfile
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
LINKS = (
    HEAD
    + '<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n<cesAlign version="1.0">\n'
)
NOTES = {
    "README": "{}: sentence links written for the quickstart of bitext-pivot.\n",
    "LICENSE": "CC0 1.0 Universal\n",
}


@dataclass
class Link:
    """The sentences of one link by language, and the defect planted in it, if any."""

    sides: dict[str, list[str]] = field(default_factory=dict)
    defect: str | None = None


def read_text(path: Path) -> dict[str, list[Link]]:
    """Return the links of a text file by document; the format is explained at the head of the file."""
    documents: dict[str, list[Link]] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        link = Link()
        for line in block.splitlines():
            if line.startswith("= "):
                links = documents.setdefault(line[2:].strip(), [])
            elif line.startswith("! "):
                link.defect = line[2:].strip()
            elif line and not line.startswith("#"):
                language, _, sentence = line.partition(": ")
                link.sides.setdefault(language, []).append(sentence)
        if link.sides:
            links.append(link)
    return documents


def pack(folder: Path) -> None:
    """Write link files and sentence archives of all texts below `folder`."""
    everyday = {}
    for foreign, pair in (("es", "en-es"), ("fr", "en-fr")):
        documents = read_text(HERE / "text" / f"{foreign}-en.txt")
        everyday[foreign] = {f"{pair}/{name}": links for name, links in documents.items()}
    pack_corpus(folder, "Everyday", everyday, crawled={"es"})
    shared = read_text(HERE / "text" / "chronicle.txt")
    chronicle = {}
    for foreign in ("de", "es", "fr"):
        chronicle[foreign] = {
            name: links
            for name, links in shared.items()
            if any(foreign in link.sides for link in links)
        }
    pack_corpus(folder, "Chronicle", chronicle)


def pack_corpus(
    folder: Path,
    corpus: str,
    bitexts: dict[str, dict[str, list[Link]]],
    crawled: Collection[str] = (),
) -> None:
    """Write the link files and sentence archives of a corpus with English: documents by name, by foreign language.

    Languages in `crawled` have the ids of crawled corpora.
    """
    root = folder / f"OPUS-{corpus}" / "v1"
    (root / "xml").mkdir(parents=True, exist_ok=True)
    (root / "raw").mkdir(exist_ok=True)
    members: dict[str, dict[str, str]] = {}
    for foreign, documents in bitexts.items():
        pair = sorted((foreign, "en"))
        lines = [LINKS]
        for name, links in documents.items():
            first, second = (f"{language}/{name}.xml.gz" for language in pair)
            lines.append(f'<linkGrp targType="s" fromDoc="{first}" toDoc="{second}">\n')
            ids = []
            for language in pair:
                sides = [link.sides.get(language, []) for link in links]
                text, names = _document(sides, is_crawled=foreign in crawled)
                path = f"{corpus}/raw/{language}/{name}.xml"
                members.setdefault(language, {})[path] = text
                ids.append(names)
            for number, targets in enumerate(zip(*ids, strict=True), 1):
                name_of_link = f'id="SL{number}" ' if foreign in crawled else ""
                lines.append(f'<link {name_of_link}xtargets="{";".join(targets)}" />\n')
            lines.append("</linkGrp>\n")
        packed = gzip.compress("".join([*lines, "</cesAlign>\n"]).encode(), mtime=0)
        (root / "xml" / f"{'-'.join(pair)}.xml.gz").write_bytes(packed)
    for language, texts in members.items():
        texts.update({name: note.format(corpus) for name, note in NOTES.items()})
        with zipfile.ZipFile(root / "raw" / f"{language}.zip", "w") as archive:
            for name, text in sorted(texts.items()):
                member = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                archive.writestr(member, text, zipfile.ZIP_DEFLATED)


def _document(sides: list[list[str]], *, is_crawled: bool) -> tuple[str, list[str]]:
    """Return the XML of a side of a document, and the ids of each link's sentences, joined by spaces."""
    tag, end = ("p", "") if is_crawled else ("P", "\n")
    paragraphs, names, count = [], [], 0
    for number, sentences in enumerate(sides, 1):
        ids = []
        for place, _ in enumerate(sentences, 1):
            ids.append(f"s{number}.{place}" if is_crawled else str(count + place))
        count += len(sentences)
        names.append(" ".join(ids))
        inner = "".join(
            f'<s id="{name}">{escape(text)}</s>{end}'
            for name, text in zip(ids, sentences, strict=True)
        )
        if sentences:
            opening = f'<p id="p{number}">' if is_crawled else f'<P id="{number}">\n'
            paragraphs.append(f"{opening}{inner}</{tag}>\n")
    text = "".join(paragraphs)
    if is_crawled:
        return f"{HEAD}<text>\n{text}</text>\n", names
    opening = '<document>\n<CHAPTER ID="0">\n<SPEAKER ID="1" NAME="Narrator">\n'
    return f"{HEAD}{opening}{text}</SPEAKER>\n</CHAPTER>\n</document>\n", names


if __name__ == "__main__":
    pack(HERE / "opus")
