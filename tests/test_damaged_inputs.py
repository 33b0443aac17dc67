"""Files and folders that anybody may have written: a reader answers, or refuses in a line or two.

Each reader has one good input. Its files are damaged by a seed: the whole content is another, a value of JSON is odd,
bits are flipped, parts are cut out, repeated, exchanged or replaced by what readers dislike; of an archive itself, or
of what is packed in it. `make check` tries the first 20 seeds, `make nightly` 300. To add a reader, write a function
that reads a folder, and an entry of READERS with a good one.

What is damaged of a folder, the gate itself says: what `core/storage/received.py` opens while a reader reads a good
folder gets a manifest that fits. So
a file that a reader opens tomorrow is in this test without a line here. All files are also exchanged for things that
never end and for links that lead elsewhere.
"""

import gzip
import io
import json
import os
import random
import shutil
import signal
import socket
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import web
from factories import assigned, judged

from bitext_pivot.alignments.extraction import Extraction
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import BuildError, explain_file_errors
from bitext_pivot.core.records import Pair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest, received, shards
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.data_set_export import export_records
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.facts import BuildFacts, FunnelStage
from bitext_pivot.corpus.formats import PairExportSettings
from bitext_pivot.corpus.publish import prepare
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.filters.chain import Filters
from bitext_pivot.research.assessment import sample_design
from bitext_pivot.research.models import kinds
from bitext_pivot.tasks.run import builds, finished, targets

EVERY_CHECK = 20
NIGHTLY = 300
LONGEST_MESSAGE = 4_000
"""Characters; some list all that is known."""
SECONDS = 60
"""After which a reader waits for ever: what it reads takes milliseconds."""

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


ODD: list[Any] = [
    None, True, -1, 0, 1e999, float("nan"), 10**400, "", "x", "\ud800", "\u202e\x00", [], {}, [[]], {"a": {}}, [None],
    json.loads("[" * 700 + "]" * 700),
]  # fmt: skip
"""Values of JSON that no file of this program has, or hardly any."""
WHOLE = [b"", b"[" * 100_000, b"{}", b"[]", b"\x00" * 99]
"""Contents in place of any."""


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
    if choose.random() < 0.2:
        del holder[name]
    else:
        holder[name] = choose.choice(ODD)
    return json.dumps(value).encode()


def spoilt(content: bytes, name: str, seed: int) -> bytes:
    """Return the content of a file, damaged as fits the ending of its name."""
    if seed < len(WHOLE):
        return WHOLE[seed]
    if name.endswith(".gz") and seed % 2:
        return gzip.compress(spoilt(gzip.decompress(content), name[:-3], seed), mtime=0)
    if zipfile.is_zipfile(io.BytesIO(content)) and seed % 2:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {member: archive.read(member) for member in archive.namelist()}
        member = random.Random(seed).choice([*members])
        return zipped({**members, member: spoilt(members[member], member, seed)})
    before, block, value = content.partition(b"```json\n")
    if block:
        return before + block + spoilt(value.partition(b"\n```")[0], "card.json", seed) + b"\n```\n"
    if name.endswith(".json"):
        value = json.loads(content)
        value.pop("checksum", None)
        return damaged_json(value, seed)
    if name.endswith(".jsonl"):
        first, *others = content.splitlines()
        return b"\n".join([damaged_json(json.loads(first), seed), *others]) + b"\n"
    return damaged(content, seed)


