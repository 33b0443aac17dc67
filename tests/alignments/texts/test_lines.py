import gzip
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.alignments.extraction import AlignmentBatch, Extraction
from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.sources import read_alignments
from bitext_pivot.alignments.texts.lines import read_files, read_zip
from bitext_pivot.alignments.texts.segments import SegmentPair, split_segments
from bitext_pivot.core.errors import EncodingError, SettingsError, SourceError
from bitext_pivot.core.site import Site

RELEASE = Release("Tiny", "v1", "en", "fr", "moses")
LINES = (
    [
        "One long line. But two of them.", "One line, and only one.", "Ha. And b.", "Plain.", "", "Three. Of. Them.",
        "He came and left.",
    ],
    [
        "Une longue ligne, et une seule.", "Une ligne. Et une autre.", "Ah. Et b.", "Simple.", "Ici.", "Un. Deux.",
        "Il vint. Il partit.",
    ],
)  # fmt: skip


def files(
    folder: Path, one: bytes | str, other: bytes | str, ending: str = ""
) -> tuple[Path, Path]:
    paths = folder / f"text.en{ending}", folder / f"text.fr{ending}"
    for path, content in zip(paths, (one, other), strict=True):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return paths


def moses(folder: Path, en: str, fr: str, release: Release = RELEASE, **more: str) -> ReleaseFiles:
    """Write a Moses zip in OPUS' layout and fetch it."""
    path = folder / "base" / release.lines
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind, text in {"en": en, "fr": fr, **more}.items():
            archive.writestr(f"{release.corpus}.en-fr.{kind}", text)
        archive.writestr("README", "no line of it")
        archive.writestr("LICENSE", "none")
    return fetch(release, Site(opus=str(folder / "base"), home=folder))


def joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def texts(found: list[SegmentPair]) -> list[tuple[str, str]]:
    return [segment.texts for segment in found]


def skips(found: list[AlignmentBatch]) -> Counter[str]:
    return sum((batch.skips for batch in found), Counter())


def all_of(archives: ReleaseFiles, **changes: int) -> list[AlignmentBatch]:
    return list(read_alignments(archives, Extraction(**changes)))


def test_line_n_goes_with_line_n_of_the_other_file(tmp_path: Path) -> None:
    found = list(read_files(*files(tmp_path, "One.\nTwo.\n", "Un.\nDeux.\n")))
    assert found == [
        SegmentPair(1, ("One.", "Un."), ("text.en", "text.fr"), (("1",), ("1",)), {}),
        SegmentPair(2, ("Two.", "Deux."), ("text.en", "text.fr"), (("2",), ("2",)), {}),
    ]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\n\n", ["a", ""]),
        ("\ufeffa\nb\n", ["a", "b"]),
        ("\ufeff\nb\n", ["", "b"]),
        ("a\ufeffb\n", ["a\ufeffb"]),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\rh\n", ["a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\rh"]),
        ("a\r\r\n", ["a"]),
        ("a\rb\r", ["a", "b"]),
        ("\ufeffa\rb", ["a", "b"]),
        (b"a\xffb\n\xc3\xa9\n\xc3\xa9\n", ["a\ufffdb", "\u00e9", "\u00e9"]),
    ],
)
def test_what_ends_a_line(tmp_path: Path, content: str | bytes, lines: list[str]) -> None:
    found = read_files(*files(tmp_path, content, "x\n" * len(lines)))
    assert [segment.texts[0] for segment in found] == lines


_LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=20)


