"""Halves that are several sentences, or one."""

import pytest
from factories import alignment

from bitext_pivot.alignments.screening.one_sentence import OneSentenceScreen

ONE = "Il pleuvait et nous sommes partis, mais il est resté."
FIRST, SECOND = "It rained all night.", "We stayed at home."
REASON = "several sentences in a half"
CUT = "cut inside a sentence"
SEVERAL = [
    "It rained. We left.",
    "Did it rain? We left.",
    'He said: "Come." She came.',
    "It rained.\u00a0We left.",
    "- It rained. - We left.",
    "– Did it rain? – No.",
    "“It rained.” — We left.",
    "It rained… -We left.",
]
SINGLE = [
    "It rained.",
    "Mr. Brown met Dr.\u00a0Green.",
    "See No. 5 of Fig. 3.",
    "It ended... then it began.",
    "It rained.We left.",
    "- It rained.",
    "It rained - We mean it.",
    "It rained. - and then it snowed.",
    "",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_a_half_of_several_sentences_rejects(text: str) -> None:
    for halves in (text, SECOND), (FIRST, text):
        assert OneSentenceScreen().skip_reason(alignment(ONE, *halves)) == REASON
        assert OneSentenceScreen(enabled=False).skip_reason(alignment(ONE, *halves)) is None
    assert OneSentenceScreen().skip_reason(alignment(text, FIRST, SECOND)) is None


@pytest.mark.parametrize("text", SINGLE)
def test_a_single_sentence_passes(text: str) -> None:
    assert OneSentenceScreen().skip_reason(alignment(ONE, FIRST, text)) is None


@pytest.mark.parametrize(
    ("text", "languages", "reason"),
    [
        ("Voir M. Martin et sa soeur.", "en fr", None),
        ("Das war am 3. Mai in Bonn.", "en de", None),
        ("Das war am 3. Mai in Bonn.", "de en", REASON),
        ("雨が降った。 私は帰った。", "en ja", None),
        ("בוא. לך.", "en he", None),
    ],
)
def test_abbreviations_are_those_of_the_language(
    text: str, languages: str, reason: str | None
) -> None:
    assert (
        OneSentenceScreen().skip_reason(alignment("It rains", FIRST, text, languages=languages))
        == reason
    )


CUTS = {
    "a day before its month": ("de", "Die Frist beginnt am 6.", "Dezember und endet bald.", CUT),
    "an ordinal behind an article": ("de", "Er traf in der 31.", "Spielminute zum 2:0.", CUT),
    "a Roman ordinal": ("de", "Er ist Polizeichef des XXII.", "Bezirkes der Stadt.", CUT),
    "an ordinal before what it counts": ("de", "Zu seinem 27.", "Geburtstag kamen alle.", CUT),
    "a number that ends a sentence": ("de", "Er kam auf Platz 6.", "Dann ging er heim.", None),
    "a year": ("de", "Das war im Jahr 2008.", "Mai und Juni waren warm.", None),
    "an age": ("de", "Das sagte Anna Weiß, 62.", "Viele hörten ihr zu.", None),
    "an amount before its unit": ("de", "Es kostet 25 Mio.", "Pfund im Jahr.", CUT),
    "an amount that ends a sentence": ("de", "Es kostet 25 Mio.", "Das ist zu viel.", None),
    "an abbreviation in brackets": ("de", "Es fehlt Geld (z.B.", "Steuern) im Land.", CUT),
    "a phrase": ("de", "Das sind 9 Euro (d. h.", "420 im Jahr).", CUT),
    "a Spanish title": ("es", "El sr.", "Brown debe hacer otras cosas.", CUT),
    "an English title": ("es", "Atacó a Mr.", "Romney con dureza.", CUT),
    "a Spanish no": ("es", "Unos lo saben, otros no.", "La deuda crece.", None),
    "a French title": ("fr", "Je remercie M.", "Martin de son rapport.", CUT),
    "two French titles": ("fr", "Je remercie MM.", "Martin et Blanc.", CUT),
    "a length": ("fr", "La couche a 50 mm.", "Martin la mesure.", None),
    "a length in metres": ("fr", "Le mur a 25 m.", "Martin le mesure.", None),
    "a letter before an article": ("fr", "Il est en terminale M.", "Le lycée est grand.", None),
    "an initial": ("en", "He met President George W.", "Bush in town.", CUT),
    "an initial before a genitive": ("en", "It was George W.", "Bush's second term.", CUT),
    "an initial in Spanish": ("es", "Lo dijo Anne W.", "Patterson en un informe.", CUT),
    "a letter behind no name": ("en", "There is no plan B.", "Bush has left.", None),
    "a letter before a sentence": ("en", "They had Vitamin C.", "The dog stayed.", None),
    "a plan": ("en", "They went to Plan B.", "Sales rose again.", None),
    "a disease": ("en", "She had Hepatitis C.", "Treatment took a year.", None),
    "a vitamin": ("en", "Milk has Vitamin D.", "Doctors like that.", None),
    "a section": ("en", "It is in Section A.", "Members may see it.", None),
    "a group": ("en", "They won Group E.", "Brazil came second.", None),
    "a capital": ("en", "He lives in Washington D. C.", "Congress is near.", None),
    "an apartment": ("en", "He lives in Apartment E.", "Doctors agree.", None),
    "a platform": ("en", "It leaves from Platform A.", "Trains are late.", None),
    "a French door": ("fr", "Il attend Porte B.", "Orly ferme tôt.", None),
    "a German track": ("de", "Er wartet auf Gleis A.", "Züge fallen aus.", None),
    "a Spanish tower": ("es", "Vive en la Torre B.", "Madrid crece.", None),
    "an Italian staircase": ("it", "Abita alla Scala B.", "Milano cresce.", None),
    "a Dutch building": ("nl", "Hij werkt in Gebouw B.", "Artsen komen laat.", None),
    "a Portuguese gate": ("pt", "Ele espera no Portão B.", "Lisboa chove.", None),
    "a German plan": ("de", "Es gibt keinen Plan B.", "Banken warnen davor.", None),
    "a French appendix": ("fr", "Voir Annexe B.", "Bruxelles le demande.", None),
    "a Spanish plan": ("es", "Eligió el Plan B.", "Madrid lo rechaza.", None),
    "two initials": ("en", "He read J. R.", "Tolkien at school.", CUT),
    "a Roman number": ("en", "It was World War I.", "Europe was poor.", None),
    "a short form of a sentence": ("en", "He met Anna W.", "It's too late.", None),
    "a mountain": ("en", "They climbed Mt.", "Everest in May.", CUT),
    "megatons": ("en", "They saved three Mt.", "This is not much.", None),
    "no full stop": ("de", "Es beginnt am 6", "Dezember ist nah.", None),
    "an ellipsis": ("en", "He said no more ...", "Bush has left.", None),
    "one word": ("en", "Dr.", "Weiss was there.", CUT),
    "no text": ("en", "", "", None),
    "marks alone": ("en", "...", '"', None),
    "a language without a list": ("cs", "Viděli jsme dr.", "Bílou ve městě.", None),
}


@pytest.mark.parametrize("case", CUTS)
def test_halves_of_one_sentence_reject(case: str) -> None:
    language, first, second, reason = CUTS[case]
    other = "en" if language != "en" else "fr"
    found = alignment(ONE, first, second, languages=f"{other} {language}")
    assert OneSentenceScreen().skip_reason(found) == reason
    assert OneSentenceScreen(enabled=False).skip_reason(found) is None
