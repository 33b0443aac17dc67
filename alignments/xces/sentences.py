"""Reading sentences out of a language's zip (`raw` or `xml`), one document at a time.

The zip's directory is read once, whatever the number of documents; a document is streamed, and only the sentences asked
for are kept. A plainly written document is searched as bytes (alignments/xces/sentence_search.py), any other goes
through a parser with handlers, with the same result. Nothing outside the document is looked up; an entity declaration
is refused.
"""

import zipfile
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from xml.sax.saxutils import unescape

from alignments.opus import Form
from alignments.xces.markup import UnusualMarkupError
from alignments.xces.members import DAMAGES, Member, Members
from alignments.xces.sentence_events import UnreadableDocument, collect
from alignments.xces.sentence_search import search
from alignments.xces.tokens import detokenizer
from pairs.errors import SourceError

_QUOTES = {"&quot;": '"', "&apos;": "'"}


class SentenceArchive:
    """The documents of one language of a corpus, read from `<form>/<language>.zip`; close it when done."""

    def __init__(self, path: Path, corpus: str, form: Form = "raw") -> None:
        """Open the zip, whose name is the language's; raises SourceError when it is none."""
        self._path = path
        self._top = f"{corpus}/{form}/"
        self._tokenised = form == "xml"
        self._finish = detokenizer(path.stem) if self._tokenised else _one_line
        try:
            self._members = Members(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise SourceError(
                f"{path} cannot be opened as a zip of OPUS documents ({error}). Delete it and fetch again."
            ) from error

    def close(self) -> None:
        """Close the zip."""
        self._members.close()

    def read(self, document: str, wanted: Collection[str] | None = None) -> dict[str, str]:
        """Return the sentences of a document by id, those of `wanted` only when it is given, in document order.

        `document` is named as in the link file (`en/x.xml` or `en/x.xml.gz`). A text is that of `<s>` with all its
        inline elements, entities decoded, white space runs (line breaks, no-break spaces) become one space; of a
        tokenised document it is put together from its `<w>` elements and the words between them. Of sentences that
        share an id the first counts. Raises UnreadableDocument with the reason.
        """
        member = self._member(document.removesuffix(".gz"))
        try:
            found = self._found(member, document, wanted)
        except DAMAGES as error:
            raise UnreadableDocument("unreadable document: damaged in the archive", f"{document} ({error})") from error
        return {id: self._finish(text) for id, text in found.items()}

    def _found(self, member: Member, document: str, wanted: Collection[str] | None) -> dict[str, str]:
        if wanted is not None:
            try:
                contents = search(self._members.chunks(member), {id.encode(): id for id in wanted})
                return {id: self._text(content) for id, content in contents.items()}
            except UnusualMarkupError:
                pass
        return collect(self._members.chunks(member), document, wanted, tokenised=self._tokenised)

    def _text(self, content: bytes) -> str:
        """Return the text of what stands between `<s>` and `</s>`."""
        if b"<" in content or b"&#" in content:
            try:
                return collect((b"<s>%b</s>" % content,), "a sentence", tokenised=self._tokenised)[""]
            except UnreadableDocument as error:  # it does not end where it seemed to
                raise UnusualMarkupError from error
        return unescape(content.decode(), _QUOTES) if b"&" in content else content.decode()

    def _member(self, document: str) -> Member:
        member = self._members.by_name.get(self._top + document) or self._by_suffix.get(document)
        if member is None:
            raise UnreadableDocument("missing document", f"{document} is no member of {self._path}")
        return member

    @cached_property
    def _by_suffix(self) -> dict[str, Member]:
        """Members by name without up to two leading folders; made only when a top folder is not as expected."""
        found: dict[str, Member] = {}
        for name, info in self._members.by_name.items():
            _, _, below = name.partition("/")
            for suffix in (name, below, below.partition("/")[2]):
                found.setdefault(suffix, info)
        return found


def _one_line(text: str) -> str:
    """Return the text with one space for each run of white space, and none at its ends."""
    # what is printable has no white space but spaces; telling that is twice as fast as splitting and joining
    if text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(text.split())
