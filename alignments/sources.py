"""Read the sources of a build: releases of OPUS in any form, and the user's own bitext."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bitext_pivot.alignments.catalogue.corpus_licences import corpus_licence, corpus_licence_source
from bitext_pivot.alignments.custom_bitext import CustomBitextFiles
from bitext_pivot.alignments.extraction import (
    CANDIDATE_SHAPES,
    READER_VERSION,
    AlignmentBatch,
    Extraction,
)
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.texts import segments
from bitext_pivot.alignments.texts.lines import read_zip
from bitext_pivot.alignments.xces.reader import extract_alignments
from bitext_pivot.core import splitting
from bitext_pivot.core.counts import sort_by_count
from bitext_pivot.core.errors import EmptyError
from bitext_pivot.core.licences import UNKNOWN

SourceFiles = ReleaseFiles | CustomBitextFiles
"""A source whose files are on this machine."""


def check_splitters(release: Release) -> None:
    """Raise SettingsError if a release of form `moses` has a language without sentence splitter."""
    if release.form == "moses":
        for language in release.languages:
            splitting.splitter(language)


def read_alignments(source: SourceFiles, settings: Extraction) -> Iterator[AlignmentBatch]:
    """Yield the 1-2 and 2-1 alignments of a source in order.

    Raises SourceError if a whole file is damaged.
    """
    if isinstance(source, CustomBitextFiles):
        return source.batches(settings)
    if source.release.form == "moses":
        texts = read_zip(source.lines, source.release)
        return segments.split_segments(texts, source.release, settings, licence=licence_of(source))
    return extract_alignments(source, settings, licence=licence_of(source))


def count_lost_links(batches: Sequence[AlignmentBatch]) -> dict[str, int]:
    """Count the links that did not become alignments, by shape (`1-1`) or reason to skip them."""
    shapes, skips = Counter[str](), Counter[str]()
    for batch in batches:
        shapes.update(batch.shapes)
        skips.update(batch.skips)
    other_shapes = {
        f"shape {shape}": number
        for shape, number in shapes.items()
        if shape not in CANDIDATE_SHAPES
    }
    return other_shapes | skips


def empty_build_error(title: str, skips: Mapping[str, int], warnings: Sequence[str]) -> EmptyError:
    """Return the error to raise if a build has not a single alignment.

    Its message contains the warnings about the texts, and how many links were skipped for which reason.
    """
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in sort_by_count(Counter(skips)))
    summary = f"No link of one sentence with two is left ({reasons or 'no link was read'})."
    return EmptyError(" ".join([*warnings, f"{title}: there is nothing to build. {summary}"]))


def identity(source: SourceFiles) -> dict[str, object]:
    """Return the values that identify a source in the keys of shards: files, reader and sentence splitter."""
    release = source.release
    splitter = (
        {"splitter": splitting.signature(*release.languages)} if release.form == "moses" else {}
    )
    return {"form": release.form, "reader": READER_VERSION, **source.identity, **splitter}


def identities(sources: Iterable[SourceFiles]) -> dict[str, dict[str, object]]:
    """Return the `identity` of each source, by the corpus and release: `Europarl/v8`."""
    return {source.release.full_name: identity(source) for source in sources}


def licence_of(source: SourceFiles) -> str:
    """Return the licence written to every row of a source."""
    return (
        source.licence
        if isinstance(source, CustomBitextFiles)
        else corpus_licence(source.release.corpus)
    )


def licence_source_of(source: SourceFiles) -> str:
    """Return where the licence of a source is stated, or a remark on the licence."""
    if not isinstance(source, CustomBitextFiles):
        return corpus_licence_source(source.release.corpus)
    return "" if source.licence == UNKNOWN else "as stated by the user"


def source_facts(sources: Iterable[SourceFiles]) -> dict[str, dict[str, str]]:
    """Return licence, source of the licence and SHA-256 of each source, by corpus and release.

    They are listed on the card (README.md) of the data set.
    """
    return {
        source.release.full_name: {
            "licence": licence_of(source), "grounds": licence_source_of(source), "sha256": source.sha256
        }
        for source in sources
    }  # fmt: skip


def shard_stem(source: SourceFiles) -> str:
    """Return the beginning of the file names of a source's shards: `Europarl-v7`.

    The form of the corpus follows unless it is raw: `Europarl-v7-xml`.
    """
    release = source.release
    form = (
        "" if release.form == "raw" or isinstance(source, CustomBitextFiles) else f"-{release.form}"
    )
    return f"{release.corpus}-{release.version}{form}"
