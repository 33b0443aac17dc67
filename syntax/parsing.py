"""Parsing: the three sentences of every pair go through spaCy once, for all filters and rules.

The texts are parsed as they are. A leading number such as `( 11 )`, which spoils the start of a parse, is left in
place: the category rules, which alone are hurt by it, look past it themselves.
"""

import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pydantic import Field

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import DeviceChoice, select
from bitext_pivot.core.records import Pair, Parse, ParsedPair, ParsedSentence, Sentence
from bitext_pivot.core.settings import Settings
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.tagsets import Scheme, detect_scheme

_UNUSED = [
    "ner",
    "entity_linker",
    "entity_ruler",
    "span_ruler",
    "spancat",
    "textcat",
    "textcat_multilabel",
    "senter",
]
_NEEDED = {"token.lemma": "lemmatizer", "token.pos": "morphologizer (or attribute ruler)"}
_TRANSFORMERS = {"transformer", "curated_transformer"}
"""Factories of spacy-transformers and spacy-curated-transformers; other components gain little from a GPU."""
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
BATCH_SIZE = 128
"""Texts of a batch: larger ones, as spaCy's default of 1,000, fall out of the processor's cache (15 % slower)."""


class Parser(Settings):
    """Which spaCy pipeline parses the pairs."""

    pipeline: str | None = Field(default=None, min_length=1)
    """Name of an installed spaCy pipeline, or a folder that holds one (a path from where the command is
    started, or absolute). Empty: the small pipeline that spaCy publishes for the language."""
    longest: int = Field(default=5_000, title="Longest text", ge=1, le=1_000_000)
    """Characters that a sentence may have; a pair with a longer one is skipped and counted."""

    def pipeline_name(self, language: str) -> str:
        """Return the pipeline by name or folder; raises SettingsError if there is no default."""
        return self.pipeline or pipelines.default_pipeline(language)

    def describe_pipeline(self, language: str) -> str:
        """Return the pipeline by name or folder, and the module that is installed in its place."""
        name = self.pipeline_name(language)
        module = pipelines.resolve_name(name)
        if module == name:
            return name
        return f"{name} (installed as {module})"


@dataclass(frozen=True, slots=True)
class SpacyPipeline:
    """A loaded spaCy pipeline, what its labels mean, and a signature that changes whenever its parses may."""

    nlp: Any
    scheme: Scheme
    longest: int
    signature: str


def load_pipeline(parser: Parser, language: str, device: DeviceChoice = "auto") -> SpacyPipeline:
    """Load the pipeline for a language.

    Raises SettingsError when it is not installed, is no pipeline, is for another language, lacks what is needed,
    and for a transformer if a GPU is requested that spaCy cannot use.
    """
    name = parser.pipeline_name(language)
    signed = pipeline_signature(
        parser, language, device
    )  # selects the GPU, to which weights go while they are loaded
    nlp = _load_spacy(name)
    if nlp.lang not in {pipelines.spacy_language_code(language), "xx"}:
        raise SettingsError(
            f"The spaCy pipeline {name!r} is for {nlp.lang!r}, but the pairs are in {language!r}. "
            f"Name a pipeline for {language!r}."
        )
    scheme = _checked_scheme(nlp, name)
    return SpacyPipeline(nlp, scheme, parser.longest, signed)


def pipeline_signature(parser: Parser, language: str, device: DeviceChoice = "auto") -> str:
    """Return what changes whenever parses may: spaCy's version, and name, version and digest of a pipeline.

    The pipeline is not loaded. Raises SettingsError when it is not installed or is no pipeline, and for a
    transformer if a GPU is requested that spaCy cannot use.
    """
    name = parser.pipeline_name(language)
    meta, factories = pipelines.read_metadata(name)
    what = f"{meta['lang']}_{meta['name']} {meta['version']} {pipelines.pipeline_digest(name)[:12]}"
    signed = f"spacy {version('spacy')} {what} longest={parser.longest}"
    if _use_gpu_for_transformers(factories, device):
        signed += " cuda"
    return signed


