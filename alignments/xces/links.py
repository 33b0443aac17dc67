"""Reading an XCES link file as a stream: one gzip, any size, memory flat.

Whatever OPUS' writers produce is read: attributes in any order, a `linkGrp` broken over lines, its end tag on a link's
line, a space before `>`, empty sides (`;s1`), UNPC's TEI flavour. Nothing outside the file is ever looked up, and an
entity declaration is refused. Plain files are searched as bytes; the first thing that is not plain sends a file to the
reader of events, with the same result.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from isal import igzip, isal_zlib

from alignments.xces.link_events import complaint, read_events
from alignments.xces.link_runs import Link, LinkRun
from alignments.xces.link_search import search
from alignments.xces.markup import UnusualMarkupError
from pairs.errors import SourceError

_CHUNK = 1 << 17
_INFLATING = cast("type[Exception]", isal_zlib.error)  # a class, though its stub calls it an instance


def read_links(path: Path) -> Iterator[Link]:
    """Yield the links of a gzipped XCES file in order; raises as `read_runs` does."""
    for run in read_runs(path):
        yield from map(run.link, range(len(run.shapes)))


def read_runs(path: Path) -> Iterator[LinkRun]:
    """Yield the links of a gzipped XCES file in order, in runs of neighbours that belong to one pair of documents.

    A pair of documents with many links comes in several runs. Raises SourceError when the file is missing, empty, not
    gzip, cut short, not well-formed XML, declares an entity or holds no link; links before the fault have come by then.
    """
    last = 0
    try:
        for run in search(chunks(path)):
            yield run
            last = run.last
    except UnusualMarkupError:
        for run in read_events(chunks(path), path):
            if run.last > last:
                yield run.between(last)
                last = run.last
    if not last:
        raise SourceError(complaint(path, "holds no link"))


def chunks(path: Path) -> Iterator[bytes]:
    """Yield the bytes that a gzip file holds; raises SourceError when it cannot be read or is damaged."""
    try:
        with igzip.IGzipFile(path) as file:  # type: ignore[no-untyped-call]
            while chunk := file.read(_CHUNK):
                yield chunk
    except EOFError as error:
        raise SourceError(complaint(path, "is cut short: its gzip stream has no end")) from error
    except (gzip.BadGzipFile, _INFLATING) as error:
        raise SourceError(complaint(path, f"is not gzip or is damaged ({error})")) from error
    except OSError as error:
        raise SourceError(complaint(path, f"cannot be read ({error})")) from error
