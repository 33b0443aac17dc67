"""Tokens that models of a server read and write, and what they cost."""

from collections.abc import Mapping

Usage = Mapping[str, Mapping[str, int]]
"""Numbers of tokens `read` and `written` by model."""
Price = tuple[float, float]
"""Prices of a million tokens read, and of a million written."""
_UNIT = 1_000_000


def cost(usage: Usage, prices: Mapping[str, Price]) -> float | None:
    """Return the cost of tokens in the currency of the prices; None if a model has no price."""
    if not usage.keys() <= prices.keys():
        return None
    return sum(price_of(tokens, prices[model]) for model, tokens in usage.items())


def price_of(tokens: Mapping[str, int], price: Price) -> float:
    """Return the cost of tokens `read` and `written`."""
    read, written = price
    return (read * tokens["read"] + written * tokens["written"]) / _UNIT
