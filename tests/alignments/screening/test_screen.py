from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from alignments.extract import DocumentBatch
from alignments.screening import identify
from alignments.screening import screen as screening
from alignments.screening.screen import Screened, Screening, catch_up, screen
from pairs.errors import SettingsError, ShardError
from pairs.records import Alignment

GOOD = (
    "Il a plu toute la nuit et nous sommes restés chez nous.",
    "It rained all night long.",
    "We stayed at home all day.",
)
OTHER = (
    "Le chat dort sur la table de la cuisine, il ronfle.",
    "The cat sleeps on the kitchen table.",
    "It is snoring.",
)


def made(number: int, texts: tuple[str, str, str] = GOOD) -> Alignment:
    one, first, second = texts
    return Alignment(
        id=f"Tiny/v1/en-fr:{number}", corpus="Tiny", release="v1", licence="CC0-1.0", one_language="fr",
        two_language="en", one=one, two=(first, second), one_document="fr/a.xml", two_document="en/a.xml",
        one_id="1", two_ids=("1", "2"), attributes={},
    )  # fmt: skip


def batch(last: int, *alignments: Alignment, skips: Counter[str] | None = None) -> DocumentBatch:
    skips = Counter() if skips is None else skips
    shapes = Counter({"2-1": len(alignments) + skips.total() - skips["bad link"], "1-1": 3})
    return DocumentBatch(alignments, shapes, skips, last)


def run(batches: list[DocumentBatch], store: Path, asked: Screening | None = None, after: int = 0) -> list[Screened]:
    return list(screen(batches, asked or Screening(), languages=["en", "fr"], store=store, after_link=after))


def ids(screened: list[Screened]) -> list[list[int]]:
    return [[int(a.id.rpartition(":")[2]) for a in one.batch.alignments] for one in screened]


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ((GOOD[0], "in writing.", GOOD[2]), "boilerplate: speaker tag"),
        ((GOOD[0], GOOD[1], "Yes."), "too few words"),
        ((GOOD[0] * 3, GOOD[1], GOOD[2]), "length ratio"),
        ((GOOD[0], GOOD[1], "Nous sommes restés à la maison."), "other language"),
        ((GOOD[1] + GOOD[2], GOOD[1], GOOD[2]), "same text on both sides"),
        (GOOD, "duplicate"),
    ],
)
def test_what_is_left_out_is_counted_by_reason_and_the_rest_stays(
    tmp_path: Path, texts: tuple[str, str, str], reason: str
) -> None:
    read = batch(9, made(1), made(4, texts), made(6, OTHER), skips=Counter({"too long": 2, "bad link": 1}))
    (screened,) = run([read], tmp_path / "a.sqlite")
    assert screened.batch.alignments == (made(1), made(6, OTHER))
    assert screened.batch.skips == {"too long": 2, "bad link": 1, reason: 1}
    assert (screened.batch.shapes, screened.batch.last_link) == (read.shapes, 9)
    assert screened.notes == {"language not judged": 1}  # "It snores." has six letters outside of "It"


def test_cleaning_is_noted_for_what_stays_only(tmp_path: Path) -> None:
    tagged = ("(FR) " + GOOD[0], "- " + GOOD[1], GOOD[2])
    lost = ("(FR) " + OTHER[0], OTHER[1], "Yes.")
    (screened,) = run([batch(9, made(1, tagged), made(2, lost))], tmp_path / "a.sqlite")
    assert screened.batch.alignments == (made(1),)
    assert screened.notes == {"cleaned: language tag": 1, "cleaned: dash": 1}


def test_a_text_is_a_duplicate_of_what_it_is_like_once_cleaned(tmp_path: Path) -> None:
    tagged = ("- " + GOOD[0], GOOD[1], GOOD[2])
    screened = run([batch(1, made(1)), batch(2, made(2, tagged))], tmp_path / "a.sqlite")
    assert [one.batch.skips for one in screened] == [{}, {"duplicate": 1}]


def test_what_was_left_out_for_another_reason_has_no_duplicates(tmp_path: Path) -> None:
    short = (GOOD[0], GOOD[1], "Yes.")
    (screened,) = run([batch(2, made(1, short), made(2, short))], tmp_path / "a.sqlite")
    assert screened.batch.skips == {"too few words": 2}


def test_all_checks_can_be_off(tmp_path: Path) -> None:
    settings = Screening.model_validate(
        {
            "boilerplate": {"enabled": False},
            "lengths": {"min_words": 0, "max_ratio": None},
            "language": {"enabled": False},
            "duplicates": {"enabled": False},
        }
    )
    read = batch(9, made(1), made(2), made(3, ("x", "in writing.", "x")))
    assert run([read], tmp_path / "a.sqlite", settings) == [Screened(read, Counter())]
    assert not list(tmp_path.iterdir())


def _texts(number: int) -> tuple[str, str, str]:
    """Every third alignment repeats an early one, every fifth is too short."""
    place = number % 4 if number % 3 == 0 else number
    name = "".join(chr(ord("a") + int(digit)) for digit in str(place))
    second = "Yes." if number % 5 == 0 else "We stayed at home."
    return f"Il a plu chez {name} et nous sommes restés.", f"It rained at {name} all night long.", second


def corpus(sizes: list[int]) -> list[DocumentBatch]:
    batches, number = [], 0
    for size in sizes:
        batches.append(batch(number + size, *(made(n, _texts(n)) for n in range(number + 1, number + size + 1))))
        number += size
    return batches


