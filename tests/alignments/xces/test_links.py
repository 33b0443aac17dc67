import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.alignments.extraction import CANDIDATE_SHAPES, Link, LinkGroup
from bitext_pivot.alignments.xces.links import read_link_groups
from bitext_pivot.core.errors import SourceError

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n'


def _file(folder: Path, body: str, head: str = HEAD) -> Path:
    path = folder / "en-fr.xml.gz"
    path.write_bytes(gzip.compress((head + body).encode()))
    return path


def _read(path: Path, **options: Any) -> Iterator[LinkGroup]:
    return read_link_groups(path, ("en", "fr"), **options)


def _one(
    folder: Path,
    link: str,
    group: str = '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">',
) -> LinkGroup:
    (group_read,) = _read(
        _file(folder, f'<cesAlign version="1.0">\n{group}\n{link}\n</linkGrp>\n</cesAlign>')
    )
    return group_read


@pytest.mark.parametrize(
    ("link", "from_ids", "to_ids", "attributes"),
    [
        ('<link xtargets="20;19 20" />', ("20",), ("19", "20"), {}),
        (
            '<link certainty="0.518" xtargets="s4.1 s4.2;s4.1" id="SL7" />',
            ("s4.1", "s4.2"),
            ("s4.1",),
            {"certainty": "0.518", "id": "SL7"},
        ),
        (
            '<link xtargets="2;2.1 2.2" id="SL2" score="1.12"/>',
            ("2",),
            ("2.1", "2.2"),
            {"id": "SL2", "score": "1.12"},
        ),
        ('<link type="1-2" xtargets="3:1;2:1 2:2" />', ("3:1",), ("2:1", "2:2"), {"type": "1-2"}),
        (
            '<link overlap="0.775" xtargets="292;318 320"></link>',
            ("292",),
            ("318", "320"),
            {"overlap": "0.775"},
        ),
        ("<link xtargets='1;1  2'\n  id='&lt;&amp;'\n/>", ("1",), ("1", "2"), {"id": "<&"}),
    ],
)
def test_a_link_of_every_writer_is_read(
    tmp_path: Path,
    link: str,
    from_ids: tuple[str, ...],
    to_ids: tuple[str, ...],
    attributes: dict[str, str],
) -> None:
    documents = ("en/a.xml", "fr/a.xml")
    shapes = Counter({f"{len(from_ids)}-{len(to_ids)}": 1})
    assert _one(tmp_path, link) == LinkGroup(
        documents, [Link(1, documents, (from_ids, to_ids), attributes)], shapes
    )


@pytest.mark.parametrize(
    ("targets", "shape"),
    [
        (";s1", "0-1"),
        ("s1; ", "1-0"),
        ("1;1", "1-1"),
        ("1  2;3\n4", "2-2"),
        ("1;1 2 3", "1-3"),
        (";", "0-0"),
    ],
)
def test_a_link_of_another_shape_is_counted_and_not_stored(
    tmp_path: Path, targets: str, shape: str
) -> None:
    group = _one(tmp_path, f'<link xtargets="{targets}" />')
    assert (group.shapes, group.candidates, group.skips) == ({shape: 1}, [], {})


@pytest.mark.parametrize(
    "group",
    [
        '<linkGrp targType="s" toDoc="fr/a.xml.gz" fromDoc="en/a.xml.gz">',
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz" >',
        '<linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml" score="0.38">',
        '<linkGrp\n  targType="s"\n  fromDoc="en/a.xml.gz"\n\n  toDoc="fr/a.xml.gz"\n>',
    ],
)
def test_a_link_group_of_every_writer_names_its_documents(tmp_path: Path, group: str) -> None:
    read = _one(tmp_path, '<link xtargets="1;1 2" />', group)
    assert (read.documents, read.shapes) == (("en/a.xml", "fr/a.xml"), {"1-2": 1})


