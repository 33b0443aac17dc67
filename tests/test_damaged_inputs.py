"""Damaged files, messages and settings of every kind that is read: an answer or a BuildError in a line or two.

Each suite has one good input. It is damaged by a seed: bits are flipped, parts are cut out, repeated, exchanged or
replaced by what readers dislike. `make check` tries the first 20 seeds of each suite, `make nightly` 300. To add a
suite, write a function that reads a damaged input, and an entry of SUITES with a good one.
"""

import gzip
import io
import json
import random
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import web

from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.core.errors import BuildError

ROOT = Path(__file__).parents[1]
EVERY_CHECK = 20
NIGHTLY = 300
LONGEST_MESSAGE = 4_000  # characters; some list all that is known

PAIR = "It rained, and we left.\tIt rained. <SEP> We left.\n"
ROW = {
    "id": "1",
    "long": "It rained, and we left.",
    "split": ["It rained.", "We left."],
    "category": "x",
}
DISCOFUSE = (
    "coherent_first_sentence\tcoherent_second_sentence\tincoherent_first_sentence\tincoherent_second_sentence\t"
    "discourse_type\nIt rained.\tSo we left.\tIt rained.\tWe left.\tPAIR_CONN\n"
)
RELATIONS = (
    "doc\tunit1_toks\tunit2_toks\tunit1_txt\tunit2_txt\ts1_toks\ts2_toks\tunit1_sent\tunit2_sent\tdir\trel_type\t"
    "orig_label\tlabel\nd\t1-2\t3-4\tIt rained.\tWe left.\t1\t2\tIt rained.\tWe left.\t1>2\timplicit\tc\tcause\n"
)
LINKS = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">
<cesAlign version="1.0">
<linkGrp targType="s" fromDoc="en/a.xml.gz" toDoc="fr/a.xml.gz">
<link certainty="0.7" xtargets="1;1 2" id="SL1" />
<link xtargets="2 3;3" id="SL2" />
<link xtargets="4;4" id="SL3" />
</linkGrp>
</cesAlign>
"""
DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<text><p id="1"><s id="1">It rained and we left.</s><s id="2">Tom &amp; Ann stayed.</s>
<s id="3">They were tired.</s><s id="4">Bye.</s></p></text>
"""
TMX = """<?xml version="1.0" encoding="utf-8"?>
<tmx version="1.4"><header srclang="en"/><body>
<tu tuid="1"><prop type="x">y</prop><tuv xml:lang="en"><seg>It rained, and <ph>&lt;br/&gt;</ph>we left.</seg></tuv>
<tuv xml:lang="fr"><seg>Il pleuvait. Nous sommes partis.</seg></tuv></tu>
</body></tmx>
"""
WIKI = """<mediawiki xml:lang="en"><siteinfo><namespaces><namespace key="6">File</namespace></namespaces></siteinfo>
<page><title>Eagle</title><ns>0</ns><id>7</id><revision><text>The ''Eagle'''s stage [[left|left]]. {{x|y}}
&lt;ref&gt;a&lt;/ref&gt; The '''crew''' waited.&lt;br/&gt; [[File:a.jpg|thumb|A b. C d.]]</text></revision></page>
</mediawiki>
"""
MARKDOWN = (
    "# Title\n\nIt *rained*, and<br>we [left](http://x.y).\n\n- a\n- b\n\n```\ncode\n```\n\n> Quote. "
    "It was so.\n"
)
PRESET = {
    "pivot": "fr",
    "language": "en",
    "corpora": ["Europarl/v8"],
    "shard_rows": 100,
    "extraction": {"max_links": 50},
    "filters": {"preset": "rules", "advanced": {"overlap": {"min_overlap": 0.3}}},
}
TOML = (
    'pivot = "fr"\ncorpora = ["Europarl/v8"]\nshard_rows = 100\n[extraction]\nmax_links = 50\n'
    '[filters]\npreset = "rules"\n[filters.advanced.overlap]\nmin_overlap = 0.3\n'
)
ANSWER = {
    "id": "1",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "It rained, and we left."},
            "logprobs": {
                "content": [{"token": "It", "logprob": -0.2}, {"token": " rained", "logprob": -0.1}]
            },
        }
    ],
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}

