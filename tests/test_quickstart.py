"""The quickstart's own bitext: what is packed is what is written, and it has every shape that a link can have."""

import gzip
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from demo import PLAN
from pack import pack, read_text

QUICKSTART = Path(__file__).parent.parent / "quickstart"


def contents(folder: Path) -> dict[str, object]:
    """All files below a folder, archives opened: compressors of other versions may write other bytes."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*.*z*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".gz":
            found[name] = gzip.decompress(path.read_bytes())
        else:
            with zipfile.ZipFile(path) as archive:
                found[name] = {member: archive.read(member) for member in archive.namelist()}
    return found


def test_the_archives_are_packed_from_the_texts(tmp_path: Path) -> None:
    pack(tmp_path)
    assert contents(tmp_path) == contents(QUICKSTART / "opus")
    assert len(contents(tmp_path)) == 12


def test_the_bitexts_of_chronicle_share_their_english_documents() -> None:
    root = QUICKSTART / "opus" / "OPUS-Chronicle" / "v1" / "xml"
    texts = {path.name: gzip.decompress(path.read_bytes()).decode() for path in root.glob("*.gz")}
    named = {name: set(re.findall(r'"(en/[^"]*)"', text)) for name, text in texts.items()}
    assert {name: len(documents) for name, documents in named.items()} == {
        "de-en.xml.gz": 5, "en-es.xml.gz": 5, "en-fr.xml.gz": 5
    }  # fmt: skip
    assert named["en-es.xml.gz"] == named["en-fr.xml.gz"] != named["de-en.xml.gz"]


@pytest.mark.parametrize(("language", "links"), [("fr", 229), ("es", 217)])
def test_every_shape_and_every_defect_is_there(language: str, links: int) -> None:
    found = [
        link
        for links in read_text(QUICKSTART / "text" / f"{language}-en.txt").values()
        for link in links
    ]
    shapes = Counter(
        f"{len(link.sides.get('en', []))}-{len(link.sides.get(language, []))}" for link in found
    )
    assert sum(shapes.values()) == links
    assert {"1-1", "1-2", "2-1", "2-2", "0-1", "1-0", "1-3", "3-1"} == set(shapes)
    kinds = {link.defect for link in found if link.defect}
    assert kinds == {
        "pasted-token",
        "pasted-space",
        "misaligned",
        "verbless",
        "low-overlap",
        "whole-source",
    }


def test_the_texts_hold_what_a_reader_must_survive() -> None:
    text = "".join(
        (QUICKSTART / "text" / f"{name}-en.txt").read_text(encoding="utf-8")
        for name in ("fr", "es")
    )
    for needed in ("&", '"', "«", "\u00a0", "\u202f", "’", "œ", "ñ", "€", "\u0301", "\u0303", "🐱"):
        assert needed in text, needed
    assert re.search("[\U00010000-\U0010ffff]", text)


def test_the_demo_says_how_many_links_it_reads() -> None:
    texts = [read_text(path) for path in (QUICKSTART / "text").glob("*-en.txt")]
    number = sum(len(links) for documents in texts for links in documents.values())
    assert f"{number} sentence links" in PLAN
    translated = len(read_text(QUICKSTART / "text" / "chronicle.txt"))
    assert (
        f"{len(list((QUICKSTART / 'documents').iterdir()))} English documents, and {translated} with"
        in PLAN
    )


def test_the_documents_have_what_the_recipes_look_for() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in (QUICKSTART / "documents").iterdir()
    )
    for opening in (
        "However, ",
        "Therefore, ",
        "For example, ",
        "Nevertheless, ",
        "Moreover, ",
        "Meanwhile, ",
    ):
        assert text.count(opening) >= 5, opening
    for pattern in (
        r", (?:and|but|so) ",
        r"\w because ",
        r", who \w[^.,]*, ",
        r"lthough ",
        r"\. (?:He|She) ",
    ):
        assert len(re.findall(pattern, text)) >= 5, pattern