def parse_pairs(
    pairs: Sequence[Pair],
    pipeline: SpacyPipeline,
    *,
    progress: Callable[[int], object] | None = None,
) -> tuple[list[ParsedPair], Counter[str]]:
    """Parse the three sentences of every pair; return the parsed pairs in order, and the skips by reason.

    Equal texts are parsed once. `progress` is called with the number of pairs that are done since the last call.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair.texts))
    parses = parse_texts(texts, pipeline)
    by_text: dict[str, Parse | str] = {}
    parsed, skips = [], Counter[str]()
    for pair in pairs:
        for text in pair.texts:
            if text not in by_text:
                by_text[text] = next(parses)
        results = [by_text[text] for text in pair.texts]
        long, first, second = results
        if isinstance(long, Parse) and isinstance(first, Parse) and isinstance(second, Parse):
            parsed.append(ParsedPair(pair=pair, long=long, split=(first, second)))
        else:
            reasons = [result for result in results if isinstance(result, str)]
            skips[reasons[0]] += 1
        if progress:
            progress(1)
    return parsed, skips


def parse_sentences(
    sentences: Sequence[Sentence],
    pipeline: SpacyPipeline,
    *,
    progress: Callable[[int], object] | None = None,
) -> tuple[list[ParsedSentence], Counter[str]]:
    """Parse running text; return the parsed sentences in order, and the skips by reason. `progress` as above."""
    parsed, skips = [], Counter[str]()
    texts = [sentence.text for sentence in sentences]
    for sentence, parse in zip(sentences, parse_texts(texts, pipeline), strict=True):
        if isinstance(parse, Parse):
            parsed.append(ParsedSentence(sentence=sentence, parse=parse))
        else:
            skips[parse] += 1
        if progress:
            progress(1)
    return parsed, skips


def parse_texts(texts: Sequence[str], pipeline: SpacyPipeline) -> Iterator[Parse | str]:
    """Yield for each text, in order, its parse, or the reason why it has none."""
    for start in range(0, len(texts), BATCH_SIZE):
        yield from _parse_batch(texts[start : start + BATCH_SIZE], pipeline)


def _parse_batch(texts: Sequence[str], pipeline: SpacyPipeline) -> Iterator[Parse | str]:
    longest = min(pipeline.longest, pipeline.nlp.max_length)
    is_parsable = [len(text) <= longest and not _UNREADABLE.search(text) for text in texts]
    docs = pipeline.nlp.pipe(itertools.compress(texts, is_parsable), batch_size=len(texts))
    for parsable in is_parsable:
        parse = _parse(next(docs), pipeline.scheme) if parsable else None
        yield (
            "unparsable text" if parse is None else parse if parse.tokens else "text without tokens"
        )


def _parse(doc: Any, scheme: Scheme) -> Parse:
    words = [token for token in doc if not token.is_space]

    def column(attribute: str) -> tuple[str, ...]:
        return tuple(
            sys.intern(str(getattr(word, attribute))) for word in words
        )  # each word is in memory once

    return Parse(
        tokens=column("text"),
        starts=tuple(word.idx for word in words),
        lemmas=column("lemma_"),
        tags=column("tag_"),
        pos=column("pos_"),
        morphs=column("morph"),
        deps=column("dep_"),
        heads=_heads(doc, [word.i for word in words]),
        scheme=scheme,
    )


def _heads(doc: Any, words: Sequence[int]) -> tuple[int, ...]:
    """Return the heads counted among the tokens `words`; children of white space get the head of the white space."""
    numbers = {token: n for n, token in enumerate(words)}
    return tuple(numbers.get(_nearest_word_head(doc[word]), numbers[word]) for word in words)


def _nearest_word_head(token: Any) -> int:
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return int(head.i)


def _load_spacy(name: str) -> Any:
    """Load a pipeline by name or from a folder, without the components that nothing here needs."""
    pipelines.find_pipeline(name)
    import spacy  # takes two seconds: the settings above are read without it

    try:
        return spacy.load(pipelines.resolve_name(name), exclude=_UNUSED)
    except (
        Exception
    ) as error:  # of spaCy, msgpack, components and packages: their files may be damaged
        raise pipelines.loading_error(name, error) from error


def _use_gpu_for_transformers(factories: set[str], device: DeviceChoice) -> bool:
    """Let spaCy use the GPU from now on if a component is a transformer; return True if it does."""
    if not _TRANSFORMERS & factories:
        return False

    def prefer() -> None:
        import spacy

        if not spacy.prefer_gpu():  # type: ignore[attr-defined]
            raise LookupError("no CUDA GPU was found, or CuPy is not installed")

    return select(device, "spaCy", prefer) == "cuda"


def _checked_scheme(nlp: Any, name: str) -> Scheme:
    """Return what the parser's labels mean, after making sure that everything needed is there."""
    if not nlp.has_pipe("parser"):
        raise SettingsError(
            f"The spaCy pipeline {name!r} has no parser. "
            f"It has: {', '.join(nlp.pipe_names) or 'nothing'}. Name another pipeline."
        )
    assigned = {assigned for pipe in nlp.pipe_names for assigned in nlp.get_pipe_meta(pipe).assigns}
    assigned |= {"token.pos"} if nlp.has_pipe("attribute_ruler") else set()
    for attribute, component in _NEEDED.items():
        if attribute not in assigned:
            raise SettingsError(
                f"The spaCy pipeline {name!r} has no {component}, which the filters need. "
                f"It has: {', '.join(nlp.pipe_names)}. Name another pipeline."
            )
    scheme = detect_scheme(nlp.get_pipe("parser").labels)
    if scheme is None:
        raise SettingsError(
            f"The labels of the spaCy pipeline {name!r} are neither CLEAR, UD nor TIGER. Name a pipeline that was "
            "trained on one of these."
        )
    return scheme