DISLIKED = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t\t", b"\xed\xa0\x80", b"\xc3", b"\xe2\x80\xa8",
    b"\x1b]0;x\x07", b"[" * 3_000, b"{" * 3_000, b"<a>" * 3_000, b"&x;", b"&#xD800;", b"<!ENTITY x 'y'>", b"]]>",
    b"NaN", b"Infinity", b"-1",
    b"1e999", b"9" * 400, b"null", b"true", b'"', b"'", b"\\ud800", b"\\u0000", b"''''''", b"[[", b"]]", b"{{", b"}}",
    b"../../x", b"x" * 10_000, b"[]", b"{}", b"<SEP>", b"<::::>",
]  # fmt: skip


def damaged(content: bytes, seed: int) -> bytes:
    """Return the content after one to four random changes."""
    choose = random.Random(seed)
    data = bytearray(content)
    for _ in range(choose.randint(1, 4)):
        place = choose.randrange(len(data) + 1)
        length = choose.choice([1, 2, 8, 64, len(data) // 2 + 1])
        change = choose.randrange(6)
        if change == 0 and place < len(data):
            data[place] ^= 1 << choose.randrange(8)
        elif change == 1:
            del data[place : place + length]
        elif change == 2:
            data[place:place] = data[place : place + length]
        elif change == 3:
            data[place:place] = choose.choice(DISLIKED)
        elif change == 4:
            data[place : place + length] = choose.choice(DISLIKED)
        else:
            other = choose.randrange(len(data) + 1)
            data[place : place + length] = data[other : other + length]
    return bytes(data)


def damaged_json(value: Any, seed: int) -> bytes:
    """Return a JSON text in which one value has another type, is missing, or is of odd size; or damaged bytes of it."""
    choose = random.Random(seed)
    if choose.random() < 0.3:
        return damaged(json.dumps(value).encode(), seed)
    value = json.loads(json.dumps(value))
    holders = [value]
    for holder in holders:
        inner = holder.values() if isinstance(holder, dict) else holder
        holders += [part for part in inner if isinstance(part, dict | list) and part]
    holder = choose.choice(holders)
    name = choose.choice([*holder]) if isinstance(holder, dict) else choose.randrange(len(holder))
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        1e999,
        float("nan"),
        10**400,
        "",
        "x",
        "\ud800",
        "\u202e\x00",
        [],
        {},
        [[]],
        {"a": {}},
        [None],
    ]
    if choose.random() < 0.2:
        del holder[name]
    else:
        holder[name] = choose.choice(odd)
    return json.dumps(value).encode()


def zipped(members: dict[str, str]) -> bytes:
    """Return a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


def read_pairs(path: Path) -> None:
    from bitext_pivot.core.pair_files import checked_lines

    list(checked_lines(path, "en"))


def read_rows(task: Any) -> Callable[[Path], None]:
    """Return what reads a file of rows as a training does."""

    def read(path: Path) -> None:
        from bitext_pivot.research.models.data import examples
        from bitext_pivot.research.models.published_files import rows

        skips: Counter[str] = Counter()
        list(examples(rows(path, task, skips), task, skips))

    return read


def read_preset(path: Path) -> None:
    from bitext_pivot.commands.main import main

    status = main(["plan", "--preset", str(path), "--job-script"])
    assert status in {0, 2}


def read_own(kind: str) -> Callable[[Path], None]:
    """Return what reads a file of bitext as a build does."""

    def read(path: Path) -> None:
        from bitext_pivot.alignments import own

        forms: dict[str, Any] = {
            "lines": lambda: own.LineFiles(name="a", language_file=path, pivot_file=path),
            "moses": lambda: own.MosesZip(name="a", file=path),
            "tmx": lambda: own.MemoryFile(name="a", file=path),
            "table": lambda: own.TableFile(name="a", file=path),
        }
        archives = own.resolve(own.RequestedBitext(forms[kind](), "en", "fr"))
        list(archives.batches(Extraction()))

    return read


def read_opus(which: str) -> Callable[[Path], None]:
    """Return what reads a release of OPUS, one file of which is damaged."""

    def read(path: Path) -> None:
        from bitext_pivot.alignments.opus import fetch
        from bitext_pivot.alignments.release import Release
        from bitext_pivot.alignments.xces.reader import extract
        from bitext_pivot.core.site import Site

        release = Release("Tiny", "v1", "en", "fr", "raw")
        base = path.parent / "opus"
        good = {
            release.links: gzip.compress(LINKS.encode(), mtime=0),
            release.sentences("en"): zipped({"Tiny/raw/en/a.xml": DOCUMENT}),
            release.sentences("fr"): zipped({"Tiny/raw/fr/a.xml": DOCUMENT}),
        }
        names = {"links": release.links, "documents": release.sentences("fr")}
        for name, content in {**good, names[which]: path.read_bytes()}.items():
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_bytes(content)
        archives = fetch(release, Site(opus=str(base), home=path.parent / "home"))
        list(extract(archives, Extraction(), licence="CC0-1.0"))

    return read


def read_documents(kind: str) -> Callable[[Path], None]:
    """Return what reads texts of one language."""

    def read(path: Path) -> None:
        from bitext_pivot.discourse.reading import monolingual

        forms: dict[str, Any] = {
            "folder": lambda: monolingual.TextFolder(name="a", path=path.parent),
            "jsonl": lambda: monolingual.JsonLines(name="a", path=path),
            "mediawiki": lambda: monolingual.MediaWikiDump(name="a", path=path),
        }
        texts = monolingual.resolve(forms[kind](), "en")
        list(texts.sentences(Counter()))

    return read


def read_answer(path: Path) -> None:
    from bitext_pivot.core.endpoint_server import Server
    from bitext_pivot.translation.endpoint import Endpoint

    body = path.read_bytes()
    with web.serve(
        lambda _: web.Answer(200, body, {"Content-Type": "application/json"})
    ) as address:
        server = Server(address=address, key="sk-secret", requests=1, pause=0)
        Endpoint(server, "m", "fr", "en", {"logprobs": True}).translate(["Il pleut."])


def read_card(path: Path) -> None:
    from bitext_pivot.corpus.rebuild import Card
    from bitext_pivot.flows.pivot_settings import PivotBitext

    Card.at(str(path)).settings(PivotBitext(pivot="fr"))


def good_card() -> bytes:
    from bitext_pivot.corpus.rebuild import section

    signature = {
        "settings": PRESET,
        "sources": {"Europarl/v8": {"sha256": "00"}},
        "versions": {"python": "3.11"},
    }
    return f"# A card\n\n{section(signature)}\n".encode()


class Suite(NamedTuple):
    """One kind of input."""

    name: str
    """Of the file."""
    make: Callable[[int], bytes]
    """Returns the input damaged by a seed."""
    read: Callable[[Path], None]


def of(content: bytes | str) -> Callable[[int], bytes]:
    """Return what damages bytes."""
    data = content.encode() if isinstance(content, str) else content
    return lambda seed: damaged(data, seed)


def of_json(value: Any, after: str = "") -> Callable[[int], bytes]:
    """Return what damages a line of JSON, before good lines."""
    return lambda seed: damaged_json(value, seed) + b"\n" + after.encode()


def in_gzip(text: str) -> Callable[[int], bytes]:
    """Return what damages a text and then compresses it."""
    return lambda seed: gzip.compress(damaged(text.encode(), seed), mtime=0)


def in_zip(seed: int) -> bytes:
    """Return a zip with a damaged document."""
    return zipped({"Tiny/raw/fr/a.xml": damaged(DOCUMENT.encode(), seed).decode(errors="replace")})


JSON_LINES = "".join(json.dumps({**ROW, "id": str(number)}) + "\n" for number in range(3))
JSON_DOCUMENT = {"id": 1, "text": "It rained. We left.\nHe stayed."}
MOSES = {
    "a.en-fr.en": "It rained.\nWe left.\n",
    "a.en-fr.fr": "Il pleut. Oui.\nNon.\n",
    "a.en-fr.ids": "a\tb\t1\t1\n" * 2,
}
SUITES = {
    "pairs as columns": Suite("pairs.tsv", of(PAIR * 3), read_pairs),
    "pairs as JSON": Suite("pairs.jsonl", of_json(ROW, JSON_LINES), read_pairs),
    "pairs compressed": Suite(
        "pairs.tsv.gz", of(gzip.compress((PAIR * 50).encode(), mtime=0)), read_pairs
    ),
    "rows to split": Suite("rows.jsonl", of_json(ROW), read_rows("split")),
    "rows to fuse": Suite("rows.tsv", of(DISCOFUSE), read_rows("fuse")),
    "rows of relations": Suite("rows.rels", of(RELATIONS), read_rows("relations")),
    "rows compressed": Suite(
        "rows.jsonl.gz", of(gzip.compress((JSON_LINES * 20).encode(), mtime=0)), read_rows("split")
    ),
    "preset as TOML": Suite("preset.toml", of(TOML), read_preset),
    "preset as JSON": Suite("preset.json", of_json({"settings": PRESET}), read_preset),
    "card": Suite("README.md", lambda seed: damaged(good_card(), seed), read_card),
    "lines": Suite("a.txt", of("It rained. We left.\nTom & Ann — yes.\n"), read_own("lines")),
    "Moses zip": Suite("a.zip", of(zipped(MOSES)), read_own("moses")),
    "translation memory": Suite("a.tmx", of(TMX), read_own("tmx")),
    "table of bitext": Suite("a.csv", of("en,fr\nIt rained.,Il pleut. Oui.\n"), read_own("table")),
    "links": Suite("links", in_gzip(LINKS), read_opus("links")),
    "zip of documents": Suite(
        "documents", of(zipped({"Tiny/raw/fr/a.xml": DOCUMENT})), read_opus("documents")
    ),
    "document": Suite("documents", in_zip, read_opus("documents")),
    "wiki": Suite("wiki.xml", of(WIKI), read_documents("mediawiki")),
    "Markdown": Suite("a.md", of(MARKDOWN), read_documents("folder")),
    "documents as JSON": Suite("a.jsonl", of_json(JSON_DOCUMENT), read_documents("jsonl")),
    "answer of an endpoint": Suite("answer.json", of_json(ANSWER), read_answer),
}


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Path]:
    """Yield numbered folders."""
    return iter(tmp_path / str(number) for number in range(1_000_000))


def failures(suite: Suite, seeds: range, folders: Iterator[Path]) -> list[str]:
    """Return what went wrong, by seed."""
    problems = []
    for seed in seeds:
        folder = next(folders)
        folder.mkdir()
        path = folder / suite.name
        path.write_bytes(suite.make(seed))
        try:
            suite.read(path)
        except BuildError as error:
            message = str(error)
            if len(message) > LONGEST_MESSAGE or not message.replace("\n", "").isprintable():
                problems.append(f"seed {seed}: message {message[:200]!r}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 -- a panic of Rust is no Exception
            problems.append(f"seed {seed}: {type(error).__name__}: {str(error)[:200]}")
        shutil.rmtree(folder)
    return problems


@pytest.mark.parametrize("name", SUITES)
def test_damaged_input_is_read_or_refused(name: str, folders: Iterator[Path]) -> None:
    assert failures(SUITES[name], range(EVERY_CHECK), folders) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", SUITES)
def test_much_damaged_input_is_read_or_refused(name: str, folders: Iterator[Path]) -> None:
    assert failures(SUITES[name], range(EVERY_CHECK, NIGHTLY), folders) == []
