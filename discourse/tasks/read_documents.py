"""Write documents of one language as shards of sentences, which end at document boundaries."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from bitext_pivot.alignments.release import Release
from bitext_pivot.core.records import Sentence
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.reading import monolingual
from bitext_pivot.discourse.reading.monolingual import DocumentFiles, DocumentSource
from bitext_pivot.discourse.reading.running_text import RunningText
from bitext_pivot.discourse.tasks import document_stages
from bitext_pivot.tasks.fetch import fetch_release, read_again
from bitext_pivot.tasks.run.current_run import StageResult, current_run
from bitext_pivot.tasks.run.futures import flatten, wait_all
from bitext_pivot.tasks.run.stages import write_shards
from bitext_pivot.tasks.run.targets import FIRST_SHARD, Target

_Record = TypeVar("_Record")


def read_documents(settings: RunningText, site: Site) -> tuple[dict[str, Any], list[Path]]:
    """Download or locate the documents that the settings name, and write their sentences.

    Call this during a flow run. Returns the `identity` of each corpus by name, and the shards of sentences in order.
    """
    run, arguments = current_run(), (settings.language, settings.skip_damaged, site)
    sources = wait_all(
        "fetch",
        [
            run.submit_task("fetch documents", _download_or_locate, documents, *arguments)
            for documents in settings.documents
        ],
    )
    reading = [
        run.submit_task(f"read {source.name}", write_sentences, source, settings.shard_rows, site)
        for source in sources
    ]
    identities = {source.name: source.identity for source in sources}
    return identities, flatten("sentences", reading)


def write_sentences(source: DocumentFiles, shard_rows: int, site: Site) -> StageResult[list[Path]]:
    """Write the sentences of one corpus to shards, and return the shards in order.

    A shard ends with the document in which it reaches `shard_rows` sentences.
    """
    builds, name = site.build_folder(source.language), source.name.replace("/", "-") + FIRST_SHARD
    target = document_stages.sentences_stage(shard_rows).in_folder(
        builds, name, {"source": source.identity}
    )

    def write_files(source: DocumentFiles) -> StageResult[list[Path]]:
        return write_documents("sentences", target, Sentence, source.sentences, shard_rows)

    if not isinstance(source.documents, Release):
        return write_files(source)
    download_again = partial(
        _download_or_locate, source.documents, source.language, source.skip_damaged, site
    )
    return read_again(source, write_files, download_again, site)


def write_documents(
    stage: str,
    target: Target,
    record: type[_Record],
    documents: Callable[[Counter[str]], Iterable[list[_Record]]],
    shard_rows: int,
) -> StageResult[list[Path]]:
    """Write the records of documents to shards unless all shards exist, and return the shards.

    `documents(skips)` yields the records of each document and counts skipped records in `skips`.
    """

    def parts() -> Iterator[tuple[list[_Record], dict[str, Any]]]:
        skips = Counter[str]()
        for shard, is_last in shards.cut(documents(skips), shard_rows, len):
            facts = {"skips": dict(sorted((+skips).items())), "is_last": is_last}
            yield list(chain.from_iterable(shard)), facts
            skips.clear()

    return write_shards(stage, target, record, parts)


def _download_or_locate(
    documents: DocumentSource, language: str, skip_damaged: bool, site: Site
) -> DocumentFiles:
    """Download the documents of an OPUS corpus if necessary, or locate the user's own."""
    if not isinstance(documents, Release):
        return monolingual.locate_documents(documents, language)
    return monolingual.release_documents(fetch_release(documents, site), skip_damaged=skip_damaged)
