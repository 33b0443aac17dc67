"""Sentences of other languages than English through the same code: tokens, quotation marks, spacing, cue words, rules.

The sentences are ours and their parses are written by hand, `token/POS/label/head` as in factories.tree; where both are
at hand a German one has its parse in TIGER's labels too, and the rules must not notice.
"""

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from factories import tree

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.dependency_tree import DependencyTree

RULES: dict[str, Callable[[clauses.ClauseStructure], bool]] = {
    "full": clauses.joins_full_clauses, "spliced": clauses.is_comma_splice,
    "subordinate": clauses.opens_with_subordinate, "clause": clauses.has_fronted_clause,
    "relative": lambda s: any(map(s.tree.is_relative_clause, range(len(s.tree)))),
}  # fmt: skip
LEMMAS = {
    "fr": {"a": "avoir", "sommes": "être"},
    "de": {"hat": "haben", "hatten": "haben"},
    "es": {"ha": "haber"},
}

FRENCH = {
    "Il pleuvait, mais nous sommes sortis.": ("full",
        "Il/PRON/nsubj/2 pleuvait/VERB*/root/0 , mais/CCONJ/cc/7 nous/PRON/nsubj/7 sommes/AUX*/aux:tense/7 "
        "sortis/VERB/conj/2 ."),
    "Il n’a pas répondu, car il dormait.": ("full",
        "Il/PRON/nsubj/5 n’/ADV/advmod/5 a/AUX*/aux:tense/5 pas/ADV/advmod/5 répondu/VERB/root/0 , car/CCONJ/cc/9 "
        "il/PRON/nsubj/9 dormait/VERB*/conj/5 ."),
    "Elle ouvre la porte et entre.": ("",
        "Elle/PRON/nsubj/2 ouvre/VERB*/root/0 la/DET/det/4 porte/NOUN/obj/2 et/CCONJ/cc/6 entre/VERB*/conj/2 ."),
    "Lorsqu’il rentra, la maison était vide.": ("subordinate",
        "Lorsqu’/SCONJ/mark/3 il/PRON/nsubj/3 rentra/VERB*/advcl/8 , la/DET/det/6 maison/NOUN/nsubj/8 était/AUX*/cop/8 "
        "vide/ADJ/root/0 ."),
    "Afin de partir tôt, ils mangent vite.": ("subordinate clause",
        "Afin/ADV/advmod/3 de/ADP/mark/3 partir/VERB/advcl/7 tôt/ADV/advmod/3 , ils/PRON/nsubj/7 mangent/VERB*/root/0 "
        "vite/ADV/advmod/7 ."),
    "En marchant vite, Paul arriva tôt.": ("subordinate clause",
        "En/ADP/mark/2 marchant/VERB~/advcl/6 vite/ADV/advmod/2 , Paul/PROPN/nsubj/6 arriva/VERB*/root/0 "
        "tôt/ADV/advmod/6 ."),
    "« Je viens », dit-elle.": ("clause",
        "« Je/PRON/nsubj/3 viens/VERB*/root/0 » , dit/VERB*/parataxis/3 -elle/PRON/nsubj/6 ."),
    "Le toit, qui fuyait, fut réparé.": ("relative",
        "Le/DET/det/2 toit/NOUN/nsubj:pass/8 , qui/PRON?/nsubj/5 fuyait/VERB*/acl:relcl/2 , fut/AUX*/aux:pass/8 "
        "réparé/VERB/root/0 ."),
    "Aujourd’hui, c’est l’homme qu’elle aime.": ("relative",
        "Aujourd’hui/ADV/advmod/6 , c’/PRON/nsubj/6 est/AUX*/cop/6 l’/DET/det/6 homme/NOUN/root/0 qu’/PRON?/obj/9 "
        "elle/PRON/nsubj/9 aime/VERB*/acl:relcl/6 ."),
    "Il a plu toute la nuit, laissant des flaques.": ("",
        "Il/PRON/nsubj/3 a/AUX*/aux:tense/3 plu/VERB/root/0 toute/ADJ/amod/6 la/DET/det/6 nuit/NOUN/obl:mod/3 , "
        "laissant/VERB~/advcl/3 des/DET/det/10 flaques/NOUN/obj/8 ."),
    "Le vent tombe ; la mer se calme.": ("",
        "Le/DET/det/2 vent/NOUN/nsubj/3 tombe/VERB*/root/0 ; la/DET/det/6 mer/NOUN/nsubj/8 se/PRON/expl:comp/8 "
        "calme/VERB*/parataxis/3 ."),
    "Le train est-il parti ?": ("",
        "Le/DET/det/2 train/NOUN/nsubj/5 est/AUX*/aux:tense/5 -il/PRON/expl:subj/5 parti/VERB/root/0 ?"),
    "Il dit : « Non » !": ("",
        "Il/PRON/nsubj/2 dit/VERB*/root/0 : « Non/INTJ/obj/2 » !"),
    "Elle a donné 3,5 euros.": ("",
        "Elle/PRON/nsubj/3 a/AUX*/aux:tense/3 donné/VERB/root/0 3,5/NUM/nummod/5 euros/NOUN/obj/3 ."),
}  # fmt: skip
GERMAN = {
    "Es regnete, aber wir gingen hinaus.": ("full",
        "Es/PRON/nsubj/2 regnete/VERB*/root/0 , aber/CCONJ/cc/6 wir/PRON/nsubj/6 gingen/VERB*/conj/2 "
        "hinaus/ADV/compound:prt/6 ."),
    "Sie war müde, deshalb ging sie heim.": ("full",
        "Sie/PRON/nsubj/3 war/AUX*/cop/3 müde/ADJ/root/0 , deshalb/ADV/advmod/6 ging/VERB*/parataxis/3 "
        "sie/PRON/nsubj/6 heim/ADV/advmod/6 ."),
    "Sie öffnet die Tür und tritt ein.": ("",
        "Sie/PRON/nsubj/2 öffnet/VERB*/root/0 die/DET/det/4 Tür/NOUN/obj/2 und/CCONJ/cc/6 tritt/VERB*/conj/2 "
        "ein/ADP/compound:prt/6 ."),
    "Weil es regnete, blieben sie zu Hause.": ("subordinate",
        "Weil/SCONJ/mark/3 es/PRON/nsubj/3 regnete/VERB*/advcl/5 , blieben/VERB*/root/0 sie/PRON/nsubj/5 zu/ADP/case/8 "
        "Hause/NOUN/obl/5 ."),
    "Nachdem sie gegessen hatten, schliefen alle.": ("subordinate",
        "Nachdem/SCONJ/mark/3 sie/PRON/nsubj/3 gegessen/VERB/advcl/6 hatten/AUX*/aux/3 , schliefen/VERB*/root/0 "
        "alle/PRON/nsubj/6 ."),
    "Um zu gewinnen, übte sie täglich.": ("subordinate clause",
        "Um/SCONJ/mark/3 zu/PART/mark/3 gewinnen/VERB/advcl/5 , übte/VERB*/root/0 sie/PRON/nsubj/5 "
        "täglich/ADV/advmod/5 ."),
    "„Ich komme“, sagte er.": ("clause",
        "„ Ich/PRON/nsubj/3 komme/VERB*/ccomp/6 “ , sagte/VERB*/root/0 er/PRON/nsubj/6 ."),
    "»Ich komme!«, rief sie.": ("clause",
        "» Ich/PRON/nsubj/3 komme/VERB*/ccomp/7 ! « , rief/VERB*/root/0 sie/PRON/nsubj/7 ."),
    "‚Gut‘, dachte er.": ("clause",
        "‚ Gut/ADJ/ccomp/5 ‘ , dachte/VERB*/root/0 er/PRON/nsubj/5 ."),
    "Der Mann, der dort wohnt, ist alt.": ("relative",
        "Der/DET/det/2 Mann/NOUN/nsubj/9 , der/PRON?/nsubj/6 dort/ADV/advmod/6 wohnt/VERB*/acl/2 , ist/AUX*/cop/9 "
        "alt/ADJ/root/0 ."),
    "Das Dach ist undicht; der Keller ist nass.": ("",
        "Das/DET/det/2 Dach/NOUN/nsubj/4 ist/AUX*/cop/4 undicht/ADJ/root/0 ; der/DET/det/7 Keller/NOUN/nsubj/9 "
        "ist/AUX*/cop/9 nass/ADJ/parataxis/4 ."),
    "Am 3. Oktober fuhr Dr. Weiß z. B. nach Köln.": ("",
        "Am/ADP/case/3 3./ADJ/amod/3 Oktober/NOUN/obl/4 fuhr/VERB*/root/0 Dr./NOUN/nsubj/4 Weiß/PROPN/flat/5 "
        "z./ADP/case/8 B./NOUN/obl/10 nach/ADP/case/10 Köln/PROPN/obl/4 ."),
    "Das E-Mail-Programm stürzt ab, wenn man klickt.": ("",
        "Das/DET/det/2 E-Mail-Programm/NOUN/nsubj/3 stürzt/VERB*/root/0 ab/ADP/compound:prt/3 , wenn/SCONJ/mark/8 "
        "man/PRON/nsubj/8 klickt/VERB*/advcl/3 ."),
    "Geht’s dir gut?": ("", "Geht/VERB*/root/0 ’s/PRON/nsubj/1 dir/PRON/iobj/1 gut/ADV/advmod/1 ?"),
}  # fmt: skip
SPANISH = {
    "El sol salió y los niños jugaron.": ("full",
        "El/DET/det/2 sol/NOUN/nsubj/3 salió/VERB*/root/0 y/CCONJ/cc/7 los/DET/det/6 niños/NOUN/nsubj/7 "
        "jugaron/VERB*/conj/3 ."),
    "Ella abre la puerta y entra.": ("",
        "Ella/PRON/nsubj/2 abre/VERB*/root/0 la/DET/det/4 puerta/NOUN/obj/2 y/CCONJ/cc/6 entra/VERB*/conj/2 ."),
    "Cuando llegó, la casa estaba vacía.": ("subordinate",
        "Cuando/SCONJ/mark/2 llegó/VERB*/advcl/7 , la/DET/det/5 casa/NOUN/nsubj/7 estaba/AUX*/cop/7 "
        "vacía/ADJ/root/0 ."),
    "A pesar de que llovía, el tren llegó.": ("subordinate",
        "A/ADP/mark/5 pesar/NOUN/fixed/1 de/ADP/fixed/1 que/SCONJ/fixed/1 llovía/VERB*/advcl/9 , el/DET/det/8 "
        "tren/NOUN/nsubj/9 llegó/VERB*/root/0 ."),
    "Caminando deprisa, Pablo llegó pronto.": ("clause",
        "Caminando/VERB~/advcl/5 deprisa/ADV/advmod/1 , Pablo/PROPN/nsubj/5 llegó/VERB*/root/0 pronto/ADV/advmod/5 ."),
    "«No puedo», dijo Ana.": ("clause",
        "« No/ADV/advmod/3 puedo/VERB*/root/0 » , dijo/VERB*/parataxis/3 Ana/PROPN/nsubj/6 ."),
    "—Vete —dijo ella—.": ("clause",
        "— Vete/VERB*/root/0 — dijo/VERB*/parataxis/2 ella/PRON/nsubj/4 — ."),
    "El perro, que ladraba, se calló.": ("relative",
        "El/DET/det/2 perro/NOUN/nsubj/8 , que/PRON?/nsubj/5 ladraba/VERB*/acl/2 , se/PRON/expl:pv/8 "
        "calló/VERB*/root/0 ."),
    "Llovió toda la noche, dejando charcos.": ("",
        "Llovió/VERB*/root/0 toda/DET/det/4 la/DET/det/4 noche/NOUN/obl/1 , dejando/VERB~/advcl/1 "
        "charcos/NOUN/obj/6 ."),
    "El viento cae; el mar se calma.": ("",
        "El/DET/det/2 viento/NOUN/nsubj/3 cae/VERB*/root/0 ; el/DET/det/6 mar/NOUN/nsubj/8 se/PRON/expl:pv/8 "
        "calma/VERB*/parataxis/3 ."),
    "¿Vienes mañana?": ("", "¿ Vienes/VERB*/root/0 mañana/ADV/advmod/2 ?"),
    "¡Qué frío hace!": ("", "¡ Qué/DET?/det/3 frío/NOUN/obj/4 hace/VERB*/root/0 !"),
    "Dámelo, por favor.": ("", "Dámelo/VERB*/root/0 , por/ADP/case/4 favor/NOUN/obl/1 ."),
    "Cuesta 1.234,50 euros, ¿verdad?": ("",
        "Cuesta/VERB*/root/0 1.234,50/NUM/nummod/3 euros/NOUN/obj/1 , ¿ verdad/NOUN/discourse/1 ?"),
}  # fmt: skip
PORTUGUESE = {
    "O sol saiu e as crianças brincaram.": ("full",
        "O/DET/det/2 sol/NOUN/nsubj/3 saiu/VERB*/root/0 e/CCONJ/cc/7 as/DET/det/6 crianças/NOUN/nsubj/7 "
        "brincaram/VERB*/conj/3 ."),
    "Chovia, mas saímos.": ("", "Chovia/VERB*/root/0 , mas/CCONJ/cc/4 saímos/VERB*/conj/1 ."),
    "Ela abre a porta e entra.": ("",
        "Ela/PRON/nsubj/2 abre/VERB*/root/0 a/DET/det/4 porta/NOUN/obj/2 e/CCONJ/cc/6 entra/VERB*/conj/2 ."),
    "Quando chegou, a casa estava vazia.": ("subordinate",
        "Quando/SCONJ/mark/2 chegou/VERB*/advcl/7 , a/DET/det/5 casa/NOUN/nsubj/7 estava/AUX*/cop/7 vazia/ADJ/root/0 "
        "."),
    "Uma vez que chovia, o comboio parou.": ("subordinate",
        "Uma/DET/det/2 vez/NOUN/mark/4 que/SCONJ/fixed/2 chovia/VERB*/advcl/8 , o/DET/det/7 comboio/NOUN/nsubj/8 "
        "parou/VERB*/root/0 ."),
    "Para vencer, ela treinava.": ("subordinate clause",
        "Para/ADP/mark/2 vencer/VERB/advcl/5 , ela/PRON/nsubj/5 treinava/VERB*/root/0 ."),
    "Caminhando depressa, Pedro chegou cedo.": ("clause",
        "Caminhando/VERB~/advcl/5 depressa/ADV/advmod/1 , Pedro/PROPN/nsubj/5 chegou/VERB*/root/0 cedo/ADV/advmod/5 ."),
    "«Não posso», disse Ana.": ("clause",
        "« Não/ADV/advmod/3 posso/VERB*/root/0 » , disse/VERB*/parataxis/3 Ana/PROPN/nsubj/6 ."),
    "— Vai-te — disse ela.": ("clause",
        "— Vai-te/VERB!/root/0 — disse/VERB*/parataxis/2 ela/PRON/nsubj/4 ."),
    "O cão, que ladrava, calou-se.": ("relative",
        "O/DET/det/2 cão/NOUN/nsubj/7 , que/PRON?/nsubj/5 ladrava/VERB*/acl:relcl/2 , calou-se/VERB*/root/0 ."),
    "Choveu toda a noite, deixando poças.": ("",
        "Choveu/VERB*/root/0 toda/DET/det/4 a/DET/det/4 noite/NOUN/obl/1 , deixando/VERB~/advcl/1 poças/NOUN/obj/6 ."),
    "O vento cai; o mar acalma-se.": ("",
        "O/DET/det/2 vento/NOUN/nsubj/3 cai/VERB*/root/0 ; o/DET/det/6 mar/NOUN/nsubj/7 acalma-se/VERB*/parataxis/3 ."),
    "Dir-lhe-ei isso na quinta-feira.": ("",
        "Dir-lhe-ei/VERB*/root/0 isso/PRON/obj/1 na/ADP/case/4 quinta-feira/NOUN/obl/1 ."),
    "Custa 1.234,50 euros, não é?": ("",
        "Custa/VERB*/root/0 1.234,50/NUM/nummod/3 euros/NOUN/obj/1 , não/ADV/advmod/6 é/AUX*/parataxis/1 ?"),
}  # fmt: skip
DUTCH = {
    "Het regende, maar wij gingen naar buiten.": ("full",
        "Het/PRON/nsubj/2 regende/VERB*/root/0 , maar/CCONJ/cc/6 wij/PRON/nsubj/6 gingen/VERB*/conj/2 naar/ADP/case/8 "
        "buiten/ADV/advmod/6 ."),
    "Ze was moe, dus ging ze naar huis.": ("full",
        "Ze/PRON/nsubj/3 was/AUX*/cop/3 moe/ADJ/root/0 , dus/ADV/advmod/6 ging/VERB*/parataxis/3 ze/PRON/nsubj/6 "
        "naar/ADP/case/9 huis/NOUN/obl/6 ."),
    "Zij opent de deur en komt binnen.": ("",
        "Zij/PRON/nsubj/2 opent/VERB*/root/0 de/DET/det/4 deur/NOUN/obj/2 en/CCONJ/cc/6 komt/VERB*/conj/2 "
        "binnen/ADP/compound:prt/6 ."),
    "Omdat het regende, bleven ze thuis.": ("subordinate",
        "Omdat/SCONJ/mark/3 het/PRON/nsubj/3 regende/VERB*/advcl/5 , bleven/VERB*/root/0 ze/PRON/nsubj/5 "
        "thuis/ADV/advmod/5 ."),
    "Nadat ze gegeten hadden, sliep iedereen.": ("subordinate",
        "Nadat/SCONJ/mark/3 ze/PRON/nsubj/3 gegeten/VERB/advcl/6 hadden/AUX*/aux/3 , sliep/VERB*/root/0 "
        "iedereen/PRON/nsubj/6 ."),
    "Om te winnen, oefende zij elke dag.": ("subordinate clause",
        "Om/ADP/mark/3 te/ADP/mark/3 winnen/VERB/advcl/5 , oefende/VERB*/root/0 zij/PRON/nsubj/5 elke/DET/det/8 "
        "dag/NOUN/obl/5 ."),
    "“Ik kom”, zei hij.": ("clause",
        "“ Ik/PRON/nsubj/3 kom/VERB*/ccomp/6 ” , zei/VERB*/root/0 hij/PRON/nsubj/6 ."),
    "„Kom binnen”, riep zij.": ("clause",
        "„ Kom/VERB!/ccomp/6 binnen/ADP/compound:prt/2 ” , riep/VERB*/root/0 zij/PRON/nsubj/6 ."),
    "De man die daar woont, is oud.": ("relative",
        "De/DET/det/2 man/NOUN/nsubj/8 die/PRON?/nsubj/5 daar/ADV/advmod/5 woont/VERB*/acl:relcl/2 , is/AUX*/cop/8 "
        "oud/ADJ/root/0 ."),
    "Het dak lekt; de kelder is nat.": ("",
        "Het/DET/det/2 dak/NOUN/nsubj/3 lekt/VERB*/root/0 ; de/DET/det/6 kelder/NOUN/nsubj/8 is/AUX*/cop/8 "
        "nat/ADJ/parataxis/3 ."),
    "Op 3 oktober reed dhr. Smit 's avonds naar Den Haag.": ("",
        "Op/ADP/case/3 3/NUM/nummod/3 oktober/NOUN/obl/4 reed/VERB*/root/0 dhr./NOUN/nsubj/4 Smit/PROPN/appos/5 "
        "'s/DET/det/8 avonds/NOUN/obl/4 naar/ADP/case/10 Den/PROPN/obl/4 Haag/PROPN/flat/10 ."),
    "Het e-mailprogramma stopt als je klikt.": ("",
        "Het/DET/det/2 e-mailprogramma/NOUN/nsubj/3 stopt/VERB*/root/0 als/SCONJ/mark/6 je/PRON/nsubj/6 "
        "klikt/VERB*/advcl/3 ."),
    "Gaat 't goed?": ("", "Gaat/VERB*/root/0 't/PRON/nsubj/1 goed/ADJ/advmod/1 ?"),
    "Die foto's van m'n broer kosten 1.234,50 euro.": ("",
        "Die/DET/det/2 foto's/NOUN/nsubj/6 van/ADP/case/5 m'n/PRON/nmod:poss/5 broer/NOUN/nmod/2 kosten/VERB*/root/0 "
        "1.234,50/NUM/nummod/8 euro/NOUN/obj/6 ."),
}  # fmt: skip
TIGER = {
    "Es regnete, aber wir gingen hinaus.":
        "Es/PRON/sb/2 regnete/VERB*/ROOT/0 , aber/CCONJ/cd/2 wir/PRON/sb/6 gingen/VERB*/cj/4 hinaus/ADV/svp/6 .",
    "Sie öffnet die Tür und tritt ein.":
        "Sie/PRON/sb/2 öffnet/VERB*/ROOT/0 die/DET/nk/4 Tür/NOUN/oa/2 und/CCONJ/cd/2 tritt/VERB*/cj/5 ein/ADP/svp/6 .",
    "Weil es regnete, blieben sie zu Hause.":
        "Weil/SCONJ/cp/3 es/PRON/sb/3 regnete/VERB*/mo/5 , blieben/VERB*/ROOT/0 sie/PRON/sb/5 zu/ADP/mo/5 "
        "Hause/NOUN/nk/7 .",
    "Nachdem sie gegessen hatten, schliefen alle.":
        "Nachdem/SCONJ/cp/4 sie/PRON/sb/4 gegessen/VERB/oc/4 hatten/AUX*/mo/6 , schliefen/VERB*/ROOT/0 "
        "alle/PRON/sb/6 .",
    "Um zu gewinnen, übte sie täglich.":
        "Um/SCONJ/cp/3 zu/PART/pm/3 gewinnen/VERB/mo/5 , übte/VERB*/ROOT/0 sie/PRON/sb/5 täglich/ADV/mo/5 .",
    "„Ich komme“, sagte er.":
        "„ Ich/PRON/sb/3 komme/VERB*/oc/6 “ , sagte/VERB*/ROOT/0 er/PRON/sb/6 .",
    "Der Mann, der dort wohnt, ist alt.":
        "Der/DET/nk/2 Mann/NOUN/sb/8 , der/PRON?/sb/6 dort/ADV/mo/6 wohnt/VERB*/rc/2 , ist/AUX*/ROOT/0 alt/ADJ/pd/8 .",
}  # fmt: skip
BY_LANGUAGE = {"fr": FRENCH, "de": GERMAN, "es": SPANISH, "pt": PORTUGUESE, "nl": DUTCH}
SENTENCES = [
    (language, text, *told)
    for language, told_of in BY_LANGUAGE.items()
    for text, told in told_of.items()
]
EVERY = pytest.mark.parametrize(
    ("language", "text", "rules", "words"), SENTENCES, ids=[one[1] for one in SENTENCES]
)


