"""Extract alignments from a release in XCES format: read the links, then the documents they refer to."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

from bitext_pivot.alignments.extraction import AlignmentBatch, Extraction, LinkGroup, build_batches
from bitext_pivot.alignments.release import ReleaseFiles
from bitext_pivot.alignments.xces.links import read_link_groups
from bitext_pivot.alignments.xces.sentences import SentenceArchive, UnreadableDocumentError

_MAX_CANDIDATES = (
    20_000  # candidates per batch; a document with more of them is read once per batch
)


def extract_alignments(
    archives: ReleaseFiles, settings: Extraction, *, licence: str
) -> Iterator[AlignmentBatch]:
    """Yield the 1-2 and 2-1 alignments of a release in the order of the link file.

    Each batch belongs to one pair of documents. Unreadable or missing documents, sentences and links are counted and
    skipped. Raises SourceError if the link file or a zip is damaged, or if a document in a zip is damaged and
    `settings.skip_damaged` is off.
    """
    release = archives.release
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(closing(_open_archive(archives, language, settings)))
            for language in release.languages
        )
        groups = read_link_groups(
            archives.links,
            release.languages,
            max_links=settings.max_links,
            max_candidates=_MAX_CANDIDATES,
        )
        with_sentences = (_add_sentences(group, first, second) for group in groups)
        yield from build_batches(with_sentences, release, settings, licence=licence)


def _open_archive(archives: ReleaseFiles, language: str, settings: Extraction) -> SentenceArchive:
    corpus, form = archives.release.corpus, archives.release.form
    return SentenceArchive(
        archives.sentences(language), corpus, form, skip_damaged=settings.skip_damaged
    )


def _add_sentences(group: LinkGroup, first: SentenceArchive, second: SentenceArchive) -> LinkGroup:
    """Return a group whose candidates (1-2 and 2-1 links) have their sentences.

    Documents without candidates are not opened.
    """
    links = group.candidates
    if links:
        try:
            first_texts = first.read(
                group.documents[0], {id for link in links for id in link.ids[0]}
            )
            second_texts = second.read(
                group.documents[1], {id for link in links for id in link.ids[1]}
            )
        except UnreadableDocumentError as error:
            group.candidates = [link._replace(skip_reason=error.reason) for link in links]
        else:
            sentences = (
                ([*map(first_texts.get, link.ids[0])], [*map(second_texts.get, link.ids[1])])
                for link in links
            )
            group.candidates = [
                link._replace(sentences=texts) for link, texts in zip(links, sentences, strict=True)
            ]
    return group
