"""Divide the lines of an evaluation into parts (between the separators `<SEP>`), sentences and tokens.

BiSECT's metrics split a line at `<SEP>` and tokenize each part with NLTK's `word_tokenize`, which runs Punkt and the
Treebank rules. Punkt's English model would have to be downloaded, so its algorithm uses a list of abbreviations instead
(segmentation.toml). FKGL, the sentence length of English and the tokenizer `treebank` depend on it, as in the paper.

Other metrics use `sentences`, for which Punkt and the splitter of the language have to agree.
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
"""Sentence ends of scripts other than Latin, Greek and Cyrillic, with closing quotes. No space needs to follow."""
_QUOTED = re.compile(r"[」』](?=\w)")
"""Closing quotation mark inside a Japanese sentence, which does not end the sentence."""


def has_separator(line: str) -> bool:
    """Return True if the line contains a sentence separator, such as `<SEP>`."""
    return SEPARATORS.search(line) is not None


def parts(line: str) -> list[str]:
    """Split a line at its separators, such as `<SEP>`, and return the non-empty parts."""
    return [part for part in map(str.strip, SEPARATORS.split(line)) if part]


def joined(line: str) -> str:
    """Return a line without its separators, such as `<SEP>`."""
    return " ".join(parts(line))


@cache
def _treebank() -> "NLTKWordTokenizer":
    # Imported here because NLTK imports scikit-learn, which takes two seconds.
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


@cache
def _punkt() -> "PunktSentenceTokenizer":
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(read_toml(Path(__file__).with_suffix(".toml"))["abbreviations"])
    return PunktSentenceTokenizer(parameters)


def punkt_sentences(text: str) -> list[str]:
    """Split an English text into sentences with NLTK's Punkt."""
    return list(_punkt().tokenize(text))


def sentences(text: str, language: str) -> list[str]:
    """Split a text of any language into sentences.

    The sentence ends of other scripts, such as `。`, always count. A full stop ends a sentence if Punkt splits there;
    before a capital or a digit, the splitter of OPUS must agree if it has rules for the language. A list mark such as
    `1.` belongs to the sentence that follows.
    """
    whole: list[str] = []
    for piece in _split_at_other_scripts(text):
        starts_new = True
        for sentence in punkt_sentences(piece):
            if starts_new or _is_boundary(whole[-1], sentence, language):
                whole.append(sentence)
            else:
                whole[-1] = f"{whole[-1]} {sentence}"
            starts_new = False
    return with_list_marks(whole)


def _split_at_other_scripts(text: str) -> list[str]:
    """Split a text after the sentence ends of scripts other than Latin, such as `。`."""
    pieces = []
    start = 0
    for end in _ENDS.finditer(text):
        if _QUOTED.match(text, end.end() - 1):
            continue
        pieces.append(text[start : end.end()])
        start = end.end()
    return [*pieces, text[start:]]


def _is_boundary(before: str, after: str, language: str) -> bool:
    """Return True if two sentences found by Punkt are also two for the language's splitter.

    The splitter has no rules for sentences in lower case, so before a lowercase letter Punkt alone decides.
    """
    first = next(filter(str.isalnum, after), "a")
    if first.islower() or language not in splitting.languages():
        return True
    return len(splitting.splitter(language).split(f"{before} {after}")) > 1


@lru_cache(maxsize=100_000)
def tokens(line: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the tokens of a line, without its separators.

    `tokenizer` is `treebank` or a tokenizer of sacrebleu. With `treebank`, quotes that a model has written as two
    tokens are joined again.
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
    """Return the tokens of a line in lower case, without its separators."""
    return tuple(token.lower() for token in tokens(line, tokenizer))


@cache
def _tokenizer_of_sacrebleu(name: str) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer
