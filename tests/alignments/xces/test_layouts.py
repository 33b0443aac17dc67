"""A small release in the layout of each of OPUS' writers: all are read to the same texts."""

from collections.abc import Callable

import pytest

from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.xces.reader import extract_alignments

Corpus = Callable[..., tuple[Release, ReleaseFiles]]
XML = '<?xml version="1.0" encoding="utf-8"?>\n'

# layout: link file's body, English document, French document
LAYOUTS = {
    "Europarl: Gale-Church, integers in a document, no score": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">\n<link xtargets="1;1" />\n'
        '<link xtargets="2;2 3" />\n<link xtargets="3 4;4" />\n<link xtargets=";5" />\n</linkGrp>',
        '<document>\n <CHAPTER ID="0">\n  <SPEAKER ID="1" NAME="O\'Hara">\n   <P id="1">\n    <s id="1">Order.</s>\n'
        '    <s id="2">The rain stopped, so we left.</s>\n   </P>\n  <P id="2" />\n    <s id="3">We walked.</s>\n'
        '    <s id="4">It was late.</s>\n  </SPEAKER>\n </CHAPTER>\n</document>',
        '<document>\n <CHAPTER ID="0">\n  <SPEAKER ID="1" NAME="O\'Hara">\n   <P id="1">\n    <s id="1">Silence.</s>\n'
        '    <s id="2">La pluie cessa.</s>\n    <s id="3">Nous partîmes.</s>\n   </P>\n'
        '    <s id="4">Nous marchions et il était tard.</s>\n    <s id="5">Fin.</s>\n  </SPEAKER>\n'
        ' </CHAPTER>\n</document>',
    ),
    "RF: hunalign with certainty, attributes of the group the other way round": (
        '<linkGrp targType="s" toDoc="fr/a.xml.gz" fromDoc="en/a.xml.gz">\n'
        '<link certainty="0.518" xtargets="s1.1;s1.1 s1.2" id="SL1" />\n'
        '<link certainty="-0.03" xtargets="s2.1 s2.2;s2.1" id="SL2" />\n'
        '<link certainty="0" xtargets="s3.1;" id="SL3" />\n'
        "</linkGrp>",
        '<text>\n<p id="1"><s id="s1.1">The rain stopped, so we left.</s></p>\n'
        '<p id="2"><s id="s2.1">We walked.</s><s id="s2.2">It was late.</s></p><p id="3"><s id="s3.1">So.</s>'
        '</p></text>',
        '<text>\n<p id="1"><s id="s1.1">La pluie cessa.</s><s id="s1.2">Nous partîmes.</s></p>\n'
        '<p id="2"><s id="s2.1">Nous marchions et il était tard.</s></p></text>',
    ),
    "CCAligned: split segments, a space before >": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz" >\n'
        '<link xtargets="1;1.1 1.2" id="SL1" score="1.12"/>\n'
        '<link xtargets="2.1 2.2;2" id="SL2" score="1.08"/>\n</linkGrp>',
        '<text>\n<s id="1">The rain stopped, so we left.</s>\n<p id="p2">\n<s id="2.1">We walked.</s>\n'
        '<s id="2.2">It was late.</s>\n</p>\n</text>',
        '<text>\n<p id="p1">\n<s id="1.1">La pluie cessa.</s>\n<s id="1.2">Nous partîmes.</s>\n</p>\n'
        '<s id="2">Nous marchions et il était tard.</s>\n</text>',
    ),
    "giga-fren: the same without a score, numbered documents": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz" >\n<link xtargets="1;1.1 1.2" id="SL1"/>\n'
        '<link xtargets="2.1 2.2;2" id="SL2"/></linkGrp>',
        '<text>\n<s id="1">The rain stopped, so we left.</s>\n<p id="p2"><s id="2.1">We walked.</s>\n'
        '<s id="2.2">It was late.</s></p></text>',
        '<text>\n<p id="p1"><s id="1.1">La pluie cessa.</s>\n<s id="1.2">Nous partîmes.</s></p>\n'
        '<s id="2">Nous marchions et il était tard.</s></text>',
    ),
    "ParaCrawl: ids shared by repeated sentences, so out of order, scores as attributes": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">\n'
        '<link id="L1" xtargets="3;7 2" score-aligner="2.1" score-bicleaner="0.75" />\n'
        '<link id="L2" xtargets="1 9;7" score-bicleaner="0.6" />\n<link id="L3" xtargets="9 1;4" /></linkGrp>',
        '<text>\n<s id="9">It was late.</s>\n<s id="1">We walked.</s>\n'
        '<s id="3">The rain stopped, so we left.</s></text>',
        '<text>\n<p><s id="7">La pluie cessa.</s><s id="2">Nous partîmes.</s></p>\n'
        '<s id="4">Il était tard et nous marchions.</s></text>',
    ),
    "JRC-Acquis: links numbered by paragraph": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz" >\n'
        '<link xtargets="12.1;12.1 12.2" id="SL12.1"/>\n<link xtargets="13.1 13.2;13.1" id="SL13.1"/>\n</linkGrp>',
        '<text id="jrc1"><body><p n="12"><s id="12.1">The rain stopped, so we left.</s></p>\n'
        '<p n="13"><s id="13.1">We walked.</s> <s id="13.2">It was late.</s></p></body></text>',
        '<text id="jrc1"><body><p n="12"><s id="12.1">La pluie cessa.</s> <s id="12.2">Nous partîmes.</s></p>\n'
        '<p n="13"><s id="13.1">Nous marchions et il était tard.</s></p></body></text>',
    ),
    "UNPC: TEI, shapes and scores as attributes, no targType": (
        '<linkGrp fromDoc="en/a.xml" toDoc="fr/a.xml" score="0.38">\n'
        '<link type="1-2" xtargets="3:1;2:1 2:2" score="0.7" />\n'
        '<link type="2-1" xtargets="4:1 4:2;3:1" score="0.9" />\n'
        "</linkGrp>",
        '<TEI.2><text><body><p id="3"><s id="3:1" lang="en">The rain stopped, so we left.</s></p>\n'
        '<p id="4"><s id="4:1" lang="en">We walked.</s><s id="4:2" lang="en" >It was late.</s></p></body>'
        '</text></TEI.2>',
        '<TEI.2><text><body><p id="2"><s id="2:1" lang="fr">La pluie cessa.</s><s id="2:2" lang="fr">Nous partîmes.</s>'
        '</p>\n<p id="3"><s id="3:1" lang="fr">Nous marchions et il était tard.</s></p></body></text></TEI.2>',
    ),
    "OpenSubtitles: overlap, ids out of order, times between words": (
        '<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">\n'
        '<link id="SL0" xtargets="318;292 294" overlap="0.775" />\n'
        '<link id="SL1" xtargets="5 4;1" overlap="0.9" />\n</linkGrp>',
        '<document id="7">\n  <s id="318">\n    <time id="T1S" value="00:00:51,819" />\n'
        '    The rain stopped, so we left.\n'
        '    <time id="T1E" value="00:00:54,023" />\n  </s>\n  <s id="4">\n    It was late.\n  </s>\n'
        '  <s id="5">We\n    walked.\n'
        "  </s>\n</document>",
        '<document id="8">\n  <s id="1">\n    Nous marchions\n    <time id="T2S" value="00:00:51,819" />\n'
        '    et il était tard.\n'
        '  </s>\n  <s id="294">\n    Nous partîmes.\n  </s>\n  <s id="292">\n    La pluie cessa.\n  </s>\n</document>',
    ),
}  # fmt: skip
WALK = ("We walked.", "It was late.")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_release_of_every_writer_gives_its_alignments(corpus: Corpus, layout: str) -> None:
    links, en, fr = LAYOUTS[layout]
    _, archives = corpus(links, {"a.xml": XML + en}, {"a.xml": XML + fr})
    (batch,) = extract_alignments(archives, Extraction(), licence="CC0-1.0")
    first, second = batch.alignments[:2]
    assert (first.one, first.two) == (
        "The rain stopped, so we left.",
        ("La pluie cessa.", "Nous partîmes."),
    )
    assert second.two == WALK
    assert second.one in {"Nous marchions et il était tard.", "La pluie cessa."}
    assert not batch.skips
    if layout.startswith("ParaCrawl"):
        assert batch.alignments[2].two == WALK[::-1]
        assert first.attributes == {"id": "L1", "score-aligner": "2.1", "score-bicleaner": "0.75"}


