"""Pairs that a language model finds faulty: it reads each pair that all other filters accept.

Not a filter of the paper. Off until a model is named. It runs behind a server of OpenAI's protocol
(`BITEXT_PIVOT_ENDPOINT`), and answers the five questions that this project's own readers of pairs answer: do
both halves stand alone, do they say no more than `long`, and no less, is `long` fluent, is it a true split?
Each answer is `yes` (1), `partly` (0.5) or `no` (0); the lowest of the five is the score. So the default keeps
pairs without any `no`, those that a reader would train on.

The texts of a pair are data: they stand as JSON in one line between fixed ones, and no text can leave it. A
model may obey them all the same, so it is tried on pairs with known answers first, two of which try to
command it. An answer in another form than the one that was asked for is not usable, and counts as five
times `no`: a pair cannot pass by keeping its judge from answering.

Answers are stored by model, prompt and pair: another threshold asks nothing. No real model was tried here.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from bitext_pivot.core.data_files import parse_json, read_toml
from bitext_pivot.core.endpoint_server import required
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.model_check import check_model
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.untrusted import escaped
from bitext_pivot.filters.base import ComparingFilter, Runtime

if TYPE_CHECKING:
    from bitext_pivot.core.endpoint import ServedModel

_log = logging.getLogger(__name__)
SETTING = "filters.advanced.judge.model"
_Answer = Literal["no", "partly", "yes"]


class Grades(BaseModel):
    """What a model is asked to answer about a pair."""

    model_config = ConfigDict(extra="forbid")

    stands_alone: _Answer
    says_no_more: _Answer
    says_no_less: _Answer
    fluent: _Answer
    true_split: _Answer


QUESTIONS = tuple(Grades.model_fields)
"""Names of the questions in the prompt, in the answer and of the columns."""
GRADES: Mapping[str, float] = {"no": 0.0, "partly": 0.5, "yes": 1.0}
"""The answers to a question, and what each is worth."""
_TEXTS: dict[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))
_SYSTEM: str = _TEXTS["prompt"]["system"].strip()
_USER: str = _TEXTS["prompt"]["user"].strip()
_PROMPT_VERSION = key(_SYSTEM, _USER)
_CHECK_VERSION = key(_TEXTS["check"])
_PARSING_VERSION = 4  # changes with what is read out of an answer
_MIN_RIGHT = 0.8  # of the known answers; a model that always says the same, or obeys the texts, has at most 0.75
_FENCE = "```"
_MAX_ANSWER_LENGTH = 64_000  # characters of an answer; one of the form has 120
_PairTexts = tuple[str, str, str]
"""`long` and its two halves."""


class JudgeFilter(ComparingFilter):
    """The lowest of five grades that a language model gives a pair, from 0 to 1."""

    IN_PAPER: ClassVar = True
    IS_LAST: ClassVar = True
    MEANING_ROLE: ClassVar = "judged"
    PARTS: ClassVar = (*QUESTIONS, "answers")
    BATCH_SIZES: ClassVar = {"cpu": 64, "cuda": 64}
    model: str | None = Field(default=None, min_length=1)
    """Model on the server of BITEXT_PIVOT_ENDPOINT, by its name there. Empty: this filter is off."""
    min_grade: float = Field(default=0.5, title="Minimum grade", ge=0, le=1)
    """Minimum of the lowest grade. 0.5: no answer is `no`; 1: all are `yes`."""
    json_schema: bool = Field(default=True, title="JSON schema")
    """Ask the server to force answers into their form (`response_format`). Switch it off for a server
    that refuses that."""
    longest_answer: int = Field(default=200, ge=60, le=20_000)
    """Maximum number of tokens of an answer. A model that thinks before it answers needs thousands."""

    @property
    def is_on(self) -> bool:
        """True if a model is named."""
        return bool(self.model)

    @property
    def served_model(self) -> str:
        """The model that is named."""
        return self.model or ""

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on."""
        settings = super().score_settings()
        return {name: settings[name] for name in ("model", "json_schema", "longest_answer")}

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Ask the model about the pair of each key; return the grades, and 1 for a usable answer or 0."""
        pairs = [(long, first, second) for long, first, second in map(json.loads, keys)]
        return self._grade_pairs(pairs, language, runtime)

    def load(self, language: str, runtime: Runtime) -> str:
        """Try the model once on pairs with known answers; return a warning if not in `language`, or "".

        Raises SettingsError for a model that fails or a server that refuses it, ShardError for a server
        that fails.
        """
        store = runtime.store(f"{self._store_name('en', runtime)} check={_CHECK_VERSION}")
        store.numbers([self.served_model], partial(self._check, runtime=runtime), 1)
        if language == "en":
            return ""
        return (
            f"The model of {SETTING} was checked in 'en' only: there are no pairs with known answers in "
            f"{language!r}. Read some of the pairs that it rejects."
        )

    def signature(self, runtime: Runtime) -> str:
        """Return the model, and what it is asked. Raises SettingsError without a server."""
        self._served_model(runtime)
        form = f"json_schema={self.json_schema} max_tokens={self.longest_answer}"
        return f"judge {self.model} prompt={_PROMPT_VERSION} answers={_PARSING_VERSION} temperature=0 {form}"

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store, which the language is part of: the prompt names it."""
        return f"{self.signature(runtime)} {language}"

    def _load_or_compute(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return what is stored of each key, or answered now.

        The shards of a machine ask one after the other: so no answer is asked for twice, and no more requests
        run at the same time than BITEXT_PIVOT_ENDPOINT_REQUESTS.
        """
        store = runtime.store(self._store_name(language, runtime))
        with machine_lock(store.path.with_suffix(""), _log):
            return super()._load_or_compute(keys, language, runtime)

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the score, the grades, and the number of usable answers."""
        grades = dict(zip(QUESTIONS, numbers, strict=False))
        return {"score": min(grades.values()), **grades, "answers": numbers[-1]}

    def _check(self, keys: Sequence[str], runtime: Runtime) -> list[list[float]]:
        """Return how many pairs with a known answer the model judges rightly.

        Raises SettingsError for too few.
        """
        checks = _TEXTS["check"]
        pairs = [(check["long"], *check["split"]) for check in checks]
        answers = self._grade_pairs(pairs, "en", runtime)
        right = [
            (min(grades) > 0) == check["is_good"]
            for (*grades, _), check in zip(answers, checks, strict=True)
        ]
        usable = sum(is_usable for *_, is_usable in answers)
        check_model(
            f"{SETTING} names {self.model!r}, which",
            right,
            _MIN_RIGHT,
            "pairs with a known answer are judged rightly",
            f"{usable:g} answers were JSON as asked for. Name another model, or change "
            "judge.json_schema or judge.longest_answer.",
        )
        return [[float(sum(right))]]

    def _grade_pairs(
        self, pairs: Sequence[_PairTexts], language: str, runtime: Runtime
    ) -> list[list[float]]:
        """Ask about pairs, one request each; five times `no` and 0 stand for an answer in another form."""
        requests = [build_messages(texts, language) for texts in pairs]
        completions = self._served_model(runtime).complete(requests)
        grades = [parse_grades(completion.text) for completion in completions]
        return [[0.0] * (len(QUESTIONS) + 1) if one is None else [*one, 1.0] for one in grades]

    def _served_model(self, runtime: Runtime) -> "ServedModel":
        """Return the model on the server. Raises SettingsError without a server."""
        server = required(runtime.server, f"{SETTING} names a model")
        from bitext_pivot.core.endpoint import ServedModel  # openai is slow to import

        options: dict[str, Any] = {"max_tokens": self.longest_answer}
        if self.json_schema:
            schema = {"name": "answers", "strict": True, "schema": Grades.model_json_schema()}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        return ServedModel(server, self.served_model, options, setting=SETTING)


def build_messages(texts: _PairTexts, language: str) -> list[dict[str, str]]:
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


def parse_grades(text: str) -> list[float] | None:
    """Return the grades in an answer, in the order of `QUESTIONS`; None for an answer in another form.

    Around the JSON object white space and Markdown's fence are allowed, and nothing else.
    """
    if len(text) > _MAX_ANSWER_LENGTH:
        return None
    text = text.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE):
        text = text.removeprefix(_FENCE).removesuffix(_FENCE).removeprefix("json")
    try:
        answer = Grades.model_validate(parse_json(text))
    except ValueError:
        return None
    return [GRADES[word] for _, word in answer]
