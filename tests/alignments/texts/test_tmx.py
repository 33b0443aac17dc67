import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.texts.segments import SegmentPair, split_segments
from bitext_pivot.alignments.texts.tmx import read_tmx
from bitext_pivot.core.errors import SourceError

LANGUAGES = ("en", "fr")
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "http://127.0.0.1:1/tmx14.dtd">\n'
    '<tmx version="1.4">'
)
HEADER = (
    '<header srclang="en" datatype="plain"><prop type="of the file">not of a unit</prop></header>'
)


def variant(tag: str, text: str, *, name: str = "xml:lang", before: str = "") -> str:
    return f'<tuv {name}="{tag}">{before}<seg>{text}</seg></tuv>'


def unit(*parts: str, attributes: str = "") -> str:
    return f"<tu{attributes}>{''.join(parts)}</tu>"


def memory(folder: Path, *units: str, head: str = HEAD) -> Path:
    path = folder / "memory.tmx"
    path.write_text(f"{head}{HEADER}<body>\n{chr(10).join(units)}\n</body></tmx>", encoding="utf-8")
    return path


PLAIN = unit(variant("en", "It rained."), variant("fr", "Il pleuvait."))


def texts(path: Path) -> list[tuple[str, str]]:
    return [segment.texts for segment in read_tmx(path, LANGUAGES)]


def test_a_unit_is_a_segment_with_its_number_and_file(tmp_path: Path) -> None:
    found = list(read_tmx(memory(tmp_path, PLAIN, PLAIN), LANGUAGES))
    assert found == [
        SegmentPair(n, ("It rained.", "Il pleuvait."), ("memory.tmx",) * 2, ((str(n),),) * 2, {})
        for n in (1, 2)
    ]


@pytest.mark.parametrize(
    ("variants", "expected"),
    [
        ([variant("fr", "b"), variant("en", "a")], ("a", "b")),
        ([variant("en-US", "a"), variant("fr_CA", "b")], ("a", "b")),
        ([variant("EN", "a"), variant("FR-fr", "b")], ("a", "b")),
        ([variant("en", "a", name="lang"), variant("fr", "b", name="lang")], ("a", "b")),
        (
            [variant("en-US", "x"), variant("en", "a"), variant("en-GB", "y"), variant("fr", "b")],
            ("a", "b"),
        ),
        ([variant("en", "a"), variant("en-US", "x"), variant("fr", "b")], ("a", "b")),
        ([variant("en-US", "a"), variant("en-GB", "x"), variant("fr", "b")], ("a", "b")),
        ([variant("en", "a"), variant("en", "x"), variant("fr", "b")], ("a", "b")),
        ([variant("en", "a"), variant("fro", "x"), variant("fr", "b")], ("a", "b")),
        ([variant("de", "x"), variant("en", "a"), variant("fr", "b")], ("a", "b")),
        ([variant("en", "a"), variant("de", "x")], ("a", "")),
        ([variant("", "x"), variant("fr", "b")], ("", "b")),
        ([], ("", "")),
    ],
)
def test_a_variant_is_found_by_its_language(
    tmp_path: Path, variants: list[str], expected: tuple[str, str]
) -> None:
    assert texts(memory(tmp_path, unit(*variants), PLAIN))[0] == expected


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("a &amp; b &lt;c&gt; &#233;", "a & b <c> é"),
        ("a <hi type='b'>bold</hi> word", "a bold word"),
        ("a <hi>very <hi>bold</hi></hi> word", "a very bold word"),
        ('a <bpt i="1">&lt;b&gt;</bpt>bold<ept i="1">&lt;/b&gt;</ept> word', "a bold word"),
        ("a<ph>{1}<sub>note</sub>{2}</ph>b", "ab"),
        ("a<ph>{1}<sub>see <ph>{2}</ph> below</sub></ph>b", "ab"),
        ("a <it pos='begin'>{i}</it>b<ut>x</ut>", "a b"),
        ("a <hi>b<ph>{x}</ph> c</hi> d", "a b c d"),
        ("a <new>b</new>", "a b"),
        ("a.<ph x='1'>&lt;br/&gt;</ph>B", "a. B"),
        ("a.<it pos='begin'>&lt;BR&gt;</it>B", "a. B"),
        ("a.<bpt i='1'>&lt;/p&gt;&lt;p class='x'&gt;</bpt>B<ept i='1'>&lt;/p&gt;</ept>", "a. B "),
        ("a.<ut>&lt;lb/&gt;</ut>B", "a. B"),
        ("a.<ph>\\n</ph>B", "a. B"),
        ("a.<ph>&#10;</ph>B", "a. B"),
        ('a.<ph>&lt;mq:ch val="&#x9;" /&gt;</ph>B', "a. B"),
        ('a.<ph>&lt;mq:rxt displaytext="x" val="&amp;lt;br/&amp;gt;" /&gt;</ph>B', "a. B"),
        ('a<ph>&lt;mq:nt val="x" /&gt;</ph>b', "ab"),
        ("a.<ph>{\\line }</ph>B", "a. B"),
        ("a.<ph>&amp;lt;br&amp;gt;</ph>B", "a. B"),
        ("a.<ph type='lb'/>B", "a. B"),
        ("a.<ph>&lt;w:br/&gt;</ph>B", "a. B"),
        ("a.<br/>B", "a. B"),
        ("a<ph>&lt;b&gt;</ph>b<ph>\\name</ph>c<ph/>d<ph>&lt;brand/&gt;</ph>e", "abcde"),
        ("one\n   line\tof text", "one    line of text"),
        ("<![CDATA[a < b]]>", "a < b"),
        ("a\u2028b\u00a0c", "a\u2028b\u00a0c"),
        ("", ""),
    ],
)
def test_the_text_of_a_segment_is_kept_without_codes(
    tmp_path: Path, inside: str, text: str
) -> None:
    assert texts(memory(tmp_path, unit(variant("en", inside), variant("fr", "b")), PLAIN)) == [
        (text, "b"),
        ("It rained.", "Il pleuvait."),
    ]


