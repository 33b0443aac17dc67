import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.alignments.xces.tokens import detokenizer
from bitext_pivot.core.white_space import squeezed


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", 'Late , " he said " ( twice ) : 5 % .', 'Late, "he said" (twice): 5%.'),
        ("en", "it ' s late", "it 's late"),
        ("en", "He 's the dogs ' owner .", "He's the dogs' owner."),
        ("fr", "L' arrêt d' hier , vraiment ?", "L'arrêt d'hier, vraiment ?"),
        ("it", "L' acqua e l' aria .", "L'acqua e l'aria."),
        ("de", "Das kostet $ 5 .", "Das kostet $5."),
        ("pt", "Chove , não ?", "Chove, não?"),
        ("fr", "C' est fini .", "C'est fini."),
        ("zh", "我 喜欢 茶 。", "我喜欢茶。"),
        ("xx", "Any language , even an unknown one .", "Any language, even an unknown one."),
        ("cs", "on má' - li čas .", "on má' - li čas."),
        ("en", "AT&amp;T &lt; &#124;", "AT&amp;T &lt; &#124;"),
        ("en", "10, 000 and/or 3 / 4", "10, 000 and/or 3 / 4"),
        ("en", "The b\u00aded is \u200b good\u00a0.", "The bed is good."),
        ("en", " \n", ""),
        ("en", "a @-@ b @ @-@ @ c", "a-b-c"),
    ],
)
def test_tokens_are_put_together_by_the_rules_of_the_language(
    language: str, tokens: str, text: str
) -> None:
    assert detokenizer(language)(tokens) == text


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", "“ Yes , ” he said . “ No ! ”", "“Yes,” he said. “No!”"),
        ("en", "He said “ yes ” and “ no ” .", "He said “yes” and “no”."),
        ("en", "“ Never mind .", "“Never mind."),
        ("en", "I left . ”", "I left.”"),
        ("en", "“ Yes “ or “ no “ ?", "“Yes“ or “no“?"),
        ("en", "He read ( “ Emma ” ) .", "He read (“Emma”)."),
        ("en", '“ The " new " one . ”', '“The "new" one.”'),
        ("en", "‘ yes ’", "‘yes’"),
        ("en", "“ I read ‘ Emma ’ , ” she said .", "“I read ‘Emma’,” she said."),
        ("en", "‘ It ’ s late , ’ he said .", "‘It’s late,’ he said."),
        ("en", "I left . ’", "I left.’"),
        ("en", "It ’s late .", "It’s late."),
        ("en", "It ’ s late , they ’ re here , I ’ LL go .", "It’s late, they’re here, I’LL go."),
        ("en", "I don ’ t know , don’t ask .", "I don’t know, don’t ask."),
        ("en", "the dogs ’ tails", "the dogs’ tails"),
        ("en", "the dogs’ tails", "the dogs’ tails"),
        ("en", "‘ the dogs ’ tails ’", "‘the dogs’ tails’"),
        ("en", "‘ two cats ’ and one", "‘two cats’ and one"),
        ("en", "rock ’n’ roll", "rock ’n’ roll"),
        ("en", "rock ’ n ’ roll", "rock ’n’ roll"),
        ("en", "the ’ 90s and the ’ 1990s", "the ’90s and the ’1990s"),
        ("en", "the ’90s", "the ’90s"),
        ("en", "’ 90s", "’90s"),
        ("en", "’ Tis true , tell ’ em , ’em .", "’Tis true, tell ’em, ’em."),
        ("en", "Mr O ’ Neill ’ s hat", "Mr O’Neill’s hat"),
        ("en", "It is 8 ’ x 10 ”", "It is 8 ’ x 10”"),
        (
            "en",
            "( IMO ) ’ s fund , L ’ Oréal , a chargé d ’ affaires",
            "(IMO)’s fund, L’Oréal, a chargé d’affaires",
        ),
        ("en", "what they said on the radio ’ .", "what they said on the radio’."),
        ("en", "« Yes » , ‹ no ›", "« Yes », ‹ no ›"),
        ("es", 'Dijo “ no . "', 'Dijo “no."'),
        ("es", 'Dijo “ no " , y “ sí " .', 'Dijo “no", y “sí".'),
        ("es", 'La " tarea “ y ya', 'La "tarea“ y ya'),
        (
            "en",
            '" He said “ yes ” and “ no ” . " Then " no " .',
            '"He said “yes” and “no”." Then "no".',
        ),
        ("de", 'Er sagte „ ja " und ging .', 'Er sagte „ja" und ging.'),
        ("fr", "C’ est l’ été .", "C’est l’été."),
        (
            "fr",
            "C ’ est aujourd ’ hui l ’ été , jusqu ’ à Évreux .",
            "C’est aujourd’hui l’été, jusqu’à Évreux.",
        ),
        ("fr", "« Oui » , dit-il . « C ’ est ça ! »", "« Oui », dit-il. « C’est ça ! »"),
        ("fr", "“ Oui ” , dit-il .", "“Oui”, dit-il."),
        ("fr", "l ’ Œuvre , d ’ E\u0301vreux", "l’Œuvre, d’E\u0301vreux"),
        (
            "it",
            "dell’ arte , dell ’ arte , un po’ di , un po ’ di",
            "dell’arte, dell’arte, un po’ di, un po ’ di",
        ),
        ("it", "« Sì » , disse .", "«Sì», disse."),
        ("ca", "l ’ aigua , d’ anar", "l’aigua, d’anar"),
        ("ga", "d ’ fhág sé , b’ fhearr", "d’fhág sé, b’fhearr"),
        ("de", "„ Ja “ , sagte er . „ Nein ! “", "„Ja“, sagte er. „Nein!“"),
        ("de", "Ich bleibe “ , sagte er .", "Ich bleibe“, sagte er."),
        ("de", "„ Er sagte ‚ ja ‘ , “ sagte sie .", "„Er sagte ‚ja‘,“ sagte sie."),
        ("de", "“ Ja ” , sagte er .", "“Ja”, sagte er."),
        ("de", "» Ja « , sagte er . «", "»Ja«, sagte er.«"),
        ("de", "Er sagt « Ja » .", "Er sagt «Ja»."),
        ("cs", "„ Ano “ , řekl . Nic “ .", "„Ano“, řekl. Nic“."),
        ("pl", "„ Tak ” , powiedział .", "„Tak”, powiedział."),
        ("fi", "” Kyllä , ” hän sanoi . ” Ei ! ”", "”Kyllä,” hän sanoi. ”Ei!”"),
        ("fi", "Kyllä , ” hän sanoi .", "Kyllä,” hän sanoi."),
        ("sv", "Han sa ” ja ” och ’ nej ’ .", "Han sa ”ja” och ’nej’."),
        ("fi", "» Kyllä » , hän sanoi .", "»Kyllä», hän sanoi."),
        ("ru", "« Да » , — сказал он .", "«Да», — сказал он."),
        ("es", "¿ Qué dijo ? « No » .", "¿Qué dijo? «No»."),
        ("zh", "他 说 “ 你好 ” 。", "他说“你好”。"),
        ("xx", "“ Any ” , ‘ language ’", "“Any”, ‘language’"),
        ("nl", "foto ’ s", "foto ’ s"),
    ],
)
def test_typographic_quotes_and_apostrophes_join_their_words(
    language: str, tokens: str, text: str
) -> None:
    assert detokenizer(language)(tokens) == text


@pytest.mark.parametrize(
    "language", ["ca", "cs", "de", "en", "es", "fi", "fr", "ga", "it", "ru", "zh"]
)
@given(
    tokens=st.lists(
        st.sampled_from(
            [*"“”„‘’‚«»‹›.,)(@", "'", '"', "@-@", "s", "l", "été", "dogs", "’s", "l’", "你"]
        )
    )
)
def test_quotes_change_spaces_alone(language: str, tokens: list[str]) -> None:
    kept = "".join(tokens).replace("@-@", "-")
    text = detokenizer(language)(" ".join(tokens))
    assert "".join(text.split()).replace("@-@", "-") == kept
    assert text == " ".join(text.split())


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=30),
    st.sampled_from(["en", "fr", "cs", "fi"]),
)
def test_nothing_but_spaces_is_lost_or_added(tokens: str, language: str) -> None:
    kept = "".join(squeezed(tokens).split()).replace("@-@", "-")
    assert "".join(detokenizer(language)(tokens).split()).replace("@-@", "-") == kept
