"""Lengths, new words, splits, and the tokens they are counted in."""

import pytest

from bitext_pivot.research.metrics.comparison import metrics_of
from bitext_pivot.research.metrics.evaluation_settings import Scoring, Tokenizer
from bitext_pivot.research.metrics.lengths import NewWords, OutputLength, SentenceLength
from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric
from bitext_pivot.research.metrics.segmentation import (
    lowered,
    parts,
    punkt_sentences,
    sentences,
    tokens,
)
from bitext_pivot.research.metrics.splits import (
    EntailedShare,
    OneSplitShare,
    SentenceCount,
    SplitMetric,
    UnsplitShare,
)

SOURCE = "The cat, which was black, slept."


def score(metric: type[SegmentMetric], *outputs: str) -> float:
    corpus = EvaluationCorpus(sources=[SOURCE] * len(outputs), references=[[SOURCE] * len(outputs)])
    made = metric(corpus) if issubclass(metric, SplitMetric) else metric(corpus, "treebank")  # type: ignore[arg-type]
    return float(made.corpus_score(list(outputs), None).score)


@pytest.mark.parametrize(("metric", "outputs", "expected"), [
    (OutputLength, ["The cat slept . <SEP> It was black .", "The cat ."], (8 + 3) / 2),
    (SentenceLength, ["The cat slept . <SEP> It was black .", "The cat ."], (8 + 3) / 3),
    (NewWords, [SOURCE], 0), (NewWords, [SOURCE.upper()], 0), (NewWords, ["It slept ."], 100 / 3),
    (NewWords, ["cat cat", ""], (100 / 2 + 0) / 2),  # a second cat is new
    (OneSplitShare, ["A . <SEP> B .", "A .", "A . <SEP> B . <SEP> C .", "A . B ."], 25),
    (OneSplitShare, ["A . <::::> B .", "A . <SEP>"], 50),
    (OneSplitShare, ["It rained. We left.", "Il pleut. Nous partons. Fin.", "Es regnet."], 100 / 3),
    (UnsplitShare, ["A . <SEP> B .", "A .", "A . B .", ""], 50),
    (UnsplitShare, ["It rained. We left.", "Es regnet."], 50),
    (SentenceCount, ["A . <SEP> B . <SEP> C .", "A . B .", ""], 4 / 3), (SentenceCount, ["One. Two.", "One."], 1.5),
])  # fmt: skip
def test_scores(metric: type[SegmentMetric], outputs: list[str], expected: float) -> None:
    assert score(metric, *outputs) == pytest.approx(expected)


@pytest.mark.parametrize(("line", "tokenizer", "expected"), [
    ("It's 3.5 kg. Well, no.", "treebank", "It 's 3.5 kg . Well , no ."),
    ("Go on . <SEP> He can't.", "treebank", "Go on . He ca n't ."),
    ("He said ` ` go ' ' .", "treebank", "He said `` go '' ."),
    ("Die Straße, bitte.", "13a", "Die Straße , bitte ."), ("a, b", "none", "a, b"),
    ("猫が 好き", "char", "猫 が 好 き"), ("我 爱<SEP>猫", "zh", "我 爱 猫"),
])  # fmt: skip
def test_tokens(line: str, tokenizer: Tokenizer, expected: str) -> None:
    assert " ".join(tokens(line, tokenizer)) == expected


def test_parts_and_sentences() -> None:
    assert parts(" a . <SEP> <::::> b<SEP>c ") == ["a .", "b", "c"]
    assert sentences("It weighs approx. 3 t, e.g. here. no more.", "en") == [
        "It weighs approx. 3 t, e.g. here.",
        "no more.",
    ]


@pytest.mark.parametrize("text", [
    "It rained on Jan. 3 and we left.", "Gen. Lee left.", "Lt. Col. Ray left.", "We met on Sept. 5 there.",
    "Sen. Ray and Rep. Lee left.", "Acme Corp. is here.", "She has a Ph.D. in law.",
    "He lives in Washington, D.C. now.",
    "The U.S. Senate met.", "J. K. Rowling left.", "Messrs. Lee and Ray left.", "At 5 p.m. we left.",
])  # fmt: skip
def test_abbreviations_end_no_sentence(text: str) -> None:
    tokenised = " ".join(lowered(text, "treebank"))
    assert [
        len(sentences(text, "en")),
        len(punkt_sentences(text)),
        len(punkt_sentences(tokenised)),
    ] == [1, 1, 1]


@pytest.mark.parametrize(("language", "text", "count"), [
    ("en", "It rained. We left.", 2), ("en", "it rained . we left .", 2), ("en", "He was ill. We left.", 2),
    ("en", "It was 1999. We left.", 2), ("en", "Did it rain? Yes! We left.", 3), ("en", "", 0),
    ("de", "Am 3. Mai kam er. Dann ging er.", 2), ("de", "Er kam z. B. am Abend.", 1),
    ("de", "Es war 1999. Er ging.", 2),
    ("fr", "M. Martin dort. Il pleut.", 2), ("es", "El Sr. Ray llegó. Llueve.", 2),
    ("ru", "Он жил в г. Москве. Шёл дождь.", 2), ("uk", "Кот спит. Пёс ест.", 2),
    ("ko", "고양이가 잔다. 개가 먹는다.", 2),
    ("zh", "猫在睡觉。狗在吃饭。", 2), ("zh", "他说：“走吧！”然后他走了。", 2), ("zh", "真的吗？！是的。", 2),
    ("zh", "猫 在 睡 。 狗 在 吃 。", 2), ("zh", "It rained. 我们走了。", 2), ("zh", " ", 0),
    ("ja", "猫が寝ている。犬が食べる。", 2), ("ja", "「行く。」と言った。", 1), ("ja", "「行く。」「いいえ。」", 2),
    ("ar", "هل نام القط؟ نعم نام.", 2), ("ur", "کتا سوتا ہے۔ بلی کھاتی ہے۔", 2),
    ("hi", "बिल्ली सो रही है। कुत्ता खाता है।", 2),
])  # fmt: skip
def test_sentences_end_as_the_language_writes_them(language: str, text: str, count: int) -> None:
    assert len(sentences(text, language)) == count


def test_sentences_of_chinese_outputs_are_counted() -> None:
    lines = ["猫在睡觉，狗在吃饭。", "猫在睡觉。狗在吃饭。"]
    corpus = EvaluationCorpus(sources=lines, references=[lines])
    scoring = Scoring(language="zh", tokenizer="zh")
    results = [metric.corpus_score(lines, None) for metric in metrics_of(corpus, scoring)]
    scores = {result.name: result.score for result in results}
    assert (scores["sentences"], scores["%one split"], scores["%unsplit"]) == (1.5, 50, 50)
    assert scores["SLen"] == (10 + 10) / 3


def test_entailed_sentences_are_counted_by_the_splits_of_each_system() -> None:
    corpus = EvaluationCorpus(sources=["s", "t"], references=[["r", "r"]])
    follows = {("s", "A."): True, ("s", "B."): False, ("t", "C."): True, ("s", "A. B."): True}
    metric = EntailedShare(corpus, follows, {"model": "none"})
    for outputs, expected in {
        ("A. <SEP> B.", "C."): 200 / 3,
        ("A. B.", "C."): 100,
        ("A. B. <SEP>", ""): 100,
    }.items():
        assert metric.corpus_score(outputs, None).score == pytest.approx(expected)
