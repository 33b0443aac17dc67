"""Good pairs of other languages pass every filter that needs neither a parser nor a model; spoilt ones do not.

The pairs are ours. Tokens are those of the language's tokenizer; no rule here reads a tag.
"""

import functools
from typing import Any

import pytest
from factories import flat, pair

from bitext_pivot.core.records import ParsedPair
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.view import View

NEED_A_PARSE = {"components", "fragments", "verbs", "names", "truncated"}
FILTERS = Filters(preset="strict")

PAIRS = {
    "fr": [
        ("Le maire a ouvert la séance ; il a salué les habitants.",
         "Le maire a ouvert la séance.", "Il a salué les habitants."),
        ("« Nous partirons demain », a dit le maire, qui semblait fatigué.",
         "« Nous partirons demain », a dit le maire.", "Il semblait fatigué."),
        ("La ville a payé 3 500 euros : c’est trop pour l’école !",
         "La ville a payé 3 500 euros.", "C’est trop pour l’école !"),
        ("Que voulez-vous faire, puisqu’il n’y a plus d’eau dans le puits ?",
         "Il n’y a plus d’eau dans le puits.", "Que voulez-vous faire ?"),
        ("Peut-être viendra-t-elle ce soir, mais nous n’attendrons pas jusqu’à minuit.",
         "Peut-être viendra-t-elle ce soir.", "Nous n’attendrons pas jusqu’à minuit."),
    ],
    "de": [
        ("Der Bürgermeister eröffnete die Sitzung und begrüßte die Einwohner.",
         "Der Bürgermeister eröffnete die Sitzung.", "Dann begrüßte er die Einwohner."),
        ("„Wir fahren morgen“, sagte der Lehrer, der müde wirkte.",
         "„Wir fahren morgen“, sagte der Lehrer.", "Der Lehrer wirkte müde."),
        ("»Kommt herein!«, rief die Nachbarin und öffnete die schwere Tür.",
         "»Kommt herein!«, rief die Nachbarin.", "Die Nachbarin öffnete die schwere Tür."),
        ("Die Stadt zahlte 1.234,50 Euro, z. B. für den E-Mail-Server; das war am 3. Oktober.",
         "Die Stadt zahlte 1.234,50 Euro, z. B. für den E-Mail-Server.", "Das war am 3. Oktober."),
        ("Weil es den ganzen Tag regnete, blieben die Lehrer:innen zu Hause.",
         "Es regnete den ganzen Tag.", "Deshalb blieben die Lehrer:innen zu Hause."),
    ],
    "es": [
        ("El alcalde abrió la sesión y saludó a los vecinos.",
         "El alcalde abrió la sesión.", "Luego saludó a los vecinos."),
        ("«No podemos esperar», dijo la maestra, que parecía cansada.",
         "«No podemos esperar», dijo la maestra.", "La maestra parecía cansada."),
        ("¿Vendrá mañana el médico, o tenemos que buscar otro?",
         "¿Vendrá mañana el médico?", "¿O tenemos que buscar otro?"),
        ("¡Qué frío hace en la plaza! —gritó el panadero—, y cerró la puerta.",
         "¡Qué frío hace en la plaza! —gritó el panadero—.", "El panadero cerró la puerta."),
        ("El Sr. Gómez pagó 1.234,50 euros por la casa, aunque costaba 900 euros en 2019.",
         "El Sr. Gómez pagó 1.234,50 euros por la casa.", "La casa costaba 900 euros en 2019."),
    ],
    "pt": [
        ("O presidente da câmara abriu a sessão e saudou os moradores.",
         "O presidente da câmara abriu a sessão.", "Depois saudou os moradores."),
        ("«Não podemos esperar», disse a professora, que parecia cansada.",
         "«Não podemos esperar», disse a professora.", "A professora parecia cansada."),
        ("— Que frio faz na praça! — gritou o padeiro, e fechou a porta.",
         "— Que frio faz na praça! — gritou o padeiro.", "O padeiro fechou a porta."),
        ("O Sr. Gomes pagou 1.234,50 euros pela casa, embora custasse 900 euros em 2019.",
         "O Sr. Gomes pagou 1.234,50 euros pela casa.", "A casa custava 900 euros em 2019."),
        ("Quando o comboio chegou na quinta-feira, dir-lhe-ei que já não havia ninguém na estação.",
         "O comboio chegou na quinta-feira.", "Dir-lhe-ei que já não havia ninguém na estação."),
    ],
    "nl": [
        ("De burgemeester opende de zitting en begroette de bewoners.",
         "De burgemeester opende de zitting.", "Daarna begroette hij de bewoners."),
        ("“We vertrekken morgen”, zei de leraar, die er moe uitzag.",
         "“We vertrekken morgen”, zei de leraar.", "De leraar zag er moe uit."),
        ("‘Kom binnen!’ riep de buurvrouw en zij deed de zware deur open.",
         "‘Kom binnen!’ riep de buurvrouw.", "Zij deed de zware deur open."),
        ("De stad betaalde 1.234,50 euro, bijv. voor de e-mailserver; dat was op 3 oktober.",
         "De stad betaalde 1.234,50 euro, bijv. voor de e-mailserver.", "Dat was op 3 oktober."),
        ("Omdat het de hele dag regende, bleven de leraren 's avonds thuis met hun foto's.",
         "Het regende de hele dag.", "Daarom bleven de leraren 's avonds thuis met hun foto's."),
    ],
}  # fmt: skip
GOOD = [(language, *texts) for language, pairs in PAIRS.items() for texts in pairs]


