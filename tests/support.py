"""What several test files need: parses and pairs written by hand."""

from pairs.records import Pair, Parse, ParsedPair


def parse(lines: str, scheme: str = "ud") -> Parse:
    """Build a Parse from lines of `token lemma tag pos label head [features]`.

    Heads count from 1 as in CoNLL-U and 0 is the root, so a line's number is its token's; tokens stand one blank apart.
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
    """Build a Parse of which only the words matter: `word` or `word/POS`, each its own lemma, the first the root."""
    items = [word.rpartition("/") if "/" in word[1:-1] else (word, "/", "X") for word in words.split()]
    return parse(
        "\n".join(f"{word} {word.lower()} {pos} {pos} dep {int(n > 0)}" for n, (word, _, pos) in enumerate(items))
    )


def pair(long: str, first: str, second: str, *, language: str = "en") -> Pair:
    """Build a Pair that was brought ready made."""
    return Pair(
        id="test:1", language=language, long=long, split=(first, second),
        pivot=None, translated=None, engine=None, alignment=None,
    )  # fmt: skip


def parsed(long: Parse, first: Parse, second: Parse, *, language: str = "en") -> ParsedPair:
    """Build a ParsedPair whose texts are the tokens with blanks between."""
    texts = [" ".join(side.tokens) for side in (long, first, second)]
    return ParsedPair(pair=pair(*texts, language=language), long=long, split=(first, second))


def tree(words: str, scheme: str = "ud") -> Parse:
    """Build a Parse from `token/POS/label/head` between blanks, heads as in `parse`; a bare token is punctuation.

    A star behind the part of speech makes the token finite, `~` a present participle, `?` a WH word. Punctuation
    hangs from the root.
    """
    features = {"*": ("VBZ", "VerbForm=Fin"), "~": ("VBG", "Tense=Pres|VerbForm=Part"), "?": ("WP", "PronType=Int,Rel")}
    root = next((n for n, word in enumerate(words.split(), 1) if word.endswith("/0")), 0)
    lines = []
    for word in words.split():
        token, pos, label, head = word.split("/") if "/" in word else (word, "PUNCT", "punct", root)
        tag, feature = features.get(pos[-1], (pos, ""))
        lines.append(f"{token} {token.lower()} {tag} {pos.rstrip('*~?')} {label} {head} {feature}")
    return parse("\n".join(lines), scheme)
