import itertools

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from sentence_splitter import SentenceSplitter

from bitext_pivot.core import splitting
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.false_boundaries import join_sentences
from bitext_pivot.core.list_marks import with_list_marks
from bitext_pivot.core.splitting import Splitter, languages, signature
from bitext_pivot.core.white_space import squeezed

ENGLISH, FRENCH = Splitter("en"), Splitter("fr")
LIBRARY = SentenceSplitter("en")


def by_library(text: str) -> list[str]:
    """The library alone, on squeezed text, but for list marks and false boundaries."""
    parts = [part.strip() for part in LIBRARY.split(squeezed(text))]
    return with_list_marks(join_sentences([part for part in parts if part], "en"))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        ("It rained; we left.", ["It rained; we left."]),
        ("Did it rain? Yes! We left.", ["Did it rain?", "Yes!", "We left."]),
        ("Mr. Brown met Dr. Green.", ["Mr. Brown met Dr. Green."]),
        ("See No. 5 there. No. We did not.", ["See No. 5 there.", "No.", "We did not."]),
        ("He said: “Come.” She came.", ["He said: “Come.”", "She came."]),
        ("It works (mostly.) Still, look.", ["It works (mostly.)", "Still, look."]),
        ("Wait... Now go.", ["Wait...", "Now go."]),
        ("It cost 3.5 units. 4 were left.", ["It cost 3.5 units.", "4 were left."]),
        ("It ended. then it began.", ["It ended. then it began."]),
        ("It rained.We left.", ["It rained.We left."]),
        ("Mr.\u00a0Brown met Dr.\u202fGreen.", ["Mr. Brown met Dr. Green."]),
        ("See No.\u00a05 there.", ["See No. 5 there."]),
        ("The b\u00aded is may\u00ador's.", ["The bed is mayor's."]),
        ("It ai\u200bned.We left.", ["It ained.We left."]),
        ("It 3\u200d. It 4\u200c.", ["It 3.", "It 4."]),
        ("It  rained.   We \t left. ", ["It rained.", "We left."]),
        ("It rained.\nWe\nleft.", ["It rained.", "We left."]),
        ("1. It rained. 2. We left.", ["1. It rained.", "2. We left."]),
        ("He met Louis XIV. Then he left.", ["He met Louis XIV.", "Then he left."]),
        ("It came in on the 3. We left.", ["It came in on the 3.", "We left."]),
        ("See Article 1. It rained.", ["See Article 1.", "It rained."]),
        ("No. Go. It rained. IV.", ["No.", "Go.", "It rained.", "IV."]),
        ("It rained. \u05d0\u05d1.", ["It rained.", "\u05d0\u05d1."]),
        ("", []),
        (" \u00a0 ", []),
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str, sentences: list[str]) -> None:
    assert ENGLISH.split(text) == sentences


@pytest.mark.parametrize(
    "between",
    [*"\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2009\u2028\u2029\u202f\u205f\u3000\u2800", "\r\n", "\u200b",
     *(f" {invisible}" for invisible in "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u2060\u2066\ufeff")],
    ids=ascii,
)  # fmt: skip
def test_white_space_and_invisible_characters_hide_no_border(between: str) -> None:
    assert ENGLISH.split(f"It rained.{between}We left.") == ["It rained.", "We left."]


def test_abbreviations_are_those_of_the_language() -> None:
    text = "Voir p. ex. Mme. Martin. Elle dort."
    assert FRENCH.split(text) != ENGLISH.split(text)
    assert FRENCH.split("Voir M. Martin. Elle dort.") == ["Voir M. Martin.", "Elle dort."]
    assert FRENCH.split("Voir Fig.\u00a03 et n°\u00a05.") == ["Voir Fig. 3 et n° 5."]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ["Nach Art. 5 Abs. 2 Nr. 1 gilt das.", "Vgl. BGH, Urt. v. 3. Mai 2010."]),
        ("de", ["Gem. Art. 6 gilt Rn. 12 weiter.", "Die Fa. Müller baut Züge.", "Nr. 1 gilt."]),
        ("de", ["Das regelt Ziff. 3 neu.", "Das Az. VI ZR 357/22 passt.", "Siehe Bl. 61."]),
        ("de", ["Ich weiß, wen er mag.", "Sie weiß es nicht."]),
        ("de", ["Es gilt § 5 S. 2 am 3. Oktober.", "Es kostet ca. 5 Mio. Euro."]),
        ("en", ["See FIG. 3 and Art. 5 para. 2.", "See Vol. 3.", "Cf. Smith (b. 1950)."]),
        (
            "en",
            ["See S.C. 2002, c. 28, s. 3.", "Reg. No. 5 applies.", "It joined the EU.", "5 left."],
        ),
        ("en", ["It starts at 5 p.m.", "3 of us left."]),
        ("es", ["Los EE. UU. votaron.", "Murió en el año 49 a. C., en Roma.", "Llovió."]),
        ("fr", ["Voir L.C. 2002, ch. 28, par. 35(1).", "« Art. 1er bis. »"]),
    ],
)
def test_a_sentence_goes_on_after_an_abbreviation_of_law_or_scholarship(
    language: str, sentences: list[str]
) -> None:
    assert Splitter(language).split(" ".join(sentences)) == sentences


@pytest.mark.parametrize("language", ["ar", "zh", "xx", "EN", ""])
def test_a_language_without_rules_is_refused_with_the_list(language: str) -> None:
    with pytest.raises(
        SettingsError,
        match=rf"no rules to split sentences of the language '{language}': expected one of ca, cs, .*en",
    ):
        Splitter(language)


def test_every_language_listed_loads() -> None:
    assert {"de", "en", "es", "fr", "it", "nl", "pt", "ru"} < set(languages())
    assert all(Splitter(language).split("A b.") == ["A b."] for language in languages())


def test_the_signature_names_the_version() -> None:
    assert regex.fullmatch(
        r"sentence-splitter \d+(\.\d+)+, list marks \d+, cuts \d+ \w+ \w+", signature("de", "en")
    )


def test_the_shortcut_equals_the_library_for_every_short_text() -> None:
    signs = (".", "?", '"', "(", " ", "A", "1", "a")
    different = [
        text
        for body in itertools.product(signs, repeat=4)
        if ENGLISH.split(text := f"a{''.join(body)}B") != by_library(text)
    ]
    assert different == []


_SIGN = st.sampled_from(
    [
        *"..?! \"'()[]¿¡«»“”‘’‹›„-%,;:…。؟a1AÉßſǅאあ中\u00a0\u2028\u2003\x85\t\nß\u0301\u0661\U00010400"
    ]
)
_PIECE = st.one_of(
    _SIGN, st.sampled_from(["Mr", "No", "U.S", "etc", "word", "Word", ". ", ".' ", '." '])
)


@given(st.lists(_PIECE, min_size=5, max_size=40).map("".join), st.integers(5, 40))
def test_pieces_of_a_long_text_are_split_as_the_whole(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "_AT_ONCE", size)
        assert ENGLISH.split(text) == by_library(text)


@given(st.text(max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    assert " ".join(ENGLISH.split(text)) == squeezed(text)
