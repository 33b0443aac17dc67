"""Division into train, validation and test: documents stay whole, no text is in two sets."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import judged, source
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bitext_pivot.core.errors import SettingsError, explain_file_errors
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.corpus.assignment import ENOUGH, PART, SubsetAssigner, SubsetRules, find_documents
from bitext_pivot.corpus.division import SUBSETS, Assignment, ContaminationMatch, Division
from bitext_pivot.corpus.near_duplicates import split_words
from bitext_pivot.corpus.recipes.bisect import BISECT

item = BISECT.records.item


def pair(
    number: int, long: str, document: str = "en/a.xml", corpus: str = "Everyday", **changes: Any
) -> JudgedPair:
    """Return a judged pair of a document; its two sentences are those of no other pair."""
    one = judged(number, long, f"Eins {number}.", f"Zwei {number}.", **changes)
    here = source(corpus, document, "fr/a.xml")
    assert one.pair.alignment is not None
    alignment = replace(one.pair.alignment, source=here, id=f"{corpus}/v1/en-fr:{number}")
    return with_pair(one, alignment=alignment, id=alignment.id)


def with_pair(one: JudgedPair, **changes: Any) -> JudgedPair:
    """Return a judged pair with changes of its pair."""
    changed = replace(one.pair, **changes)
    return replace(one, scored=replace(one.scored, parsed=replace(one.scored.parsed, pair=changed)))


def assigner(pairs: list[JudgedPair], **settings: Any) -> SubsetAssigner:
    division = Division.model_validate(settings)
    items = [(item(one), one.rejected_by) for one in pairs]
    sets = SubsetRules(division, find_documents(one for one, _ in items)[0])
    return SubsetAssigner(division, sets, sets.held_out(items))


def assignments(pairs: list[JudgedPair], **settings: Any) -> list[Assignment]:
    ours = assigner(pairs, **settings)
    return [ours.assign(item(one), one.rejected_by) for one in pairs]


def letters(text: str) -> str:
    return "".join(split_words(text))


def divided(pairs: Iterable[JudgedPair], **settings: Any) -> dict[str, tuple[str, str | None]]:
    """Return the set of each pair, and what rejects it, by id."""
    pairs = list(pairs)
    found = zip(pairs, assignments(pairs, **settings), strict=True)
    return {
        one.pair.id: (assigned.subset, assigned.rejected_by or one.rejected_by)
        for one, assigned in found
    }


@st.composite
def corpora(draw: st.DrawFn) -> list[JudgedPair]:
    """Pairs of few documents and few texts, so that texts repeat across documents."""
    places = draw(
        st.lists(
            st.tuples(
                st.integers(0, 9), st.sampled_from(["Regen", "Schnee", "Café", "Дождь", "雨"])
            ),
            max_size=30,
        )
    )
    return [
        pair(number, text, f"en/{document}.xml") for number, (document, text) in enumerate(places)
    ]


@given(corpora(), st.randoms(use_true_random=False))
def test_no_document_and_no_text_is_in_two_sets(pairs: list[JudgedPair], random: Any) -> None:
    found = divided(pairs, validation=0.3, test=0.3)
    documents: dict[str, set[str]] = {}
    subsets_of: dict[str, set[str]] = {}
    for one in pairs:
        subset, rejected_by = found[one.pair.id]
        assert one.pair.alignment is not None
        documents.setdefault(one.pair.alignment.source.document, set()).add(subset)
        for text in item(one).texts if rejected_by is None else ():
            subsets_of.setdefault(letters(text), set()).add(subset)
    assert all(len(subsets) == 1 for subsets in subsets_of.values())
    assert len(documents) < 2 or all(len(subsets) == 1 for subsets in documents.values())
    shuffled = random.sample(pairs, len(pairs))
    assert divided(shuffled, validation=0.3, test=0.3) == found


@pytest.mark.parametrize(("validation", "test"), [(0.05, 0.05), (0.3, 0.1), (0, 0.2), (0, 0)])
def test_shares_are_roughly_met(validation: float, test: float) -> None:
    pairs = [pair(number, f"Satz {number}", f"en/{number}.xml") for number in range(2_000)]
    counts = Counter(
        subset for subset, _ in divided(pairs, validation=validation, test=test).values()
    )
    for name, share in (("validation", validation), ("test", test)):
        assert abs(counts[name] / 2_000 - share) < 0.03
        assert bool(counts[name]) == bool(share)


def test_a_document_is_equal_in_every_release_and_pivot() -> None:
    filler = [pair(n, f"Phrase {n}.", f"fr/{n}.xml", "Books") for n in range(20)]
    ours = assigner(filler, validation=0.3, test=0.3)
    for seed in range(20):  # another document each time
        document = f"fr/{seed}-x.xml"
        here = pair(7, "Il pleut.", document, "Books")
        assert here.pair.alignment is not None
        swapped = replace(
            here.pair.alignment, source=replace(source("Books", "de/y.xml", document), release="v2"), one_language="de",
            two_language="en",
        )  # fmt: skip
        there = with_pair(here, alignment=swapped, id="Books/v2/de-en:99")
        assert ours.assign(item(here), None).subset == ours.assign(item(there), None).subset


@pytest.mark.parametrize("documents", [1, 5, 99])
def test_a_corpus_with_few_documents_is_divided_by_their_parts(documents: int) -> None:
    longest = 60_000 // documents
    pairs = [
        pair(7 + number, f"Satz {number}", f"{number // longest}.de")
        for number in range(0, 60_000, 25)
    ]
    found = divided(pairs)
    parts: dict[tuple[int, int], set[str]] = {}
    for number, (subset, _) in zip(range(0, 60_000, 25), found.values(), strict=True):
        first = -(-(number // longest) * longest // 25) * 25  # of the document
        parts.setdefault((number // longest, (number - first) // PART), set()).add(subset)
    assert all(len(subsets) == 1 for subsets in parts.values())
    counts = Counter(subset for subset, _ in found.values())
    assert all(abs(counts[name] / len(pairs) - 0.05) < 0.03 for name in SUBSETS[1:])


def test_a_short_document_is_in_its_set_whether_there_are_few_or_enough() -> None:
    many = [
        pair(number * 1_000 + n, f"Satz {number} {n}", f"{number}.de")
        for number in range(ENOUGH)
        for n in (0, 50)
    ]
    found, few = (divided(pairs, validation=0.3, test=0.3) for pairs in (many, many[:40]))
    assert [subset for subset, _ in few.values()] == [found[name][0] for name in few]


def test_names_go_before_corpora_and_corpora_before_shares(tmp_path: Path) -> None:
    (tmp_path / "dev.txt").write_text("en/b.xml\r\n\n", encoding="utf-8")
    pairs = [
        pair(1, "A.", "en/a.xml", "EMEA"),
        pair(2, "B.", "en/b.xml", "EMEA"),
        pair(3, "C.", "en/c.xml", "Books"),
    ]
    settings = {
        "test_corpora": ["EMEA"],
        "validation_documents": tmp_path / "dev.txt",
        "validation": 0,
        "test": 0,
    }
    assert [subset for subset, _ in divided(pairs, **settings).values()] == [
        "test",
        "validation",
        "train",
    ]


ORDER = {"validation": 0, "test": 0, "validation_corpora": ["Dev"], "test_corpora": ["Eval"]}


@pytest.mark.parametrize(("corpus", "others", "reason"), [
    ("Train", ["Eval"], "duplicate of test"),
    ("Train", ["Dev"], "duplicate of validation"),
    ("Train", ["Dev", "Eval"], "duplicate of test"),
    ("Dev", ["Eval", "Train"], "duplicate of test"),
    ("Dev", ["Train"], None),
    ("Eval", ["Dev", "Train"], None),
    ("Train", ["Train"], None),
])  # fmt: skip
def test_a_text_stays_in_test_then_in_validation(
    corpus: str, others: list[str], reason: str | None
) -> None:
    pairs = [
        pair(number, "It rains; we stay.", "x", other) for number, other in enumerate(others, 1)
    ]
    ours = pair(0, "it rains — we STAY", "x", corpus)
    assert divided([ours, *pairs], **ORDER)[ours.pair.id][1] == reason


def test_two_sentences_repeat_together_not_alone() -> None:
    ours = judged(1, "Long one.", "It rains.", "We stay.")
    same = judged(2, "Long two.", "It rains", "we stay!")
    half = judged(3, "Long three.", "It rains.", "We go.")
    assert (
        letters(item(ours).texts[1]) == letters(item(same).texts[1]) != letters(item(half).texts[1])
    )


def test_a_rejected_pair_removes_nothing_and_keeps_its_filter() -> None:
    pairs = [pair(1, "Rain.", "x", "Train"), pair(2, "Rain.", "x", "Eval", rejected_by="verbs")]
    assert [verdict for _, verdict in divided(pairs, **ORDER).values()] == [None, "verbs"]


@pytest.mark.parametrize(("one", "other", "is_equal"), [
    ("“Straße” — 12 €", "STRASSE 12", True),
    ("ﬁn de l’été", "Fin de l'e\u0301te\u0301.", True),
    ("Ｔｏｋｙｏ　２０２０", "tokyo2020", True),
    ("İstanbul", "i\u0307stanbul", True),
    ("हिन्दी", "हन्द", False),
    ("Дождь идёт.", "дождь, ИДЁТ", True),
    ("雨が降った。", "雨が 降った", True),
    ("1,5", "1,6", False),
    ("schon", "schön", False),
])  # fmt: skip
def test_texts_are_compared_by_letters_digits_and_marks(
    one: str, other: str, is_equal: bool
) -> None:
    assert (letters(one) == letters(other)) == is_equal


@pytest.mark.parametrize("line", [
    "it rains — we stay", "9\tIt rains; we stay.\tx", "Eins 1 . <SEP> Zwei 1 .", "a b\tEins 1. <::::> Zwei 1.",
])  # fmt: skip
def test_pairs_of_a_foreign_test_set_are_always_rejected(line: str, tmp_path: Path) -> None:
    path = tmp_path / "hsplit.txt"
    path.write_text(f"\ufeff...\n\n{line}\r\n", encoding="utf-8")
    for corpus in ("Train", "Dev", "Eval"):
        pairs = [pair(1, "It rains; we stay.", "x", corpus), pair(2, "Schnee.", "x", corpus)]
        verdicts = divided(pairs, contamination=[path], **ORDER)
        assert [verdict for _, verdict in verdicts.values()] == ["in hsplit.txt", None]


RAIN = "It rains in the north, and so we stay at home until the end of the day."


@pytest.mark.parametrize(("corpus", "others", "threshold", "reason"), [
    ("Train", ["Dev", "Eval"], 0.7, "near-duplicate of test"),
    ("Train", ["Dev"], 0.7, "near-duplicate of validation"),
    ("Dev", ["Eval"], 0.7, "near-duplicate of test"),
    ("Eval", ["Dev", "Train"], 0.7, None),
    ("Eval", ["Eval"], 0.7, None),
    ("Train", ["Eval"], 1, None),
])  # fmt: skip
def test_near_duplicates_leave_the_larger_set(
    corpus: str, others: list[str], threshold: float, reason: str | None
) -> None:
    pairs = [pair(number, RAIN, "x", other) for number, other in enumerate(others, 1)]
    ours = pair(0, RAIN.replace("day", "week"), "x", corpus)
    assert divided([ours, *pairs], near_duplicates=threshold, **ORDER)[ours.pair.id][1] == reason


def test_lines_that_pairs_repeat_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "bisect.tsv"
    path.write_text(f"Nothing.\n\n{RAIN}\tIt rains. <SEP> We stay.\n", encoding="utf-8")
    pairs = [
        pair(1, RAIN),
        pair(2, RAIN.replace("day", "week")),
        pair(3, "Schnee."),
        pair(4, RAIN, rejected_by="verbs"),
    ]
    found = assignments(pairs, contamination=[path])
    verdicts = [
        assigned.rejected_by or one.rejected_by for one, assigned in zip(pairs, found, strict=True)
    ]
    assert verdicts == ["in bisect.tsv", "near-duplicate in bisect.tsv", None, "verbs"]
    line = f"{RAIN}\tIt rains. <SEP> We stay."
    texts = [item(one).texts for one in pairs]
    assert [one.match for one in found] == [
        ContaminationMatch(
            file="bisect.tsv", line=3, text=line, id=pairs[0].pair.id, texts=texts[0]
        ),
        ContaminationMatch(
            file="bisect.tsv", line=3, text=line, id=pairs[1].pair.id, texts=texts[1]
        ),
        None,
        None,
    ]


@pytest.mark.parametrize(("settings", "words"), [
    ({"near_duplicates": 0.3}, "greater than or equal to 0.5"),
    ({"validation": 0.5, "test": 0.5}, "leave no documents for training"),
    ({"validation": -0.1}, "greater than or equal to 0"),
    ({"test_corpora": ["EMEA"], "validation_corpora": ["EMEA"]}, "EMEA is named for validation and for test"),
    ({"contamination": ["no/such/file"]}, "does not point to a file"),
])  # fmt: skip
def test_settings_that_cannot_work_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Division.model_validate(settings)


def test_files_enter_the_signature_and_must_be_text(tmp_path: Path) -> None:
    path = tmp_path / "test.txt"
    path.write_bytes(b"caf\xe9\n")
    division = Division(contamination=[path])
    before = division.files()
    assert list(before) == [str(path)]
    with pytest.raises(SettingsError, match=r"test.txt is not UTF-8 .*line 1"):
        assigner([], contamination=[path])
    path.write_text("café\n", encoding="utf-8")
    assert division.files() != before
    path.unlink()
    with pytest.raises(SettingsError, match=r"test.txt: No such file"), explain_file_errors():
        division.files()
