import pytest

from bitext_pivot.translation.engine import EchoEngine, Engine, TranslatedText, is_translatable


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("Il pleut.", True), ("日本", True), ("😀", True), ("\x01", True), ("", False), (" \t\n\u00a0\u2003", False),
        ("Il\0pleut.", False), ("Il \ud83d pleut.", False), ("\udcff", False),
    ],
)  # fmt: skip
def test_a_text_is_sound_if_utf8_can_encode_it(text: str, sound: bool) -> None:
    assert is_translatable(text) is sound


def test_echo_returns_its_input() -> None:
    engine: Engine = EchoEngine()
    assert engine.translate(["b", "a"]) == [
        TranslatedText(text=text, confidence=None) for text in ("b", "a")
    ]
