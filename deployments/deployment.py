"""A deployment of the Prefect UI."""

from dataclasses import dataclass, field
from typing import Any

from prefect.flows import Flow

from bitext_pivot.flows import presets

START = "start here"
"""Tag of the deployments to begin with."""


def environment(preset: str) -> dict[str, str]:
    """Return the environment of a preset: the demos read the bitext of the quickstart."""
    if preset.startswith("demo"):
        return {"BITEXT_PIVOT_OPUS": presets.QUICKSTART}
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A flow with the settings that its form begins with."""

    name: str
    flow: Flow[Any, Any] = field(repr=False)
    description: str
    tags: list[str]
    settings: dict[str, Any]
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def entrypoint(self) -> str:
        """The module and the function of the flow."""
        return f"{self.flow.fn.__module__}.{self.flow.fn.__name__}"
