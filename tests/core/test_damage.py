"""Mojibake and character references: what is found, and which real text passes."""

import pytest
from ftfy.badness import is_bad
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.text_damage import is_mojibake, markup_start
from bitext_pivot.core.white_space import squeezed

TEXTS = {
    "fr": "L’été, le chat a mangé « à la fenêtre » — 5 € et 20 °C.",
    "en": "The dog isn’t “here” – it’s £5…",
    "es": "¿Qué año? Él niño.",
    "de": "Über die Straße: „Öl“ ist größer.",
    "cs": "Příliš žluťoučký kůň úpěl.",
    "pl": "Zażółć gęślą jaźń.",
    "pt": "O irmão não está. Amanhã, a maçã.",
    "tr": "Ağaç yeşil çiçek ışık.",
    "vi": "Mèo đang ngủ trên giường.",
    "ro": "Pisica doarme în pădure și țară.",
    "ru": "Кот спит сейчас.",
    "el": "Η γάτα κοιμάται.",
    "ar": "القط ينام الآن.",
    "ja": "猫が寝ています。",
    "hi": "बिल्ली सो रही है।",
}
REAL = [
    *TEXTS.values(),
    "A IRMÃ, a MAÇÃ E AMANHÃ.",
    "A “MAÇÔ e a «IRMû… MANHÔ…",
    "ROMÂNIA ÎN „ÎNGER” – ÂMBAR, CHÂTEAU.",
    "»Ähnlich« und »Österreich«, »À Paris«, »Škola«, »Đây là đâu«",
    "”Är du där?” ”Åka!”",
    "d'»éluder» et «»écofin»»",
    "«la 1ª» o 2.º»; 20 °C, 5 m²",
    "Œuvre, cœur, fœtus.",
]
DAMAGED = [
    "caf\u00c3\u00a9",
    "isn\u00e2\u20ac\u2122t",
    "\u00c2\u00a35",
    "CAF\u00c3\u2030",
    "voil\u00c3\u00a0.",
    "caf\u00c3\u0192\u00c2\u00a9",
    "\u00c2\u00ab chaud \u00c2\u00bb",
    "it rained \u00e2\u20ac\u00a6",
    "10 \u00c2\u00b0C",
]


@pytest.mark.parametrize("text", REAL)
def test_real_text_passes(text: str) -> None:
    assert not is_mojibake(text)


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_words_are_found(text: str) -> None:
    assert is_mojibake(text)
    assert is_mojibake(squeezed(text))


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp1250"])
@pytest.mark.parametrize("language", TEXTS)
def test_utf_8_in_another_encoding_is_found(language: str, encoding: str) -> None:
    assert is_mojibake(squeezed(TEXTS[language].encode().decode(encoding, errors="replace")))


@given(st.text(st.sampled_from("aAZ 1.,€œÃÂÄ©éÉÑ²×øØÅÙŒ√≥±\x92вВГ\u00a0β™¡¿¤│╗â´")))
def test_text_without_quotation_marks_is_as_ftfy_finds_it(text: str) -> None:
    assert is_mojibake(text) == is_bad(text)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("caf&eacute;", 3),
        ("isn&rsquo;t", 3),
        ("&Eacute;t&eacute;", 0),
        ("a &hellip; b &deg;", 2),
        ("&kde; runs", 0),
        ("l'&konqueror;", 2),
        ("&#233;", 0),
        ("&#xE9;", 0),
        ("&#XE9;", 0),
        ("Tom &amp;amp; Ann", 4),
        ("Tom & amp ; Ann", 4),
        ("& # 39 ;", 0),
        ("AT&T; then", None),
        ("Q&A; x", None),
        ("rock&roll; then", None),
        ("Smith &Sons; then", None),
        ("salt & pepper; then", None),
        ("a && b; &; &#;", None),
        ("", None),
    ],
)
def test_character_references(text: str, start: int | None) -> None:
    assert markup_start(text) == start


LEFTOVERS = [
    "The caf\\u00e9 closed.", "The caf\\xe9 closed.", "The caf%u00e9 closed.", "The caf<U+00E9> closed.",
    "It rained.\\nWe left.", 'He said \\"no\\".', "A cat\\/dog ran.", "The caf\\'e closed.",
    "The na\\\"{i}ve \\emph{cat} ran.",
    "The caf=C3=A9 closed.", "The caf=E9 closed.", 'The =3D"a" closed.', "The caf%C3%A9 closed.",
    "The%20cat ran.",
    "The caf&eacute closed.", "The man &amp the woman left.", "She said &quotno&quot.", "They&nbspwaited.",
    "They &nbsp waited.",
    "He &lt she", "The caf&#233 closed.", "Stra&szlige",
    "The well @-@ known man left.", "He kno@@ ws it.", "He wait ##ed here.", "-LRB- here -RRB- it is.",
    "\u2581The cat ran.",
    "# It rained. #", "# It rained.", "It rained. #",
    "The caf\ufffd closed at six.", "\u266a It rained.", ">> It rained.", "{\\i1}It rained.", "<unk> rained.",
    "See [[cat]].", "Un ampquot; imperioampquot; cae.", "A new amp; amp; quot; theory.",
    "He opened %s.", "Open %1$s.", "%(count)d files", "{0} files", "Open ${name}.", "See $(ARG1).", "A $NAME$ left.",
    "Press @OK@.", "Start %PRODUCTNAME.", "Press _Open.", "Press &Open.", "Press ~Close.",
    "The mayor ( ; born 1960 ) left.", "He () left.", "Silwan ( , ) is a village.", "Korea ( ROK ; ) is a state.",
    "It ( listen ) is a state.", "She (born ) left.",
    "But l think so.", "To say l'm late.", "When l’ve left.", "The POLlCE left.", "He'II come.", "It went to lndiana.",
    "lt is late.", "He left the Iast one.",
    "He doesnt know.", "He didn t know.", "He couldn?t know.", "Here it s late.", "Here I m late.",
]  # fmt: skip
PLAIN = [
    "See http://example.org/caf%C3%A9%20noir or www.example.org/a=C3=A9 there.",
    "It grew 5% in May and 20% in June.",
    "R&D and AT&T and black&white & more.", "x = A5 and y=F", "Write to anna@example.org @home.",
    "It is # 1 and #2.",
    "C:\\Users\\anna and a\\b", "We went - RB left -.", "He said 'no' and [sic] left.",
    "5 > 3 >> 2",
    "Room #5", "#1 is C#", "# 5 came.", "He writes C #.", "Smith &ltd", "a == b",
    "It is 5% said he, 5 % d'eau, 5%, $5, R&D, {sic}, my_file, @ray, ~50 of $XYZ.", "Smith &Sons; then",
    "He (born 1960), (a; b), (...) and main() (e.g., this) left ;)",
    "Al met Pius XII in Illinois and Lille; the letter l is", "Il dit dont ils sont, parent, hadn't.",
    "On l'aime, l’ami et l'm\u00eame.", "An iPhone and the film are here.", "Vitamin D s.",
    "The well-known caf\u00e9 (here) closed at 1/2.", "@anna wrote -- no.", "An e-mail from A.B-C.",
]  # fmt: skip


@pytest.mark.parametrize("text", LEFTOVERS)
def test_what_tools_leave_is_found(text: str) -> None:
    assert markup_start(text) is not None


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_it_passes(text: str) -> None:
    assert markup_start(text) is None
