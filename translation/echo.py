"""Echo: returns what it is given; for tests, and for trying a recipe before a model is there."""

from collections.abc import Sequence


class Echo:
    """An engine that translates nothing."""

    signature = "echo"
    whole_groups = False

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return the texts themselves."""
        return list(texts)
