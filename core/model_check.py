"""Self-check of a loaded model: its outputs for fixed inputs are compared with the known answers.

A model can load without an error and still not work, for example with random weights, a tokenizer without its
vocabulary, or for another language. Encoders, entailment models and judging language models are checked.
"""

from collections.abc import Sequence

from bitext_pivot.core.errors import SettingsError


def check_model(model: str, facts: Sequence[float], least: float, what: str, advice: str) -> None:
    """Raise SettingsError unless a model gets enough of the known facts right.

    Args:
        model: Subject of the message, followed by `loads but does not work`.
        facts: 1 for each known answer the model gives, 0 for a wrong answer, 0.5 for a tie. If empty, nothing is
            checked.
        least: Share of the facts that must be right, from 0 to 1.
        what: Clause for the message that says what was counted, such as `tokens are known`.
        advice: Sentences on the symptoms and on what to do.
    """
    right, share = sum(facts), sum(facts) / len(facts) if facts else 1.0
    if share < least:
        raise SettingsError(
            f"{model} loads but does not work: {right:g} of {len(facts)} {what} ({share:.0%}, expected at least "
            f"{least:.0%}). {advice}"
        )
