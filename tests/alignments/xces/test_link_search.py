"""The law: searching bytes gives what reading events gives, links and faults, however a file is written and cut."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from alignments.xces import links as module
from alignments.xces.link_events import read_events
from alignments.xces.link_runs import LinkRun
from alignments.xces.link_search import search
from alignments.xces.links import read_runs
from alignments.xces.markup import UnusualMarkupError
from pairs.errors import SourceError

DOCTYPE = '<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">'
HEADS = [
    f'<?xml version="1.0" encoding="utf-8"?>\n{DOCTYPE}\n',
    DOCTYPE,
    "",
    "\ufeff<?xml version='1.0' encoding='UTF-8'?>",
    '<?xml version="1.0" encoding="iso-8859-1"?>',
    '<?xml version="1.0" standalone="yes"?><!DOCTYPE c SYSTEM "x.dtd">',
    "<!DOCTYPE c SYSTEM '<link xtargets=\"1;1\"/>'>",
    "<!DOCTYPE c []>",
    '<!DOCTYPE c [<!ATTLIST link type CDATA "default">]>',
    '<!DOCTYPE c [<!ENTITY e "1;2">]>',
    "\n ",
    "<!-- made by hand -->",
]
# Well-formed by themselves, so that most files are, and all that differs from how OPUS writes links
PARTS = [
    *['<link xtargets="1;1" />\n', '<link certainty="0.5" xtargets="s1.1;s1.1 s1.2" id="SL1" />\n'] * 3,
    '<link xtargets=";1"/>',
    '<link xtargets="1 2;" ></link>',
    '<link xtargets="10 11;3" id="a > b" n="&lt;&#233;&amp;">\n</link>',
    '<link xtargets=" 1  2 ; 3" />',
    "<link xtargets='1;2 3' />",
    "<link id='x' xtargets=\"1;2 3\" />",
    '<link id="it\'s" xtargets="1;2 3" />',
    '<link id=\'say " xtargets="9;9" \' xtargets="1;2 3" />',
    '<link\n  xtargets="1;2 3"\n/>',
    '<link id="1"\txtargets="1;2 3"/>',
    '<link xtargets = "1;2 3" />',
    '<link xtargets="&#49;;2 3" />',
    '<link xtargets="1;2&#32;3" />',
    '<link xtargets="1;2\n3" />',
    '<link xtargets="1;2\u00a03" />',
    '<link xtargets="é;2 ü" />',
    '<link xtargets="1;2;3" />',
    '<link xtargets="1 2" />',
    '<link xtargets="" />',
    '<link id="1" />',
    "<link/>",
    "<link />",
    '<link id="&undeclared;" xtargets="1;2 3" />',
    '<link xtargets2="5;5" xtargets="1;2 3" />',
    '<link xml:id="a" x="b" xtargets="1;2 3" />',
    '<link xtargets="1;2 3"><link xtargets="4;5" /></link>',
    '<linkage xtargets="7;7" />',
    '<x:link xtargets="7;7" />',
    '<p xtargets="7;7">xtargets="8;8" link</p>',
    '<!-- <link xtargets="6;6" /> -->',
    '<![CDATA[<link xtargets="6;6" />]]>',
    '<?pi <link xtargets="6;6" />?>',
    "\r\n\t",
]
GROUPS = [
    *['<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">\n'] * 3,
    '<linkGrp\n toDoc="fr/b.xml"\n fromDoc="en/b.xml.gz" >',
    "<linkGrp fromDoc='en/c.xml' toDoc='fr/c.xml'>",
    '<linkGrp fromDoc="en/&amp;.xml" toDoc="fr/&#233;.xml">',
    '<linkGrp fromDoc="en/a>b.xml" toDoc="fr/é.xml">',
    '<linkGrp fromDoc="en/a.xml">',
    '<linkGrp fromDoc="" toDoc="fr/a.xml">',
    "<linkGrp>",
]
CLOSED = '<linkGrp fromDoc="en/s.xml" toDoc="fr/s.xml"/>'
BROKEN = [
    "</cesAlign>",
    "<link",
    '<link xtargets="1;1" xtargets="1;1"/>',
    "&",
    "\x01",
    "</p>",
    '<link xtargets="<"/>',
    "\ud800",
]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A link file, now and then one that is not well-formed."""
    body = []
    for _ in range(draw(st.integers(0, 4))):
        parts = draw(st.lists(st.sampled_from(PARTS), max_size=5))
        kind = draw(st.integers(0, 9))
        if kind == 0:
            body += [CLOSED, *parts]
        elif kind == 1:
            body += parts
        elif kind == 2:
            inner = draw(st.sampled_from(GROUPS))
            body += [draw(st.sampled_from(GROUPS)), inner, *parts, "</linkGrp>", *parts, "</linkGrp\n>"]
        else:
            body += [draw(st.sampled_from(GROUPS)), *parts, "</linkGrp>\n"]
    if draw(st.integers(0, 5)) == 0:
        body.insert(draw(st.integers(0, len(body))), draw(st.sampled_from(BROKEN)))
    head = draw(st.sampled_from([HEADS[0], *HEADS]))
    text = f"{head}<cesAlign>{''.join(body)}</cesAlign>\n"
    return text.encode("latin-1" if "8859" in head else "utf-8", "surrogatepass" if "8859" not in head else "replace")


