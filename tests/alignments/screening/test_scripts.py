"""Short sentences in another script."""

import pytest
from factories import alignment

from bitext_pivot.alignments.screening.identify import LanguageScreen
from bitext_pivot.alignments.screening.scripts import is_in_other_script

OTHER = [
    ("Кот спит сейчас.", "en hr el ja vi"),
    ("계약은 일월에 발효됩니다.", "ja zh en ru"),
    ("契約は一月一日に発効します。", "zh ko en ar"),
    ("The cat sleeps.", "ru ar el ja zh ko he hi fa uk bg mk"),
    ("Il dort.", "el ja ru"),
    ("猫が寝ています。", "zh ko de"),
    ("他昨天去了北京看朋友。", "ja ko fr"),
    ("القط ينام.", "he en ru"),
    ("बिल्ली सो रही है।", "en ar"),
    ("Η γάτα κοιμάται.", "ru en"),
    ("Иван Петров", "en"),
    ("Кот по имени Tom спит.", "en"),
    ("The cat Мурка sleeps.", "ru"),
    ("แมวนอน", "en"),
]
OWN = [
    ("Кот спит.", "ru uk bg mk sr"),
    ("Mačka spava.", "hr sr sl"),
    ("Windows XP Professional вышла.", "ru"),
    ("Функция printf печатает.", "ru"),
    ("Смотри http://www.example.org/a/b.", "ru"),
    ("Пиши someone@example.org.", "ru"),
    ("USBを使う。", "ja"),
    ("iPhoneを使う。", "ja"),
    ("東京都新宿区。", "ja zh"),
    ("他用iPhone。", "zh"),
    ("他住在東京の近く。", "zh"),
    ("这是「ドラえもん」的故事，很有意思。", "zh"),
    ("大韓民國은 나라다.", "ko"),
    ("القط ينام.", "ar fa"),
    ("قال John Smith ذلك.", "ar"),
    ("Η Microsoft Corporation ανακοίνωσε.", "el"),
    ("फ़ाइल config.txt खोलें।", "hi"),
    ("Where α and β are angles of 5 μm.", "en"),
    ("The word «свобода» means freedom.", "en"),
    ("Gazprom (Газпром) left.", "en"),
    ("OK.", "ru"),
    ("12 + 14 = 26", "ru en zh"),
    ("Mèo đang ngủ ở ﬁn.", "vi"),
    ("", "en ja"),
]


@pytest.mark.parametrize(("text", "languages"), OTHER)
def test_another_script(text: str, languages: str) -> None:
    assert [
        language for language in languages.split() if not is_in_other_script(text, language)
    ] == []


@pytest.mark.parametrize(("text", "languages"), OWN)
def test_the_script_of_the_language_with_names_and_loan_words(text: str, languages: str) -> None:
    assert [language for language in languages.split() if is_in_other_script(text, language)] == []


def test_an_alignment_with_a_short_sentence_in_another_script_is_in_another_language() -> None:
    texts = ("Le chat dort.", "The cat sleeps.", "Кот спит сейчас.")
    assert LanguageScreen().skip_reason(alignment(*texts)) == "other language"
    assert LanguageScreen(enabled=False).skip_reason(alignment(*texts)) is None
