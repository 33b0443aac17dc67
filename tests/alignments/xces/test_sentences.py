import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.alignments import xml
from bitext_pivot.alignments.xces.sentences import SentenceArchive, UnreadableDocumentError
from bitext_pivot.core.errors import DamagedError
from bitext_pivot.core.white_space import squeezed


def _archive(folder: Path, text: str | bytes, member: str = "Tiny/raw/en/a.xml") -> SentenceArchive:
    path = folder / "en.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README", "read me")
        archive.writestr(member, text)
    _open.append(SentenceArchive(path, "Tiny"))
    return _open[-1]


IDS = {"1", "2", "9", "s1.1", "s1.2", "2:1"}
_open: list[SentenceArchive] = []


@pytest.fixture(autouse=True)
def _closed_at_the_end() -> Iterator[None]:
    yield
    while _open:
        _open.pop().close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '<document><CHAPTER ID="0"><SPEAKER ID="1"><P id="1"/>\n <s id="1">Yes.</s></SPEAKER></CHAPTER></document>',
            {"1": "Yes."},
        ),
        (
            '<text><p id="p1"><s id="s1.1">One.</s><s id="s1.2">Two.</s></p></text>',
            {"s1.1": "One.", "s1.2": "Two."},
        ),
        (
            '<TEI.2><text><body><p id="2"><s id="2:1" lang="en">Tea.</s></p></body></text></TEI.2>',
            {"2:1": "Tea."},
        ),
        (
            '<text><s id="1">Fish &amp; chips &lt;3 &#8217;&#xE9;</s></text>',
            {"1": "Fish & chips <3 ’é"},
        ),
        (
            '<text><s id="1">Say <hi rend="it">never <b>ever</b></hi> so.</s></text>',
            {"1": "Say never ever so."},
        ),
        (
            '<text><s id="1">\n  A line\n\tand another;\u00a0so\u2003on. \n</s></text>',
            {"1": "A line and another; so on."},
        ),
        (
            '<text><s id="1">\ufeffThe b\u00aded is\u200b\u3000good.</s></text>',
            {"1": "The bed is good."},
        ),
        ('<text><s id="1"/><s id="2"> </s></text>', {"1": "", "2": ""}),
        (
            '<text><s id="1">- We<br/>left.<time id="T1E"/>It<lb/>rained.</s></text>',
            {"1": "- We left. It rained."},
        ),
        ('<text><s id="1">a<hi/><b></b>b <hi>c<br/></hi>d<i>e</i>f</s></text>', {"1": "a b c def"}),
        ('<text><s id="1">a<!-- hidden --><?pi x?><![CDATA[ <b> ]]></s></text>', {"1": "a <b>"}),
        ('<text><s id="9">first</s>outside<s id="9">second</s></text>', {"9": "first"}),
        (
            '<!DOCTYPE text SYSTEM "nowhere.dtd"><text><s id="1">Left alone.</s></text>',
            {"1": "Left alone."},
        ),
        (
            '<?xml version="1.0" encoding="iso-8859-1"?><text><s id="1">é</s></text>'.encode(
                "latin-1"
            ),
            {"1": "é"},
        ),
        ('\ufeff<text><s id="1">𝒳 e\u0301</s></text>', {"1": "𝒳 e\u0301"}),
    ],
)
def test_sentences_of_every_writer_are_read(
    tmp_path: Path, text: str | bytes, expected: dict[str, str]
) -> None:
    assert _archive(tmp_path, text).read("en/a.xml", IDS) == expected


def test_only_the_sentences_wanted_are_kept(tmp_path: Path) -> None:
    archive = _archive(
        tmp_path, '<text><s id="1">A</s><s id="2">B<w>b</w></s><s id="3">C</s></text>'
    )
    assert archive.read("en/a.xml", ["2", "7"]) == {"2": "Bb"}


@pytest.mark.parametrize(
    "member",
    ["Tiny/raw/en/2008/a.xml", "tiny/raw/en/2008/a.xml", "raw/en/2008/a.xml", "en/2008/a.xml"],
)
@pytest.mark.parametrize("document", ["en/2008/a.xml", "en/2008/a.xml.gz"])
def test_a_document_is_found_whatever_folder_is_above_it(
    tmp_path: Path, member: str, document: str
) -> None:
    assert _archive(tmp_path, '<text><s id="1">A</s></text>', member).read(document, IDS) == {
        "1": "A"
    }


