import time
import tomllib

import pytest
from factories import alignment as made
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bitext_pivot.alignments.screening.boilerplate import (
    BoilerplateScreen,
    rule_names,
    rule_sources,
)

ONE = "Il a plu toute la nuit et nous sommes restés."
FIRST, SECOND = "It rained all night.", "We stayed at home."


@pytest.mark.parametrize(
    ("before", "after", "rules"),
    [
        ("(FR) Il a plu.", "Il a plu.", ["language tag"]),
        ("[DE] Il a plu.", "Il a plu.", ["language tag"]),
        ("- Il a plu.", "Il a plu.", ["dash"]),
        ("– Il a plu.", "Il a plu.", ["dash"]),
        (". - Il a plu.", "Il a plu.", ["dash"]),
        ("• Il a plu.", "Il a plu.", ["dash"]),
        ("- (SV) Il a plu.", "Il a plu.", ["dash", "language tag"]),
        ("par écrit. - (EN) Il a plu.", "Il a plu.", ["speaker tag", "language tag"]),
        ("par écrit. Il a plu.", "Il a plu.", ["speaker tag"]),
        ("au nom du groupe ABC. – Il a plu.", "Il a plu.", ["speaker tag"]),
        ("Membre du conseil. - Il a plu.", "Il a plu.", ["speaker tag"]),
        ("(Rires) Il a plu.", "Il a plu.", ["stage direction"]),
        ("(Vifs applaudissements à gauche) - Il a plu.", "Il a plu.", ["stage direction", "dash"]),
        ("♪ Il a plu. ♪", "Il a plu.", ["subtitle sign", "subtitle ending"]),
        ("♪♪ Il a plu ♫", "Il a plu", ["subtitle sign", "subtitle ending"]),
        ("# Il a plu.", "Il a plu.", ["subtitle sign"]),
        ("# Il a plu #", "Il a plu", ["subtitle sign", "subtitle ending"]),
        ("ANNA: Il a plu.", "Il a plu.", ["subtitle sign"]),
        ("- DR. ÉMILE 2: Il a plu.", "Il a plu.", ["dash", "subtitle sign"]),
        (">> Il a plu.", "Il a plu.", ["subtitle sign"]),
        (">>> ANNA: Il a plu.", "Il a plu.", ["subtitle sign", "subtitle sign"]),
        ("*Il a plu.*", "Il a plu.", ["subtitle sign", "subtitle ending"]),
        ("[MUSIQUE] Il a plu.", "Il a plu.", ["subtitle sign"]),
        ("[DOOR OPENS] Il a plu.", "Il a plu.", ["subtitle sign"]),
        ("(LAUGHS) Il a plu. (CRIES)", "Il a plu.", ["subtitle sign", "subtitle ending"]),
        ("Note : Il a plu.", "Note : Il a plu.", []),
        ("Note: Il a plu.", "Note: Il a plu.", []),
        ("NOTE: Il a plu.", "NOTE: Il a plu.", []),
        ("He said: Il a plu.", "He said: Il a plu.", []),
        ("Il a plu sur le (CIPR).", "Il a plu sur le (CIPR).", []),
        ("*Il* a plu.", "*Il* a plu.", []),
        ("#1 a plu.", "#1 a plu.", []),
        ("EU 2020: Il a plu.", "EU 2020: Il a plu.", []),
        ("Il a plu.", "Il a plu.", []),
        ("-Il a plu.", "-Il a plu.", []),
        ("(USA) Il a plu.", "(USA) Il a plu.", []),
        ("Il a plu - (FR) hier.", "Il a plu - (FR) hier.", []),
        ("Il a plu. - Nous sommes restés.", "Il a plu. - Nous sommes restés.", []),
        ("il a plu. - et puis rien.", "il a plu. - et puis rien.", []),
        ("Les rires fusent.", "Les rires fusent.", []),
    ],
)
def test_what_a_sentence_begins_with_is_cut_off(before: str, after: str, rules: list[str]) -> None:
    cleaned, removed = BoilerplateScreen().remove_tags(made(before, FIRST, SECOND))
    assert (cleaned.one, removed) == (after, rules)
    assert cleaned.two == (FIRST, SECOND)


