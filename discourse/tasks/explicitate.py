"""Explicitation over shards: join bitexts to neighbours, translate these back, read the relations."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from prefect import task
from prefect.client.schemas.objects import State

from bitext_pivot.alignments.release import Archives
from bitext_pivot.core.neighbours import (
    BackTranslated,
    BackTranslation,
    ExplicitatedPair,
    Neighbours,
)
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.discourse.explicitation.markers import has_alternative
from bitext_pivot.discourse.explicitation.votes import Explicitation, variants
from bitext_pivot.discourse.reading.multiway import SharedBitext, SharedDocuments
from bitext_pivot.discourse.tasks import table
from bitext_pivot.discourse.tasks.sentences import write_documents
from bitext_pivot.tasks.fetch import fetch_release, read_again
from bitext_pivot.tasks.run.models import engine_for
from bitext_pivot.tasks.run.stages import STAGE, build_once
from bitext_pivot.tasks.translate import translate_texts
from bitext_pivot.translation.engine import Engine, TranslatedText
from bitext_pivot.translation.models import Translation


@task(task_run_name="join bitexts", **STAGE)
def neighbours(archives: Sequence[Archives], bitext: SharedBitext, site: Site) -> State[list[Path]]:
    """Write shards of the neighbours in the shared documents of one corpus and return them in order."""
    shared = SharedDocuments(
        archives=archives,
        language=bitext.language,
        max_documents=bitext.max_documents,
        skip_damaged=bitext.skip_damaged,
    )
    builds, name = site.build_folder(bitext.folder), f"{shared.name.replace('/', '-')}.json"
    stage = table.neighbours(bitext.shard_rows)
    target = stage.in_folder(builds, name, {"sources": shared.identity})
    links = site.store_folder / f"links-{target.path.parent.name}"

    def write(shared: SharedDocuments) -> State[list[Path]]:
        def documents(skips: Counter[str]) -> Iterator[list[Neighbours]]:
            shutil.rmtree(links, ignore_errors=True)  # of a killed run
            yield from shared.neighbours(RowStore(links, "links"), skips)
            shutil.rmtree(links)

        return write_documents("neighbours", target, Neighbours, documents, bitext.shard_rows)

    def fetch_again() -> SharedDocuments:
        return replace(
            shared, archives=[fetch_release(old.release, site, whole=True) for old in archives]
        )

    return read_again(shared, write, fetch_again, site)


@task(task_run_name="translate back {shard.stem}", **STAGE)
def back_translate(
    shard: Path,
    translations: Mapping[str, Translation],
    language: str,
    settings: Explicitation,
    site: Site,
) -> State[Path]:
    """Translate both sentences back from each language if their relation may be implicit."""
    engines = {
        pivot: engine_for(translation, pivot, language, site)
        for pivot, translation in translations.items()
    }
    signatures = {pivot: engine.signature for pivot, engine in engines.items()}
    target = table.back_translate(signatures, settings).target(shard)

    def build() -> tuple[list[BackTranslated], Counter[str]]:
        return _translate(shard, engines, settings, site.store_folder)

    return build_once(target, BackTranslated, build, source=shard)


@task(task_run_name="label {shard.stem}", **STAGE)
def label(shard: Path, pivots: Sequence[str], settings: Explicitation) -> State[Path]:
    """Write what the back-translations say of each relation, or why it has no label."""
    target = table.label(settings).target(shard)
    rows = (_labelled(row, pivots, settings) for row in shards.read(shard, BackTranslated))
    return build_once(target, ExplicitatedPair, lambda: (rows, Counter()), source=shard)


def _translate(
    shard: Path,
    engines: Mapping[str, Engine],
    settings: Explicitation,
    stores: Path,
) -> tuple[list[BackTranslated], Counter[str]]:
    pairs = list(shards.read(shard, Neighbours))
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
        outputs = translate_texts(engine, texts, stores, f"translate {language} {shard.stem}")
        for id, first, second in zip(foreign, outputs[::2], outputs[1::2], strict=True):
            if first.text.strip() and second.text.strip():
                back[id].append(_back(language, (first, second), engine))
            else:
                skips["empty translation"] += 1
    rows = zip(pairs, reasons, strict=True)
    return [
        BackTranslated(neighbours=pair, back=tuple(back[pair.id]), rejected_by=reason)
        for pair, reason in rows
    ], skips


def _back(
    language: str, outputs: tuple[TranslatedText, TranslatedText], engine: Engine
) -> BackTranslation:
    return BackTranslation(
        language=language,
        texts=(outputs[0].text, outputs[1].text),
        confidences=tuple(output.confidence for output in outputs if output.confidence is not None),
        engine=engine.signature,
    )


def _labelled(
    row: BackTranslated, pivots: Sequence[str], settings: Explicitation
) -> ExplicitatedPair:
    second = row.neighbours.second
    texts = {back_translation.language: back_translation.texts[1] for back_translation in row.back}
    result = row.rejected_by or settings.readings(second, texts)
    readings, reason = ((), result) if isinstance(result, str) else (result, None)
    names = settings.data_sets(pivots)
    senses = {
        name: sense
        for name, sense in variants(readings, pivots).items()
        if name in names and readings
    }
    return ExplicitatedPair(
        translated=row,
        readings=readings,
        senses=senses,
        has_alternative=has_alternative(second),
        rejected_by=reason,
    )
