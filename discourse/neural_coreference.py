"""Coreference by the optional package fastcoref (Otmazgin, Cattan, Goldberg, AACL-IJCNLP 2022) and its model.

Each sentence is read together with the one before it, so that both sides of an anaphor are in view. The package does
not know transformers 5: `_load` adds the one attribute that its models lack there.
"""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic import Field

from bitext_pivot.core import extras
from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.hub import hub, weights
from bitext_pivot.core.hub.device import Choice, torch_device
from bitext_pivot.core.model_check import check_model
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.coreference import PRONOUNS, Mention, is_possessive
from bitext_pivot.syntax.grammar import Grammar

SETTING = "fusion.fastcoref.model"
_TOKENS_AT_ONCE = 10_000  # in a batch of the model, padding included
_TAIL = frozenset({",", ";", ":", "(", "-LRB-", "--", "–", "—", "who", "whom", "whose", "which", "that"})
"""What ends the name of a noun phrase: an apposition, a parenthesis or a relative clause follows."""
_EXAMPLES = (
    ("Anna sold the old car because she needed money .", ("Anna", "she")),
    ("The bank said that it had lost the letter .", ("The bank", "it")),
    ("The farmers sold the land , but they kept the horses .", ("The farmers", "they")),
    ("Peter saw the doctor before he left the town .", None),
)
"""Sentences with two mentions of one person or thing; None: two readings, but the town is no person."""
_LEAST = 0.75  # share of these sentences

Tokens = tuple[str, ...]
Mentions = tuple[tuple[int, int], ...]
"""Spans of tokens, the end excluded, that name the same person or thing."""


class FastCoref(Settings):
    """The model of fastcoref."""

    model: str = Field(
        default="biu-nlp/f-coref", title="Model", min_length=1, description="A name on the hub, or a folder."
    )
    revision: str | None = Field(
        default=None,
        title="Revision of the model",
        min_length=1,
        description="Branch, tag or commit of a hub model. Empty: the newest.",
    )

    def check(self) -> None:
        """Raise SettingsError if the package is not installed."""
        extras.require("fastcoref", "fastcoref", "fusion.coreference fastcoref", "choose rules")

    def local(self) -> hub.LocalModel:
        """Return the model, downloaded if need be. Raises SettingsError and SourceError."""
        return hub.fetch(self.model, choose=hub.choose_files, setting=SETTING, revision=self.revision)

    def digest(self) -> str:
        """Return what changes when the weights or the tokenizer do: 12 hexadecimal digits."""
        return hub.digest(self.local().folder)


class Clusters(NamedTuple):
    """What the model finds in sentences together with those before them."""

    found: dict[tuple[Tokens, Tokens], list[Mentions]]
    """By the tokens of two neighbours, the first without tokens for a sentence alone."""

    def __call__(self, a: Grammar, first: Sequence[int], b: Grammar, second: Sequence[int]) -> Mention | None:
        """Return the leftmost mention of `second` that the model puts with a noun phrase of `first`."""
        pair_clusters = self.found.get((() if a is b else a.parse.tokens, b.parse.tokens), [])
        mentions = (_mention(a, set(first), b, set(second), cluster) for cluster in pair_clusters)
        return min((mention for mention in mentions if mention), default=None)


def _mention(a: Grammar, first: set[int], b: Grammar, second: set[int], cluster: Mentions) -> Mention | None:
    """Return the first mention of a cluster in `second`, if it may be replaced with one in `first`."""
    shift = 0 if a is b else len(a)
    spans = sorted(cluster)
    before = [_name(a, span) for span in spans if first.issuperset(range(*span))]
    after = [_name(b, (start - shift, end - shift)) for start, end in spans if start >= shift]
    after = [span for span in after if second.issuperset(range(*span))]
    names = [span for span in before if not _is_pronoun(a, span)]
    if not (names and after):
        return None
    (start, end), name = after[0], _text(a, names[0])
    is_pronoun = _is_pronoun(b, after[0])
    is_same = name.lower() == _text(b, after[0]).lower()
    rest = " ".join(b.parse.tokens[i] for i in sorted(second - {*range(start, end)}))
    if is_same or name.lower() in rest.lower():  # `Lions played against the Lions`
        return None
    if is_pronoun and b.words[start] not in PRONOUNS:
        return None
    return Mention(start, end, is_pronoun, is_pronoun and is_possessive(b, start), tuple(name.split()))


