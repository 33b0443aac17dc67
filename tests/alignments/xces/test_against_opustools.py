"""The same links and the same sentences as opustools' OpusRead gives, run once a shape, on real corpora.

OpusRead keeps white space and invisible characters, and texts with control characters, which are skipped here.
"""

import contextlib
import gzip
import io
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from opustools import OpusRead

from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.xces.reader import extract_alignments
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.site import Site
from bitext_pivot.core.white_space import squeezed

pytestmark = pytest.mark.filterwarnings("ignore")

_SENTENCE = re.compile(r'\((src|trg)\)="(.+?)">(.*)')


def _opusread(
    release: Release,
    archives: ReleaseFiles,
    shape: str,
    output: Path,
    *,
    is_exchanged: bool = False,
) -> list[tuple[Any, ...]]:
    """Documents, ids and texts of the links of a shape as OpusRead prints them; of exchanged ones b is the source."""
    source, target = shape.split("-")
    source_language, target_language = (
        (release.b, release.a) if is_exchanged else (release.a, release.b)
    )
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        OpusRead(
            directory=release.corpus, release=release.version, preprocess=release.form,
            source=source_language, target=target_language, src_range=source, tgt_range=target,
            write_mode="normal", write=[str(output)], suppress_prompts=True,
            alignment_file=str(archives.links),
            source_zip=str(archives.sentences(source_language)),
            target_zip=str(archives.sentences(target_language)),
        ).printPairs()  # fmt: skip
    found: list[tuple[Any, ...]] = []
    documents: list[str] = []
    for block in output.read_text(encoding="utf-8").split("================================"):
        documents = re.findall(r"^# (.+)\.gz$", block, re.MULTILINE) or documents
        matches = [match for match in map(_SENTENCE.match, block.splitlines()) if match]
        sentences = [(match[1], match[2], squeezed(match[3])) for match in matches]
        if sentences:
            found.append((*documents, *sentences))
    return found


def _ours(alignment: Alignment, release: Release) -> tuple[Any, ...]:
    """The same of one of our alignments."""
    one = [(alignment.one_id, alignment.one)]
    two = list(zip(alignment.two_ids, alignment.two, strict=True))
    documents, sides = alignment.source.documents, (one, two)
    if alignment.one_language != release.a:
        documents, sides = documents[::-1], sides[::-1]
    return (
        *documents,
        *(("src", *pair) for pair in sides[0]),
        *(("trg", *pair) for pair in sides[1]),
    )


def _part(release: Release, archives: ReleaseFiles, every: int, folder: Path) -> ReleaseFiles:
    """The same release with every n-th group of its links."""
    if every == 1:
        return archives
    head, *groups = gzip.decompress(archives.links.read_bytes()).split(b"<linkGrp")
    path = folder / "links.xml.gz"
    kept = groups[every - 1 : -1 : every]
    path.write_bytes(gzip.compress(b"<linkGrp".join([head, *kept]) + b"</cesAlign>", 1))
    return replace(archives, paths={**archives.paths, release.links: path})


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "pair", "every", "one_two", "two_one", "skipped"),
    [
        ("WMT-News/v2019", ("de", "en"), 1, 120, 192, 0),
        pytest.param("JusLaws/v1", ("en", "fr"), 1, 225, 149, 0, marks=pytest.mark.nightly),
        pytest.param(
            "News-Commentary/v11", ("es", "en"), 1, 117, 168, 0, marks=pytest.mark.nightly
        ),
        pytest.param("Europarl/v7", ("en", "fr"), 4, 1112, 813, 0, marks=pytest.mark.nightly),
    ],
)
def test_links_and_sentences_are_those_of_opusread(
    shared: Path,
    tmp_path: Path,
    name: str,
    pair: tuple[str, str],
    every: int,
    one_two: int,
    two_one: int,
    skipped: int,
) -> None:
    release = Release.parse(name, *pair)
    site = Site(opus=str(shared / "opus"), home=tmp_path)
    archives = _part(release, fetch(release, site), every, tmp_path)
    batches = list(
        extract_alignments(archives, Extraction(max_characters=100_000), licence="unknown")
    )
    shapes = sum((batch.shapes for batch in batches), Counter())
    skips = sum((batch.skips for batch in batches), Counter())
    ours = [alignment for batch in batches for alignment in batch.alignments]
    assert (shapes["1-2"], shapes["2-1"], skips.total()) == (one_two, two_one, skipped)
    for shape, left in (("1-2", release.a), ("2-1", release.b)):
        theirs = _opusread(release, archives, shape, tmp_path / shape)
        mine = [_ours(alignment, release) for alignment in ours if alignment.one_language == left]
        known = set(mine)
        missing = [link for link in theirs if link not in known]
        assert [link for link in theirs if link in known] == mine
        assert all(
            any(re.search("[\x80-\x9f\ufffd]", text) for _, _, text in link[2:]) for link in missing
        )
