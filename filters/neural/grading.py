"""Reject pairs that a language model on a server finds faulty, after all other filters.

The filter `judge` is not part of the paper, and off until a model is named. The model runs on an endpoint
(`BITEXT_PIVOT_ENDPOINT`) and answers the same five questions as the people who assess our pairs: Do both halves
stand alone? Do they say no more than `long`? Do they say no less? Is `long` fluent? Is it a true split? Each answer
is `yes` (1), `partly` (0.5) or `no` (0), and the lowest answer is the score. By default, the filter accepts pairs
without any `no`: pairs that a reader would use for training.

The texts of a pair may contain instructions to the model. They are sent as JSON in a single line between fixed
lines, so that no text can end the line. A model may still obey such instructions. It is therefore tested first on
pairs with known answers, two of which contain such instructions. An answer that is not in the requested form counts
as five times `no`: a pair cannot pass by preventing the model from answering.

Answers are stored by model, prompt and pair, so a build with another threshold sends no request. No real model was
tested.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from bitext_pivot.core.data_files import parse_json, read_toml
from bitext_pivot.core.endpoint_server import require_server
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.model_check import check_model
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.storage.locks import machine_lock
from bitext_pivot.core.untrusted import escaped
from bitext_pivot.filters.base import ComparingFilter, Runtime

if TYPE_CHECKING:
    from bitext_pivot.core.endpoint_client import ServedModel

_log = logging.getLogger(__name__)
SETTING = "filters.advanced.judge.model"
_Answer = Literal["no", "partly", "yes"]


class Grades(BaseModel):
    """A language model's answers to the five questions about a pair."""

    model_config = ConfigDict(extra="forbid")

    stands_alone: _Answer
    says_no_more: _Answer
    says_no_less: _Answer
    fluent: _Answer
    true_split: _Answer


QUESTIONS = tuple(Grades.model_fields)
"""Names of the five questions, in the prompt, in answers and in columns."""
GRADES: Mapping[str, float] = {"no": 0.0, "partly": 0.5, "yes": 1.0}
"""The grade for each answer to a question."""
_TEXTS: dict[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))
_SYSTEM: str = _TEXTS["prompt"]["system"].strip()
_USER: str = _TEXTS["prompt"]["user"].strip()
_PROMPT_VERSION = key(_SYSTEM, _USER)
_CHECK_VERSION = key(_TEXTS["check"])
_PARSING_VERSION = 4  # raise it when answers are parsed differently
_MIN_RIGHT = (
    0.8  # a model that always gives the same answer, or obeys the texts, reaches at most 0.75
)
_FENCE = "```"
_MAX_ANSWER_LENGTH = 64_000  # characters; an answer in the requested form has 120
_PairTexts = tuple[str, str, str]
"""The long sentence and the two halves of its split."""