def parsed(words: str, language: str, scheme: str = "ud") -> Parse:
    """A parse by hand, with the lemmas of auxiliaries."""
    parse = tree(words, scheme)
    return replace(
        parse, lemmas=tuple(LEMMAS.get(language, {}).get(lemma, lemma) for lemma in parse.lemmas)
    )


def fired(parse: Parse, language: str) -> set[str]:
    """The names of the rules that see their structure."""
    sentence = clauses.analyse_clauses(parse, language)
    assert sentence is not None
    return {name for name, rule in RULES.items() if rule(sentence)}


@functools.cache
def blank(language: str) -> Any:
    """spaCy's tokenizer of a language."""
    import spacy

    return spacy.blank(language)


def tokens(text: str, language: str) -> list[str]:
    """What a pipeline of the language cuts a text into, blanks left out as in pairs.syntax.parsing."""
    return [token.text for token in blank(language)(text) if not token.is_space]


@EVERY
def test_tokens_rules_quotation_marks_and_verbs(
    language: str, text: str, rules: str, words: str
) -> None:
    parse = parsed(words, language)
    grammar = DependencyTree(parse, language)
    assert tokens(text, language) == list(parse.tokens)
    assert fired(parse, language) == set(rules.split())
    assert sum(map(grammar.is_quote, range(len(grammar)))) == sum(
        text.count(mark) for mark in "«»„“”‚‘"
    )
    assert grammar.main_verb is not None
    assert any(grammar.is_verb(i) and grammar.is_finite(i) for i in range(len(grammar)))


