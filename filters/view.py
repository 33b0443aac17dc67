"""A parsed pair as rule filters see it, with the word sets that several of them compare."""

import functools

from pairs.records import Parse, ParsedPair

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
"""Parts of speech of content words."""


class View:
    """A parsed pair whose word sets are computed once. Every tuple has entries for `long`, first and second half."""

    def __init__(self, pair: ParsedPair) -> None:
        self.language = pair.pair.language
        self.confidences = pair.pair.confidences
        self.texts: tuple[str, ...] = (pair.pair.long, *pair.pair.split)
        self.parses: tuple[Parse, ...] = (pair.long, *pair.split)

    @functools.cached_property
    def lengths(self) -> tuple[int, ...]:
        """Number of tokens of each sentence."""
        return tuple(len(parse.tokens) for parse in self.parses)

    @functools.cached_property
    def tokens(self) -> tuple[set[str], ...]:
        """Different tokens of each sentence."""
        return tuple(set(parse.tokens) for parse in self.parses)

    @functools.cached_property
    def words(self) -> tuple[list[str], ...]:
        """Lower-cased lemma of each token."""
        return tuple([lemma.lower() for lemma in parse.lemmas] for parse in self.parses)

    @functools.cached_property
    def lemmas(self) -> tuple[set[str], ...]:
        """Lower-cased lemmas of each sentence, punctuation included."""
        return tuple(map(set, self.words))

    @functools.cached_property
    def content(self) -> tuple[set[str], ...]:
        """Lower-cased lemmas of the content words of each sentence."""
        return tuple(
            {lemma for lemma, pos in zip(words, parse.pos, strict=True) if pos in CONTENT}
            for words, parse in zip(self.words, self.parses, strict=True)
        )
