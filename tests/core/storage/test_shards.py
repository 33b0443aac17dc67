"""A shard gives back what went in, exists whole or not at all, and has the same bytes for the same rows."""

import dataclasses
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
        assert shards.write(path, kind, rows) == len(rows)
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
    for name in ("a", "b"):
        shards.write(tmp_path / f"{name}.parquet", Alignment, iter(rows))
    assert list(shards.read(tmp_path / "a.parquet", Alignment)) == rows
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_the_json_beside_a_shard_tells_rows_checksum_and_facts(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    shards.write(path, Alignment, [alignment(1)], {"skips": {"too long": 2}})
    assert atomic.read_manifest(path) == {
        "rows": 1,
        "sha256": atomic.sha256(path),
        "skips": {"too long": 2},
    }


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


def test_a_shard_that_gets_no_name_has_no_manifest(tmp_path: Path, golden: Golden) -> None:
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
    rows = [dataclasses.replace(alignment(number), one=uuid.uuid4().hex) for number in range(100)]
    shards.write(path, Alignment, rows)
    content = path.read_bytes()
    for place in range(0, len(content), 100):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(ShardError):
            list(shards.read(path, Alignment))


def test_a_shard_is_found_only_with_its_manifest(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    assert shards.find(path) is None
    shards.write(path, Alignment, [alignment(1)])
    assert shards.find(path) == atomic.read_manifest(path)
    atomic.manifest_path(path).write_text("{")
    assert shards.find(path) is None
    shards.write(path, Alignment, [alignment(1)])
    path.unlink()
    assert shards.find(path) is None


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
