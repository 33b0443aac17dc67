"""Self-check of a loaded model: what it makes of fixed inputs is compared with what is known of them.

A model can load without an error and still not work: a tokenizer without its vocabulary, random weights, another
language. Encoders, models of entailment and language models that judge are checked with this function.
"""

from collections.abc import Sequence

from bitext_pivot.core.errors import SettingsError


def check_model(model: str, facts: Sequence[float], least: float, what: str, advice: str) -> None:
    """Raise SettingsError unless a model gets enough of what is known right.

    Args:
        model: subject of the message, which `loads but does not work` follows.
        facts: for each fact 1 if the model gets it right, 0 if not, 0.5 for a tie. Without facts nothing is checked.
        least: share of the facts that must be right, from 0 to 1.
        what: what the number of right facts counts, with its verb: `tokens are known`.
        advice: sentences on what was seen and what to do.
    """
    right, share = sum(facts), sum(facts) / len(facts) if facts else 1.0
    if share < least:
        raise SettingsError(
            f"{model} loads but does not work: {right:g} of {len(facts)} {what} ({share:.0%}, expected at least "
            f"{least:.0%}). {advice}"
        )
