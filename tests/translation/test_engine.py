import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairs.errors import ShardError
from translation.engine import is_sound, same_number, translate_sound

ANY_TEXT = st.text(alphabet=st.characters(categories=None), max_size=12)


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("Il pleut.", True),
        ("日本", True),
        ("😀", True),
        ("\x01", True),
        ("", False),
        (" \t\n\u00a0\u2003", False),
        ("Il\0pleut.", False),
        ("Il \ud83d pleut.", False),
        ("\udcff", False),
    ],
)
def test_a_text_is_sound_when_there_is_something_that_utf8_can_write(text: str, sound: bool) -> None:
    assert is_sound(text) is sound


@given(ANY_TEXT)
def test_every_sound_text_can_be_written_as_utf8(text: str) -> None:
    if is_sound(text):
        text.encode("utf-8")


@given(st.lists(ANY_TEXT))
def test_order_and_number_are_kept_whatever_lies_between(texts: list[str]) -> None:
    outputs = translate_sound(texts, lambda sound: [f"<{text}>" for text in sound], "brackets")
    assert outputs == [f"<{text}>" if is_sound(text) else "" for text in texts]


def test_blank_texts_alone_do_not_call_the_engine() -> None:
    def never(_: list[str]) -> list[str]:
        raise AssertionError("called")

    assert translate_sound(["", " ", "\0"], never, "never") == ["", "", ""]


@pytest.mark.parametrize("outputs", [["one"], ["one", "two", "three"]])
def test_too_few_or_too_many_texts_are_an_error_that_names_the_engine(outputs: list[str]) -> None:
    with pytest.raises(ShardError, match=rf"engine 'deaf' returned {len(outputs)} texts for 2: .*run again"):
        same_number(["a", "b"], outputs, "deaf")
    with pytest.raises(ShardError, match="engine 'deaf'"):
        translate_sound(["a", "", "b"], lambda _: outputs, "deaf")
