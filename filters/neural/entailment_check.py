"""Test entailment models on questions with known answers, before the filter uses them.

The questions are in the section `entailment_check` of the languages' data files. A model can load without an error
and still not work: its head has random weights, its classes are in another order, or it was trained on another
language. Each language has 24 questions of three kinds: paraphrases, which follow from the premise, and sentences
with a negation or another object, which do not. A model that always gives the same answer gets 8 or 16 right. A
model that ignores negations, or the subject of a sentence, gets at most 16.
"""

from collections.abc import Callable, Sequence

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import languages_with, section
from bitext_pivot.core.model_check import check_model
from bitext_pivot.filters.neural.encoder_checkpoint import EncoderCheckpoint

Follows = Callable[[Sequence[tuple[str, str]]], Sequence[bool]]
"""A function that returns for each pair (premise, hypothesis), in order, whether the hypothesis follows."""
_KINDS = ("paraphrases", "negations", "other objects")
_MIN_RIGHT = 0.8


def check_entailment(follows: Follows, checkpoint: EncoderCheckpoint, language: str) -> str:
    """Test a model in a language. Return a warning if there are no questions in it, or "".

    If the language has no questions, the model must pass the test in some other language. Raises SettingsError if
    it does not pass.
    """
    if probes(language):
        _check(follows, checkpoint, language)
        return ""
    for other in languages_with("entailment_check"):
        try:
            _check(follows, checkpoint, other)
        except SettingsError:
            continue
        return (
            f"{checkpoint.setting} is {checkpoint.name!r}, which was checked in {other!r} only: there are no sentences "
            f"with known answers in {language!r}. Read some of the pairs it rejects."
        )
    _check(follows, checkpoint, "en")
    return ""


def probes(language: str) -> list[list[str]]:
    """Return test rows: a premise, a hypothesis that follows, and two hypotheses that do not.

    The list is empty for most languages.
    """
    rows: list[list[str]] = section(language, "entailment_check").get("probes", [])
    return rows


def _check(follows: Follows, checkpoint: EncoderCheckpoint, language: str) -> None:
    """Raise SettingsError unless a model answers four of five questions in a language correctly."""
    rows = probes(language)
    answers = follows(
        [(premise, hypothesis) for premise, *hypotheses in rows for hypothesis in hypotheses]
    )
    right = {
        kind: [answer == (n == 0) for answer in answers[n::3]] for n, kind in enumerate(_KINDS)
    }
    by_kind = ", ".join(f"{kind} {sum(facts)} of {len(facts)}" for kind, facts in right.items())
    check_model(
        f"{checkpoint.setting} is {checkpoint.name!r}, which",
        [fact for facts in right.values() for fact in facts],
        _MIN_RIGHT,
        f"answers in {language!r} are right",
        f"Right: {by_kind}. Name a model for natural language inference that was trained in that language.",
    )