@pytest.mark.parametrize(
    ("from_document", "to_document", "is_exchanged"),
    [
        ("en/a.xml.gz", "fr/a.xml.gz", False),
        ("fr/a.xml.gz", "en/a.xml.gz", True),
        ("fr/a.xml", "en/b/c.xml", True),
        ("fr/en/a.xml", "en/fr/a.xml", True),
        ("fr/a.xml", "a.xml", False),
        ("a.xml", "en/a.xml", False),
        ("fr/a.xml", "fr/b.xml", False),
        ("en/a.xml", "en/b.xml", False),
        ("fr_CA/a.xml", "en/a.xml", False),
        ("FR/a.xml", "EN/a.xml", False),
        ("Tiny/fr/a.xml", "Tiny/en/a.xml", False),
        ("fr.xml", "en.xml", False),
    ],
)
def test_links_from_the_second_language_are_exchanged(
    tmp_path: Path, from_document: str, to_document: str, is_exchanged: bool
) -> None:
    group = _one(
        tmp_path,
        '<link xtargets="1;1 2" id="SL1" /><link xtargets="2 3;3" /><link xtargets="4;" /><link xtargets="5" />',
        f'<linkGrp fromDoc="{from_document}" toDoc="{to_document}">',
    )
    documents = from_document.removesuffix(".gz"), to_document.removesuffix(".gz")
    ids = [(("1",), ("1", "2")), (("2", "3"), ("3",))]
    shapes = ["1-2", "2-1", "1-0"]
    if is_exchanged:
        documents = documents[::-1]
        ids = [(("1", "2"), ("1",)), (("3",), ("2", "3"))]
        shapes = ["2-1", "1-2", "0-1"]
    assert group.documents == documents
    assert [(link.documents, link.ids) for link in group.candidates] == [
        (documents, sides) for sides in ids
    ]
    assert (group.shapes, group.skips) == (Counter(shapes), {"bad link": 1})


def test_an_end_tag_on_a_links_line_closes_the_group(tmp_path: Path) -> None:
    body = (
        '<cesAlign><linkGrp fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz"><link xtargets="1;1" /></linkGrp>\n'
        '<linkGrp fromDoc="en/b.xml.gz" toDoc="fr/b.xml.gz">\n<link xtargets="1;1" /><link xtargets="2;2" /></linkGrp>'
        "</cesAlign>"
    )
    groups = _read(_file(tmp_path, body))
    assert [(group.shapes.total(), group.documents[0]) for group in groups] == [
        (1, "en/a.xml"),
        (2, "en/b.xml"),
    ]


def test_a_link_in_a_comment_is_none(tmp_path: Path) -> None:
    assert _one(tmp_path, '<!--\n<link xtargets="8;8" />\n-->\n<link xtargets="9;9" />').shapes == {
        "1-1": 1
    }


@pytest.mark.parametrize(
    "link", ['<link id="SL1" />', '<link xtargets="1 2" />', '<link xtargets="1;2;3" />']
)
def test_a_malformed_link_is_bad_and_keeps_its_number(tmp_path: Path, link: str) -> None:
    group = _one(tmp_path, link + '<link xtargets="1;1 2" />')
    assert (group.skips, group.shapes) == ({"bad link": 1}, {"1-2": 1})
    assert [link.number for link in group.candidates] == [2]


def test_a_link_without_group_or_documents_is_bad(tmp_path: Path) -> None:
    body = (
        '<cesAlign><linkGrp fromDoc="en/a.xml"><link xtargets="1;1 2" /></linkGrp>'
        '<linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml"></linkGrp><link xtargets="1;1 2" /></cesAlign>'
    )
    groups = list(_read(_file(tmp_path, body)))
    assert [(group.skips, group.candidates) for group in groups] == [({"bad link": 1}, [])] * 2


_TOKENS = st.text("0123456789s.:-_é", min_size=1, max_size=6)
_SIDES = st.lists(_TOKENS, max_size=3).map(tuple)
_VALUES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=6)
_ATTRIBUTES = st.dictionaries(
    st.sampled_from(["id", "certainty", "score", "type", "overlap"]), _VALUES
)
_DOCUMENTS = st.tuples(
    st.sampled_from(["en/a.xml", "en/b/1.xml"]), st.sampled_from(["fr/a.xml", "fr/é.xml"])
)
_SPACE = st.sampled_from([" ", "\n", "  ", "\t"])


@given(
    groups=st.lists(
        st.tuples(_DOCUMENTS, st.lists(st.tuples(_SIDES, _SIDES, _ATTRIBUTES), max_size=6)),
        max_size=5,
    ),
    data=st.data(),
)
def test_what_is_written_in_any_style_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, groups: list[Any], data: st.DataObject
) -> None:
    expected, written, number = [], [], 0
    for (from_document, to_document), links in groups:
        head = data.draw(
            st.permutations([("fromDoc", from_document + ".gz"), ("toDoc", to_document)])
        )
        written.append(_tag("linkGrp", head, data) + data.draw(_SPACE))
        group = LinkGroup((from_document, to_document))
        for from_ids, to_ids, attributes in links:
            number += 1
            targets = f"{' '.join(from_ids)};{' '.join(to_ids)}"
            place = data.draw(st.integers(0, len(attributes)))
            pairs = list(attributes.items())
            written.append(
                _tag("link", [*pairs[:place], ("xtargets", targets), *pairs[place:]], data)
                + "</link>"
            )
            link = Link(number, group.documents, (from_ids, to_ids), attributes)
            group.shapes[link.shape] += 1
            group.candidates += [link] * (link.shape in CANDIDATE_SHAPES)
        written.append("</linkGrp>" + data.draw(_SPACE))
        expected += [group] * bool(links)
    if expected:
        path = _file(tmp_path_factory.mktemp("links"), f"<cesAlign>{''.join(written)}</cesAlign>")
        read = list(_read(path))
        assert read == expected
        assert [_names(group) for group in read] == [_names(group) for group in expected]


