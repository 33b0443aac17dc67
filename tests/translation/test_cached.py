import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.translation.cached import translate_once
from bitext_pivot.translation.engine import NO_TRANSLATION, TranslatedText, is_translatable


class Killed(BaseException):
    """Stands for `kill -9`: nothing in product code catches it."""


def written(texts: Sequence[str]) -> list[TranslatedText]:
    """What `Upper` is as sure of as the text is short."""
    return [
        TranslatedText(text=text, confidence=1 / len(text)) if text else NO_TRANSLATION
        for text in texts
    ]


class Upper:
    """Writes capitals, counts its calls, dies in the call of a given number, loses or invents texts."""

    signature = "upper"
    gpus = 0

    def __init__(self, *, dies_in: int | None = None) -> None:
        self.calls: list[list[str]] = []
        self._dies_in = dies_in

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        self.calls.append(list(texts))
        if len(self.calls) == self._dies_in:
            raise Killed
        outputs = [text.upper() for text in texts]
        return written(outputs)

    @property
    def translated(self) -> Counter[str]:
        return Counter(text for call in self.calls for text in call)


@pytest.fixture
def store(tmp_path: Path) -> RowStore:
    return RowStore(tmp_path, Upper.signature)


def test_a_stored_translation_is_kept(store: RowStore) -> None:
    translate_once(Upper(), ["a"], store)
    store.put({"a": '["second", 0.5]'})
    assert translate_once(Upper(), ["a", "b"], store) == written(["A", "B"])


def test_a_store_that_keeps_nothing_stops_no_build(
    store: RowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "get", lambda texts: {})
    assert translate_once(Upper(), ["a", "b"], store) == written(["A", "B"])


@pytest.mark.parametrize("killed_in", [1, 2, 3, 4])
def test_after_a_kill_only_what_is_missing_is_translated(
    killed_in: int, store: RowStore, tmp_path: Path
) -> None:
    texts = list("abcdefghij")
    with pytest.raises(Killed):
        translate_once(Upper(dies_in=killed_in), texts, store, group=3)
    engine = Upper()
    undisturbed = translate_once(Upper(), texts, RowStore(tmp_path / "other", "upper"), group=3)
    assert translate_once(engine, texts, store, group=3) == undisturbed
    assert sorted(engine.translated) == texts[3 * (killed_in - 1) :]


def test_groups_are_cut_at_the_same_places_after_a_resume(store: RowStore) -> None:
    translate_once(Upper(), ["b"], store)
    engine = Upper()
    translate_once(engine, list("abcdefg"), store, group=3)
    assert engine.calls == [["a", "c"], ["d", "e", "f"], ["g"]]


class Padded(Upper):
    """Writes its batch, too: a translation depends on the texts beside it, as on a GPU."""

    signature = "padded"
    gpus = 1

    def __init__(self, dies_of: str = "") -> None:
        super().__init__()
        self._dies_of = dies_of

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        if self._dies_of in texts:
            raise Killed
        return written(
            [f"{output.text} in {''.join(texts)}" for output in super().translate(texts)]
        )


def test_a_group_of_which_a_row_is_damaged_is_translated_whole(store: RowStore) -> None:
    whole = translate_once(Padded(), ["a", "b", "c"], store)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE rows SET checksum = NULL WHERE value LIKE '%B in%'")
    engine = Padded()
    assert translate_once(engine, ["a", "b", "c"], store) == whole
    assert engine.calls == [["a", "b", "c"]]


def test_texts_of_similar_length_share_a_group_the_longest_first(store: RowStore) -> None:
    engine = Upper()
    assert translate_once(engine, ["a", "ccc", "bb", "d", "eee"], store, group=2) == written(
        ["A", "CCC", "BB", "D", "EEE"]
    )
    assert engine.calls == [["ccc", "eee"], ["bb", "a"], ["d"]]


def test_an_empty_translation_is_stored(store: RowStore) -> None:
    store.put({"too long": '["", null]'})
    engine = Upper()
    assert translate_once(engine, ["too long"], store) == [NO_TRANSLATION]
    assert engine.calls == []


def test_progress_counts_all_texts(store: RowStore) -> None:
    steps: list[int] = []
    translate_once(Upper(), ["a", "b", "", "a", "c", "d"], store, group=2, progress=steps.append)
    assert steps == [1, 3, 2]


def test_invisible_characters_of_an_engine_do_not_reach_filters(store: RowStore) -> None:
    first, second = "\u200bit  rained.", "be\u00adcause\u00a0we left."
    translations = translate_once(Upper(), [first, second], store)
    assert [output.text for output in translations] == ["IT RAINED.", "BECAUSE WE LEFT."]


@settings(max_examples=20)
@given(texts=st.lists(st.text(alphabet="ab\0 \udc80", max_size=3)), group=st.integers(1, 4))
def test_each_sound_text_is_translated_once_and_others_get_nothing(
    texts: list[str], group: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store, engine = RowStore(tmp_path_factory.mktemp("store"), "upper"), Upper()
    outputs = written([text.upper() if is_translatable(text) else "" for text in texts])
    expected = [replace(output, text=" ".join(output.text.split())) for output in outputs]
    assert translate_once(engine, texts, store, group=group) == expected
    assert engine.translated == Counter({text for text in texts if is_translatable(text)})