_BOMB = (
    '<!DOCTYPE text [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 50}">' for a, b in ("ab", "bc", "cd"))
    + "]>"
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<text><s id="1">A</text>', "not well-formed"),
        ('<text><s id="1">A</s>', "not well-formed"),
        ('<text><s id="1">A & B</s></text>', "not well-formed"),
        ("", "not well-formed"),
        ('<text><s id="1">caf&eacute;</s></text>', "not well-formed"),
        ('<!DOCTYPE text SYSTEM "x.dtd"><text><s id="1">caf&eacute;</s></text>', "not well-formed"),
        (_BOMB + '<text><s id="1">&d;</s></text>', "declares entities"),
        (
            '<!DOCTYPE text [<!ENTITY f SYSTEM "file:///etc/hostname">]><text>&f;</text>',
            "declares entities",
        ),
        (
            '<!DOCTYPE text [<!ENTITY % f SYSTEM "http://127.0.0.1/x">%f;]><text/>',
            "declares entities",
        ),
        ('<text><s id="1">caf\u00e9</s></text>'.encode("latin-1"), "not well-formed"),
        ('<text><s id="1">A\0B</s></text>', "not well-formed"),
        ('<text><s id="1">&#xD800;</s></text>', "not well-formed"),
        ('<?xml version="1.0" encoding="klingon"?><text/>', "not well-formed"),
        ('<?xml version="1.0" encoding="shift_jis"?><text/>', "not well-formed"),
    ],
)
def test_an_unreadable_document_says_why(
    tmp_path: Path, text: str | bytes, reason: str, golden: Golden
) -> None:
    with golden.refused(UnreadableDocumentError) as caught:
        _archive(tmp_path, text).read("en/a.xml", IDS)
    assert caught.value.reason == f"unreadable document: {reason}"


def test_a_missing_member_is_told_from_an_unreadable_one(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(UnreadableDocumentError) as caught:
        _archive(tmp_path, "<text/>").read("en/b.xml.gz", IDS)
    assert caught.value.reason == "missing document"


def test_a_member_whose_bytes_are_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "en.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Tiny/raw/en/a.xml", '<text><s id="1">intact</s></text>')
    path.write_bytes(path.read_bytes().replace(b"intact", b"broken", 1))
    is_damaged(path, "Bad CRC-32")


def test_a_damaged_member_that_is_no_longer_xml_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "en.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Tiny/raw/en/a.xml", '<text><s id="1">intact</s></text>')
    path.write_bytes(path.read_bytes().replace(b"</s>", b"</z>", 1))
    is_damaged(path, "Bad CRC-32")


def is_damaged(path: Path, detail: str) -> None:
    """Assert that the document of a zip is refused with the paths, or skipped and counted on request."""
    strict = SentenceArchive(path, "Tiny")
    with (
        closing(strict),
        pytest.raises(
            DamagedError, match=rf"en/a\.xml is damaged in .*en\.zip \(.*({detail})"
        ) as refused,
    ):
        strict.read("en/a.xml", IDS)
    assert refused.value.path == path
    tolerant = SentenceArchive(path, "Tiny", skip_damaged=True)
    with closing(tolerant), pytest.raises(UnreadableDocumentError, match=detail) as caught:
        tolerant.read("en/a.xml", IDS)
    assert caught.value.reason == "unreadable document: damaged in the archive"


@pytest.mark.parametrize(
    "first", [b"\xff", b"\x00"], ids=["no such block", "wrong length of a block"]
)
def test_a_deflated_member_that_cannot_be_inflated_is_told(tmp_path: Path, first: bytes) -> None:
    _archive(tmp_path, '<text><s id="1">intact</s></text>')
    path = tmp_path / "en.zip"
    content = path.read_bytes()
    start = content.index(b"Tiny/raw/en/a.xml") + len(b"Tiny/raw/en/a.xml")
    path.write_bytes(content[:start] + first + content[start + 1 :])
    is_damaged(path, r"while decompressing|invalid|Bad CRC-32")


@pytest.mark.parametrize("content", [None, b"", b"not a zip", b"PK\x03\x04 cut"])
def test_a_missing_or_damaged_zip_is_named(
    tmp_path: Path, content: bytes | None, golden: Golden
) -> None:
    path = tmp_path / "en.zip"
    if content is not None:
        path.write_bytes(content)
    with golden.refused(DamagedError):
        SentenceArchive(path, "Tiny")


_PIECES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=12)


@given(texts=st.lists(st.lists(_PIECES, max_size=4), max_size=6), chunk=st.integers(1, 40))
def test_text_comes_out_as_put_in_but_for_white_space(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], chunk: int
) -> None:
    body = "".join(f'<s id="{n}">{_marked_up(pieces)}</s>\n' for n, pieces in enumerate(texts))
    archive = _archive(tmp_path_factory.mktemp("zip"), f"<text>{body}</text>")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml, "_CHUNK", chunk)
        read = archive.read("en/a.xml", {*map(str, range(6))})
    assert read == {str(n): squeezed(_text(pieces)) for n, pieces in enumerate(texts)}


def _text(pieces: list[str]) -> str:
    """Return the text of `_marked_up`, whose elements without content are spaces."""
    return "".join(piece or " " * (k % 2) for k, piece in enumerate(pieces))


def _marked_up(pieces: list[str]) -> str:
    return "".join(
        f"<w>{_escaped(piece)}</w>" if k % 2 else _escaped(piece) for k, piece in enumerate(pieces)
    )


def _escaped(text: str) -> str:
    return "".join(f"&#{ord(letter)};" if letter in "<>&\"'" else letter for letter in text)
