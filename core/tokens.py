"""Tokens that models of a server read and write, and what they cost."""

from collections.abc import Mapping

Usage = Mapping[str, Mapping[str, int]]
"""Numbers of tokens `read` and `written` by model."""
Prices = Mapping[str, tuple[float, float]]
"""Prices of a million tokens read, and of a million written, by model."""
_UNIT = 1_000_000


def cost(usage: Usage, prices: Prices) -> float | None:
    """Return the cost of tokens in the currency of the prices; None if a model has no price."""
    if not usage.keys() <= prices.keys():
        return None
    total = 0.0
    for model, tokens in usage.items():
        read, written = prices[model]
        total += read * tokens["read"] + written * tokens["written"]
    return total / _UNIT
