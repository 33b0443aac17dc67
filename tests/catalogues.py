"""Small catalogues of OPUS, with the table that opustools makes."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

BASE = "https://object.pouta.csc.fi"
FIELDS = (
    "source", "target", "corpus", "preprocessing", "version", "url", "size", "documents", "alignment_pairs",
    "source_tokens", "target_tokens", "latest",
)  # fmt: skip
NAMES = {"xml": ".xml.gz", "moses": ".txt.zip", "tmx": ".tmx.gz", "raw": ".zip", "smt": ".alg.zip"}


def row(
    path: str, size: int, links: object = "", *, latest: bool = False, column: str = "", **more: Any
) -> dict[str, Any]:
    """A row for the file `corpus/release/kind/languages`; `column` is the corpus where the catalogue has it wrong."""
    corpus, version, kind, languages = path.split("/")
    source, _, target = languages.partition("-")
    name = languages + (".zip" if kind == "xml" and not target else NAMES[kind])
    return {
        "source": source, "target": target, "corpus": column or corpus, "preprocessing": kind, "version": version,
        "url": f"{BASE}/OPUS-{corpus}/{version}/{kind}/{name}", "size": size, "documents": "", "alignment_pairs": links,
        "source_tokens": "", "target_tokens": "", "latest": str(latest), **more,
    }  # fmt: skip


ROWS = [
    row("Europarl/v7/xml/en-fr", 90, 2000, documents=9, source_tokens=50, target_tokens=60),
    row("Europarl/v7/raw/en", 700),
    row("Europarl/v7/raw/fr", 800),
    row("Europarl/v8/xml/en-fr", 91, 2100, latest=True, documents=10, source_tokens=51, target_tokens=61),
    row("Europarl/v8/moses/en-fr", 300, 2090, latest=True),
    row("Europarl/v8/smt/en-fr", 999, 2100, latest=True),
    row("Europarl/v8/raw/en", 701, latest=True),
    row("Europarl/v8/raw/fr", 801, latest=True),
    row("Europarl/v8/xml/en", 7001, latest=True),
    row("Europarl/v8/xml/fr", 8001, latest=True),
    row("Europarl/v8/xml/de-en", 92, 1900, latest=True),
    row("Europarl/v8/raw/de", 702, latest=True),
    row("UNPC/v1.0/xml/en-fr", 5000, 35000, latest=True),
    row("UNPC/v1.0/raw/en", 6000, latest=True),  # no French archive: neither raw nor xml
    row("UN/v20090831/xml/en-fr", 5, 740, column="UNPC"),
    row("UN/v20090831/raw/en", 48, column="UNPC"),
    row("UN/v20090831/raw/fr", 55, column="UNPC"),
    row("StanfordNLP-NMT/v1.0/xml/en-de", 36, 4468, latest=True),
    row("StanfordNLP-NMT/v1.0/raw/en", 20, latest=True),
    row("StanfordNLP-NMT/v1.0/raw/de", 21, latest=True),
    row("OpenSubtitles/v2018/xml/en-pt_br", 7, 10, latest=True),
    row("OpenSubtitles/v2018/moses/en-pt_br", 8, 600, latest=True),
    row("GNOME/v1/tmx/en-pt_BR", 0, 3),
    row("GNOME/v2/xml/en-fr", 1, 5, latest=True),
    row("OpenSubtitles/v2013/xml/en-en", 4, 11),
    row("Tiny/v1/xml/en-fr", 1, ""),
    row("WikiSource/v1/smt/en-fr", 3, 9),
    {**row("komi/v1/xml/en-fr", 1, 7), "url": ""},
]  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]] = ROWS) -> Path:
    """Write a catalogue and return its path."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"CREATE TABLE opusfile (id integer PRIMARY KEY, {', '.join(FIELDS)}, updated integer)"
        )
        marks = ", ".join(f":{field}" for field in FIELDS)
        connection.executemany(f"INSERT INTO opusfile ({', '.join(FIELDS)}) VALUES ({marks})", rows)
    return path
