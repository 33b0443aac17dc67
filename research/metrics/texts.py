"""Lines of text files as the metrics read them: parts, sentences and tokens.

BiSECT's metrics split a line at `<SEP>` and tokenize each part with NLTK's `word_tokenize`. That is Punkt and the
Treebank rules; Punkt's English model is a download, so its algorithm runs here with a list of abbreviations instead
(texts.toml). FKGL, SLen of English and the tokens `treebank` depend on it, as in the paper.

Where no paper says what a sentence is, Punkt and the splitter of the language have to agree: see `sentences`.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sacrebleu.metrics.bleu import BLEU

from bitext_pivot.core import splitting
from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.list_marks import with_list_marks
from bitext_pivot.core.reading.row_files import SEPARATORS
from bitext_pivot.research.metrics.evaluation_settings import Tokenizer

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer

_ENDS = re.compile(r"[。！？｡؟۔।॥։။។።]+[\"'”’»）)】》〉」』]*")
"""Ends of sentences in scripts other than Latin, Greek and Cyrillic, with closing quotes; no space has to follow."""
_QUOTED = re.compile(r"[」』](?=\w)")
"""The end of quoted speech inside a Japanese sentence."""


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
    parameters.abbrev_types = set(read_toml(Path(__file__).with_suffix(".toml"))["abbreviations"])
    return PunktSentenceTokenizer(parameters)


def punkt_sentences(text: str) -> list[str]:
    """Return the sentences of an English text as NLTK finds them."""
    return list(_punkt().tokenize(text))


def sentences(text: str, language: str) -> list[str]:
    """Return the sentences of a text of any language.

    Ends of sentences of other scripts count. A full stop ends a sentence if Punkt says so and, before a capital or a
    number, the rules of the language do not object: those of the splitter of OPUS, where it has rules for the language.
    A list mark belongs to the sentence behind it.
    """
    whole: list[str] = []
    for piece in _at_other_ends(text):
        starts_new = True
        for sentence in punkt_sentences(piece):
            if starts_new or _is_border(whole[-1], sentence, language):
                whole.append(sentence)
            else:
                whole[-1] = f"{whole[-1]} {sentence}"
            starts_new = False
    return with_list_marks(whole)


def _at_other_ends(text: str) -> list[str]:
    """Split a text behind ends of sentences of other scripts."""
    pieces = []
    start = 0
    for end in _ENDS.finditer(text):
        if _QUOTED.match(text, end.end() - 1):
            continue
        pieces.append(text[start : end.end()])
        start = end.end()
    return [*pieces, text[start:]]


def _is_border(before: str, after: str, language: str) -> bool:
    """Return False if the rules of a language see one sentence in two of Punkt's; they know nothing of lower case."""
    first = next(filter(str.isalnum, after), "a")
    if first.islower() or language not in splitting.languages():
        return True
    return len(splitting.splitter(language).split(f"{before} {after}")) > 1


@lru_cache(maxsize=100_000)
def tokens(line: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens of all parts of a line; Treebank quotes that a model has split are rejoined.

    `tokenizer` is `treebank`, or one of sacrebleu.
    """
    if tokenizer != "treebank":
        return tuple(_tokenizer_of_sacrebleu(tokenizer)(joined(line)).split())
    words = [
        token
        for part in parts(line)
        for text in punkt_sentences(part)
        for token in _treebank().tokenize(text)
    ]
    return tuple(" ".join(words).replace("` `", "``").replace("' '", "''").split())


def lowered(line: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens in lower case."""
    return tuple(token.lower() for token in tokens(line, tokenizer))


@cache
def _tokenizer_of_sacrebleu(name: str) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer
