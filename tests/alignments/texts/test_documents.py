import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext_pivot.alignments.extraction import Link
from bitext_pivot.alignments.texts.documents import DocumentPair, match_documents, read_documents
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.splitting import Splitter

SPLITTERS = Splitter("en"), Splitter("fr")


def write(folder: Path, **documents: str) -> Path:
    for name, text in documents.items():
        path = folder / f"{name.replace('__', '/')}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def links(folder: Path, en: str, fr: str, **options: Any) -> list[Link]:
    one, other = write(folder / "en", a=en), write(folder / "fr", a=fr)
    return list(read_documents(match_documents(one, other), SPLITTERS, **options))


def shapes(found: list[Link]) -> list[str]:
    return [link.shape for link in found]


def test_documents_of_one_name_belong_together(tmp_path: Path) -> None:
    one = write(tmp_path / "en", a="A.", b__c="C.", only="O.", **{".hidden": "H."})
    other = write(tmp_path / "fr", a="A.", b__c="C.", new="N.", **{".git__config": "G."})
    assert match_documents(one, other) == [
        DocumentPair(("a.txt", "a.txt"), (one / "a.txt", other / "a.txt")),
        DocumentPair(("b/c.txt", "b/c.txt"), (one / "b/c.txt", other / "b/c.txt")),
        DocumentPair(("new.txt", "new.txt"), (None, other / "new.txt")),
        DocumentPair(("only.txt", "only.txt"), (one / "only.txt", None)),
    ]


def test_two_files_belong_together_whatever_their_names(tmp_path: Path) -> None:
    one, other = write(tmp_path, book="A.") / "book.txt", write(tmp_path, livre="B.") / "livre.txt"
    assert match_documents(one, other) == [DocumentPair(("book.txt", "livre.txt"), (one, other))]


EN = "The old shop on the corner was shut. We went home at once.\nIt is late.\n"
FR = "Comme le vieux magasin du coin était fermé, nous sommes vite rentrés.\nIl est tard.\n"


def test_a_bead_has_sentences_ids_documents_and_its_cost(tmp_path: Path) -> None:
    first, second = links(tmp_path, EN, FR)
    assert first.sentences == (
        ["The old shop on the corner was shut.", "We went home at once."],
        ["Comme le vieux magasin du coin était fermé, nous sommes vite rentrés."],
    )
    assert (first.number, first.documents, first.ids) == (
        1,
        ("a.txt", "a.txt"),
        (("1.1", "1.2"), ("1.1",)),
    )
    assert (second.number, second.ids, second.shape) == (2, (("2.1",), ("2.1",)), "1-1")
    # lengths 36 + 21 against 69: 12 / sqrt(6.8 * 126) = .410, erfc of it .562; -ln .562 - ln .089 = 2.995
    assert float(first.attributes["cost"]) == pytest.approx(2.995, abs=0.005)
    assert (first.skip_reason, first.is_unreadable) == (None, False)


def test_a_bead_does_not_cross_a_paragraph_of_both_sides(tmp_path: Path) -> None:
    en, fr = "One two three. Four five six.\nSeven.", "Un deux trois.\nQuatre cinq six. Sept."
    assert shapes(links(tmp_path, en, fr)) == ["2-1", "1-2"]
    assert shapes(links(tmp_path / "merged", en, fr.replace("\n", " "))) == ["1-1", "1-1", "1-1"]


def test_empty_lines_are_no_paragraphs(tmp_path: Path) -> None:
    assert [link.ids for link in links(tmp_path, "\n\nA b.\n \u00a0\nC d.\n\n", "A b.\nC d.")] == [
        (("1.1",), ("1.1",)),
        (("2.1",), ("2.1",)),
    ]


def test_line_breaks_inside_a_paragraph_are_blanks(tmp_path: Path) -> None:
    en, fr = (
        "It rained\nall day. We\nstayed.\n\ufeff \u200b\nIt stopped.\n",
        "Il pleuvait.\nNous restions.\n\n\nFini.",
    )
    found = links(tmp_path, en, fr, paragraphs="blank lines")
    assert [link.sentences for link in found] == [
        (["It rained all day."], ["Il pleuvait."]),
        (["We stayed."], ["Nous restions."]),
        (["It stopped."], ["Fini."]),
    ]


def test_sentences_of_a_document_without_a_translation_are_alone(tmp_path: Path) -> None:
    one, other = (
        write(tmp_path / "en", a="A b. C d.", z="Z."),
        write(tmp_path / "fr", b="E f.", z="Z."),
    )
    found = list(read_documents(match_documents(one, other), SPLITTERS))
    assert [(link.number, link.documents[0], link.shape) for link in found] == [
        (1, "a.txt", "1-0"),
        (2, "a.txt", "1-0"),
        (3, "b.txt", "0-1"),
        (4, "z.txt", "1-1"),
    ]


def test_a_bead_that_costs_too_much_is_marked(tmp_path: Path) -> None:
    en, fr = f"{'word ' * 90}end. Short one.", "Petit."
    (bead,) = links(tmp_path, en, fr)
    assert (bead.shape, bead.skip_reason) == ("2-1", "unlikely by length")
    (bead,) = links(tmp_path, en, fr, max_cost=float(bead.attributes["cost"]) + 0.001)
    assert bead.skip_reason is None


def test_a_paragraph_of_any_length_is_read_whole(tmp_path: Path) -> None:
    found = links(tmp_path, "It rained a lot. " * 8_000, "Il pleuvait fort. " * 8_000, band=2)
    assert set(shapes(found)) == {"1-1"} and len(found) == 8_000


def test_a_document_in_utf_16_is_named(tmp_path: Path) -> None:
    one, other = write(tmp_path / "en", a="A."), write(tmp_path / "fr", a="A.")
    (one / "a.txt").write_text("A.", encoding="utf-16")
    with pytest.raises(SourceError, match=r"a\.txt is UTF-16; expected UTF-8"):
        list(read_documents(match_documents(one, other), SPLITTERS))


_PARAGRAPHS = st.lists(
    st.lists(st.sampled_from(["It rained.", "We left at once, all of us.", "Good."]), max_size=4),
    max_size=4,
)


@given(_PARAGRAPHS, _PARAGRAPHS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_every_sentence_is_in_one_bead(
    tmp_path: Path, en: list[list[str]], fr: list[list[str]]
) -> None:
    found = links(
        tmp_path, *("\n".join(" ".join(paragraph) for paragraph in side) for side in (en, fr))
    )
    for side, paragraphs in enumerate((en, fr)):
        sentences = [link.sentences[side] for link in found if link.sentences]
        assert list(itertools.chain(*sentences)) == list(itertools.chain(*paragraphs))
        ids = [id for link in found for id in link.ids[side]]
        assert len(ids) == len(set(ids))
    assert [link.number for link in found] == list(range(1, len(found) + 1))
