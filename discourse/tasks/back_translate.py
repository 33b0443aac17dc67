"""Stages of explicitation: translate neighbouring sentences back, and label their relations."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from bitext_pivot.core.site import Site
from bitext_pivot.discourse.explicitation import votes
from bitext_pivot.discourse.explicitation.markers import has_alternative
from bitext_pivot.discourse.explicitation.votes import (
    ExplicitationSettings,
    RelationReadings,
    sense_by_data_set,
)
from bitext_pivot.discourse.explicitation_records import (
    BackTranslatedPair,
    BackTranslation,
    ExplicitatedPair,
    NeighbourPair,
)
from bitext_pivot.tasks.run.loaded_models import engine_for
from bitext_pivot.tasks.run.targets import Stage, StageFacts
from bitext_pivot.tasks.translate import translate_texts
from bitext_pivot.translation import cached
from bitext_pivot.translation.engine import Engine, TranslatedText
from bitext_pivot.translation.models import Translation


def back_translate_stage(
    translations: Mapping[str, Translation],
    language: str,
    settings: ExplicitationSettings,
    site: Site,
) -> Stage:
    """Return the stage that translates both sentences back from each pivot language.

    Pairs whose relation cannot be implicit are not translated.
    """
    engines = {
        pivot: engine_for(translation, pivot, language, site)
        for pivot, translation in translations.items()
    }
    parts = {
        "engines": {pivot: engine.signature for pivot, engine in engines.items()},
        "version of stored translations": cached.VERSION,
        "profile": settings.profile,
        "rules": votes.signature(),
    }

    def run(
        rows: Iterable[NeighbourPair], name: str, facts: StageFacts
    ) -> tuple[list[BackTranslatedPair], Counter[str]]:
        return _translate_back(list(rows), name, engines, settings, site.store_folder)

    return Stage("translate", "back", parts, NeighbourPair, BackTranslatedPair, run)


def label_stage(pivots: Sequence[str], settings: ExplicitationSettings) -> Stage:
    """Return the stage that labels each relation from its back-translations.

    Pairs without a label have the reason in `rejected_by`.
    """
    parts = {"explicitation": settings, "rules": votes.signature()}

    def run(
        rows: Iterable[BackTranslatedPair], name: str, facts: StageFacts
    ) -> tuple[Iterator[ExplicitatedPair], Counter[str]]:
        return (_label_pair(row, pivots, settings) for row in rows), Counter()

    return Stage("label", "explicitated", parts, BackTranslatedPair, ExplicitatedPair, run)


def _translate_back(
    pairs: Sequence[NeighbourPair],
    name: str,
    engines: Mapping[str, Engine],
    settings: ExplicitationSettings,
    stores: Path,
) -> tuple[list[BackTranslatedPair], Counter[str]]:
    reasons = [settings.absence(pair.first, pair.second) for pair in pairs]
    back: dict[str, list[BackTranslation]] = {pair.id: [] for pair in pairs}
    skips = Counter[str]()
    for language, engine in engines.items():
        foreign = {
            pair.id: rendering.texts
            for pair, reason in zip(pairs, reasons, strict=True)
            for rendering in pair.renderings
            if reason is None and rendering.language == language
        }
        texts = list(chain.from_iterable(foreign.values()))
        outputs = translate_texts(engine, texts, stores, f"translate {language} {name}")
        for id, first, second in zip(foreign, outputs[::2], outputs[1::2], strict=True):
            if first.text.strip() and second.text.strip():
                back[id].append(_build_back_translation(language, (first, second), engine))
            else:
                skips["empty translation"] += 1
    return [
        BackTranslatedPair(neighbours=pair, back=tuple(back[pair.id]), rejected_by=reason)
        for pair, reason in zip(pairs, reasons, strict=True)
    ], skips


def _build_back_translation(
    language: str, outputs: tuple[TranslatedText, TranslatedText], engine: Engine
) -> BackTranslation:
    return BackTranslation(
        language=language,
        texts=(outputs[0].text, outputs[1].text),
        confidences=tuple(output.confidence for output in outputs if output.confidence is not None),
        engine=engine.signature,
    )


def _label_pair(
    row: BackTranslatedPair, pivots: Sequence[str], settings: ExplicitationSettings
) -> ExplicitatedPair:
    second = row.neighbours.second
    texts = {back_translation.language: back_translation.texts[1] for back_translation in row.back}
    if row.rejected_by:
        readings, reason = RelationReadings((), row.rejected_by)
    else:
        readings, reason = settings.readings(second, texts)
    names = settings.data_sets(pivots)
    senses = {
        name: sense
        for name, sense in sense_by_data_set(readings, pivots).items()
        if name in names and readings
    }
    return ExplicitatedPair(
        translated=row,
        readings=readings,
        senses=senses,
        has_alternative=has_alternative(second),
        rejected_by=reason,
    )
