"""The variants of Discovery: how many pairs of which markers, and the laws that hold between them."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from discourse.mining.variants import Drawn, members, shuffled


@st.composite
def drawn(draw: st.DrawFn) -> list[Drawn]:
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from(["but", "sadly,", "however", "then,"]), st.integers(1, 4), st.integers(0, 5)),
            max_size=60,
        )
    )
    kind = {"but": "list", "however": "list", "sadly,": "adverb", "then,": "adverb"}
    return [
        Drawn(id=f"s{n}", document=f"d{document}", marker=marker, found=kind[marker], rank=rank)
        for n, (marker, rank, document) in enumerate(rows)
    ]


@given(drawn())
def test_laws(rows: list[Drawn]) -> None:
    found = members(rows, per_marker=3, top=2)
    numbers = {name: Counter(row.marker for row in kept) for name, kept in found.items()}
    enough = {marker for marker, n in Counter(row.marker for row in rows if row.rank > 2).items() if n >= 3}
    for name in ("base", "hard", "shuffled"):
        assert numbers[name] == dict.fromkeys(enough, 3)
    assert all(row.rank > 2 for row in found["hard"])
    totals = Counter(row.marker for row in rows)
    assert numbers["big"] == {marker: min(6, totals[marker]) for marker in enough}
    assert set(found["base"]) <= set(found["big"])
    assert found["adv"] == [row for row in found["base"] if row.found != "list"]
    assert found["10"] == [row for row in rows if row.marker == "however"]
    assert all(kept == [row for row in rows if row in set(kept)] for kept in found.values())  # the order stays


@given(drawn())
def test_shuffling_moves_second_sentences_within_marker_and_set(rows: list[Drawn]) -> None:
    sets = {f"d{n}": "train" if n < 4 else "test" for n in range(6)}
    lender = shuffled(rows, sets)
    by_id = {row.id: row for row in rows}
    assert sorted(lender) == sorted(lender.values()) == sorted(by_id)
    alone = Counter((row.marker, sets[row.document]) for row in rows)
    for id, other in lender.items():
        one, two = by_id[id], by_id[other]
        assert (one.marker, sets[one.document]) == (two.marker, sets[two.document])
        assert (id == other) == (alone[one.marker, sets[one.document]] == 1)
