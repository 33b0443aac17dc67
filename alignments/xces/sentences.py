"""Read sentences from the zip of a language (`raw` or `xml`), one document at a time, as a stream."""

import zipfile
from collections.abc import Collection
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from bitext_pivot.alignments import zips
from bitext_pivot.alignments.release import DAMAGE_ERRORS, CorpusForm, document_names
from bitext_pivot.alignments.xces.tokens import make_detokenizer
from bitext_pivot.alignments.xml import XmlError, XmlReader
from bitext_pivot.core.errors import DamagedError
from bitext_pivot.core.white_space import squeezed

_MAX_SENTENCE = 1 << 20  # characters; without a limit, a broken document would fill the memory


class UnreadableDocumentError(Exception):
    """The sentences of a document cannot be read. `reason` is a short phrase under which it is counted.

    It is `missing document`, or `unreadable document: ` followed by `not well-formed`, `declares entities`, `a sentence
    without end`, `a tag without end` or `damaged in the archive`.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


class SentenceArchive:
    """The documents of one language of a corpus, read from `<form>/<language>.zip`. Close it after use."""

    def __init__(
        self,
        path: Path,
        corpus: str,
        form: CorpusForm = "raw",
        *,
        skip_damaged: bool = False,
    ) -> None:
        """Open the zip, whose file name is the language. Raises DamagedError if it is not a zip."""
        self._path = path
        self._skip_damaged = skip_damaged
        self._top = f"{corpus}/{form}/"
        self._tokenised = form == "xml"
        self._finish = make_detokenizer(path.stem) if self._tokenised else squeezed
        try:
            self._zip = zips.open_zip(path)
        except DAMAGE_ERRORS as error:
            raise DamagedError(
                path, f"{path} is not a zip of OPUS documents ({error}). Use another mirror."
            ) from error

    def close(self) -> None:
        """Close the zip."""
        self._zip.close()

    def read(self, document: str, ids: Collection[str] | None) -> dict[str, str]:
        """Return the sentences of a document with these ids, or all if `ids` is None.

        The result maps ids to sentences, in document order.

        `document` is a name from the link file (`en/x.xml` or `en/x.xml.gz`). A sentence consists of the text of its
        `<s>` element and of inline elements, with whitespace normalised to single spaces; tokenised text is
        detokenised. If two sentences have the same id, the first is returned.

        Raises UnreadableDocumentError. For a document that is damaged in the archive, raises DamagedError unless
        `skip_damaged` is set.
        """
        reader = _SentenceReader(ids, tokenised=self._tokenised)
        self._run(reader, document)
        return {id: self._finish(text) for id, text in reader.sentences.items()}

    def documents(self) -> list[str]:
        """Return the names of all documents in the order of the zip, spelled as in link files.

        Raises DamagedError if any other member has a different name in its header than in the zip's directory, because
        this member may be a document.
        """
        documents: list[str] = []
        others: list[zipfile.ZipInfo] = []
        for member in zips.list_members(self._zip):
            if member.filename.endswith((".xml", ".xml.gz")):
                documents.append(member.filename.removeprefix(self._top))
            else:
                others.append(member)
        try:
            zips.check_member_names(self._zip, others)
        except DAMAGE_ERRORS as error:
            raise DamagedError(
                self._path, f"{self._path} is damaged ({error}). Use another mirror."
            ) from error
        return documents

    def read_all(self, document: str) -> list[tuple[int, str]]:
        """Return all sentences of a document in order, each with the number of its paragraph (`<P>`).

        Raises the errors of `read`.
        """
        reader = _SentenceReader(None, tokenised=self._tokenised)
        self._run(reader, document)
        return [(reader.blocks[id], self._finish(text)) for id, text in reader.sentences.items()]

    def _run(self, reader: "_SentenceReader", document: str) -> None:
        member = self._member(document.removesuffix(".gz"))
        try:
            with self._zip.open(member) as file:
                for _ in reader.read(file):
                    pass  # `reader.sentences` collects the sentences
        except XmlError as error:
            raise UnreadableDocumentError(
                f"unreadable document: {error.reason}", f"{document} ({error})"
            ) from error
        except DAMAGE_ERRORS as error:
            if not self._skip_damaged:
                raise DamagedError(
                    self._path,
                    f"{document} is damaged in {self._path} ({error}). Use another mirror, or switch on skip_damaged "
                    "to skip such documents.",
                ) from error
            raise UnreadableDocumentError(
                "unreadable document: damaged in the archive", f"{document} ({error})"
            ) from error

    def _member(self, document: str) -> zipfile.ZipInfo:
        with suppress(KeyError):
            return self._zip.getinfo(self._top + document)
        if document not in self._by_suffix:
            raise UnreadableDocumentError(
                "missing document", f"{self._path} does not contain {document}"
            )
        return self._by_suffix[document]

    @cached_property
    def _by_suffix(self) -> dict[str, zipfile.ZipInfo]:
        """The members by name without one or two leading folders, which differ in some zips."""
        members: dict[str, zipfile.ZipInfo] = {}
        for member in zips.list_members(self._zip):
            for name in document_names(member.filename):
                members.setdefault(name, member)
        return members


class _SentenceReader(XmlReader[None]):
    """Reader that collects the text of the sentences with the given ids, or of all sentences if `ids` is None.

    An element without content (`<br/>`, `<time/>`) becomes a space. If `tokenised` is true, spaces are added around
    each `<w>`.
    """

    def __init__(self, ids: Collection[str] | None, *, tokenised: bool) -> None:
        super().__init__()
        self.sentences: dict[str, str] = {}
        self.blocks: dict[str, int] = {}
        self._block = 0
        self._ids = ids
        self._token = "w" if tokenised else None
        self._id = ""
        self._depth = 0
        self._opened = 0  # number of text chunks when the latest element was opened
        self._text: list[str] = []
        self.parser.StartElementHandler = self._start

    def feed(self, piece: bytes) -> None:
        super().feed(piece)
        if sum(map(len, self._text)) > _MAX_SENTENCE:
            raise XmlError(
                f"a sentence of more than {_MAX_SENTENCE:,} characters", "a sentence without end"
            )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "s":
            self._block += 1
        elif self._ids is None or attributes.get("id") in self._ids:
            self._id, self._depth = attributes.get("id", f"without id {len(self.sentences)}"), 1
            self.blocks.setdefault(self._id, self._block)
            self.parser.StartElementHandler = self._deeper
            self.parser.EndElementHandler = self._end
            self.parser.CharacterDataHandler = self._text.append

    def _deeper(self, name: str, _attributes: dict[str, str]) -> None:
        self._depth += 1
        if name == self._token:
            self._text.append(" ")
        self._opened = len(self._text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == self._token or len(self._text) == self._opened:
            self._text.append(" ")
        if not self._depth:
            self.sentences.setdefault(self._id, "".join(self._text))
            self._text.clear()
            self.parser.StartElementHandler = self._start
            self.parser.EndElementHandler = None
            self.parser.CharacterDataHandler = None
