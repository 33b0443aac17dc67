"""A shard gives back what went in, exists whole or not at all, and has the same bytes for the same rows."""

import dataclasses
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from factories import source
from hypothesis import given, settings
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.records import Alignment, JudgedPair, Pair, Parse, ParsedPair
from bitext_pivot.core.storage import atomic, shards

ROOT = Path(__file__).parents[3]
texts = st.text(st.characters(codec="utf-8"), max_size=20)
finite = st.floats(allow_nan=False, allow_infinity=False)


st.register_type_strategy(str, texts)
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
st.register_type_strategy(float, finite)


@pytest.mark.parametrize("kind", [Alignment, Pair, JudgedPair])
def test_what_is_written_is_read_again(kind: type, tmp_path: Path) -> None:
    @settings(max_examples=25)
    @given(st.lists(st.from_type(kind), max_size=3))
    def law(rows: list[Any]) -> None:
        path = tmp_path / "shard.parquet"
        shards.write(path, kind, rows)
        assert list(shards.read(path, kind)) == rows

    law()


def test_unread_fields_are_empty_and_others_as_written(tmp_path: Path) -> None:
    def bare(parse: Parse) -> Parse:
        return dataclasses.replace(parse, lemmas=(), heads=())

    @settings(max_examples=25)
    @given(st.lists(st.from_type(ParsedPair), max_size=3))
    def law(rows: list[ParsedPair]) -> None:
        path = tmp_path / "shard.parquet"
        shards.write(path, ParsedPair, rows)
        assert list(shards.read(path, ParsedPair, without=("lemmas", "heads"))) == [
            dataclasses.replace(
                one, long=bare(one.long), split=(bare(one.split[0]), bare(one.split[1]))
            )
            for one in rows
        ]

    law()


def alignment(number: int) -> Alignment:
    """A small alignment, different for each number."""
    return Alignment(
        id=f"Everyday/v1/en-fr:{number}", source=source("Everyday", "en/a.xml", "fr/a.xml"), one_language="en",
        two_language="fr", one=f"It rained {number} days, so we stayed.",
        two=("Il a plu.", "Nous sommes restés. 🐱 e\u0301"),
        one_id="1", two_ids=("1", "2"), attributes={"score": "1.5"},
    )  # fmt: skip


def test_many_rows_keep_their_order_and_equal_bytes(tmp_path: Path) -> None:
    rows = [alignment(number) for number in range(2_345)]
    one, two = (tmp_path / name / "alignments-00000000" / "a.parquet" for name in ("one", "two"))
    for path in (one, two):
        shards.write(path, Alignment, iter(rows), {"skips": {"too long": 2}})
    assert list(shards.read(one, Alignment)) == rows
    assert one.read_bytes() == two.read_bytes()


def test_a_shard_records_its_rows_and_facts_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    facts = {"skips": {"too long \n": 2}, "key": {"engine": "é"}}
    shards.write(path, Alignment, [alignment(1)], facts)
    assert [*tmp_path.iterdir()] == [path]
    assert shards.find(path) == shards.read_manifest(path) == {"rows": 1, **facts}
    assert pq.read_table(path)["id"].to_pylist() == ["Everyday/v1/en-fr:1"]


def test_a_writer_that_fails_midway_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Alignment]:
        yield from (alignment(number) for number in range(1_500))
        raise RuntimeError("the parser stumbled")

    with pytest.raises(RuntimeError, match="stumbled"):
        shards.write(tmp_path / "a.parquet", Alignment, broken())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_grow_is_a_shard_error(tmp_path: Path) -> None:
    """The system itself refuses the write, as a full disk does: in a process that may write 4 kB a file."""
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from bitext_pivot.core.storage import shards; from bitext_pivot.core.records import Pair\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "rows = (Pair(id=str(n), language='en', long=f'{n * n * 7919:x} ' * 9, split=('a', 'b'), pivot=None,"
        " translated=None, engine=None, alignment=None) for n in range(9000))\n"
        "try: shards.write(Path(sys.argv[1]) / 'a.parquet', Pair, rows)\n"
        "except shards.ShardError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert "a.parquet cannot be written" in done.stdout and "File too large" in done.stdout, (
        done.stderr
    )
    assert "finished files are kept" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_shard_is_not_replaced(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "a.parquet").mkdir()
    with golden.refused(ShardError):
        shards.write(tmp_path / "a.parquet", Alignment, [alignment(1)])
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_a_lone_surrogate_cannot_be_stored(tmp_path: Path, golden: Golden) -> None:
    with golden.refused(ShardError):
        shards.write(
            tmp_path / "a.parquet", Alignment, [dataclasses.replace(alignment(1), one="\ud800")]
        )
    assert list(tmp_path.iterdir()) == []


def test_a_shard_with_a_changed_byte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    shards.write(path, Alignment, [alignment(number) for number in range(9)], {"skips": {}})
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert shards.find(path) is None
    for size in range(len(content)):
        path.write_bytes(content[:size])
        assert shards.find(path) is None
    path.write_bytes(content + b"0")
    with pytest.raises(ShardError):
        list(shards.read(path, Alignment))
    path.write_bytes(content)
    assert shards.find(path) == {"rows": 9, "skips": {}}


def test_a_shard_can_move_to_another_data_folder_but_not_to_the_place_of_another(
    tmp_path: Path,
) -> None:
    path = tmp_path / "one" / "pairs-00000000" / "a.parquet"
    assert shards.find(path) is None
    shards.write(path, Alignment, [alignment(1)])
    folder = path.parent.rename(tmp_path / "pairs-00000000")
    moved = folder / "a.parquet"
    assert shards.find(moved) == {"rows": 1} and shards.find(path) is None
    for other in (folder / "b.parquet", tmp_path / "pairs-11111111" / "a.parquet"):
        other.parent.mkdir(exist_ok=True)
        shutil.copyfile(moved, other)
        assert shards.find(other) is None


@pytest.mark.parametrize("manifest", [None, b"", b"1", b"{", b"[" * 100_000, b'{"a": "\xff"}'])
def test_a_sealed_file_without_a_manifest_is_not_a_shard(
    manifest: bytes | None, tmp_path: Path
) -> None:
    """Anybody can write a file whose seal is right."""
    path, seal = tmp_path / "a.parquet", b"\nsha256 of all other bytes: " + b"0" * 64
    metadata = {"seal": seal} if manifest is None else {"bitext_pivot": manifest, "seal": seal}
    with pq.ParquetWriter(path, pa.schema([("id", pa.string())])) as writer:
        writer.add_key_value_metadata(metadata)
    path.write_bytes(shards.sealed(path, path.read_bytes()))
    assert shards.find(path) is None
    with pytest.raises(ShardError):
        shards.read_manifest(path)


def test_a_shard_of_other_records_is_named(tmp_path: Path, golden: Golden) -> None:
    shards.write(tmp_path / "a.parquet", Alignment, [alignment(1)])
    with golden.refused(ShardError):
        list(shards.read(tmp_path / "a.parquet", Pair))


def test_an_older_file_survives_a_failed_replacement(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic.replacing(path) as partial:
        partial.write_text("ne")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO])
def test_a_shard_is_kept_if_the_system_fails(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    shards.write(path, Alignment, [alignment(1)])

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr("pyarrow.parquet.ParquetFile", fail)
        with pytest.raises(ShardError, match="cannot be read as a shard of Alignment"):
            list(shards.read(path, Alignment))
    assert list(shards.read(path, Alignment)) == [alignment(1)]
