import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignments.screening.duplicates import Duplicates, FirstLinks, link_number
from pairs.errors import ShardError
from pairs.records import Alignment


def made(one: str, first: str, second: str, number: int = 1, one_language: str = "fr") -> Alignment:
    return Alignment(
        id=f"Tiny/v1/en-fr:{number}", corpus="Tiny", release="v1", licence="CC0-1.0", one_language=one_language,
        two_language="en", one=one, two=(first, second), one_document="fr/a.xml", two_document="en/a.xml",
        one_id="1", two_ids=("1", "2"), attributes={},
    )  # fmt: skip


BASE = made("Café 1.", "It rained.", "We left.")


@pytest.mark.parametrize(
    "other",
    [
        made("Café 1.", "It rained.", "We left.", number=2),
        made("Cafe\u0301 1.", "It rained.", "We left."),
        made("  Café\u00a01. ", "It\trained.", "We left."),
    ],
)
def test_blanks_and_composition_do_not_tell_texts_apart(other: Alignment) -> None:
    assert Duplicates().key(other) == Duplicates().key(BASE)


@pytest.mark.parametrize(
    "other",
    [
        made("café 1.", "It rained.", "We left."),
        made("Café 2.", "It rained.", "We left."),
        made("Café 1.", "We left.", "It rained."),
        made("Café 1.", "It rained. We", "left."),
        made("Café 1. It rained.", "", "We left."),
        made("Café 1.", "It rained.", "We left.", one_language="es"),
    ],
)
def test_case_numbers_order_split_point_and_language_tell_texts_apart(other: Alignment) -> None:
    assert Duplicates().key(other) != Duplicates().key(BASE)


def test_numbers_are_alike_when_asked_for() -> None:
    near = Duplicates(ignore_numbers=True)
    assert near.key(made("Café 1,250.5.", "It rained.", "We left.")) == near.key(BASE)
    assert near.key(made("Café x.", "It rained.", "We left.")) != near.key(BASE)


def test_a_key_fits_into_sqlite(tmp_path: Path) -> None:
    keys = [-(2**63), 2**63 - 1, 0]
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        assert first_links.claim(keys, [1, 2, 3], 3) == [True] * 3
        assert first_links.claim(keys, [4, 5, 6], 6) == [False] * 3


def test_the_first_link_keeps_its_key_also_when_asked_again(tmp_path: Path) -> None:
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        assert first_links.claim([7, 7, 8], [1, 2, 3], 3) == [True, False, True]
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        assert first_links.claim([7, 7, 8, 7], [1, 2, 3, 4], 4) == [True, False, True, False]


_RUNS = st.lists(st.integers(0, 5), min_size=1, max_size=30)


@settings(max_examples=30)
@given(keys=_RUNS, cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 7)), max_size=6))
def test_whatever_was_killed_where_the_same_links_are_kept(
    tmp_path_factory: pytest.TempPathFactory, keys: list[int], cuts: list[tuple[int, int]]
) -> None:
    expected = [key not in keys[:place] for place, key in enumerate(keys)]
    with closing(FirstLinks(tmp_path_factory.mktemp("links") / "a.sqlite")) as first_links:
        reached = 0
        for start, step in [*cuts, (0, 3)]:
            start = min(start, reached)  # noqa: PLW2901 -- a run goes on behind the last shard, which may lie far back
            for at in range(start, len(keys), step):
                some = keys[at : at + step]
                links = [*range(at + 1, at + 1 + len(some))]
                assert first_links.claim(some, links, links[-1]) == expected[at : at + step]
                reached = max(reached, links[-1])


def test_nothing_is_stored_of_a_group_that_finds_the_disk_full(tmp_path: Path) -> None:
    many = [*range(10_000)]
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        ((pages,),) = first_links._connection.execute("PRAGMA page_count").fetchall()
        first_links._connection.execute(f"PRAGMA max_page_count={pages + 4}")
        with pytest.raises(ShardError, match=r"a\.sqlite cannot count duplicates.*is full.*Free space"):
            first_links.claim(many, many, 10_000)
        assert first_links.claim([1], [20_000], 1) == [True]
        with pytest.raises(ShardError, match="up to 1, but"):
            first_links.require(2)


def test_what_was_claimed_survives_a_kill(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from alignments.screening.duplicates import FirstLinks\n"
        "links = FirstLinks(Path(sys.argv[1])); links.claim([1, 2], [1, 2], 2); os.kill(os.getpid(), 9)"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.sqlite")], cwd=root, check=False)
    assert done.returncode == -9
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        first_links.require(2)
        assert first_links.claim([1, 2, 3], [1, 3, 4], 4) == [True, False, True]


def test_a_file_that_lags_behind_the_shards_is_refused(tmp_path: Path) -> None:
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        first_links.claim([], [], 10)
        first_links.require(10)
        with pytest.raises(ShardError, match=r"knows the links up to 10, but there are shards up to link 11.*Delete"):
            first_links.require(11)


def test_what_is_covered_never_goes_back(tmp_path: Path) -> None:
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        first_links.claim([], [], 10)
        first_links.claim([], [], 4)
        first_links.require(10)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(ShardError, match=r"a\.sqlite cannot count.*not a database.*delete it together"):
        FirstLinks(path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ShardError, match=r"a\.sqlite cannot count"):
        FirstLinks(tmp_path / "file" / "a.sqlite")


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    with closing(FirstLinks(tmp_path / "a.sqlite")) as first_links:
        assert first_links._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_link_s_number_is_the_end_of_the_id() -> None:
    assert link_number(made("a", "b", "c", number=20_000_001)) == 20_000_001
