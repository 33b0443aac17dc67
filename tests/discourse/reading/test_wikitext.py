"""MediaWiki dumps: which pages are articles, and which text of them is prose."""

import bz2
import gzip
from collections import Counter
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.core.errors import SourceError
from bitext_pivot.discourse.reading.monolingual import MediaWikiDump, resolve
from bitext_pivot.discourse.reading.wikitext import paragraphs, read_articles

NAMESPACES = {6: "Datei", 14: "Kategorie", 0: ""}


def page(title: str, text: str, *, ns: int = 0, before: str = "") -> str:
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>7</id>{before}<revision><id>8</id>"
        f"<contributor><username>title</username></contributor><comment>text</comment>"
        f'<text bytes="9">{escape(text)}</text></revision></page>'
    )


def dump(*pages: str) -> bytes:
    names = "".join(
        f'<namespace key="{key}">{name}</namespace>' for key, name in NAMESPACES.items()
    )
    head = f"<siteinfo><sitename>Dorf</sitename><namespaces>{names}</namespaces></siteinfo>"
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{head}{"".join(pages)}</mediawiki>'.encode()


PAGES = dump(
    page(
        "Mühle",
        "Die '''Mühle''' steht [[Am Bach|am Bach]].[[Datei:M.jpg|mini|Foto]] Sie mahlt.\n\nDort wohnt [[Jón]].",
    ),
    page("Alte Mühle", "#WEITERLEITUNG [[Mühle]]", before='<redirect title="Mühle" />'),
    page("Datei:M.jpg", "Ein Foto.", ns=6),
    page(
        "A/B & C",
        "Es regnet. {{Infobox\n|a=b}}[[Kategorie:Wetter]]\n\nNicht {{geschlossen.\n\nEs schneit.",
    ),
    page("Leer", "{{Liste}}\n* Eins. Zwei."),
)
EXPECTED = [
    ("Mühle", 1, 1, "Die Mühle steht am Bach."),
    ("Mühle", 1, 2, "Sie mahlt."),
    ("Mühle", 2, 3, "Dort wohnt Jón."),
    ("A/B & C", 1, 1, "Es regnet."),
    ("A/B & C", 2, 2, "Es schneit."),
]


@pytest.mark.parametrize(
    ("name", "pack"), [("d.xml", bytes), ("d.xml.bz2", bz2.compress), ("d.xml.gz", gzip.compress)]
)
def test_articles_are_documents_and_other_pages_are_counted(
    tmp_path: Path, name: str, pack: type[bytes]
) -> None:
    (tmp_path / name).write_bytes(pack(PAGES))
    source = resolve(MediaWikiDump(name="Dorf", path=tmp_path / name), "de")
    skips = Counter[str]()
    rows = [row for sentences in source.sentences(skips) for row in sentences]
    assert [
        (row.source.document, row.paragraph, row.position, row.text) for row in rows
    ] == EXPECTED
    assert {row.source.licence for row in rows} == {"CC-BY-SA-4.0"}
    assert skips == {
        "redirect": 1,
        "page outside the articles": 1,
        "paragraph with broken markup": 1,
    }


