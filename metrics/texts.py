"""Lines of text files as the metrics read them: parts, sentences and tokens.

BiSECT's metrics split a line at `<SEP>` and tokenize each part with NLTK's `word_tokenize`. That is Punkt and the
Treebank rules; Punkt's English model is a download, so its algorithm runs here with a list of abbreviations instead.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from sacrebleu.metrics.bleu import BLEU

from bitext_pivot.core.row_files import SEPARATORS
from bitext_pivot.metrics.settings import Tokenizer

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer

_ABBREVIATIONS = "mr mrs ms dr prof st vs etc e.g i.e u.s u.k u.n a.m p.m approx fig vol inc ltd co jr sr"


def has_separator(line: str) -> bool:
    """Return True if the line's sentences are separated."""
    return SEPARATORS.search(line) is not None


def parts(line: str) -> list[str]:
    """Return the non-empty texts between the separators of a line; all of it if it has none."""
    return [part for part in map(str.strip, SEPARATORS.split(line)) if part]


def joined(line: str) -> str:
    """Return the line without separators."""
    return " ".join(parts(line))


@cache
def _treebank() -> "NLTKWordTokenizer":
    from nltk.tokenize.destructive import NLTKWordTokenizer  # imports scikit-learn: two seconds

    return NLTKWordTokenizer()


@cache
def _punkt() -> "PunktSentenceTokenizer":
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS.split())
    return PunktSentenceTokenizer(parameters)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text by Punkt."""
    return list(_punkt().tokenize(text))


@lru_cache(maxsize=100_000)
def tokens(line: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens of all parts of a line; Treebank quotes that a model has split are rejoined.

    `tokenizer` is `treebank`, or one of sacrebleu.
    """
    if tokenizer != "treebank":
        return tuple(_tokenizer_of_sacrebleu(tokenizer)(joined(line)).split())
    words = [token for part in parts(line) for text in sentences(part) for token in _treebank().tokenize(text)]
    return tuple(" ".join(words).replace("` `", "``").replace("' '", "''").split())


def lowered(line: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens in lower case."""
    return tuple(token.lower() for token in tokens(line, tokenizer))


@cache
def _tokenizer_of_sacrebleu(name: str) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer
