"""The law: searching bytes gives what reading events gives, sentences and reasons, however a document is written."""

import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignments.xces import members
from alignments.xces.markup import UnusualMarkupError
from alignments.xces.sentence_events import UnreadableDocument, collect
from alignments.xces.sentence_search import search
from alignments.xces.sentences import SentenceArchive

HEADS = [
    '<?xml version="1.0" encoding="utf-8"?>\n',
    "",
    "\ufeff",
    "<?xml version='1.0'?><!DOCTYPE text SYSTEM \"text.dtd\">",
    '<?xml version="1.0" encoding="iso-8859-1"?>',
    '<!DOCTYPE text [<!ATTLIST s id CDATA "9">]>',
    "\n",
]
CONTENTS = [
    *["Rain.", "It rained &amp; we left.", "A  b ", "Été\u00a0là."] * 2,
    "\n  two\r\n lines\t",
    "&lt;s id=&quot;1&quot;&gt; &apos;",
    "&amp;lt; &#233;&#xE9; &#38;amp;",
    "<w>to</w><w>ken</w> s",
    '<hi rend="a > b">in</hi>side',
    "a<br/>b<seg/>",
    "<!-- a --> b",
    "<![CDATA[</s> <b>]]>",
    "<?pi </s>?>c",
    "\u2003\u3000x\u0085",
    "\U0001f600 zero\u200dwidth",
    "",
    " ",
    'id="1"> <s'.replace("<", "&lt;"),
]
TAGS = [
    *['<s id="{0}">{1}</s>\n'] * 6,
    '<s id="{0}" lang="en">{1}</s>',
    "<s id=\"{0}\"\n n='a>b' >{1}</s >",
    "<s id='{0}'>{1}</s>",
    '<s  id="{0}">{1}</s>',
    '<s n="1" id="{0}">{1}</s>',
    '<s id = "{0}">{1}</s>',
    '<s id="&#49;">{1}</s>',
    '<s id=" {0}\n">{1}</s>',
    '<s id="">{1}</s>',
    '<s id="{0}"/>',
    '<s id="{0}" />',
    "<s>{1}</s>",
    "<s/>",
    '<S id="{0}">{1}</S>',
    '<seg id="{0}">{1}</seg>',
    '<s-x id="{0}">{1}</s-x>',
    '<s id="{0}">{1}<s id="2">in</s> out</s>',
    '<s id="{0}"><p>{1}</p></s>',
    '<p id="{0}">{1}</p>',
    '<p><s id="{0}">{1}</s>s</p>',
    '<s id="{0}">&undeclared;{1}</s>',
]
BROKEN = ['<s id="1">', "</s>", "&", "\x01", "<", '<s id="1" id="1"/>', "\ufffe", "]]>", "\ud800"]


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A document, now and then one that is not well-formed."""
    ids = st.sampled_from(["1", "2", "3", "s1.1", "é", "12"])
    parts = [
        draw(st.sampled_from(TAGS)).format(draw(ids), draw(st.sampled_from(CONTENTS)))
        for _ in range(draw(st.integers(0, 6)))
    ]
    if draw(st.integers(0, 5)) == 0:
        parts.insert(draw(st.integers(0, len(parts))), draw(st.sampled_from(BROKEN)))
    head = draw(st.sampled_from([HEADS[0], *HEADS]))
    text = f"{head}<text>{''.join(parts)}</text>"
    return text.encode("latin-1", "replace") if "8859" in head else text.encode("utf-8", "surrogatepass")


def outcome(read: Callable[[], dict[str, str]]) -> dict[str, str] | str:
    """The sentences, or the reason why there are none."""
    try:
        return read()
    except UnreadableDocument as error:
        return error.reason


@given(
    content=documents(),
    wanted=st.sets(st.sampled_from(["1", "2", "3", "s1.1", "é", "404", "", " 1 "]), min_size=1),
    chunk=st.sampled_from([1, 9, 50, 1 << 18]),
)
@settings(max_examples=100)
def test_searching_gives_what_reading_events_gives(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, wanted: set[str], chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(members, "_CHUNK", chunk)
        _same({"a.xml": content}, tmp_path_factory.mktemp("zip"), wanted)


def _same(contents: dict[str, bytes], folder: Path, wanted: set[str]) -> None:
    """Read documents in both ways and compare."""
    path = folder / "en.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(f"Tiny/raw/en/{name}", content)
    with closing(SentenceArchive(path, "Tiny")) as archive:
        for name, content in contents.items():
            expected = outcome(
                lambda content=content: {
                    id: " ".join(text.split()) for id, text in collect([content], "en/a.xml", wanted).items()
                }
            )
            assert outcome(lambda name=name: archive.read(f"en/{name}", wanted)) == expected, content


@pytest.mark.parametrize("chunk", [1, 9, 1 << 18])
@pytest.mark.parametrize("wanted", [{"1"}, {"2", "é"}, {"1", "2", "é", "", " 1 "}])
def test_one_thing_of_another_kind_in_a_plain_document_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: set[str], chunk: int
) -> None:
    monkeypatch.setattr(members, "_CHUNK", chunk)
    plain = '<s id="2">A  b.</s>\n<s id="é">C</s>'
    odd = [tag.format("1", content) for tag in {*TAGS, BROKEN[0] + "{1}"} for content in {*CONTENTS, *BROKEN}]
    contents = [f"{HEADS[0]}<text>{plain}{part}{plain}</text>" for part in odd]
    contents += [f'{head}<text>{plain}<s id="1">é{part}</s></text>' for head in HEADS for part in ("", "&undeclared;")]
    contents += [contents[0][:end] for end in range(0, len(contents[0]), 5)]
    encoded = [text.encode("latin-1" if "8859" in text else "utf-8", "surrogatepass") for text in contents]
    encoded += [contents[0].encode("utf-16"), contents[0].removeprefix(HEADS[0]).encode("utf-16-le")]
    _same({f"{number}.xml": content for number, content in enumerate(encoded)}, tmp_path, wanted)


def test_plain_documents_are_searched_and_others_are_not() -> None:
    plain = '<text><s id="1">A &amp; <b>b</b></s><s id="2" lang="en">C</s><seg/></text>'
    assert search([plain.encode()], {b"1": "1", b"2": "2"}) == {"1": b"A &amp; <b>b</b>", "2": b"C"}
    for part in ("<!---->", "<?pi?>", "<![CDATA[]]>", "<s/>", "<s n='1' id='2'/>", '<s id="&amp;"/>', "<p>"):
        with pytest.raises(UnusualMarkupError):
            search([plain.replace("<seg/>", part).encode()], {b"1": "1"})


def test_a_sentence_without_an_end_is_not_held_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alignments.xces.sentence_search._HELD", 100)
    with pytest.raises(UnusualMarkupError):
        search([b'<text><s id="1">', b"x" * 60, b"x" * 60, b"</s></text>"], {b"1": "1"})


def test_the_first_of_two_sentences_with_an_id_counts_across_windows() -> None:
    halves = [b'<text><s id="1">first</s><s id="2">b</s>', b'<s id="1">second</s></text>']
    assert search(halves, {b"1": "1"}) == {"1": b"first"}


def test_a_document_is_read_whole_before_its_sentences_are_believed(tmp_path: Path) -> None:
    path = tmp_path / "en.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "Tiny/raw/en/a.xml", '<text><s id="1">Well.</s>' + "<p>fine</p>" * 100_000 + "<s id='2'>\0</s></text>"
        )
    with closing(SentenceArchive(path, "Tiny")) as archive, pytest.raises(UnreadableDocument, match="invalid token"):
        archive.read("en/a.xml", ["1"])