def test_each_half_is_cleaned_by_itself_in_its_place() -> None:
    cleaned, removed = BoilerplateScreen().remove_tags(made(ONE, "(FR) It rained.", "- We stayed."))
    assert (cleaned.two, removed) == (("It rained.", "We stayed."), ["language tag", "dash"])


def test_the_word_list_is_that_of_the_sentence_s_language() -> None:
    alignment = made("in writing. Nous restons.", "in writing. It rained.", "par écrit. We stayed.")
    cleaned, _ = BoilerplateScreen().remove_tags(alignment)
    assert (cleaned.one, cleaned.two) == (
        "in writing. Nous restons.",
        ("It rained.", "par écrit. We stayed."),
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("(DE)", "language tag"),
        ("in writing.", "speaker tag"),
        ("in writing. - (FI)", "speaker tag"),
        ("rapporteur.", "speaker tag"),
        ("(Loud applause)", "stage direction"),
        ("(Laughter.)", "stage direction"),
        ("Chapter 12", "heading"),
        ("ARTICLE IV.", "heading"),
        ("Page 3 of 12", "heading"),
        ("12 March 2008", "date"),
        ("Monday, 5 May", "date"),
        ("September 11, 2002", "date"),
        ("https://example.org/a?b=c", "address only"),
        ("See www.example.org.", "address only"),
        ("Mail: someone@example.org", "address only"),
        ("(Rule 5)", "in brackets"),
        ("[5 (2002) - 7]", "no letters"),
        ("It rained <br/> all night.", "markup"),
        ("Rain &amp; snow fell all night.", "markup"),
        ("Il a plu &agrave; Caen.", "markup"),
        ("It isn&rsquo;t raining.", "markup"),
        ("Run &kde; when it rains.", "markup"),
        ("The caf&#233; and the caf&#xE9;.", "markup"),
        ("Rain & amp ; snow fell.", "markup"),
        ("It rained in the cafÃ©.", "mojibake"),
        ("It isnâ€™t raining.", "mojibake"),
        ("It cost Â£5 when it rained.", "mojibake"),
        ("Home | About | Contact", "menu"),
        ("Home | About us", "menu"),
        ("Start > Rain > Snow", "menu"),
        ("Rain ............ 12", "repeated marks"),
        ("What a rain!!!!!!!", "repeated marks"),
        ("---- forwarded ----", "repeated marks"),
        ("Rain ............ 12 <br/>", "repeated marks"),
        ("<br/> Rain ............ 12", "markup"),
        ("12.", "no letters"),
        ("?!", "no letters"),
        ("Rain 12.5 14.7 99.1 100.2 3.14", "few letters"),
        ("IT RAINED ALL NIGHT", "upper case"),
    ],
)
def test_text_that_is_no_sentence_rejects_its_alignment(text: str, rule: str) -> None:
    assert BoilerplateScreen().skip_reason(made(ONE, text, SECOND)) == rule
    assert BoilerplateScreen().skip_reason(made(ONE, FIRST, text)) == rule
    assert BoilerplateScreen().skip_reason(made(text, FIRST, SECOND, languages="en fr")) == rule
    assert BoilerplateScreen(without=[rule]).text_skip_reason(text, "en") != rule
    assert BoilerplateScreen(enabled=False).skip_reason(made(ONE, text, SECOND)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Laughter is the best medicine.",
        "Protests that work must disrupt the usual order.",
        "In writing this, we thought of rain.",
        "May 2008 was wet and cold.",
        "Chapter 12 tells of rain.",
        "Write to someone@example.org when it has rained.",
        "(We had stayed at home because it had rained.)",
        "He said: « wait » and then « go » and left.",
        "Wait... what is it?",
        "It rained, didn't it?!",
        "The EU and the USA agreed.",
        "It is 9:15 and it rains.",
        "Rain|snow is a pair.",
        "Rain fell on AT&T; Q&A; R&D and rock&roll; then it stopped.",
        "Rain fell on a “MAÇÔ, an «IRMû and in a CHÂTEAU.",
        "Il dit »Âge« et »élargissement».",
        "From 12 to 15 May 2003 it rained on 3 days.",
        "Il l'a décrite comme une femme « remarquable » et « tendre », avec ses histoires.",
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_sentence_passes(text: str, language: str) -> None:
    assert BoilerplateScreen().text_skip_reason(text, language) is None


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("author.", "- Mr President, it rained.", "speaker tag"),
        ("on behalf of the ABC Group.", "- Mr President, it rained.", "lead-in"),
        ("Member of the Commission.", "– Mr President, it rained.", "lead-in"),
        ("New York.", "- It rained all night.", "lead-in"),
        ("Member of the Commission.", "Mr President, it rained.", None),
        ("It rained all night.", "- We stayed at home.", None),
        ("(FR) It rained all night.", "- We stayed at home.", None),
        ("in writing. It rained.", "- We stayed at home.", None),
        ("New York.", "It rained all night.", None),
    ],
)
def test_a_half_that_leads_to_the_others_dash_rejects(
    first: str, second: str, rule: str | None
) -> None:
    found = BoilerplateScreen(without=["lead-in"] if rule == "speaker tag" else []).skip_reason(
        made(ONE, first, second)
    )
    assert found == rule


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("वह बारिश में घर पर रहा।", "hi"),
        ("تمطر طوال الليل.", "ar"),
        ("雨が一晩中降った。", "ja"),
        ("Έβρεχε όλη νύχτα.", "el"),
    ],
)
def test_other_scripts_are_letters_too(text: str, language: str) -> None:
    assert BoilerplateScreen().text_skip_reason(text, language) is None


