"""The same links and the same sentences as opustools' OpusRead gives, run once a shape, on real corpora."""

import contextlib
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from opustools import OpusRead

from alignments.catalogue import licence
from alignments.extract import Extraction, extract
from alignments.opus import Archives, Release, fetch
from pairs.records import Alignment

OPUS = Path(__file__).parents[2].parent / "shared" / "opus"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not OPUS.is_dir(), reason="needs ../shared/opus"),
    pytest.mark.filterwarnings("ignore"),
]

_SENTENCE = re.compile(r'\((src|trg)\)="(.+?)">(.*)')


def _opusread(release: Release, archives: Archives, shape: str, output: Path) -> list[tuple[object, ...]]:
    """Documents, ids and texts of the links of a shape as OpusRead prints them."""
    source, target = shape.split("-")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        OpusRead(
            directory=release.corpus, release=release.release, source=release.a, target=release.b, preprocess="raw",
            src_range=source, tgt_range=target, write_mode="normal", write=[str(output)], suppress_prompts=True,
            alignment_file=str(archives.links),
            source_zip=str(archives.sentences(release.a)), target_zip=str(archives.sentences(release.b)),
        ).printPairs()  # fmt: skip
    found, documents = [], []
    for block in output.read_text(encoding="utf-8").split("================================"):
        documents = re.findall(r"^# (.+)\.gz$", block, re.MULTILINE) or documents
        sentences = [match.groups() for match in map(_SENTENCE.match, block.splitlines()) if match]
        if sentences:
            found.append((*documents, *sentences))
    return found


def _ours(alignment: Alignment, release: Release) -> tuple[object, ...]:
    """The same of one of our alignments."""
    one = [(alignment.one_id, alignment.one)]
    two = list(zip(alignment.two_ids, alignment.two, strict=True))
    documents, sides = (alignment.one_document, alignment.two_document), (one, two)
    if alignment.one_language != release.a:
        documents, sides = documents[::-1], sides[::-1]
    return (*documents, *(("src", *pair) for pair in sides[0]), *(("trg", *pair) for pair in sides[1]))


@pytest.mark.parametrize(
    ("corpus", "pair", "one_two", "two_one", "max_links"),
    [
        ("WMT-News/v2019", ("de", "en"), 120, 192, None),
        ("WMT-News/v2019", ("en", "es"), 89, 126, None),
        ("JusLaws/v1", ("en", "fr"), 225, 149, None),
        ("News-Commentary/v11", ("es", "en"), 117, 168, None),
    ],
)
def test_links_and_sentences_are_those_of_opusread(
    corpus: str, pair: tuple[str, str], one_two: int, two_one: int, max_links: int | None, tmp_path: Path
) -> None:
    release = Release.of(corpus, *pair)
    archives = fetch(release, str(OPUS), tmp_path)
    settings = Extraction(max_links=max_links, max_characters=100_000)
    batches = list(extract(archives, release, settings, licence=licence(release.corpus)))
    shapes = sum((batch.shapes for batch in batches), Counter())
    skips = sum((batch.skips for batch in batches), Counter())
    ours = [alignment for batch in batches for alignment in batch.alignments]
    assert (shapes["1-2"], shapes["2-1"]) == (one_two, two_one)
    assert len(ours) == one_two + two_one - skips.total()
    for shape, left in (("1-2", release.a), ("2-1", release.b)):
        theirs = _opusread(release, archives, shape, tmp_path / shape)
        mine = [_ours(alignment, release) for alignment in ours if alignment.one_language == left]
        missing = [link for link in theirs if link not in mine]
        assert [link for link in theirs if link in mine] == mine
        assert all(any(re.search("[\x80-\x9f\ufffd]", text) for _, _, text in link[2:]) for link in missing)
