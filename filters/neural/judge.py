"""Pairs that a language model finds faulty: it reads each pair that all other filters accept.

Not a filter of the paper. Off until models are named. They run behind a server of OpenAI's protocol
(`BITEXT_PIVOT_ENDPOINT`), and answer the five questions that this project's own readers of pairs answer: do
both halves stand alone, do they say no more than `long`, and no less, is `long` fluent, is it a true split?
Each answer is `yes` (1), `partly` (0.5) or `no` (0). The median of the models counts for each question, the
lower one of two; the lowest of the five is the score. So the default keeps pairs without any `no`, those
that a reader would train on.

The texts of a pair are data: they stand as JSON in one line between fixed ones, and no text can leave it. A
model may obey them all the same, so each is tried on pairs with known answers first, two of which try to
command it. An answer in another form than the one that was asked for is not usable, and counts as five
times `no`: a pair cannot pass by keeping its judge from answering.

Answers are stored by model, prompt and pair: a further model of a jury is asked alone, and another
threshold asks nothing. How far a model agrees with you, `bitext-pivot sample --read` says
(docs/human-assessment.md); no real model was tried here.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median_low
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bitext_pivot.core.data import parse_json, read_toml
from bitext_pivot.core.endpoint_server import required
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.model_check import check_model
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.untrusted import escaped
from bitext_pivot.filters.base import ComparingFilter, Runtime

if TYPE_CHECKING:
    from bitext_pivot.core.endpoint import Completion, ServedModel

_log = logging.getLogger(__name__)
SETTING = "filters.advanced.judge.models"
Word = Literal["no", "partly", "yes"]


class Grades(BaseModel):
    """What a model is asked to answer about a pair."""

    model_config = ConfigDict(extra="forbid")

    stands_alone: Word
    says_no_more: Word
    says_no_less: Word
    fluent: Word
    true_split: Word


QUESTIONS = tuple(Grades.model_fields)
"""Names of the questions in the prompt, in the answer and of the columns."""
GRADES: Mapping[str, float] = {"no": 0.0, "partly": 0.5, "yes": 1.0}
"""The answers to a question, and what each is worth."""
JURY = "all together (median)"
"""Name of all models together."""
_TEXTS: dict[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))
_SYSTEM: str = _TEXTS["prompt"]["system"].strip()
_USER: str = _TEXTS["prompt"]["user"].strip()
_VERSION = key(_SYSTEM, _USER)
_CHECK = key(_TEXTS["check"])
_ANSWERS = 3  # changes with what is read out of an answer
_LEAST = 0.8  # of the known answers; a model that always says the same, or obeys the texts, has at most 0.75
_FENCE = "```"
_LONGEST = 64_000  # characters of an answer; one of the form has 120
Texts = tuple[str, str, str]
"""`long` and its two halves."""


class _Answer(NamedTuple):
    """What is stored of a model's answer about a pair: the grades."""

    stands_alone: float
    says_no_more: float
    says_no_less: float
    fluent: float
    true_split: float
    is_usable: float
    """1, or 0 for an answer in another form."""


