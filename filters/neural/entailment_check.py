"""Self-check of models of natural language inference, on sentences whose answer is known.

They are data of languages (section `entailment_check`).

A model can load without an error and still not work: a head of random weights, classes in another order, another
language. In each language of the check there are 24 questions of three kinds: paraphrases, which follow, negations and
other objects, which do not. A model that says the same to all gets 8 or 16 right; one that is blind to negations, or to
what a sentence is about, at most 16.
"""

from collections.abc import Callable, Sequence

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.languages import languages_with, section
from bitext_pivot.core.model_check import check_model
from bitext_pivot.filters.neural.encoder_checkpoint import EncoderCheckpoint

Follows = Callable[[Sequence[tuple[str, str]]], Sequence[bool]]
"""Return for each (premise, hypothesis) whether the hypothesis follows, in order."""
_KINDS = ("paraphrases", "negations", "other objects")
_MIN_RIGHT = 0.8


def check_entailment(follows: Follows, checkpoint: EncoderCheckpoint, language: str) -> str:
    """Check a model in a language; return a warning if the check does not have the language, or "".

    Then the model must pass in one of those that it has. Raises SettingsError for a model that does not pass.
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
            f"with known answers in {language!r}. Read some of the pairs that it rejects."
        )
    _check(follows, checkpoint, "en")
    return ""


def probes(language: str) -> list[list[str]]:
    """Return a premise, what follows and two sentences that do not, about several things; none for most languages."""
    rows: list[list[str]] = section(language, "entailment_check").get("probes", [])
    return rows


def _check(follows: Follows, checkpoint: EncoderCheckpoint, language: str) -> None:
    """Raise SettingsError unless a model gets four of five questions in a language right."""
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
        f"Right: {by_kind}. Name a model that was trained for natural language inference in that language.",
    )
