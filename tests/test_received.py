"""Folders that anybody may have written: each file that a reader opens is damaged, and the reader answers in one line.

The files are found by the gate itself: what `core/storage/received.py` opens while a reader reads a good folder is
then exchanged for things that never end, links that lead elsewhere, and damaged content under a manifest that fits. So
a file that a reader opens tomorrow is in this test without a line here.
"""

import json
import os
import random
import shutil
import signal
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from factories import assigned, judged
from test_damaged_inputs import damaged, damaged_json

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest, received
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.croissant import croissant
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.export import export
from bitext_pivot.corpus.facts import Facts, Stage
from bitext_pivot.corpus.formats import Export
from bitext_pivot.corpus.publish import prepare
from bitext_pivot.corpus.recipes.bisect import BISECT
from bitext_pivot.corpus.schema import schemas
from bitext_pivot.corpus.verifying import verify
from bitext_pivot.filters.chain import Filters
from bitext_pivot.research.assessment import sampling
from bitext_pivot.research.models import kinds
from bitext_pivot.tasks.run import builds, finished, targets

SECONDS = 60
"""After which a reader waits for ever: what it reads takes milliseconds."""
EVERY_CHECK = 12
NIGHTLY = 200
SIGNATURE: dict[str, Any] = {
    "settings": {"language": "fr", "pivot": "en", "filters": Filters(preset="rules").model_dump(mode="json")},
    "engine": "marian beam=4",
    "parser": "spacy 3",
    "filters": {"overlap": "overlap"},
    "files": {"memory.tmx": "00"},
}  # fmt: skip
OTHERS = ["stats.json", "README.md", "croissant.json"]
Read = Callable[[Path], object]


def data_set(folder: Path) -> None:
    """Write a data set of three pairs, and what a build keeps beside it."""
    pairs = [judged(n, f"Il pleut {n}, on reste.", "Il pleut.", "On reste ici.") for n in range(3)]
    settings = Export(formats=["parquet", "jsonl"], compress=True)
    files = DataFiles(folder, settings, schemas(BISECT.rows.classes, ("overlap",)))
    counts = export(files, BISECT, assigned(pairs)) + Counts(
        {("licence", "Everyday/v1", "CC0-1.0"): 3}
    )
    facts = Facts(
        title="en-fr: Everyday/v1",
        signature=SIGNATURE,
        corpora={"Everyday/v1": {"licence": "CC0-1.0", "grounds": "", "sha256": "00"}},
        counts=counts,
        funnel=[Stage(name="judge", rows=3, lost={})],
        shards=["judged-0a1b2c3d/Everyday-v1.parquet"],
    )
    atomic.write_json(folder / "stats.json", facts.plain())
    atomic.write_json(folder / "croissant.json", croissant(BISECT, facts, files, "fr"))
    card = f"---\nlicense: cc0-1.0\n---\n\n# Pairs\n\nkey:{key(SIGNATURE)}\n"
    (folder / "README.md").write_text(card, encoding="utf-8")
    manifest.write(folder, files.rows, OTHERS)
    finished.remember(folder, SIGNATURE, {})
    targets.Target(folder / "x.parquet", {"a": 1}).record()


def model(folder: Path) -> None:
    """Write the folder of a model without weights: what is read before them."""
    folder.mkdir(parents=True)
    plan = {"kind": "tag", "task": "split"}
    atomic.write_json(folder / "scores.json", {"plan": plan, "data": {"licences": {"MIT": 3}}})
    manifest.write(folder, {}, ["scores.json"])


class Reader(NamedTuple):
    """What reads a folder."""

    make: Callable[[Path], None]
    read: Read


def drawn(folder: Path) -> object:
    rows = reading.rows(str(folder), columns=sampling.COLUMNS)
    return sampling.sample(rows, sampling.Design(pairs=1, controls=0))


READERS = {
    "verify": Reader(data_set, lambda folder: [check.line for check in verify(folder)]),
    "load": Reader(data_set, lambda folder: list(reading.rows(str(folder)))),
    "default kind": Reader(data_set, reading.default_kind),
    "sample": Reader(data_set, drawn),
    "publish": Reader(data_set, lambda folder: prepare(folder, "a/b", is_private=True)),
    "join": Reader(data_set, lambda folder: builds.signature([builds.find(str(folder), Site())])),
    "finished build": Reader(data_set, lambda folder: finished.find(folder.parent, SIGNATURE, {})),
    "key of shards": Reader(data_set, targets.recorded),
    "publish a model": Reader(model, lambda folder: prepare(folder, "a/b", is_private=True)),
    "apply": Reader(model, kinds.load),
}