@pytest.mark.parametrize("text", TIGER)
def test_rules_ignore_the_inventory_of_labels_of_a_german_parse(text: str) -> None:
    parse = parsed(TIGER[text], "de", "tiger")
    assert parse.tokens == parsed(GERMAN[text][1], "de").tokens
    assert fired(parse, "de") == set(GERMAN[text][0].split())


@pytest.mark.parametrize(
    "blank", ["\u00a0", "\u202f", ""], ids=["no-break space", "narrow no-break space", "none"]
)
@pytest.mark.parametrize(
    "text", ["Le vent tombe ; la mer se calme.", "Le train est-il parti ?", "Il dit : « Non » !"]
)
def test_the_space_before_a_french_mark_may_be_any(text: str, blank: str) -> None:
    """`;` alone is not cut from the words beside it without a blank on either side: nobody writes French so."""
    other = text.replace("« ", f"«{blank}").replace(" »", f"{blank}»")
    for mark in ";:?!":
        other = other.replace(f" {mark}", f"{blank}{mark}")
    assert other != text and tokens(other, "fr") == tokens(text, "fr")


@pytest.mark.parametrize("language", BY_LANGUAGE)
@pytest.mark.parametrize("kind", ["opening", "subordinators", "loose", "joining", "concluding"])
def test_every_list_of_cue_words_has_its_counterpart(language: str, kind: str) -> None:
    """A word that the tokenizer cuts otherwise would never be met."""
    listed = clauses.clause_words(language, kind)
    assert listed and all(word == word.lower() for word in listed)
    cut = {
        word: tokens(f"{word}il" if word.endswith("'") else f"{word} il", language)
        for word in listed
    }
    assert {word: found for word, found in cut.items() if " ".join(found[:-1]) != word} == {}