class Judge(ComparingFilter):
    """The lowest of five grades that language models give a pair, from 0 to 1."""

    IN_PAPER: ClassVar = True
    IS_LAST: ClassVar = True
    MEANING: ClassVar = "judged"
    PARTS: ClassVar = (*QUESTIONS, "answers")
    AT_ONCE: ClassVar = {"cpu": 64, "cuda": 64}
    models: list[str] = []
    """Models on the server of BITEXT_PIVOT_ENDPOINT, by their names there. Several are a jury, whose
    median counts. Empty: this filter is off."""
    min_grade: float = Field(default=0.5, title="Minimum grade", ge=0, le=1)
    """Minimum of the lowest grade. 0.5: no answer is `no`; 1: all are `yes`."""
    json_schema: bool = Field(default=True, title="JSON schema")
    """Ask the server to force answers into their form (`response_format`). Switch it off for a server
    that refuses that."""
    longest_answer: int = Field(default=200, ge=60, le=20_000)
    """Maximum number of tokens of an answer. A model that thinks before it answers needs thousands."""

    @field_validator("models")
    @classmethod
    def _are_named_once(cls, models: list[str]) -> list[str]:
        """Raise ValueError for models without a name or named twice."""
        if not all(model.strip() for model in models):
            raise ValueError("one of the models has an empty name: leave it out")
        if len(set(models)) < len(models):
            raise ValueError("a model is named twice: name each once")
        return models

    @property
    def is_on(self) -> bool:
        """True if a model is named."""
        return bool(self.models)

    @property
    def served_models(self) -> list[str]:
        """The models that are named."""
        return self.models

    def measuring(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on."""
        settings = super().measuring()
        return {name: settings[name] for name in ("models", "json_schema", "longest_answer")}

    def scores_by_name(
        self, pairs: Sequence[ParsedPair], runtime: Runtime
    ) -> list[dict[str, float]]:
        """Return grades and score of pairs of one language, and the number of usable answers.

        Raises as `load`.
        """
        if pairs:
            self.load(pairs[0].pair.language, runtime)
        return super().scores_by_name(pairs, runtime)

    def grades(
        self, pairs: Sequence[Texts], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return the lowest grade of each pair by each model, and by all together if there are several.

        Raises as `load`.
        """
        self.load(language, runtime)
        rows = self._answers(pairs, language, runtime)
        grades = {}
        for model in self.models:
            grades[model] = [_summary([answers[model]])["score"] for answers in rows]
        if len(self.models) > 1:
            grades[JURY] = [_summary([*answers.values()])["score"] for answers in rows]
        return grades

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Ask the model of each key about its pair; return what is stored of the answers."""
        requests: dict[str, dict[str, Texts]] = {}
        for entry in keys:
            model, long, first, second = json.loads(entry)
            requests.setdefault(model, {})[entry] = (long, first, second)
        answers: dict[str, _Answer] = {}
        for model, pairs in requests.items():
            given = self._ask(model, [*pairs.values()], language, runtime)
            answers |= dict(zip(pairs, given, strict=True))
        return [[*answers[entry]] for entry in keys]

    def load(self, language: str, runtime: Runtime) -> str:
        """Try each model once on pairs with known answers; return a warning if not in `language`, or "".

        Raises SettingsError for a model that fails or a server that refuses it, ShardError for a server
        that fails.
        """
        store = runtime.store(f"{self._store_name('en', runtime)} check={_CHECK}")
        for model in self.models:
            store.numbers([model], partial(self._check, runtime=runtime), 1)
        if language == "en":
            return ""
        return (
            f"The models of {SETTING} were checked in 'en' only: there are no pairs with known answers in "
            f"{language!r}. Read some of the pairs that they reject."
        )

    def signature(self, runtime: Runtime) -> str:
        """Return the models, and what they are asked. Raises SettingsError without a server."""
        self._served(self.models[0], runtime)
        return f"judge {', '.join(self.models)} {self._request}"

    @property
    def _request(self) -> str:
        """What an answer depends on besides model, language and pair."""
        form = f"json_schema={self.json_schema} max_tokens={self.longest_answer}"
        return f"prompt={_VERSION} answers={_ANSWERS} temperature=0 {form}"

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store of all models, which the language is part of: the prompt names it."""
        return f"judge {language} {self._request}"

    def _numbers(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return what is stored of each key, or answered now.

        The shards of a machine ask one after the other: so no answer is asked for twice, and no more requests
        run at the same time than BITEXT_PIVOT_ENDPOINT_REQUESTS.
        """
        store = runtime.store(self._store_name(language, runtime))
        with machine_lock(store.path.with_suffix(""), _log):
            return super()._numbers(keys, language, runtime)

    def keys_of(self, parsed: ParsedPair) -> list[str]:
        """Return a key per model."""
        return [_key(model, parsed.pair.texts) for model in self.models]

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the median grades, the number of usable answers, and the score."""
        width = len(_Answer._fields)
        starts = range(0, len(numbers), width)
        return _summary([_Answer._make(numbers[start : start + width]) for start in starts])

    def _answers(
        self, pairs: Sequence[Texts], language: str, runtime: Runtime
    ) -> list[dict[str, _Answer]]:
        """Return what each model answers about each pair; what is stored is not asked again."""
        entries = [[_key(model, texts) for model in self.models] for texts in pairs]
        rows = self._numbers([*chain.from_iterable(entries)], language, runtime)
        found = []
        for of_pair in entries:
            answers = [_Answer._make(rows[entry]) for entry in of_pair]
            found.append(dict(zip(self.models, answers, strict=True)))
        return found

    def _check(self, models: Sequence[str], runtime: Runtime) -> list[list[float]]:
        """Return how many pairs with a known answer each model judges rightly.

        Raises SettingsError for too few.
        """
        checks = _TEXTS["check"]
        pairs = [(check["long"], *check["split"]) for check in checks]
        found = []
        for model in models:
            answers = self._ask(model, pairs, "en", runtime)
            right = [
                (_summary([answer])["score"] > 0) == check["is_good"]
                for answer, check in zip(answers, checks, strict=True)
            ]
            usable = sum(answer.is_usable for answer in answers)
            check_model(
                f"{SETTING} names {model!r}, which",
                right,
                _LEAST,
                "pairs with a known answer are judged rightly",
                f"{usable:g} answers were JSON as asked for. Name another model, or change "
                "judge.json_schema or judge.longest_answer.",
            )
            found.append([float(sum(right))])
        return found

    def _ask(
        self, model: str, pairs: Sequence[Texts], language: str, runtime: Runtime
    ) -> list[_Answer]:
        """Ask a model about pairs, one request each."""
        requests = [messages(texts, language) for texts in pairs]
        completions = self._served(model, runtime).complete(requests)
        return [_read(completion) for completion in completions]

    def _served(self, model: str, runtime: Runtime) -> "ServedModel":
        """Return a model on the server. Raises SettingsError without a server."""
        server = required(runtime.server, f"{SETTING} names models")
        from bitext_pivot.core.endpoint import ServedModel  # openai is slow to import

        options: dict[str, Any] = {"max_tokens": self.longest_answer}
        if self.json_schema:
            schema = {"name": "answers", "strict": True, "schema": Grades.model_json_schema()}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        return ServedModel(server, model, options, setting=SETTING)


def messages(texts: Texts, language: str) -> list[dict[str, str]]:
    """Return a request about a pair: the rubric, and the pair as JSON in the second of three lines.

    JSON escapes quotation marks and line breaks, and other control characters are escaped before, so that
    no text can end the object or its line.
    """
    plain = map(escaped, texts)
    pair = json.dumps(
        dict(zip(("long", "first", "second"), plain, strict=True)), ensure_ascii=False
    )
    return [
        {"role": "system", "content": _SYSTEM.replace("{language}", english_name(language))},
        {"role": "user", "content": _USER.replace("{pair}", pair)},
    ]


def read_grades(text: str) -> list[float] | None:
    """Return the grades in an answer, in the order of `QUESTIONS`; None for an answer in another form.

    Around the JSON object white space and Markdown's fence are allowed, and nothing else.
    """
    if len(text) > _LONGEST:
        return None
    text = text.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE):
        text = text.removeprefix(_FENCE).removesuffix(_FENCE).removeprefix("json")
    try:
        answer = Grades.model_validate(parse_json(text))
    except ValueError:
        return None
    return [GRADES[word] for _, word in answer]


def _read(completion: "Completion") -> _Answer:
    """Return what is stored of an answer."""
    grades = read_grades(completion.text)
    is_usable = float(grades is not None)
    if grades is None:
        grades = [0.0] * len(QUESTIONS)
    return _Answer._make([*grades, is_usable])


def _summary(answers: Sequence[_Answer]) -> dict[str, float]:
    """Return score, median grades (the lower one of two) and number of usable answers of a pair."""
    grades = {name: median_low(getattr(answer, name) for answer in answers) for name in QUESTIONS}
    usable = sum(answer.is_usable for answer in answers)
    return {"score": min(grades.values()), **grades, "answers": usable}


def _key(model: str, texts: Texts) -> str:
    """Return the text under which the answer of a model about a pair is stored."""
    return json.dumps([model, *texts])