def _name(sentence: Grammar, span: tuple[int, int]) -> tuple[int, int]:
    """Return a mention without what follows its name, and without its possessive ending."""
    start, end = span
    end = next((i for i in range(start + 1, end) if sentence.words[i] in _TAIL), end)
    return start, end - (end - start > 1 and sentence.parse.tokens[end - 1] in {"'s", "'", "’s", "’"})


def _is_pronoun(sentence: Grammar, span: tuple[int, int]) -> bool:
    return span[1] - span[0] == 1 and sentence.parse.pos[span[0]] in {"PRON", "DET"}


def _text(sentence: Grammar, span: tuple[int, int]) -> str:
    """Return a noun phrase as tokens, its article in lower case."""
    first, *rest = sentence.parse.tokens[slice(*span)]
    return " ".join([first.lower() if sentence.parse.pos[span[0]] in {"DET", "PRON"} else first, *rest])


def clusters(sentences: Sequence[Sequence[str]], settings: FastCoref, device: Choice) -> Clusters:
    """Return what the model finds in tokenised sentences in their order.

    Raises SettingsError for a model that cannot be loaded or fails its check, SourceError if it cannot be downloaded.
    """
    model = _model(settings.model, settings.revision, torch_device(device))
    neighbours = list(pairwise([(), *map(tuple, sentences)]))
    results: dict[tuple[Tokens, Tokens], list[Mentions]] = {}
    for (before, tokens), mentions in zip(neighbours, _predict(model, [a + b for a, b in neighbours]), strict=True):
        shift = len(before)
        alone = [tuple((start - shift, end - shift) for start, end in spans if start >= shift) for spans in mentions]
        results[before, tokens] = mentions
        results[(), tokens] = [spans for spans in alone if len(spans) > 1]
    return Clusters(results)


def _predict(model: Any, texts: Sequence[Sequence[str]]) -> Iterator[list[Mentions]]:
    if not texts:
        return
    with _quiet():
        results = model.predict(
            [list(text) for text in texts], is_split_into_words=True, max_tokens_in_batch=_TOKENS_AT_ONCE
        )
    for result in results:
        spans = result.get_clusters(as_strings=False)
        yield [tuple(span for span in cluster if span is not None) for cluster in spans]


@weights.load_once
def _model(name: str, revision: str | None, device: str) -> Any:
    local = FastCoref(model=name, revision=revision).local()
    weights.read(weights.find(local.folder, SETTING))  # numbers only, and no code
    try:
        model = _load(str(local.folder), device)
    except BuildError:
        raise
    except Exception as error:  # fastcoref and transformers raise almost anything
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise SettingsError(
            f"{SETTING} is {name!r}, which fastcoref cannot load ({reason}). Expected a model such as biu-nlp/f-coref."
        ) from error
    _check(model, name)
    return model


def _load(folder: str, device: str) -> Any:
    with weights.loading(), _quiet():
        import datasets
        from fastcoref import FCoref
        from fastcoref.coref_models.modeling_fcoref import FCorefModel

        FCorefModel.all_tied_weights_keys = {}  # transformers 5 expects it; no tensors are tied
        datasets.disable_progress_bars()
        return FCoref(folder, device=device, nlp=None, enable_progress_bar=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the package from changing the log of the whole process, and warnings of what it calls from users."""
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    logging.getLogger("fastcoref").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _check(model: Any, name: str) -> None:
    """Raise SettingsError unless a model links pronouns of plain sentences, and does not link all there is."""
    texts = [text.split() for text, _ in _EXAMPLES]
    facts = []
    for tokens, (_, expected), mentions in zip(texts, _EXAMPLES, _predict(model, texts), strict=True):
        sets = [{" ".join(tokens[slice(*span)]) for span in cluster} for cluster in mentions]
        is_linked = (
            any(set(expected) <= names for names in sets) if expected else all(len(names) <= 3 for names in sets)
        )
        facts.append(is_linked)
    check_model(
        f"{SETTING} is {name!r}, which", facts, _LEAST, "plain English sentences are resolved",
        "Download its files again, or name another model.",
    )  # fmt: skip
