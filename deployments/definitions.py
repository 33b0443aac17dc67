"""The deployments of the Prefect UI: a build for each preset and recipe, a build of any language pair, and a plan."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prefect.flows import Flow

from bitext_pivot import flows
from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.languages import english_name
from bitext_pivot.flows import presets

_ENTRIES = Path(__file__).with_name("deployments.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A flow together with the values that its form in the Prefect UI contains at first."""

    name: str
    flow: Flow[Any, Any] = field(repr=False)
    description: str
    tags: list[str]
    settings: dict[str, Any]
    environment: dict[str, str]

    @property
    def entrypoint(self) -> str:
        """The import path of the flow's function."""
        return f"{self.flow.fn.__module__}.{self.flow.fn.__name__}"


def deployments() -> list[Deployment]:
    """Return all deployments, in the order of docs/from-the-ui.md.

    The demos are included only if this is a clone of the repository, which has their data.
    """
    is_clone = Path(presets.QUICKSTART).is_dir()
    found = []
    for entry in _entries():
        folder = presets.FOLDER / entry.get("folder", "")
        for preset in presets.names(folder) or [""]:
            is_there = is_clone or not preset.startswith("demo")
            if is_there and re.fullmatch(entry["presets"], preset):
                found.append(_deployment(entry, preset, folder))
    return found


def _entries() -> Iterator[dict[str, Any]]:
    """Yield the entries of deployments.toml, each with a flow.

    An entry without a flow is repeated for every recipe (type of data set) in `flows.RECIPES`.
    """
    for entry in read_toml(_ENTRIES)["deployments"]:
        if "flow" in entry:
            yield entry
        else:
            for name, recipe in flows.RECIPES.items():
                yield {**entry, **recipe._asdict(), "folder": name}


def _deployment(entry: dict[str, Any], preset: str, folder: Path) -> Deployment:
    settings = entry.get("settings", {})
    if preset and not settings:
        settings = presets.load(preset, folder)
    corpora = " and ".join(settings.get("corpora", []))
    names = {
        **entry,
        "preset": preset,
        "language": english_name(settings.get("language", "")),
        "pivot": english_name(settings.get("pivot", "")),
        "corpora": corpora.replace("/", " "),
    }
    environment = {}
    if preset.startswith("demo"):
        environment["BITEXT_PIVOT_OPUS"] = presets.QUICKSTART
    return Deployment(
        name=entry.get("name", "{preset}").format_map(names).strip("-"),
        flow=flows.load(entry["flow"]),
        description=entry["description"].format_map(names),
        tags=[tag.format_map(names) for tag in entry["tags"]],
        settings=settings,
        environment=environment,
    )
