"""Sentences: documents of one language to shards of sentences, cut at document borders."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from prefect import get_run_logger, task

from alignments import monolingual, opus
from alignments.monolingual import AnyDocuments, Texts
from alignments.release import Release
from pairs.progress import tracked
from pairs.records import Sentence
from pairs.settings import key
from pairs.site import Site
from pairs.storage import atomic, shards
from pairs.storage.locks import locked, sweep
from tasks.progress import in_the_log
from tasks.stages import STAGE

Record = TypeVar("Record")


@task(task_run_name="read documents", **STAGE)
def sentences(documents: AnyDocuments, language: str, shard_rows: int, site: Site) -> list[Path]:
    """Fetch the documents of one corpus, write shards of its sentences and return them in order.

    A shard ends with the document in which it reaches `shard_rows` sentences.
    """
    source = _fetch(documents, language, site)
    folder = site.build_folder(language) / f"sentences-{key(source.identity, shard_rows)}"
    index = folder / f"{source.name.replace('/', '-')}.json"
    return write_documents(index, Sentence, source.sentences, shard_rows)


def write_documents(
    index: Path, record: type[Record], documents: Callable[[Counter[str]], Iterable[list[Record]]], shard_rows: int
) -> list[Path]:
    """Write shards of the records of documents, cut at document borders, unless all are there; return them in order.

    `documents` yields the records of each document and counts what it skips. `index` lists the shards when all exist.
    """
    if not _is_complete(index):
        with in_the_log(), locked(index, get_run_logger()):
            if not _is_complete(index):
                _write(index, record, documents, shard_rows)
    names = atomic.load_json(index)["shards"]
    get_run_logger().info("%s: %d shards of %s", index.stem, len(names), index.parent.name.partition("-")[0])
    return [index.with_name(name) for name in names]


def _fetch(documents: AnyDocuments, language: str, site: Site) -> Texts:
    if not isinstance(documents, Release):
        return monolingual.resolve(documents, language)
    with in_the_log():
        path, sha256 = opus.fetch_documents(documents, site, log=get_run_logger())
    return Texts(documents=documents, language=language, path=path, sha256=sha256)


def _is_complete(index: Path) -> bool:
    contents = atomic.find_json(index)
    return contents is not None and all(shards.find(index.with_name(name)) for name in contents["shards"])


def _write(
    index: Path, record: type[Record], documents: Callable[[Counter[str]], Iterable[list[Record]]], shard_rows: int
) -> None:
    """Write all shards again: reading is fast beside all that follows, and equal shards have equal names."""
    sweep(index.parent, f"{index.stem}-[0-9][0-9][0-9][0-9][0-9].parquet")
    skips, names = Counter[str](), []
    with tracked(f"{index.parent.name.partition('-')[0]} {index.stem}", None) as advance:
        for number, rows in enumerate(_cuts(documents(skips), shard_rows)):
            path = index.with_name(f"{index.stem}-{number:05d}.parquet")
            shards.write(path, record, rows, {"skips": dict(sorted((+skips).items()))})
            skips.clear()
            advance(len(rows))
            names.append(path.name)
    atomic.write_json(index, {"shards": names})


def _cuts(documents: Iterable[list[Record]], shard_rows: int) -> Iterator[list[Record]]:
    """Yield the rows of each shard, the last ones when all documents were read, so that no skip is lost."""
    rows: list[Record] = []
    for document in documents:
        if len(rows) >= shard_rows:
            yield rows
            rows = []
        rows += document
    if rows:
        yield rows
