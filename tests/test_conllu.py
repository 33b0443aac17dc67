"""Treebanks: contractions, offsets, heads, and what is no CoNLL-U."""

import gzip
from pathlib import Path

import pytest
from conllu import TreebankSentence, read_treebank

from bitext_pivot.core.errors import SourceError


def lines(*words: str) -> str:
    """CoNLL-U lines of `id form lemma upos head label [misc]`."""
    found = []
    for word in words:
        number, form, lemma, upos, head, label, *misc = word.split()
        found.append(
            "\t".join([number, form, lemma, upos, "_", "_", head, label, "_", *(misc or ["_"])])
        )
    return "\n".join(found) + "\n\n"


def read(tmp_path: Path, text: str) -> list[TreebankSentence]:
    path = tmp_path / "small.conllu"
    path.write_text(text, encoding="utf-8")
    return list(read_treebank(path))


DONT = lines(
    "1-2 Don't _ _ _ _", "1 Do do AUX 3 aux", "2 n't not PART 3 advmod",
    "3 run run VERB 0 root SpaceAfter=No", "4 ! ! PUNCT 3 punct",
)  # fmt: skip
DU = lines(
    "1 Il il PRON 2 nsubj", "2 sort sortir VERB 0 root", "3-4 du _ _ _ _ SpaceAfter=No", "3 de de ADP 5 case",
    "4 le le DET 5 det", "5 bain bain NOUN 2 obl",
)  # fmt: skip
DARSELO = lines(
    "1-3 dárselo _ _ _ _", "1 dar dar VERB 4 ccomp", "2 se él PRON 1 iobj", "3 lo él PRON 1 obj",
    "4 quiero querer VERB 0 root",
)  # fmt: skip


ANS = lines(
    "1-2 ans _ _ _ _", "1 an an ADP 2 case", "2 das das PRON 3 obj", "3 denkt denken VERB 0 root"
)
CONTRACTIONS = {
    "words side by side are cut": (
        DONT,
        "Don't run!",
        ("Do", "n't", "run", "!"),
        (2, 2, 2, 2),
        "advmod",
    ),
    "any other is one token": (
        DU,
        "Il sort dubain",
        ("Il", "sort", "du", "bain"),
        (1, 1, 3, 1),
        "root",
    ),
    "with the columns of its highest word": (
        DARSELO,
        "dárselo quiero",
        ("dárselo", "quiero"),
        (1, 1),
        "root",
    ),
    "which may come last": (ANS, "ans denkt", ("ans", "denkt"), (1, 1), "root"),
}


@pytest.mark.parametrize("case", CONTRACTIONS)
def test_contractions(case: str, tmp_path: Path) -> None:
    content, text, tokens, heads, second_label = CONTRACTIONS[case]
    (sentence,) = read(tmp_path, content)
    parse = sentence.parse
    assert (sentence.text, parse.tokens, parse.heads, parse.deps[1]) == (
        text,
        tokens,
        heads,
        second_label,
    )


def test_empty_nodes_are_left_out(tmp_path: Path) -> None:
    (sentence,) = read(
        tmp_path,
        lines("1 Ada Ada PROPN 0 root", "1.1 sees see VERB 0 root", "2 Bo Bo PROPN 1 orphan"),
    )
    assert sentence.parse.tokens == ("Ada", "Bo")


def test_a_line_of_other_columns_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match=r"Line 2 of .*small\.conllu has 3 columns, not the 10 of CoNLL-U"
    ):
        read(tmp_path, "# sent_id = x\na\tb\tc\n")


def test_a_head_that_is_no_word_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match=r"begins at line 1 of .* hangs from '7', which is no word"
    ):
        read(tmp_path, lines("1 Ada Ada PROPN 7 root"))


@pytest.mark.shared
@pytest.mark.parametrize("language", ["en", "fr", "de", "es"])
def test_the_texts_of_a_real_treebank_come_back(shared: Path, language: str) -> None:
    path = shared / "ud" / f"{language}_pud-ud-test.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines_:
        texts = [
            line.removeprefix("# text = ").strip()
            for line in lines_
            if line.startswith("# text = ")
        ]
    sentences = list(read_treebank(path))
    assert len(sentences) == 1_000
    assert (
        sum(
            "".join(a.text.split()) != "".join(b.split())
            for a, b in zip(sentences, texts, strict=True)
        )
        == 0
    )