def opened_by(read: Read, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files that the gate opens while a good folder is read."""
    paths: dict[Path, None] = {}
    original = received.opened

    def noting(path: Path) -> Any:
        real = path.resolve()
        if real.is_relative_to(folder.parent.resolve()) and real.exists():
            paths[real.relative_to(folder.parent.resolve())] = None
        return original(path)

    with monkeypatch.context() as patch:
        patch.setattr(received, "opened", noting)
        patch.setattr(atomic, "_digests", {})  # so that each file is read
        try:
            read(folder)
        except BuildError:
            pass  # a model without weights
    return [*paths]


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


def fault(read: Read, folder: Path) -> str:
    """Return what is wrong with the answer of a reader, "" for an answer or one line."""
    signal.alarm(SECONDS)
    try:
        answer = read(folder)
    except BuildError as error:
        message = str(error)
        is_line = message.isprintable() and len(message) < 2_000
        return "" if is_line else f"message {message[:300]!r}"
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
    for name, reader in READERS.items():
        folder = tmp_path / name / "export-0a1b2c3d"
        reader.make(folder)
        counted.update(path.name for path in opened_by(reader.read, folder, monkeypatch))
    assert {
        "manifest.json", "stats.json", "README.md", "croissant.json", "key.json", "scores.json",
        "train-00000.parquet", "train-00000.jsonl.zst",
    } <= counted.keys()  # fmt: skip


@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_of_the_folder_is_refused_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = READERS[name]
    good = tmp_path / "good" / "export-0a1b2c3d"
    reader.make(good)
    faults = []
    for path in opened_by(reader.read, good, monkeypatch):
        for kind, change in KINDS.items():
            base = tmp_path / "bad"
            shutil.copytree(good.parent, base)
            change(base / path)
            problem = fault(reader.read, base / good.name)
            faults += [f"{path} {kind}: {problem}"] if problem else []
            shutil.rmtree(base)
    assert faults == []


def spoilt(content: bytes, path: Path, seed: int) -> bytes:
    """Return the content of a file with a random change, of a value or of bytes."""
    if path.suffix != ".json":
        return damaged(content, seed)
    value = json.loads(content)
    value.pop("checksum", None)
    return damaged_json(value, seed)


def sealed_again(folder: Path, path: Path, content: bytes) -> None:
    """Write a file and, as anybody can, a manifest that fits it; a manifest and a record get a checksum that fits."""
    inside = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""
    entries = manifest.files(folder) or {}
    path.write_bytes(content)
    if inside in entries:
        data = {name: entry.rows for name, entry in entries.items() if entry.rows is not None}
        manifest.write(folder, data, [name for name in entries if name not in data])
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
    for path in opened_by(reader.read, good, monkeypatch):
        content = (good.parent / path).read_bytes()
        for seed in seeds:
            base = tmp_path / "bad"
            shutil.copytree(good.parent, base)
            sealed_again(base / good.name, base / path, spoilt(content, path, seed))
            problem = fault(reader.read, base / good.name)
            faults += [f"{path} seed {seed}: {problem}"] if problem else []
            shutil.rmtree(base)
    return faults


@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", READERS)
def test_damaged_content_is_read_or_refused_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faults_of_damage(READERS[name], range(EVERY_CHECK), tmp_path, monkeypatch) == []


@pytest.mark.nightly
@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize("name", READERS)
def test_much_damaged_content_is_read_or_refused_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(EVERY_CHECK, NIGHTLY)
    assert faults_of_damage(READERS[name], seeds, tmp_path, monkeypatch) == []


@pytest.mark.usefixtures("never_for_ever")
@pytest.mark.parametrize(
    "name", ["notes x.md", "a\nok     README.md", "pairs/train-00001.parquet", "\x1b[2Jx"]
)
def test_verify_names_a_file_that_the_manifest_does_not_list(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "export-0a1b2c3d"
    data_set(folder)
    shutil.copy(folder / "pairs" / "train-00000.parquet", folder / name)
    lines = [check.line for check in verify(folder) if check.problem]
    assert len(lines) == 1 + 1  # key.json is the other file that a data set does not have
    assert all(line.startswith("FAILED ") and line.isprintable() for line in lines)


@pytest.mark.parametrize("name", ["notes.md", "a b.md", "x\ny.md"])
def test_every_comparison_is_made_after_one_has_failed(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "export-0a1b2c3d"
    data_set(folder)
    (folder / name).write_text("one", encoding="utf-8")
    entries = manifest.files(folder) or {}
    data = {each: entry.rows for each, entry in entries.items() if entry.rows is not None}
    manifest.write(folder, data, [*OTHERS, name])
    (folder / name).write_text("two", encoding="utf-8")
    checks = {check.what: check.problem for check in verify(folder)}
    assert checks[name] == "has another SHA-256"
    assert {
        "rows of pairs.parquet",
        "licence cc0-1.0",
        f"signature key:{key(SIGNATURE)}",
    } <= checks.keys()


def test_one_line_of_gigabytes_does_not_fill_the_memory(tmp_path: Path) -> None:
    """A compressed line of 300 MB of spaces: the reader stops at the limit."""
    import zstandard

    path = tmp_path / "rows.jsonl.zst"
    with path.open("wb") as out, zstandard.ZstdCompressor().stream_writer(out) as packed:
        for _ in range(300):
            packed.write(b" " * (1 << 20))
    with pytest.raises(BuildError, match="line 1: more than 64 MiB"):
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
