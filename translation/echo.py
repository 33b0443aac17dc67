"""Return texts untranslated, for tests and for trying a recipe without a model."""

from collections.abc import Sequence


class Echo:
    """An engine that returns its input."""

    signature = "echo"
    whole_groups = False

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return the texts."""
        return list(texts)