class JudgeFilter(ComparingFilter):
    """The lowest of five grades, from 0 to 1, that a language model gives a pair."""

    IN_PAPER: ClassVar = True
    IS_LAST: ClassVar = True
    MEANING_ROLE: ClassVar = "judged"
    PARTS: ClassVar = (*QUESTIONS, "answers")
    BATCH_SIZES: ClassVar = {"cpu": 64, "cuda": 64}
    model: str | None = Field(default=None, min_length=1)
    """Name of a language model on the endpoint BITEXT_PIVOT_ENDPOINT. If it is empty, this filter is off."""
    min_grade: float = Field(default=0.5, title="Minimum grade", ge=0, le=1)
    """Minimum value of the lowest grade. With 0.5, no answer of the model may be `no`; with 1, all must be `yes`."""
    json_schema: bool = Field(default=True, title="JSON schema")
    """Make the endpoint enforce the JSON form of answers (`response_format`). Switch this off if the endpoint
    refuses it."""
    longest_answer: int = Field(default=200, ge=60, le=20_000)
    """Maximum length of the model's answer, in tokens. A model that reasons before it answers needs thousands."""

    @property
    def is_on(self) -> bool:
        """True if the settings name a model."""
        return bool(self.model)

    @property
    def served_model(self) -> str:
        """The name of the model on the endpoint, or "" if none is set."""
        return self.model or ""

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that can change the stored grades."""
        settings = super().score_settings()
        return {name: settings[name] for name in ("model", "json_schema", "longest_answer")}

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return for the pair in each key its five grades, and 1 for a usable answer or 0."""
        pairs = [(long, first, second) for long, first, second in map(json.loads, keys)]
        return self._grade_pairs(pairs, language, runtime)

    def load(self, language: str, runtime: Runtime) -> str:
        """Test the model on pairs with known answers. Return a warning if it was not tested, or "".

        The pairs are in English, so the model is not tested in other languages. Raises SettingsError if the
        model fails the test or the endpoint refuses a request, ShardError if the endpoint fails.
        """
        store = runtime.store(f"{self._store_name('en', runtime)} check={_CHECK_VERSION}")
        store.numbers([self.served_model], partial(self._check, runtime=runtime), 1)
        if language == "en":
            return ""
        return (
            f"The model in {SETTING} was checked in 'en' only: there are no pairs with known answers in "
            f"{language!r}. Read some of the pairs it rejects."
        )

    def signature(self, runtime: Runtime) -> str:
        """Return a string of the model and everything that changes its requests.

        Raises SettingsError if no endpoint is set.
        """
        self._served_model(runtime)
        form = f"json_schema={self.json_schema} max_tokens={self.longest_answer}"
        return f"judge {self.model} prompt={_PROMPT_VERSION} answers={_PARSING_VERSION} temperature=0 {form}"

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store of grades. It contains the language, which the prompt names."""
        return f"{self.signature(runtime)} {language}"

    def _load_or_compute(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return the grades for the pair in each key, stored before or newly requested.

        Only one shard per machine sends requests at a time, so nothing is requested twice and no more than
        BITEXT_PIVOT_ENDPOINT_REQUESTS requests run at the same time.
        """
        store = runtime.store(self._store_name(language, runtime))
        with machine_lock(store.path.with_suffix(""), _log):
            return super()._load_or_compute(keys, language, runtime)

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the score of a pair, its five grades, and the number of usable answers."""
        grades = dict(zip(QUESTIONS, numbers, strict=False))
        return {"score": min(grades.values()), **grades, "answers": numbers[-1]}

    def _check(self, keys: Sequence[str], runtime: Runtime) -> list[list[float]]:
        """Return the number of test pairs that the model judges correctly, as the only stored row.

        Raises SettingsError if there are too few.
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
            "pairs with a known answer are judged correctly",
            f"{usable:g} answers were JSON in the requested form. Name another model, or change "
            "judge.json_schema or judge.longest_answer.",
        )
        return [[float(sum(right))]]

    def _grade_pairs(
        self, pairs: Sequence[_PairTexts], language: str, runtime: Runtime
    ) -> list[list[float]]:
        """Return five grades and 1 for each pair, or six times 0 if the model's answer is unusable."""
        requests = [build_messages(texts, language) for texts in pairs]
        completions = self._served_model(runtime).complete(requests)
        grades = [parse_grades(completion.text) for completion in completions]
        return [[0.0] * (len(QUESTIONS) + 1) if one is None else [*one, 1.0] for one in grades]

    def _served_model(self, runtime: Runtime) -> "ServedModel":
        """Return a client for the model on the endpoint. Raises SettingsError if no endpoint is set."""
        server = require_server(runtime.server, f"{SETTING} names a model")
        from bitext_pivot.core.endpoint_client import ServedModel  # openai is slow to import

        options: dict[str, Any] = {"max_tokens": self.longest_answer}
        if self.json_schema:
            schema = {"name": "answers", "strict": True, "schema": Grades.model_json_schema()}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        return ServedModel(server, self.served_model, options, setting=SETTING)


def build_messages(texts: _PairTexts, language: str) -> list[dict[str, str]]:
    """Return the messages of a chat request: the instructions, and a pair as JSON.

    In the second message, the JSON is the second of three lines. It escapes quotation marks and line breaks, and
    other control characters are escaped first, so no text can end the object or its line.
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
    """Return the grades in a model's answer, in the order of `QUESTIONS`, or None if unusable.

    Only whitespace and a Markdown code fence may surround the JSON object.
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