@functools.cache
def blank(language: str) -> Any:
    """spaCy's tokenizer of a language."""
    import spacy

    return spacy.blank(language)


def parsed(language: str, *texts: str) -> ParsedPair:
    """A pair whose parses have the tokens of the language alone."""
    cut = (
        " ".join(token.text for token in blank(language)(text) if not token.is_space)
        for text in texts
    )
    long, first, second = map(flat, cut)
    return ParsedPair(pair=pair(*texts, language=language), long=long, split=(first, second))


def rejecting(pair: ParsedPair) -> set[str]:
    """Which rule filters reject a pair."""
    scores = {
        name: (rule, rule.measure(View(pair)))
        for name, rule in FILTERS.active().items()
        if isinstance(rule, RuleFilter) and name not in NEED_A_PARSE
    }
    return {
        name
        for name, (rule, score) in scores.items()
        if score is not None and not rule.accepts(score)
    }


@pytest.mark.parametrize(("language", "long", "first", "second"), GOOD)
def test_a_good_pair_passes(language: str, long: str, first: str, second: str) -> None:
    assert rejecting(parsed(language, long, first, second)) == set()


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
@pytest.mark.parametrize(("long", "first", "second"), PAIRS["fr"])
def test_blanks_that_do_not_break_change_nothing(
    long: str, first: str, second: str, blank: str
) -> None:
    texts = [long, first, second]
    for mark in (" ;", " :", " !", " ?", " »", "« ", " 500"):
        texts = [text.replace(mark, mark.replace(" ", blank)) for text in texts]
    assert rejecting(parsed("fr", *texts)) == set()


@pytest.mark.parametrize(("language", "long", "first", "second"), GOOD)
def test_two_sentences_pasted_without_a_blank_are_found(
    language: str, long: str, first: str, second: str
) -> None:
    assert "pasted" in rejecting(
        parsed(language, first.rstrip(" !?.—»“«") + "." + second.lstrip("¿„«» "), first, second)
    )


@pytest.mark.parametrize(("language", "long", "first", "second"), GOOD)
def test_another_language_is_found(language: str, long: str, first: str, second: str) -> None:
    """Where a sentence has too few function words nothing can be told, so all of a language are judged together."""
    other = {"fr": "es", "de": "fr", "es": "de", "pt": "es", "nl": "de"}[language]
    texts = [" ".join(pair[n] for pair in PAIRS[other]) for n in range(3)]
    assert "language" in rejecting(parsed(language, *texts))