def test_streams_of_a_dump_are_joined_and_last_revisions_read(tmp_path: Path) -> None:
    path = tmp_path / "pages-articles-multistream.xml.bz2"
    revised = page("Été", "Vieux.").replace(
        "</page>", "<revision><text>Il fait chaud.</text></revision></page>"
    )
    text = dump(page("Hiver", "Il neige."), revised)
    path.write_bytes(
        b"".join(bz2.compress(part) for part in (text[:300], text[300:500], text[500:]))
    )
    assert list(read_articles(path, Counter())) == [
        ("Hiver", ["Il neige."]),
        ("Été", ["Il fait chaud."]),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One line\nand the next.\n\nAnother.", ["One line and the next.", "Another."]),
        ("It ra\u00adins.\n\u200b\nWe\u2003left.", ["It rains.", "We left."]),
        ("Before.\n== Title ==\nAfter.", ["Before.", "After."]),
        ("A fact.<ref>Source.</ref> More.<ref name=a /> End.", ["A fact. More. End."]),
        ("Top.\n{| class=x\n! Head\n|-\n| cell || {{t}}\n|}\nBelow.", ["Top.", "Below."]),
        (
            "He said:\n* one.\n** two.\n# three.\n; term : text\nThen he left.",
            ["He said:", "Then he left."],
        ),
        ("'''Bold''', ''italics'' and '''''both'''''.", ["Bold, italics and both."]),
        (
            "The ''Eagle'''s crew left, and the '''crew''' waited.",
            ["The Eagle's crew left, and the crew waited."],
        ),
        ("'''Anna was a writer.\nShe ''lived'' here.", ["Anna was a writer. She lived here."]),
        ("''Open [[Eagle|'''Eagle''']]\nand closed''. ''", ["Open Eagle and closed."]),
        ("It&#39;&#39;s <nowiki>''</nowiki> ''so''.", ["It''s '' so."]),
        ("''Hamlet''<nowiki/>'s hero, a<wbr>b.", ["Hamlet's hero, ab."]),
        (
            "10<sup>6</sup> cats, 10<sup> -6 </sup> m, the 5<sup>th</sup>, CO<sub>2</sub>.",
            ["10⁶ cats, 10⁻⁶ m, the 5th, CO2."],
        ),
        (
            "[[Bild:x.jpg|mini|Ein [[Bild]].]]Es regnete. [[Изображение:a.png]][[Tập_tin:b.png]]",
            ["Es regnete."],
        ),
        (
            "[[Afbeelding:x.jpg|thumb|A.]]Rain. [[Kategorie:X]][[ملف:c.png]] [[Bilder: Buch]].",
            ["Rain. Bilder: Buch."],
        ),
        (
            "The '''{{lang|fr|Chat}}''' and [[Eagle|''Eagle'']]''s''<ref>''a''</ref>'s.",
            ["The and Eagles's."],
        ),
        ("The [[dog]]s, [[Cat (animal)|cats]] and [[#Part|parts]].", ["The dogs, cats and parts."]),
        ("[[Image:a.png|thumb|A ''[[b]]'' c.]]Text. [[category:X]] [[fr:Texte]]", ["Text."]),
        (
            "See [[:Category:Dogs]] and [[Star Wars: A New Hope]].",
            ["See Category:Dogs and Star Wars: A New Hope."],
        ),
        ("Жар-птица&nbsp;— птица &lt;сказок&gt;.", ["Жар-птица — птица <сказок>."]),
        ("東京は{{lang|ja|x}}日本の首都。", ["東京は日本の首都。"]),
        ("From 1990{{ndash}}2000 it rained.", ["From 1990 2000 it rained."]),
        ("It is 5{{nbsp}}km or 7{{nbsp}}% off.", ["It is 5 km or 7 % off."]),
        ("He was born{{snd}}and died{{cn}}.", ["He was born and died."]),
        ("one{{br}}two{{{x}}}(three)", ["one two (three)"]),
        ("It rained.<ref>a</ref>We left.{{r|b}}[[File:c.png]]", ["It rained. We left."]),
        ("A ''cat''{{efn|a}}, a do<!-- a -->g; “{{lang|fr|b}}” it.", ["A cat, a dog; “” it."]),
        ("Rome ({{IPA|x}}; ''Roma'') and Oslo ({{IPA|y}}) met.", ["Rome (Roma) and Oslo met."]),
        (
            "__NOTOC__Text <!-- hidden --> on.<br>New line, H<sub>2</sub>O.",
            ["Text on. New line, H2O."],
        ),
        ("<div>In a box.\n\nMore.</div>Outside.", ["In a box.", "More.", "Outside."]),
        ("The site [http://a.b says so] [http://c.d].", ["The site says so ."]),
        (
            "<ul><li>No.</li></ul><pre>no</pre><math>x</math><gallery>\na.jpg\n</gallery>Yes.",
            ["Yes."],
        ),
        ("<nowiki>'''</nowiki> means bold; &#xD800; is half.", ["''' means bold; ? is half."]),
        ("{{a|{{b|[[c]]}}|d={{{e|f}}}}}", []),
        ("", []),
    ],
)
def test_prose_remains(text: str, expected: list[str]) -> None:
    assert paragraphs(text) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                "[[",
                "]]",
                "{{",
                "}}",
                "{|",
                "|}",
                "<ref>",
                "</ref>",
                "''",
                "\n",
                "*",
                "é",
                "a b",
                "|",
            ]
        )
    )
)
def test_any_markup_is_read_and_paragraphs_are_single_lines(pieces: list[str]) -> None:
    for paragraph in paragraphs("".join(pieces)):
        assert paragraph
        assert paragraph == " ".join(paragraph.split())


def test_deep_and_long_markup_is_read() -> None:
    text = "{{" * 5000 + "[[" * 5000 + "<div>" * 5000 + "It ends."
    assert paragraphs(text)[-1].endswith("It ends.")


def test_an_unreadable_article_is_counted_and_the_next_one_read(tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_bytes(
        dump(page("Vandale", "{{" * 5000 + "}}" * 5000), page("Winter", "Es schneit."))
    )
    skips = Counter[str]()
    assert list(read_articles(tmp_path / "d.xml", skips)) == [("Winter", ["Es schneit."])]
    assert skips == {"article with too deeply nested markup": 1}


ENTITIES = b'<!DOCTYPE mediawiki [<!ENTITY a "aa">]><mediawiki>&a;</mediawiki>'


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("d.xml", PAGES[:-40]),
        ("d.xml.bz2", bz2.compress(PAGES)[:-20]),
        ("d.xml.bz2", PAGES),
        ("d.xml", b""),
        ("d.xml", b"Just text."),
        ("d.html", b"<html><body/></html>"),
        ("d.xml", ENTITIES),
    ],
)
def test_what_is_no_whole_dump_is_refused_in_two_sentences(
    tmp_path: Path, name: str, contents: bytes, golden: Golden
) -> None:
    (tmp_path / name).write_bytes(contents)
    with golden.refused(SourceError):
        list(read_articles(tmp_path / name, Counter()))
