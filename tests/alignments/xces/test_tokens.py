import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.alignments.xces.tokens import make_detokenizer
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
        ("en", "a @-@ b", "a-b"),
    ],
)
def test_tokens_are_put_together_by_the_rules_of_the_language(
    language: str, tokens: str, text: str
) -> None:
    assert make_detokenizer(language)(tokens) == text


@pytest.mark.parametrize(
    ("language", "tokens", "text"),
    [
        ("en", "“ Yes , ” he said . It ’ s late .", "“Yes, ” he said. It ’ s late."),
        ("en", "It ’s late , L’ été .", "It ’s late, L’ été."),
        ("fr", "« Oui » , dit-il .", "« Oui », dit-il."),
        ("de", "„ Ja “ , sagte er .", "„Ja“, sagte er."),
        ("zh", "他 说 “ 你好 ” 。", "他说 “你好 ” 。"),
        ("es", 'Dijo “ no " .', 'Dijo “no".'),
    ],
)
def test_typographic_quotes_and_apostrophes_stay_as_sacremoses_writes_them(
    language: str, tokens: str, text: str
) -> None:
    assert make_detokenizer(language)(tokens) == text


@pytest.mark.parametrize(
    "language", ["ca", "cs", "de", "en", "es", "fi", "fr", "ga", "it", "ru", "zh"]
)
@given(
    tokens=st.lists(
        st.sampled_from(
            [*"“”„‘’‚«»‹›.,)(", "'", '"', "@-@", "s", "l", "été", "dogs", "’s", "l’", "你"]
        )
    )
)
def test_spaces_alone_change_at_quotes(language: str, tokens: list[str]) -> None:
    kept = "".join(tokens).replace("@-@", "-")
    text = make_detokenizer(language)(" ".join(tokens))
    assert "".join(text.split()).replace("@-@", "-") == kept
    assert text == " ".join(text.split())


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=30),
    st.sampled_from(["en", "fr", "cs", "fi"]),
)
def test_nothing_but_spaces_is_lost_or_added(tokens: str, language: str) -> None:
    kept = "".join(squeezed(tokens).split()).replace("@-@", "-")
    assert "".join(make_detokenizer(language)(tokens).split()).replace("@-@", "-") == kept
