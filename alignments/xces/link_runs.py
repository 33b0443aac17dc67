"""A link, and a run of neighbouring links that is cheap to count: its links are taken apart only when asked for."""

from collections.abc import Callable
from typing import NamedTuple

BAD = "bad"
"""In place of a shape: the link has a problem."""


class Link(NamedTuple):
    """One row of a link file: sentences of one document and the sentences of another that say the same."""

    number: int
    """Place in the file, counted from 1; links with a problem count too."""
    from_document: str
    """As the file names it, without `.gz`: `en/ep-96-10-22.xml`."""
    to_document: str
    from_ids: tuple[str, ...]
    to_ids: tuple[str, ...]
    attributes: dict[str, str]
    """All but `xtargets`, in the file's order."""
    problem: str | None = None
    """Why the link cannot be used; its ids are empty then."""

    @property
    def shape(self) -> str:
        """Number of sentences on either side: `1-2`."""
        return f"{len(self.from_ids)}-{len(self.to_ids)}"


class LinkRun(NamedTuple):
    """Neighbouring links of one pair of documents."""

    documents: tuple[str, str] | None
    """None outside a `linkGrp` that names two."""
    first: int
    """Number of the first link."""
    shapes: list[str]
    """Of each link: `1-2`, or BAD."""
    attributes: Callable[[int], dict[str, str]]
    """All attributes of a link, by its place in the run, counted from 0."""

    @property
    def last(self) -> int:
        """Number of the last link."""
        return self.first + len(self.shapes) - 1

    def link(self, place: int) -> Link:
        """Take one link apart; `place` is counted from 0."""
        attributes = dict(self.attributes(place))
        targets = attributes.pop("xtargets", None)
        number = self.first + place
        if self.documents is None:
            return Link(number, "", "", (), (), attributes, "in no linkGrp that names two documents")
        if targets is None:
            return Link(number, *self.documents, (), (), attributes, "without xtargets")
        sides = targets.split(";")
        if len(sides) != 2:
            problem = f"xtargets {targets!r} has not exactly one semicolon"
            return Link(number, *self.documents, (), (), attributes, problem)
        return Link(number, *self.documents, tuple(sides[0].split()), tuple(sides[1].split()), attributes)

    def between(self, after: int, last: int | None = None) -> "LinkRun":
        """Return the part of the run behind the link number `after`, up to the link number `last`."""
        start = max(after + 1 - self.first, 0)
        stop = len(self.shapes) if last is None else last + 1 - self.first
        if not start and stop >= len(self.shapes):
            return self
        attributes = self.attributes
        return LinkRun(
            self.documents, self.first + start, self.shapes[start:stop], lambda place: attributes(place + start)
        )


def shape_of(targets: str | None) -> str:
    """Return the shape of a value of `xtargets`, BAD when it has none."""
    sides = [] if targets is None else targets.split(";")
    return "-".join(str(len(side.split())) for side in sides) if len(sides) == 2 else BAD


def documents_of(attributes: dict[str, str]) -> tuple[str, str] | None:
    """Return the documents that the attributes of a `linkGrp` name, without `.gz`; None when it does not name two."""
    names = attributes.get("fromDoc"), attributes.get("toDoc")
    return (names[0].removesuffix(".gz"), names[1].removesuffix(".gz")) if names[0] and names[1] else None
