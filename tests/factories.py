"""Factories of parses and pairs for tests."""

from collections.abc import Sequence

from bitext_pivot.core.records import (
    Alignment,
    JudgedPair,
    Pair,
    Parse,
    ParsedPair,
    ScoredPair,
    Source,
)
from bitext_pivot.corpus.division import Assignment, Subset


def parse(lines: str, scheme: str = "ud") -> Parse:
    """Build a Parse from lines of `token lemma tag pos label head [features]`.

    Heads count from 1 as in CoNLL-U and 0 is the root, so a line's number is its token's. Tokens are one space apart.
    """
    rows = [line.split() for line in lines.strip().splitlines()]
    tokens = tuple(row[0] for row in rows)
    return Parse(
        tokens=tokens,
        starts=tuple(sum(len(token) + 1 for token in tokens[:n]) for n in range(len(tokens))),
        lemmas=tuple(row[1] for row in rows),
        tags=tuple(row[2] for row in rows),
        pos=tuple(row[3] for row in rows),
        deps=tuple(row[4] for row in rows),
        heads=tuple(int(row[5]) - 1 if int(row[5]) else n for n, row in enumerate(rows)),
        morphs=tuple(row[6] if len(row) > 6 else "" for row in rows),
        scheme=scheme,  # type: ignore[arg-type]
    )


def flat(words: str) -> Parse:
    """Build a Parse from `word` or `word/POS`; every word is its own lemma and the first one is the root."""
    items = [
        word.rpartition("/") if "/" in word[1:-1] else (word, "/", "X") for word in words.split()
    ]
    return parse(
        "\n".join(
            f"{word} {word.lower()} {pos} {pos} dep {int(n > 0)}"
            for n, (word, _, pos) in enumerate(items)
        )
    )


def pair(long: str, first: str, second: str, *, language: str = "en") -> Pair:
    """Build a Pair as read from a file of pairs."""
    return Pair(
        id="test:1", language=language, long=long, split=(first, second),
        pivot=None, translated=None, engine=None, alignment=None,
    )  # fmt: skip


def parsed(long: Parse, first: Parse, second: Parse, *, language: str = "en") -> ParsedPair:
    """Build a ParsedPair whose texts are the tokens joined by spaces."""
    texts = [" ".join(side.tokens) for side in (long, first, second)]
    return ParsedPair(pair=pair(*texts, language=language), long=long, split=(first, second))


def unparsed(long: str, first: str, second: str, *, language: str = "en") -> ParsedPair:
    """Build a ParsedPair of texts of which only the words matter, not their parses."""
    sides = [
        flat(" ".join(f"{word}/X" for word in text.split()) or "x")
        for text in (long, first, second)
    ]
    return ParsedPair(
        pair=pair(long, first, second, language=language), long=sides[0], split=(sides[1], sides[2])
    )


def tree(words: str, scheme: str = "ud") -> Parse:
    """Build a Parse from `token/POS/label/head` separated by spaces, heads as in `parse`; a bare token is punctuation.

    A star after the part of speech makes the token finite, `~` a present participle, `!` an imperative, `?` a WH word;
    `token|TAG` gives it a tag. The root heads punctuation.
    """
    features = {
        "*": ("VBZ", "VerbForm=Fin"), "~": ("VBG", "Tense=Pres|VerbForm=Part"), "!": ("VB", "Mood=Imp|VerbForm=Fin"),
        "?": ("WP", "PronType=Int,Rel"),
    }  # fmt: skip
    root = next((n for n, word in enumerate(words.split(), 1) if word.endswith("/0")), 0)
    lines = []
    for word in words.split():
        token, pos, label, head = word.split("/") if "/" in word else (word, "PUNCT", "punct", root)
        tag, feature = features.get(pos[-1], (pos, ""))
        token, _, given = token.partition("|")
        lines.append(
            f"{token} {token.lower()} {given or tag} {pos.rstrip('*~!?')} {label} {head} {feature}"
        )
    return parse("\n".join(lines), scheme)


def source(corpus: str, *documents: str) -> Source:
    """Build the Source of release v1 of a corpus."""
    return Source(corpus=corpus, release="v1", licence="CC0-1.0", documents=documents)


def judged(
    number: int, long: str, first: str, second: str, rejected_by: str | None = None
) -> JudgedPair:
    """Build a JudgedPair whose split is before its third token."""
    alignment = Alignment(
        id=f"Everyday/v1/en-fr:{number}", source=source("Everyday", "en/a.xml", "fr/a.xml"), one_language="en",
        two_language="fr", one=long, two=("Un.", "Deux."), one_id="4", two_ids=("5", "6"), attributes={},
    )  # fmt: skip
    pair = Pair(
        id=alignment.id, language="en", long=long, split=(first, second), pivot="fr", translated="split",
        engine="echo", alignment=alignment,
    )  # fmt: skip
    parsed = ParsedPair(pair=pair, long=flat(long), split=(flat(first), flat(second)))
    scored = ScoredPair(parsed=parsed, scores={"overlap": 0.51234567, "bertscore": 0.9})
    return JudgedPair(
        scored=scored,
        rejected_by=rejected_by,
        category="Direct Insertion",
        category_bisect="Changes Near Split",
        construction="other",
        split_at=2,
    )


def assigned(
    pairs: Sequence[JudgedPair], subsets: Sequence[Subset] | None = None
) -> list[tuple[JudgedPair, Assignment]]:
    """Return pairs as the export reads them; all are for training unless `subsets` says otherwise."""
    chosen: Sequence[Subset] = subsets or ["train"] * len(pairs)
    return [(pair, Assignment(subset=subset)) for pair, subset in zip(pairs, chosen, strict=True)]


def alignment(
    one: str,
    first: str,
    second: str,
    *,
    languages: str = "fr en",
    number: int = 1,
    **attributes: str,
) -> Alignment:
    """Build an Alignment of Tiny/v1; `languages` are those of `one` and of the two sentences."""
    one_language, two_language = languages.split()
    return Alignment(
        id=f"Tiny/v1/en-fr:{number}", source=source("Tiny", f"{one_language}/a.xml", f"{two_language}/a.xml"),
        one_language=one_language, two_language=two_language, one=one, two=(first, second), one_id="1",
        two_ids=("1", "2"), attributes=attributes,
    )  # fmt: skip
