"""Archives, links and XML made to do harm: nothing is written outside the data folder, nothing outside it is read."""

import gzip
import stat
import tracemalloc
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.alignments.custom_bitext import (
    CustomBitextRequest,
    TranslationMemory,
    locate_files,
)
from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.opus import fetch
from bitext_pivot.alignments.release import CorpusForm, Release, ReleaseFiles
from bitext_pivot.alignments.xces.reader import extract_alignments
from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.records import Alignment
from bitext_pivot.core.site import Site

GOOD = '<document><s id="1">One.</s><s id="2">Two.</s></document>'
NAMES = ["../../../escaped", "/tmp/escaped", "en/../../../../escaped", "C:\\escaped", "C:/escaped", "..\\..\\escaped",
         "//host/share/escaped", "en/\0escaped", "~/escaped", "en/a.xml/../../../escaped"]  # fmt: skip


def write(
    folder: Path,
    link: str,
    members: Iterable[tuple[str | zipfile.ZipInfo, str]],
    form: CorpusForm = "raw",
) -> Release:
    """Write a corpus Tiny/v1 en-fr of one link, with the same members in both zips."""
    release = Release("Tiny", "v1", "en", "fr", form)
    for name in release.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / release.links).write_bytes(gzip.compress(link.encode()))
    for language in release.languages:
        with zipfile.ZipFile(
            folder / release.sentences(language), "w", zipfile.ZIP_DEFLATED
        ) as archive:
            for member, text in members:
                archive.writestr(member, text)
            archive.writestr(f"Tiny/{form}/{language}/filler.xml", GOOD)
    return release


def links(en: str, fr: str) -> str:
    """A link file whose one group names these documents."""
    group = f'<linkGrp fromDoc="{en}" toDoc="{fr}"><link xtargets="1;1 2" /></linkGrp>'
    return f'<?xml version="1.0"?>\n<cesAlign version="1.0">\n{group}\n</cesAlign>\n'


LINKS = links("en/a.xml", "fr/a.xml")
Found = tuple[list[Alignment], dict[str, int]]


def taken(release: Release, archives: ReleaseFiles) -> Found:
    """The alignments and the skips of a release."""
    batches = list(extract_alignments(archives, Extraction(), licence="CC0-1.0"))
    skips = {reason: number for batch in batches for reason, number in batch.skips.items()}
    return [alignment for batch in batches for alignment in batch.alignments], skips


def everything(folder: Path) -> set[Path]:
    """All files and links below a folder."""
    return set(folder.rglob("*"))


def by_http(release: Release, base: str, home: Path) -> ReleaseFiles:
    """Fetch as a build does."""
    return fetch(release, Site(opus=base, home=home))


def in_place(release: Release, folder: Path) -> Found:
    """Read a release in a folder."""
    return taken(release, fetch(release, Site(opus=str(folder / "base"), home=folder)))