def zipped(members: dict[str, bytes]) -> bytes:
    """Return a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


RELEASE = Release("Tiny", "v1", "en", "fr", "raw")
OPUS = {
    RELEASE.links: gzip.compress(LINKS.encode(), mtime=0),
    RELEASE.sentences("en"): zipped({"Tiny/raw/en/a.xml": DOCUMENT.encode()}),
    RELEASE.sentences("fr"): zipped({"Tiny/raw/fr/a.xml": DOCUMENT.encode()}),
}
SIGNATURE: dict[str, Any] = {
    "settings": {"language": "fr", "pivot": "en", "filters": Filters(preset="rules").model_dump(mode="json")},
    "engine": "marian beam=4",
    "parser": "spacy 3",
    "filters": {"overlap": "overlap"},
    "files": {"memory.tmx": "00"},
}  # fmt: skip
OTHERS = ["stats.json", "README.md"]
Read = Callable[[Path], object]


def data_set(folder: Path) -> None:
    """Write a data set of three pairs, and what a build keeps beside it."""
    pairs = [judged(n, f"Il pleut {n}, on reste.", "Il pleut.", "On reste ici.") for n in range(3)]
    settings = PairExportSettings(formats=["parquet", "jsonl"], compress=True)
    files = DataSetFiles(folder, settings, schemas(BISECT.rows.classes, ("overlap",)))
    counts = export_records(files, BISECT, assigned(pairs)) + Counts(
        {("licence", "Everyday/v1", "CC0-1.0"): 3}
    )
    facts = BuildFacts(
        title="en-fr: Everyday/v1",
        signature=SIGNATURE,
        corpora={"Everyday/v1": {"licence": "CC0-1.0", "grounds": "", "sha256": "00"}},
        counts=counts,
        funnel=[FunnelStage(name="judge", rows=3, lost={})],
        shards=["judged-0a1b2c3d/Everyday-v1.parquet"],
    )
    atomic.write_json(folder / "stats.json", facts.to_json())
    card = f"---\nlicense: cc0-1.0\n---\n\n# Pairs\n\nkey:{key(SIGNATURE)}\n"
    (folder / "README.md").write_text(card, encoding="utf-8")
    manifest.write(folder, files.rows, OTHERS)
    finished.record_build(folder, SIGNATURE, {})
    target = targets.Target(folder / "x.parquet", {"a": 1})
    shards.write(target.path, Pair, [], target.facts())


def model(folder: Path) -> None:
    """Write the folder of a model without weights: what is read before them."""
    folder.mkdir(parents=True)
    plan = {"kind": "generate", "task": "split"}
    atomic.write_json(folder / "scores.json", {"plan": plan, "data": {"licences": {"MIT": 3}}})
    manifest.write(folder, {}, ["scores.json"])


def read_pairs(path: Path) -> None:
    from bitext_pivot.core.reading.pair_files import read_pairs

    list(read_pairs(path, "en"))


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
        from bitext_pivot.alignments import custom_bitext

        forms: dict[str, Any] = {
            "lines": lambda: custom_bitext.LineFiles(name="a", language_file=path, pivot_file=path),
            "moses": lambda: custom_bitext.MosesZip(name="a", file=path),
            "tmx": lambda: custom_bitext.TranslationMemory(name="a", file=path),
            "table": lambda: custom_bitext.TableFile(name="a", file=path),
        }
        archives = custom_bitext.locate_files(
            custom_bitext.CustomBitextRequest(forms[kind](), "en", "fr")
        )
        list(archives.batches(Extraction()))

    return read


def read_opus(folder: Path) -> None:
    """Read a release of OPUS."""
    from bitext_pivot.alignments.opus import fetch
    from bitext_pivot.alignments.xces.reader import extract_alignments

    archives = fetch(RELEASE, Site(opus=str(folder), home=folder.parent / "home"))
    list(extract_alignments(archives, Extraction(), licence="CC0-1.0"))


def read_documents(kind: str) -> Callable[[Path], None]:
    """Return what reads texts of one language."""

    def read(path: Path) -> None:
        from bitext_pivot.discourse.reading import monolingual

        forms: dict[str, Any] = {
            "folder": lambda: monolingual.TextFolder(name="a", path=path.parent),
            "jsonl": lambda: monolingual.JsonLinesFile(name="a", path=path),
        }
        texts = monolingual.locate_documents(forms[kind](), "en")
        list(texts.sentences(Counter()))

    return read


def read_answer(path: Path) -> None:
    from bitext_pivot.core.endpoint_server import EndpointServer
    from bitext_pivot.translation.endpoint import EndpointEngine

    body = path.read_bytes()
    with web.serve(
        lambda _: web.Answer(200, body, {"Content-Type": "application/json"})
    ) as address:
        server = EndpointServer(address=address, key="sk-secret", requests=1)
        EndpointEngine(server, "m", "fr", "en", {"logprobs": True}).translate(["Il pleut."])


def read_card(path: Path) -> None:
    from bitext_pivot.flows import presets

    presets.load(str(path))


def good_card() -> bytes:
    from bitext_pivot.corpus.rebuild import rebuild_section

    signature = {
        "settings": PRESET,
        "sources": {"Europarl/v8": {"sha256": "00"}},
        "versions": {"python": "3.11"},
    }
    return f"# A card\n\n{rebuild_section(signature)}\n".encode()


def drawn(folder: Path) -> object:
    rows = reading.read_rows(str(folder), columns=sample_design.COLUMNS)
    return sample_design.sample(rows, sample_design.SampleDesign(pairs=1, controls=0))


class Reader(NamedTuple):
    """What reads a folder."""

    make: Callable[[Path], None]
    """Writes a good one."""
    read: Read
    files: tuple[str, ...] = ()
    """What is damaged in it; without any, what is opened through the gate."""


def of(read: Callable[[Path], object], name: str, content: str | bytes) -> Reader:
    """Return what reads one file."""
    data = content.encode() if isinstance(content, str) else content
    return Reader(
        lambda folder: write({name: data}, folder), lambda folder: read(folder / name), (name,)
    )


def write(files: dict[str, bytes], folder: Path) -> None:
    """Write a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