def test_the_shares_themselves_stay_and_more_goes() -> None:
    assert BoilerplateScreen(min_letters=0.5).text_skip_reason("ab12", "en") is None
    assert BoilerplateScreen(min_letters=0.5).text_skip_reason("ab123", "en") == "few letters"
    assert (
        BoilerplateScreen(max_upper_case=0.75).text_skip_reason("ABCDEFGHIJKL mnop", "en") is None
    )
    assert (
        BoilerplateScreen(max_upper_case=0.75).text_skip_reason("ABCDEFGHIJKLM mnop", "en")
        == "upper case"
    )


def test_an_unknown_rule_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        ValidationError, match=r"'dashes' is not a rule of boilerplate\. Did you mean 'dash'"
    ):
        BoilerplateScreen(without=["dashes"])


def test_the_table_has_known_places_and_each_rule_once() -> None:
    assert {rule["where"] for rule in tomllib.loads(rule_sources())["rule"]} == {
        "start",
        "end",
        "whole",
        "inside",
    }
    assert len(set(rule_names())) == len(rule_names())


_PIECES = [
    "(FR) ",
    "- ",
    "par écrit. ",
    "(Rires) ",
    ". - ",
    "Il a plu. ",
    "é",
    "1 ",
    "| ",
    "www.",
    "!",
    "a",
    "»",
    "\u0301",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_cleaning_only_cuts_at_the_beginning_and_never_all(text: str) -> None:
    cleaned, removed = BoilerplateScreen().remove_tags(made(text, FIRST, SECOND))
    assert text.endswith(cleaned.one)
    assert (cleaned.one == text) == (not removed)
    assert cleaned.two == (FIRST, SECOND)
    assert not removed or any(map(str.isalpha, cleaned.one))


@pytest.mark.parametrize(
    "text",
    [
        "www." * 500 + " it rained",
        "a | " + "x" * 1_990 + ", y",
        "a@" * 999 + "!",
        "[[" * 1_000,
        "<a " * 660,
        "(" * 2_000,
        "a " * 1_000 + ".",
        "au nom " * 280,
        "- " * 1_000,
        "|" * 1_999 + "a",
        "http://" + "a.b/" * 490 + " c d e f g",
    ],
    ids=range(11),
)
def test_text_made_to_be_slow_is_not(text: str) -> None:
    begun = time.process_time()
    BoilerplateScreen().skip_reason(made(text, text, text))
    assert time.process_time() - begun < 1