def of_text(folder: Path, text: str, form: CorpusForm = "raw") -> Found:
    """Write and read a release of one document, the same on both sides."""
    members = [(f"Tiny/{form}/{language}/a.xml", text) for language in ("en", "fr")]
    return in_place(write(folder / "base", LINKS, members, form), folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_member_with_a_path_elsewhere_is_never_written(
    name: str, tmp_path: Path, mirror: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    release = write(tmp_path / "base", links(*[name.replace("\0", "_")] * 2), [(name, GOOD)])
    before = everything(tmp_path) | everything(Path("/tmp/escaped"))
    for base, home in ((mirror.base, "home"), (str(tmp_path / "base"), "in-place")):
        archives = by_http(release, base, tmp_path / home)
        taken(release, archives)
    new = everything(tmp_path) - before
    assert {path.relative_to(tmp_path).parts[0] for path in new} == {"home"}
    assert [path for path in new if path.is_symlink() or "escaped" in path.name] == []
    assert not Path("/tmp/escaped").exists()


def link_member(name: str, target: Path) -> tuple[zipfile.ZipInfo, str]:
    """A member that zip tools unpack as a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info, str(target)


def test_a_symbolic_link_in_an_archive_is_text(tmp_path: Path, mirror: Any) -> None:
    private = tmp_path / "private.xml"
    private.write_text(GOOD.replace("One", "Private"), encoding="utf-8")
    members = [link_member(f"Tiny/raw/{language}/a.xml", private) for language in ("en", "fr")]
    release = write(tmp_path / "base", LINKS, members)
    found, skips = taken(release, by_http(release, mirror.base, tmp_path / "home"))
    assert (found, skips) == ([], {"unreadable document: not well-formed": 1})
    assert [path for path in everything(tmp_path / "home") if path.is_symlink()] == []


@pytest.mark.parametrize("form", ["raw", "xml"])
def test_a_link_file_gets_no_files_of_this_machine(
    form: CorpusForm, tmp_path: Path, mirror: Any
) -> None:
    private = tmp_path / "home" / "opus" / "private.xml"
    private.parent.mkdir(parents=True)
    private.write_text(GOOD.replace("One", "Private"), encoding="utf-8")
    for name in (
        str(private),
        "../../private.xml",
        "../../../../../../../../etc/passwd",
        private.as_uri(),
    ):
        release = write(tmp_path / "base", links(name, name), [], form)
        for base, home in ((mirror.base, "home"), (str(tmp_path / "base"), "in-place")):
            found, skips = taken(release, by_http(release, base, tmp_path / home))
            assert (found, skips) == ([], {"missing document": 1})


def test_a_sentence_that_never_ends_does_not_fill_the_memory(tmp_path: Path) -> None:
    """64 MiB of blanks take 64 KiB in a zip; what is in memory at once stays near the limit of a sentence."""
    text = f'<document><s id="1">{" " * (64 << 20)}</s></document>'
    members = [(f"Tiny/raw/{language}/a.xml", text) for language in ("en", "fr")]
    release = write(tmp_path / "base", LINKS, members)
    tracemalloc.start()
    found, skips = in_place(release, tmp_path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found, skips) == ([], {"unreadable document: a sentence without end": 1})
    assert most < 40 << 20


def test_an_attribute_of_a_gigabyte_is_refused_before_it_is_in_memory(tmp_path: Path) -> None:
    """expat reads an unfinished tag again with each piece: 150 s for 1 GiB, which takes 1 MiB in a gzip file."""
    head, tail = LINKS.split("xtargets", 1)
    attribute = gzip.compress(b"y" * (1 << 20)) * 1024  # members of a gzip file follow each other
    release = write(tmp_path / "base", "", [])
    path = tmp_path / "base" / release.links
    path.write_bytes(
        gzip.compress(f'{head}note="'.encode())
        + attribute
        + gzip.compress(f'" xtargets{tail}'.encode())
    )
    tracemalloc.start()
    with pytest.raises(SourceError, match=r"en-fr\.xml\.gz .*a tag or comment of more than 8 MiB"):
        in_place(release, tmp_path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40 << 20


def test_a_document_with_a_tag_that_never_ends_is_skipped_and_counted(tmp_path: Path) -> None:
    text = GOOD.replace('id="1"', f'id="1" note="{"y" * (9 << 20)}"')
    assert of_text(tmp_path, text) == ([], {"unreadable document: a tag without end": 1})


PARTS = [
    "..",
    ".",
    "../..",
    "/etc",
    "a/../..",
    "v1/..",
    "C:",
    "a\\b",
    "",
    "a b",
    "a\nb",
    "%2e%2e",
    "a\0b",
]


@pytest.mark.parametrize("part", PARTS)
def test_a_name_that_leaves_the_data_folder_is_refused(part: str) -> None:
    for names in ((part, "v1", "en", "fr"), ("Tiny", part, "en", "fr"), ("Tiny", "v1", part, "fr")):
        with pytest.raises(
            SettingsError, match=r"cannot be part of an OPUS address: expected letters, digits"
        ):
            Release(*names)


ENTITY = r"refused: declares the entity '[ef]\d*'"
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
DOCTYPES = {
    "a billion laughs": (f'[<!ENTITY e0 "ha">{BOMB}]', "&e11;"),
    "one long entity many times": (f'[<!ENTITY e "{"ha" * 5_000}">]', "&e;" * 10_000),
    "a file of this machine": ('[<!ENTITY e SYSTEM "file:///etc/passwd">]', "&e;"),
    "a file by its name alone": ('[<!ENTITY e SYSTEM "/etc/passwd">]', "&e;"),
    "an address": ('[<!ENTITY e SYSTEM "http://127.0.0.1:9/e">]', "&e;"),
    "a parameter entity": ('[<!ENTITY % e SYSTEM "file:///etc/passwd"> %e;]', "x"),
    "an entity within an entity's declaration": ('[<!ENTITY % e "<!ENTITY f \'ha\'>"> %e;]', "&f;"),
}  # fmt: skip


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be asked for over the network."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr("socket.socket.connect", refuse)


@pytest.mark.parametrize("name", DOCTYPES)
def test_a_file_with_entities_is_refused_and_a_document_skipped_and_counted(
    name: str, tmp_path: Path, closed: None
) -> None:
    doctype, use = DOCTYPES[name]
    text = LINKS.replace("<cesAlign", f"<!DOCTYPE cesAlign {doctype}><cesAlign")
    release = write(tmp_path / "base", text.replace("<link ", f"{use}<link "), [])
    with pytest.raises(SourceError, match=ENTITY):
        in_place(release, tmp_path)
    forms: tuple[CorpusForm, ...] = ("raw", "xml")
    for form in forms:
        document = f"<!DOCTYPE document {doctype}>{GOOD}".replace("One.", use)
        found, skips = of_text(tmp_path, document, form)
        assert (found, skips) == ([], {"unreadable document: declares entities": 1})
    path = tmp_path / "a.tmx"
    unit = f'<tu><tuv xml:lang="en"><seg>{use}</seg></tuv></tu>'
    path.write_text(f"<!DOCTYPE tmx {doctype}><tmx><body>{unit}</body></tmx>", encoding="utf-8")
    own = locate_files(CustomBitextRequest(TranslationMemory(name="Own", file=path), "en", "fr"))
    with pytest.raises(SettingsError, match=ENTITY):
        list(own.batches(Extraction()))


def test_a_document_type_alone_is_neither_fetched_nor_a_fault(tmp_path: Path, closed: None) -> None:
    doctype = '<!DOCTYPE document SYSTEM "http://127.0.0.1:9/document.dtd">'
    found, skips = of_text(tmp_path, doctype + GOOD)
    assert ([alignment.one for alignment in found], skips) == (["One."], {})