TOKENS = (
    '<text><p id="1"><s id="1"><chunk type="NP" id="c-1"><w hun="DT" tree="DT" lem="the" pos="DT" id="w1.1">The</w>'
    '<w id="w1.2">rain</w></chunk> <w id="w1.3">did</w> <w id="w1.4">n\'t</w>\n<w id="w1.5">stop</w> <w>(</w><w>yet</w>'
    '<w>)</w><w>,</w><chunk><chunk><w>so</w></chunk></chunk> we <w>left</w><w>.</w></s></p></text>'
)  # fmt: skip
JETONS = (
    '<text><s id="1"><w id="w1">L\'</w> <w>averse</w> <w>,</w> <w>c\'</w><w>est</w> <w>fini</w><w>?</w></s>\n'
    '<s id="2"><w>A&amp;B</w> <w>«</w><w>par<hi>tirent</hi></w><w>»</w> <w>&amp;lt;</w><w>.</w></s></text>'
)  # fmt: skip


def test_a_tokenised_release_is_put_together_again(corpus: Corpus) -> None:
    links = '<linkGrp fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz"><link xtargets="1;1 2" /></linkGrp>'
    _, archives = corpus(links, {"a.xml": XML + TOKENS}, {"a.xml": XML + JETONS}, form="xml")
    (batch,) = extract_alignments(archives, Extraction(), licence="CC0-1.0")
    (alignment,) = batch.alignments
    assert alignment.one == "The rain did n't stop (yet), so we left."
    assert alignment.two == ("L'averse, c'est fini ?", "A&B « partirent » &lt;.")
