"""Cataphora: a clause with an -ing form before the subject (`Visiting the grave , Alice finds a note .`)."""

from bitext_pivot.discourse.fusion.fusion_rule import (
    PLURAL_TAGS,
    RuleSpan,
    SentencePieces,
    comma_indices,
    content_end,
)
from bitext_pivot.discourse.inflection import finite_form, verb_lemma
from bitext_pivot.syntax.dependency_tree import DependencyTree

_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_SUBJECTS = frozenset({"PRON", "PROPN", "NOUN"})


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of the -ing clause with which the sentence begins, or None.

    The clause ends at the first comma that a one-word subject and a verb follow. English only.
    """
    tags, pos = sentence.tags, sentence.pos
    if not len(sentence) or not sentence.words[0].endswith("ing") or tags[0] not in {"VBG", "NN"}:
        return None
    for i in comma_indices(sentence, 1):
        if i + 2 < content_end(sentence) and pos[i + 1] in _SUBJECTS and tags[i + 2] in _VERBS:
            return RuleSpan(0, i, i + 2 if sentence.is_adverbial_clause(0) else None)
    return None


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return two sentences: the -ing clause with subject and finite verb, and the main clause.

    The finite verb has the tense of the main verb: `Alice visits the grave .`
    """
    subject, verb = span.end + 1, span.end + 2
    is_past = sentence.tags[verb] == "VBD" or sentence.words[verb] in {"was", "were", "had"}
    is_plural = sentence.tags[subject] in PLURAL_TAGS
    form = finite_form(
        verb_lemma(sentence.words[0]),
        sentence.tokens[subject],
        is_past=is_past,
        is_plural=is_plural,
    )
    return SentencePieces(
        [subject, form, *range(1, span.end)], [*range(subject, content_end(sentence))]
    )