@given(st.lists(st.tuples(_LINE, _LINE), min_size=1, max_size=10), st.sampled_from(["\n", "\r\n"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_lines_written_come_back(tmp_path: Path, rows: list[tuple[str, str]], end: str) -> None:
    rows = [(one.strip("\ufeff"), other.strip("\ufeff")) for one, other in rows]
    one, other = ("".join(line + end for line in side) for side in zip(*rows, strict=True))
    assert texts(list(read_files(*files(tmp_path, one, other)))) == rows


@pytest.mark.parametrize(("one", "other"), [(3, 5), (5, 3), (0, 2), (1, 0)])
def test_sides_of_unequal_length_are_named_with_both_counts(
    tmp_path: Path, one: int, other: int, golden: Golden
) -> None:
    found: list[Any] = []
    with golden.refused(SourceError):
        # extend keeps what came before.
        found.extend(read_files(*files(tmp_path, "a\n" * one, "b\n" * other)))
    assert len(found) == min(one, other)


@pytest.mark.parametrize(
    ("content", "ending"),
    [
        (b"", ""),
        ("One.\n".encode("utf-16"), ""),
        (b"plain text\n", ".gz"),
        (gzip.compress(b"One.\n" * 9_000)[:-20], ".gz"),
        (gzip.compress(b"a\n")[:9], ".gz"),
        (zstandard.compress(b"One.\n" * 9_000)[:-3], ".zst"),
        (b"plain text\n", ".zst"),
        ("Un été à la forêt.\n".encode("cp1252"), ""),
        (None, ""),
    ],
    ids=[
        "empty",
        "UTF-16",
        "not packed",
        "cut short",
        "header alone",
        "zst cut short",
        "no zst",
        "encoding",
        "absent",
    ],
)
def test_an_unreadable_file_is_named(
    tmp_path: Path, content: bytes | None, ending: str, golden: Golden
) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        ".gz": gzip.compress,
        ".zst": zstandard.compress,
    }
    pack = packers[ending]
    other = pack(b"Un.\n" * 9_000) if ending else b""
    one, two = files(tmp_path, content or b"", other, ending)
    if content is None:
        one.unlink()
    with golden.refused(SourceError):
        list(read_files(one, two))


def test_a_line_that_is_no_text_costs_itself_only(tmp_path: Path) -> None:
    paths = files(
        tmp_path, "A. B. " * 90_000 + "\nIt came. It went.\n", "x.\nIl vint, puis partit.\n"
    )
    (batch,) = split_segments(read_files(*paths), RELEASE, Extraction(), licence="none")
    assert (batch.skips, batch.shapes) == ({"bad link": 1}, {"2-1": 1})
    assert batch.alignments[0].two == ("It came.", "It went.")


def test_the_segments_of_a_zip_become_alignments_with_their_provenance(tmp_path: Path) -> None:
    en, fr = map(joined, LINES)
    (batch,) = all_of(moses(tmp_path, en, fr))
    assert batch.shapes == {"2-1": 1, "1-2": 2, "2-2": 1, "1-1": 1, "0-1": 1, "3-2": 1}
    assert batch.skips == Counter()
    first, second, third = batch.alignments
    assert (first.id, first.one_language, first.two_language) == ("Tiny/v1/en-fr:1", "fr", "en")
    assert (first.one, first.two) == (
        "Une longue ligne, et une seule.",
        ("One long line.", "But two of them."),
    )
    assert first.source.documents == ("Tiny.en-fr.fr", "Tiny.en-fr.en")
    assert (first.one_id, first.two_ids) == ("1", ("1.1", "1.2"))
    assert (second.one_language, second.two) == ("en", ("Une ligne.", "Et une autre."))
    assert (first.source.corpus, first.source.release, first.source.licence) == (
        "Tiny",
        "v1",
        "unknown",
    )
    assert first.attributes == {}
    assert third.two_ids == ("7.1", "7.2")


IDS = (
    "en/a.xml.gz\tfr/a.xml.gz\t1.1 1.2\t1\n"
    "en/a.xml.gz\tfr/a.xml.gz\t2\t2\n"
    "en/a.xml.gz\tfr/a.xml.gz\t3\t3\n"
    "en/b.xml.gz\tfr/b.xml.gz\t1\t1\n"
    "en/b.xml.gz\tfr/b.xml.gz\t\t2\n"
    "broken\n"
    "en/b.xml.gz\tfr/b.xml.gz\t4 5\t6 7\n"
)


def test_an_archive_of_opus_in_another_encoding_is_counted_and_of_ones_own_refused(
    tmp_path: Path,
    golden: Golden,
) -> None:
    path = moses(tmp_path, "It rained.\n", "Il a neigé.\n").lines
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Tiny.en-fr.en", "It rained.\n")
        archive.writestr("Tiny.en-fr.fr", "Il a neigé.\n".encode("latin-1"))
    assert texts(list(read_zip(path, RELEASE))) == [("It rained.", "Il a neig\ufffd.")]
    with golden.refused(EncodingError):
        list(read_zip(path, RELEASE, refuses=True))


def test_documents_ids_and_scores_of_the_zip_are_kept(tmp_path: Path) -> None:
    scores = "".join(f"1.0{n}\n" for n in range(1, 8))
    en, fr = map(joined, LINES)
    found = all_of(moses(tmp_path, en, fr, ids=IDS, scores=scores))
    first, second = (alignment for batch in found for alignment in batch.alignments)
    assert first.source.documents == ("fr/a.xml", "en/a.xml")
    assert (first.one_id, first.two_ids, first.attributes) == (
        "1",
        ("1.1", "1.2"),
        {"score": "1.01"},
    )
    assert (second.one_id, second.two_ids, second.attributes) == (
        "2",
        ("2.1", "2.2"),
        {"score": "1.02"},
    )
    assert [batch.shapes.total() for batch in found] == [3, 2, 0, 1]
    assert skips(found) == {"bad link": 1, "sentences do not match ids": 1}


@pytest.mark.parametrize(
    ("en", "fr", "reason"),
    [
        ("A long line.", "Une ligne. Autr\ufffd.", "undecodable characters"),
        ("A long line.", "Une ligne. Aut\x07re.", "control characters"),
        ("A long line.", f"Une ligne. Autre {'x' * 30}.", "too long"),
    ],
)
def test_what_cannot_be_used_is_counted_by_reason(
    tmp_path: Path, en: str, fr: str, reason: str
) -> None:
    (batch,) = all_of(moses(tmp_path, f"{en}\nGood.\n", f"{fr}\nBon.\n"), max_characters=30)
    assert (batch.alignments, batch.skips, batch.shapes) == ((), {reason: 1}, {"1-2": 1, "1-1": 1})


def test_nothing_behind_the_limit_of_links_is_read(tmp_path: Path, golden: Golden) -> None:
    archives = moses(tmp_path, joined(LINES[0]), joined(LINES[1][:3]))
    for most in (1, 2, 3):
        found = all_of(archives, max_links=most)
        assert sum(sum(batch.shapes.values()) for batch in found) == most
    with golden.refused(SourceError):
        all_of(archives)


_WORDS = st.lists(
    st.sampled_from(["Word", "word", "end.", "end?", "Mr.", "\ufffd", "5"]), max_size=8
).map(" ".join)


@given(st.lists(st.tuples(_WORDS, _WORDS), min_size=1, max_size=8))
def test_every_line_is_in_the_books_once(rows: list[tuple[str, str]]) -> None:
    lines = [
        SegmentPair(n, texts, ("a", "b"), (("x",), ("x",)), {}) for n, texts in enumerate(rows, 1)
    ]
    found = list(
        split_segments(iter(lines), RELEASE, Extraction(max_characters=25), licence="none")
    )
    shapes = sum((batch.shapes for batch in found), Counter())
    assert shapes.total() == len(rows)
    assert (
        shapes["1-2"] + shapes["2-1"]
        == sum(len(b.alignments) for b in found) + skips(found).total()
    )
    for alignment in (alignment for batch in found for alignment in batch.alignments):
        en, fr = rows[int(alignment.id.rpartition(":")[2]) - 1]
        one, two = (en, fr) if alignment.one_language == "en" else (fr, en)
        assert (alignment.one, " ".join(alignment.two)) == (one, two)


@pytest.mark.parametrize(
    "members",
    [
        {"Tiny.en-fr.en": "a\n"},
        {"a.en-fr.en": "a\n", "b.en-fr.en": "a\n", "a.en-fr.fr": "a\n"},
        {"Tiny.de-en.en": "a\n"},
        {},
    ],
)
def test_a_zip_of_something_else_is_refused(
    tmp_path: Path, members: dict[str, str], golden: Golden
) -> None:
    path = tmp_path / "lines.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    with golden.refused(SourceError):
        list(read_zip(path, RELEASE))


def test_a_damaged_zip_is_named(tmp_path: Path, golden: Golden) -> None:
    archives = moses(tmp_path, "One line.\n" * 500, "Une ligne.\n" * 500)
    path = archives.lines
    whole = path.read_bytes()
    path.write_bytes(whole[:50] + bytes([whole[50] ^ 255]) + whole[51:])
    with golden.refused(SourceError):
        all_of(archives)
    path.write_bytes(b"<html>busy</html>")
    with golden.refused(SourceError):
        all_of(archives)


def test_an_encrypted_zip_is_refused(tmp_path: Path, golden: Golden) -> None:
    archives = moses(tmp_path, "a\n", "a\n")
    content = archives.lines.read_bytes()
    # The flag is in both headers of each member.
    flagged = re.sub(rb"(?s)(PK\x03\x04..|PK\x01\x02....).", b"\\g<1>\x01", content)
    archives.lines.write_bytes(flagged)
    with golden.refused(SourceError):
        all_of(archives)


def test_a_language_without_rules_is_refused_before_reading(tmp_path: Path, golden: Golden) -> None:
    release = Release("Tiny", "v1", "ar", "en", "moses")
    with golden.refused(SettingsError):
        split_segments(iter([]), release, Extraction(), licence="none")