def outcome(runs: Iterator[LinkRun]) -> tuple[list[object], str]:
    """All links that come out, with the shape that their run tells, and the fault that ends them."""
    found: list[object] = []
    try:
        for run in runs:
            found += [(run.shapes[place], run.link(place)) for place in range(len(run.shapes))]
    except SourceError as error:
        return found, str(error)
    return found, ""


@given(content=files(), chunk=st.sampled_from([1, 7, 40, 1 << 17]))
@settings(max_examples=100)
@example(content=b'<c><linkGrp fromDoc="a" toDoc="b"/><!-- <link xtargets="6;6"/> --></c>', chunk=7)
def test_searching_gives_what_reading_events_gives(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, chunk: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        _same(content, tmp_path_factory.mktemp("links"), patch, chunk)


def _same(content: bytes, folder: Path, patch: pytest.MonkeyPatch, chunk: int) -> None:
    """Read a file in both ways and compare."""
    path = folder / "en-fr.xml.gz"
    path.write_bytes(gzip.compress(content, 1))
    patch.setattr(module, "_CHUNK", chunk)
    expected, fault = outcome(read_events(module.chunks(path), path))
    found, told = outcome(read_runs(path))
    assert found == expected
    assert told == fault or (not fault and not expected and "holds no link" in told)


@pytest.mark.parametrize("chunk", [1, 7, 1 << 17])
@pytest.mark.parametrize(
    "odd", [*PARTS, *(group + PARTS[1] + "</linkGrp>" for group in GROUPS), *BROKEN, CLOSED + PARTS[1]]
)
def test_one_thing_of_another_kind_in_a_plain_file_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str, chunk: int
) -> None:
    rows = PARTS[0] + PARTS[1]
    body = f"{GROUPS[0]}{rows}{odd}{rows}</linkGrp>{odd}{GROUPS[0]}{rows}</linkGrp>"
    _same(f"{HEADS[0]}<cesAlign>{body}</cesAlign>".encode("utf-8", "surrogatepass"), tmp_path, monkeypatch, chunk)


@pytest.mark.parametrize("chunk", [1, 7, 1 << 17])
@pytest.mark.parametrize("head", HEADS)
def test_no_way_to_begin_a_file_changes_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, chunk: int
) -> None:
    rows = '<link id="é" xtargets="1;1 2"/><link xtargets="&undeclared;1;2 3" id="&undeclared;"/>'
    content = f"{head}<cesAlign>{GROUPS[0]}{rows}</linkGrp></cesAlign>"
    _same(content.encode("latin-1" if "8859" in head else "utf-8"), tmp_path, monkeypatch, chunk)
    _same(content.replace("&undeclared;", "").encode("utf-16"), tmp_path, monkeypatch, chunk)
    _same(content.replace("&undeclared;", "").encode("utf-16-le"), tmp_path, monkeypatch, chunk)


def test_plain_files_are_searched_and_others_are_not(tmp_path: Path) -> None:
    plain = f'{HEADS[0]}<cesAlign>{GROUPS[0]}<link xtargets="1;1 2" id="&amp;"/></linkGrp></cesAlign>'
    (run,) = search([plain.encode()])
    assert (run.shapes, run.link(0).attributes) == (["1-2"], {"id": "&"})
    for part in ("<!---->", "<?pi?>", "<p><![CDATA[]]></p>", "<link/>", "<link xtargets='1;1'/>", "</cesAlign"):
        with pytest.raises(UnusualMarkupError):
            list(search([plain.replace("</cesAlign>", f"{part}</cesAlign>").encode()]))


def test_what_changes_late_in_a_file_loses_and_doubles_nothing(tmp_path: Path) -> None:
    rows = "".join(f'<link xtargets="{n};{n} {n + 1}" id="SL{n}" />\n' for n in range(1, 4_001))
    body = f"{HEADS[0]}<cesAlign>{GROUPS[0]}{rows}<!-- late -->{rows}</linkGrp></cesAlign>"
    path = tmp_path / "en-fr.xml.gz"
    path.write_bytes(gzip.compress(body.encode()))
    found, fault = outcome(read_runs(path))
    assert [link.number for _, link in found] == list(range(1, 8_001))
    assert [link.from_ids[0] for _, link in found] == [str(n) for n in (*range(1, 4_001), *range(1, 4_001))]
    assert not fault


def test_a_tag_without_an_end_is_not_held_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alignments.xces.link_search._HELD", 100)
    with pytest.raises(UnusualMarkupError):
        list(search([b'<c><link a="', b"x" * 60, b"x" * 60]))


@pytest.mark.parametrize(
    ("after", "last", "numbers"), [(0, None, [5, 6, 7]), (5, None, [6, 7]), (4, 6, [5, 6]), (6, 6, [])]
)
def test_a_part_of_a_run_keeps_its_numbers(after: int, last: int | None, numbers: list[int]) -> None:
    rows = [{"xtargets": f"{n};{n}"} for n in (5, 6, 7)]
    part = LinkRun(("a", "b"), 5, ["1-1"] * 3, rows.__getitem__).between(after, last)
    assert [part.link(place).number for place in range(len(part.shapes))] == numbers
    assert [part.link(place).from_ids for place in range(len(part.shapes))] == [(str(n),) for n in numbers]