JSON_LINES = "".join(json.dumps({**ROW, "id": str(number)}) + "\n" for number in range(4))
JSON_DOCUMENT = json.dumps({"id": 1, "text": "It rained. We left.\nHe stayed."})
MOSES = {
    "a.en-fr.en": b"It rained.\nWe left.\n",
    "a.en-fr.fr": b"Il pleut. Oui.\nNon.\n",
    "a.en-fr.ids": b"a\tb\t1\t1\n" * 2,
}
READERS = {
    "pairs as columns": of(read_pairs, "pairs.tsv", PAIR * 3),
    "pairs as JSON": of(read_pairs, "pairs.jsonl", JSON_LINES),
    "pairs compressed": of(read_pairs, "pairs.tsv.gz", gzip.compress((PAIR * 50).encode(), mtime=0)),
    "rows to split": of(read_rows("split"), "rows.jsonl", json.dumps(ROW)),
    "rows to fuse": of(read_rows("fuse"), "rows.tsv", DISCOFUSE),
    "rows of relations": of(read_rows("relations"), "rows.rels", RELATIONS),
    "rows compressed": of(read_rows("split"), "rows.jsonl.gz", gzip.compress((JSON_LINES * 20).encode(), mtime=0)),
    "preset as TOML": of(read_preset, "preset.toml", TOML),
    "preset as JSON": of(read_preset, "preset.json", json.dumps({"settings": PRESET})),
    "card": of(read_card, "README.md", good_card()),
    "lines": of(read_own("lines"), "a.txt", "It rained. We left.\nTom & Ann — yes.\n"),
    "Moses zip": of(read_own("moses"), "a.zip", zipped(MOSES)),
    "translation memory": of(read_own("tmx"), "a.tmx", TMX),
    "table of bitext": of(read_own("table"), "a.csv", "en,fr\nIt rained.,Il pleut. Oui.\n"),
    "release of OPUS": Reader(lambda folder: write(OPUS, folder), read_opus, (RELEASE.links, RELEASE.sentences("fr"))),
    "folder of texts": of(read_documents("folder"), "a.txt", "It rained. We left.\nHe stayed.\n"),
    "documents as JSON": of(read_documents("jsonl"), "a.jsonl", JSON_DOCUMENT),
    "answer of an endpoint": of(read_answer, "answer.json", json.dumps(ANSWER)),
    "load": Reader(data_set, lambda folder: list(reading.read_rows(str(folder)))),
    "default kind": Reader(data_set, reading.default_kind),
    "sample": Reader(data_set, drawn),
    "publish": Reader(data_set, lambda folder: prepare(folder)),
    "join": Reader(data_set, lambda folder: builds.signature([builds.find(str(folder), Site())])),
    "finished build": Reader(data_set, lambda folder: finished.find_build(folder.parent, SIGNATURE, {})),
    "key of shards": Reader(data_set, lambda folder: targets.read_key(folder / "x.parquet")),
    "publish a model": Reader(model, lambda folder: prepare(folder)),
    "apply": Reader(model, kinds.load),
}  # fmt: skip
FOLDERS = [name for name, reader in READERS.items() if not reader.files]