@pytest.mark.parametrize("together", [1, 4, 2_000])
@pytest.mark.parametrize("taken", range(9))
def test_going_on_behind_a_shard_keeps_what_an_undisturbed_run_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int, together: int
) -> None:
    monkeypatch.setattr(screening, "_TOGETHER", together)
    batches = corpus([3, 1, 0, 7, 2, 5, 0, 6])
    whole = run(batches, tmp_path / "whole.sqlite")
    assert sum((one.batch.skips for one in whole), Counter())["duplicate"] > 3

    cut = screen(batches, Screening(), languages=["en", "fr"], store=tmp_path / "cut.sqlite")
    shard = [one for one, _ in zip(cut, range(taken), strict=False)]
    cut.close()  # the run dies here, having read further than its shard reaches
    after = shard[-1].batch.last_link if shard else 0
    assert shard + run(batches[len(shard) :], tmp_path / "cut.sqlite", after=after) == whole


def test_keys_are_on_the_disk_before_a_batch_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "_TOGETHER", 2)
    order: list[str] = []
    claim = screening.FirstLinks.claim

    def noted(self: screening.FirstLinks, keys: list[int], links: list[int], covered: int) -> list[bool]:
        order.append(f"stored to {covered}")
        return claim(self, keys, links, covered)

    monkeypatch.setattr(screening.FirstLinks, "claim", noted)
    for one in screen(corpus([1, 1, 2, 1]), Screening(), languages=["en", "fr"], store=tmp_path / "a.sqlite"):
        order.append(f"batch to {one.batch.last_link}")
    assert order == [
        "stored to 2", "batch to 1", "batch to 2", "stored to 4", "batch to 4", "stored to 5", "batch to 5",
    ]  # fmt: skip


def test_no_more_is_read_than_one_transaction_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "_TOGETHER", 4)
    read: list[int] = []

    def stream() -> Iterator[DocumentBatch]:
        for one in corpus([2] * 9):
            read.append(one.last_link)
            yield one

    screened = screen(stream(), Screening(), languages=["en", "fr"], store=tmp_path / "a.sqlite")
    next(screened)
    assert len(read) <= 4


def test_a_store_that_lags_behind_stops_the_run(tmp_path: Path) -> None:
    run(corpus([3]), tmp_path / "a.sqlite")
    with pytest.raises(ShardError, match="knows the links up to 3, but there are shards up to link 7"):
        run(corpus([3]), tmp_path / "a.sqlite", after=7)


def test_a_language_that_cannot_be_checked_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    def stream() -> Iterator[DocumentBatch]:
        raise AssertionError("read")
        yield

    with pytest.raises(SettingsError, match="does not know 'tlh'"):
        screen(stream(), Screening(), languages=["en", "tlh"], store=tmp_path / "a.sqlite")
    off = Screening.model_validate({"language": {"enabled": False}})
    assert run([], tmp_path / "b.sqlite", off) == []


_TEXTS = st.sampled_from([GOOD, OTHER, (GOOD[0], "in writing.", "x"), ("(FR) " + GOOD[0], *GOOD[1:]), ("a", "b", "c")])


@settings(max_examples=30)
@given(st.lists(st.lists(_TEXTS, max_size=4), max_size=6), st.integers(1, 5))
def test_every_candidate_is_in_the_books_once_and_order_is_kept(
    tmp_path_factory: pytest.TempPathFactory, documents: list[list[tuple[str, str, str]]], bad: int
) -> None:
    batches, number = [], 0
    for texts in documents:
        alignments = [made(number + place, some) for place, some in enumerate(texts, 1)]
        number += len(texts)
        batches.append(batch(number, *alignments, skips=Counter({"bad link": bad, "too long": 1})))
    screened = run(batches, tmp_path_factory.mktemp("books") / "a.sqlite")
    assert [one.batch.last_link for one in screened] == [one.last_link for one in batches]
    for one in screened:
        found, skips = len(one.batch.alignments), one.batch.skips
        assert one.batch.shapes["1-2"] + one.batch.shapes["2-1"] == found + skips.total() - skips["bad link"]
    flat = [number for some in ids(screened) for number in some]
    assert flat == sorted(set(flat))


def test_the_signature_changes_with_the_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Screening().signature()
    assert identify.signature() in before
    monkeypatch.setattr(screening.boilerplate, "source", lambda: "[[rule]]")
    assert Screening().signature() != before


@pytest.mark.parametrize("setting", ["languages", "boilerplat"])
def test_a_misspelt_part_is_refused(setting: str) -> None:
    with pytest.raises(ValidationError, match=f"{setting!r} is no setting of Screening. Did you mean"):
        Screening.model_validate({setting: {}})


def test_a_store_that_was_lost_learns_from_the_shards_what_they_hold(tmp_path: Path) -> None:
    documents = [batch(1, made(1)), batch(2, made(2)), batch(3, made(3, OTHER))]
    first = run(documents[:1], tmp_path / "first.sqlite")
    catch_up(tmp_path / "other.sqlite", Screening(), (one.batch.alignments for one in first), 1)
    rest = run(documents[1:], tmp_path / "other.sqlite", after=1)
    assert ids(rest) == [[], [3]]
    assert rest[0].batch.skips == {"duplicate": 1}


def test_a_store_that_is_there_reads_no_shard_again(tmp_path: Path) -> None:
    run([batch(1, made(1))], tmp_path / "seen.sqlite")

    def untouched() -> Iterator[list[Alignment]]:
        yield pytest.fail("a shard was read")

    catch_up(tmp_path / "seen.sqlite", Screening(), untouched(), 1)
