"""Explicitation over shards: what is translated, and what becomes of it. The engine echo returns its input."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from factories import source

from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.explicitation.votes import ExplicitationSettings
from bitext_pivot.discourse.explicitation_records import (
    BackTranslatedPair,
    ExplicitatedPair,
    NeighbourPair,
    NeighbourTranslation,
)
from bitext_pivot.translation.engine import EchoEngine, TranslatedText
from bitext_pivot.translation.models import Translation


class Recording(EchoEngine):
    """Echo that remembers what it translated."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return the texts, with a confidence."""
        self.texts += texts
        return [TranslatedText(text=text, confidence=0.5) for text in texts]


def neighbours(number: int, second: str, **others: str) -> NeighbourPair:
    """Build neighbours with the second sentence in other languages."""
    renderings = [
        NeighbourTranslation(
            language=language,
            document=f"{language}/day.xml",
            ids=("1", "2"),
            texts=("Il pleut.", text),
        )
        for language, text in others.items()
    ]
    return NeighbourPair(
        id=f"Days/v1/en/day:{number}-{number + 1}", source=source("Days", "en/day.xml"), language="en",
        ids=("1", "2"), first="It rains.", second=second, renderings=tuple(renderings),
    )  # fmt: skip


ROWS = [
    neighbours(1, "We leave.", fr="However, we leave.", es="But we leave."),
    neighbours(2, "However, we leave.", fr="However, we leave.", es="But we leave."),
    neighbours(3, "We stay.", fr="We stay.", es=" "),
    neighbours(4, "We read.", es="Therefore we read."),
]


Translated = tuple[list[BackTranslatedPair], dict[str, int], Recording]


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Translated:
    from bitext_pivot.discourse.tasks import back_translate as stage

    engine = Recording()
    monkeypatch.setattr(stage, "engine_for", lambda *_: engine)
    translations = dict.fromkeys(("fr", "es"), Translation(engine="echo"))
    run = stage.back_translate_stage(
        translations, "en", ExplicitationSettings(), Site(home=tmp_path)
    ).run
    assert run is not None
    back, skips = run(ROWS, "Tiny-v1-00000", {})
    shards.write(tmp_path / "back.parquet", BackTranslatedPair, back)
    return list(shards.read(tmp_path / "back.parquet", BackTranslatedPair)), dict(skips), engine


def test_only_candidates_are_translated_and_each_text_once(translated: Translated) -> None:
    back, skips, engine = translated
    assert [(row.rejected_by, [one.language for one in row.back]) for row in back] == [
        (None, ["fr", "es"]), ("marked", []), (None, ["fr"]), (None, ["es"])
    ]  # fmt: skip
    assert skips == {"empty translation": 1}
    assert sorted(engine.texts) == sorted(
        {"Il pleut.", "However, we leave.", "But we leave.", "We stay.", "Therefore we read."}
    )
    assert back[0].back[0].texts == ("Il pleut.", "However, we leave.")
    assert (back[0].back[0].confidences, back[0].back[0].engine) == (
        (0.5, 0.5),
        EchoEngine.signature,
    )
    assert [row.neighbours for row in back] == ROWS


def labels(rows: list[BackTranslatedPair], **settings: Any) -> list[ExplicitatedPair]:
    """Return what the back-translations say."""
    from bitext_pivot.discourse.tasks.back_translate import label_stage

    run = label_stage(["fr", "es"], ExplicitationSettings(**settings)).run
    assert run is not None
    labelled, _ = run(rows, "Tiny-v1-00000", {})
    return list(labelled)


def test_a_label_or_a_reason_comes_of_it(translated: Translated) -> None:
    labelled = labels(translated[0])
    assert [row.rejected_by for row in labelled] == [None, "marked", "not_explicit", "votes"]
    assert [(reading.language, reading.connective) for reading in labelled[0].readings] == [
        ("fr", "however"), ("es", "but")
    ]  # fmt: skip
    assert [row.senses for row in labelled] == [{"2-votes": "Comparison.Contrast"}, {}, {}, {}]
    assert not labelled[3].readings
    (faithful,) = labels(translated[0][3:], profile="faithful")
    assert faithful.senses == {"all": "Contingency.Cause", "es": "Contingency.Cause"}