def test_props_of_a_unit_become_attributes(tmp_path: Path) -> None:
    source = '<prop type="source-document">a.example/1</prop><prop type="source-document">b.example/2</prop>'
    scored = unit(
        '<prop type="score">1.25</prop>',
        variant("en-GB", "A.", before=source),
        variant("fr", "B."),
        attributes=' tuid="u7" creationdate="20200101T000000Z"',
    )
    first, second = read_tmx(memory(tmp_path, scored, PLAIN), LANGUAGES)
    assert first.attributes == {
        "tuid": "u7",
        "score": "1.25",
        "en:source-document": "a.example/1; b.example/2",
    }
    assert second.attributes == {}


_TEXT = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"
    ),
    max_size=20,
)


@given(
    st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=6), st.sampled_from(["utf-8", "utf-16"])
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_units_written_come_back(
    tmp_path: Path, rows: list[tuple[str, str]], encoding: str
) -> None:
    units = "".join(
        unit(
            f"<prop type={quoteattr(a)}>{escape(b)}</prop>",
            variant("en", escape(a)),
            variant("fr", escape(b)),
        )
        for a, b in rows
    )
    path = tmp_path / "memory.tmx"
    path.write_text(
        f'<?xml version="1.0" encoding="{encoding}"?><tmx><body>{units}</body></tmx>',
        encoding=encoding,
    )
    found = list(read_tmx(path, LANGUAGES))
    assert [segment.texts for segment in found] == rows
    assert [segment.attributes for segment in found] == [{a: b} for a, b in rows]


@pytest.mark.parametrize(
    "content",
    [
        f"{HEAD}<body>{PLAIN}",
        "",
        f"<tmx><body>{PLAIN}&nbsp;</body></tmx>",
        f'<!DOCTYPE tmx [<!ENTITY a "b">]><tmx><body>{PLAIN}</body></tmx>',
        f'<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/hostname">]><tmx><body>{PLAIN}</body></tmx>',
        "<tmx><body></body></tmx>",
        f"<tmx><body>{unit(variant('en', 'a'), variant('de', 'b'))}</body></tmx>",
    ],
)
def test_a_file_that_is_no_memory_of_both_is_refused(
    tmp_path: Path, content: str, golden: Golden
) -> None:
    path = tmp_path / "memory.tmx"
    path.write_text(content, encoding="utf-8")
    with golden.refused(SourceError):
        texts(path)


def test_an_entity_of_an_unread_doctype_costs_its_unit_only(tmp_path: Path) -> None:
    bad = unit(variant("en", "a &hellip; b"), variant("fr", "c"))
    (batch,) = split_segments(
        read_tmx(memory(tmp_path, bad, PLAIN), LANGUAGES),
        Release("T", "v1", "en", "fr"),
        Extraction(),
        licence="none",
    )
    assert (batch.skips, batch.shapes) == ({"bad link": 1}, {"1-1": 1})


def test_memory_stays_flat(tmp_path: Path) -> None:
    path = memory(
        tmp_path, *[unit(variant("en", "word " * 50), variant("fr", "mot " * 50))] * 5_000
    )
    tracemalloc.start()
    assert sum(1 for _ in read_tmx(path, LANGUAGES)) == 5_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000 < path.stat().st_size
