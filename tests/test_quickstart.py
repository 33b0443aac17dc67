"""The quickstart's own bitext: what is packed is what is written, and it has every shape that a link can have."""

import gzip
import zipfile
from pathlib import Path

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


def test_the_demo_says_how_many_links_it_reads() -> None:
    texts = [read_text(path) for path in (QUICKSTART / "text").glob("*-en.txt")]
    number = sum(len(links) for documents in texts for links in documents.values())
    assert f"{number} sentence links" in PLAN
    translated = len(read_text(QUICKSTART / "text" / "chronicle.txt"))
    assert (
        f"{len(list((QUICKSTART / 'documents').iterdir()))} English documents, and {translated} with"
        in PLAN
    )
