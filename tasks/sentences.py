"""Sentences: documents of one language to shards of sentences, cut at document borders."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from prefect import get_run_logger, task

from bitext_pivot.alignments import monolingual, opus
from bitext_pivot.alignments.monolingual import AnyDocuments, Texts
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.records import Sentence
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import indexed
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.stages import STAGE, write_shards

Record = TypeVar("Record")


@task(task_run_name="read documents", **STAGE)
def sentences(documents: AnyDocuments, language: str, shard_rows: int, site: Site) -> list[Path]:
    """Fetch the documents of one corpus, write shards of its sentences and return them in order.

    A shard ends with the document in which it reaches `shard_rows` sentences.
    """
    source = _fetch(documents, language, site)
    folder = site.build_folder(language) / f"sentences-{key(source.identity, shard_rows)}"
    index = folder / f"{source.name.replace('/', '-')}.json"
    return write_documents("sentences", index, Sentence, source.sentences, shard_rows)


def write_documents(
    stage: str,
    index: Path,
    record: type[Record],
    documents: Callable[[Counter[str]], Iterable[list[Record]]],
    shard_rows: int,
) -> list[Path]:
    """Write shards of the records of documents unless all are there; return them in order.

    `documents` yields the records of each document and counts what it skips.
    """

    def parts() -> Iterator[tuple[list[Record], dict[str, Any]]]:
        skips = Counter[str]()
        for shard in indexed.cut(documents(skips), shard_rows, len):
            yield list(chain.from_iterable(shard)), {"skips": dict(sorted((+skips).items()))}
            skips.clear()

    return write_shards(stage, index, record, parts)


def _fetch(documents: AnyDocuments, language: str, site: Site) -> Texts:
    if not isinstance(documents, Release):
        return monolingual.resolve(documents, language)
    with in_the_log():
        path, sha256 = opus.fetch_documents(documents, site, log=get_run_logger())
    return Texts(documents=documents, language=language, path=path, sha256=sha256)