def _names(group: LinkGroup) -> list[list[str]]:
    """Return the names of the attributes of each candidate, in order."""
    return [list(link.attributes) for link in group.candidates]


def _tag(name: str, attributes: list[tuple[str, str]], data: st.DataObject) -> str:
    inner = "".join(f"{data.draw(_SPACE)}{key}={quoteattr(value)}" for key, value in attributes)
    return f"<{name}{inner}{data.draw(st.sampled_from(['', ' ']))}>"


def test_links_before_and_after_a_chunk_border_are_the_same(tmp_path: Path) -> None:
    rows = "\n".join(f'<link xtargets="{n};{n} {n + 1}" id="SL{n}" />' for n in range(1, 9_001))
    body = f'<cesAlign><linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml">\n{rows}\n</linkGrp></cesAlign>'
    (group,) = _read(_file(tmp_path, body))
    links = group.candidates
    assert [link.ids[1] for link in links] == [(str(n), str(n + 1)) for n in range(1, 9_001)]
    assert links[-1].number == 9_000


_WHOLE = gzip.compress(
    (
        HEAD
        + '<cesAlign><linkGrp fromDoc="a" toDoc="b"><link xtargets="1;1"/></linkGrp></cesAlign>'
    ).encode()
)


@pytest.mark.parametrize(
    "content",
    [
        _WHOLE[:-12],
        b"<cesAlign></cesAlign>",
        _WHOLE[:40] + b"\xff" * 30 + _WHOLE[70:],
        b"",
        gzip.compress(b""),
        gzip.compress(b"en\tfr\n"),
        gzip.compress(b"<html><p>404<br></html>"),
        gzip.compress(b'<cesAlign><linkGrp fromDoc="a" toDoc="b"><link xtargets="1;1"/>'),
        gzip.compress(b'<?xml version="1.0" encoding="klingon"?><cesAlign/>'),
        gzip.compress(HEAD.encode() + b"<cesAlign></cesAlign>"),
    ],
    ids=[
        "cut",
        "plain",
        "spoilt",
        "empty",
        "packed empty",
        "text",
        "page",
        "open",
        "encoding",
        "without links",
    ],
)
def test_a_damaged_link_file_is_named_with_what_to_do(
    tmp_path: Path, content: bytes, golden: Golden
) -> None:
    path = tmp_path / "en-fr.xml.gz"
    path.write_bytes(content)
    with golden.refused(SourceError):
        list(_read(path))


def test_a_link_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.xml\.gz is damaged or cannot be read"):
        list(_read(tmp_path / "none.xml.gz"))


def test_groups_before_the_fault_have_come_out(tmp_path: Path) -> None:
    path = tmp_path / "en-fr.xml.gz"
    body = b'<cesAlign><linkGrp fromDoc="a" toDoc="b"><link xtargets="1;1"/></linkGrp><linkGrp fromDoc="b" toDoc="c">'
    path.write_bytes(gzip.compress(body + b" " * 200_000))
    groups = _read(path)
    assert next(groups).shapes == {"1-1": 1}
    with pytest.raises(SourceError, match="no element found"):
        next(groups)


@pytest.mark.parametrize(("last", "numbers"), [(1, [1]), (3, [1, 2, 3]), (None, [1, 2, 3, 4, 5])])
def test_links_behind_the_last_one_are_not_read(
    tmp_path: Path, last: int | None, numbers: list[int]
) -> None:
    groups = "".join(
        f'<linkGrp fromDoc="{name}" toDoc="{name}">{row}</linkGrp>'
        for name, row in [
            ("a", '<link xtargets="1;1 2" />' * 2),
            ("b", '<link xtargets="1;1 2" />' * 3),
        ]
    )
    path = _file(tmp_path, f"<cesAlign>{groups}" + ("" if last else "</cesAlign>"))
    read = list(_read(path, max_links=last))
    assert [link.number for group in read for link in group.candidates] == numbers