def opened_by(read: Read, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files that the gate opens while a good folder is read, below its parent."""
    paths: dict[Path, None] = {}
    original = received.opened

    def noting(path: Path) -> Any:
        real = path.resolve()
        if real.is_relative_to(folder.parent.resolve()) and real.exists():
            paths[real.relative_to(folder.parent.resolve())] = None
        return original(path)

    with monkeypatch.context() as patch:
        patch.setattr(received, "opened", noting)
        atomic._sha256.cache_clear()  # so that each file is read
        try:
            read(folder)
        except BuildError:
            pass  # a model without weights
    return [*paths]


def damageable(reader: Reader, good: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files of a good folder that are damaged, below its parent."""
    named = [Path(good.name, name) for name in reader.files]
    return named or opened_by(reader.read, good, monkeypatch)


def as_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_socket(path: Path) -> None:
    path.unlink()
    server = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(path.parent)  # a path of a socket has at most 108 characters
    server.bind(path.name)
    os.chdir(here)
    server.close()


def as_link_to(target: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return change


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


KINDS: dict[str, Callable[[Path], None]] = {
    "FIFO": as_fifo,
    "socket": as_socket,
    "device": as_link_to("/dev/zero"),
    "link that leaves": as_link_to("/etc/hostname"),
    "link to itself": lambda path: as_link_to(path.name)(path),
    "folder": as_folder,
    "missing": Path.unlink,
}


@pytest.fixture
def never_for_ever() -> Iterator[None]:
    """Fail where a reader waits."""

    def stop(*_: object) -> None:
        raise TimeoutError("the reader waits for ever")

    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def is_plain(text: str) -> bool:
    """Return True if a text is a line or a few, which do nothing to a terminal."""
    return len(text) < LONGEST_MESSAGE and text.replace("\n", "").isprintable()


def fault(read: Read, folder: Path) -> str:
    """Return what is wrong with the answer of a reader, "" for an answer or a line or two."""
    signal.alarm(SECONDS)
    try:
        with explain_file_errors():  # as all commands and public functions are run
            answer = read(folder)
    except BuildError as error:
        return "" if is_plain(str(error)) else f"message {str(error)[:300]!r}"
    except BaseException as error:  # noqa: BLE001 -- a panic of Rust is no Exception
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    lines = answer if isinstance(answer, list) else []
    texts = [line for line in lines if isinstance(line, str)]
    return "" if all(map(str.isprintable, texts)) else f"lines {texts!r}"


def test_readers_open_files_through_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: Counter[str] = Counter()
    for name in FOLDERS:
        folder, reader = tmp_path / name / "export-0a1b2c3d", READERS[name]
        reader.make(folder)
        counted.update(path.name for path in opened_by(reader.read, folder, monkeypatch))
    assert {
        "manifest.json", "stats.json", "README.md", "x.parquet", "scores.json",
        "train-00000.parquet", "train-00000.jsonl.zst",
    } <= counted.keys()  # fmt: skip


@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", sorted(READERS.keys() - {"answer of an endpoint"}))
def test_what_is_no_file_is_refused_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = READERS[name]
    good = tmp_path / "good" / "export-0a1b2c3d"
    reader.make(good)
    faults = []
    for path in damageable(reader, good, monkeypatch):
        for kind, change in KINDS.items():
            base = tmp_path / "bad"
            shutil.copytree(good.parent, base)
            change(base / path)
            problem = fault(reader.read, base / good.name)
            faults += [f"{path} {kind}: {problem}"] if problem else []
            shutil.rmtree(base)
    assert faults == []


def sealed_again(folder: Path, path: Path, content: bytes) -> None:
    """Write a file and, as anybody can, a manifest that fits it; manifests, records and shards get a right checksum."""
    inside = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""
    entries = manifest.files(folder) or {}
    path.write_bytes(content)
    if inside in entries:
        data = {name: entry.rows for name, entry in entries.items() if entry.rows is not None}
        manifest.write(folder, data, [name for name in entries if name not in data])
        return
    if path.suffix == ".parquet":
        path.write_bytes(shards.sealed(path, content))
        return
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        place = manifest.NAME if path.name == manifest.NAME else f"{path.parent.name}/{path.name}"
        with_checksum = json.dumps(atomic.sealed(value, place))
        path.write_text(with_checksum, encoding="utf-8", errors="surrogatepass")


def faults_of_damage(
    reader: Reader, seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    good = tmp_path / "good" / "export-0a1b2c3d"
    reader.make(good)
    faults = []
    for path in damageable(reader, good, monkeypatch):
        content = (good.parent / path).read_bytes()
        for seed in seeds:
            base = tmp_path / "bad"
            shutil.copytree(good.parent, base)
            bad = spoilt(content, path.name, seed)
            if reader.files:
                (base / path).write_bytes(bad)
            else:
                sealed_again(base / good.name, base / path, bad)
            problem = fault(reader.read, base / good.name)
            faults += [f"{path} seed {seed}: {problem}"] if problem else []
            shutil.rmtree(base)
    return faults


@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", READERS)
def test_damaged_input_is_read_or_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faults_of_damage(READERS[name], range(EVERY_CHECK), tmp_path, monkeypatch) == []


@pytest.mark.nightly
@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", READERS)
def test_much_damaged_input_is_read_or_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(EVERY_CHECK, NIGHTLY)
    assert faults_of_damage(READERS[name], seeds, tmp_path, monkeypatch) == []


def test_one_line_of_gigabytes_does_not_fill_the_memory(tmp_path: Path) -> None:
    """A compressed line of 300 MB of spaces: the reader stops at the limit."""
    import zstandard

    path = tmp_path / "rows.jsonl.zst"
    with path.open("wb") as out, zstandard.ZstdCompressor().stream_writer(out) as packed:
        for _ in range(300):
            packed.write(b" " * (1 << 20))
    with pytest.raises(BuildError, match="line of more than 64 MiB"):
        list(received.rows(path))


def test_random_names_do_not_leave_the_folder(tmp_path: Path) -> None:
    choose = random.Random(7)
    parts = ["..", ".", "", "a", "/", "\0", "x" * 300, "ö", "pairs", "~", "*"]
    (tmp_path / "in").mkdir()
    for _ in range(300):
        name = "/".join(choose.choices(parts, k=choose.randint(1, 4)))
        content = {"files": {name: {"bytes": 1, "sha256": "0"}}}
        atomic.write_json(tmp_path / "in" / "manifest.json", atomic.sealed(content, manifest.NAME))
        for found in manifest.files(tmp_path / "in") or {}:
            assert (tmp_path / "in" / found).resolve().is_relative_to(tmp_path / "in"), name
            assert manifest.problems(tmp_path / "in")
