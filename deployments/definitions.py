"""Deployments of the Prefect UI: builds of the presets, by language pair and recipe, one for any pair, one plan."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prefect.flows import Flow

from bitext_pivot.core.languages import NAMES
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitate_bitext import explicitate_bitext
from bitext_pivot.flows.join_builds import join_builds
from bitext_pivot.flows.mine_markers import mine_markers
from bitext_pivot.flows.pivot_bitext import pivot_bitext
from bitext_pivot.flows.plan_bitext import plan_bitext
from bitext_pivot.flows.train_model import train_model
from bitext_pivot.flows.unfuse_text import unfuse_text

_ENGLISH_NAMES = {code: name.capitalize() for name, code in NAMES.items()}
_ANY_PAIR = {
    "pivot": "pl", "language": "en", "corpora": ["Europarl/v8"], "translation": {"model": "Helsinki-NLP/opus-mt-pl-en"},
}  # fmt: skip
START = "start here"
"""Tag of the deployments to begin with."""
_FIRST = ("demo-fr-en", "first-fr-en")
_FROM_OPUS = "corpora of OPUS. Downloads up to 1.5 GB; hours on two cores."
_QUICKSTART = {"BITEXT_PIVOT_OPUS": presets.QUICKSTART}
"""Environment of the demos."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A flow with the settings that its form begins with."""

    name: str
    flow: Flow[Any, Any] = field(default=pivot_bitext, repr=False)
    description: str
    tags: list[str]
    settings: dict[str, Any]
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def entrypoint(self) -> str:
        """The module and the function of the flow."""
        return f"{self.flow.fn.__module__}.{self.flow.fn.__name__}"


def deployments() -> list[Deployment]:
    """Return all deployments, in the order of the UI's documentation; the demos where the quickstart is, in a clone."""
    return [
        entry
        for entry in _all()
        if not entry.environment or Path(entry.environment["BITEXT_PIVOT_OPUS"]).is_dir()
    ]


def _all() -> list[Deployment]:
    pairs = sorted(name for name in presets.names() if re.fullmatch(r"[a-z]{2}-[a-z]{2}", name))
    return [
        _build(
            "demo-fr-en",
            "The demo - English pairs from 229 French-English links of our own, with the models of the checkout. "
            "A minute, no network.",
        ),
        _build(
            "first-fr-en",
            "A first run - English pairs from the first 5,000 links of {bitext}. Downloads 11 MB of bitext and about "
            "0.3 GB of models; minutes on two cores.",
        ),
        *(
            _build(
                name,
                "{language} pairs from {bitext}. Downloads 0.1 to 0.3 GB of bitext and about 0.3 GB of models; hours "
                "on two cores. The deployment plan shows how much, with these languages and corpora.",
            )
            for name in pairs
        ),
        Deployment(
            name="any-pair",
            description="Any other language pair - choose both languages, name the corpora, and name a model under "
            "Translation. Filled in with Polish and English as an example. Hours for a large corpus; the deployment "
            "plan shows how much.",
            tags=["any-pair"],
            settings=_ANY_PAIR,
        ),
        Deployment(
            name="plan",
            flow=plan_bitext,
            description="The plan of a build, with the build's form - what it would fetch and build, how much that is, "
            "and what is there already. Nothing is fetched or built; seconds.",
            tags=[START, "plan"],
            settings=presets.load("fr-en"),
        ),
        *_joins(),
        *_recipe(
            unfuse_text,
            "unfuse",
            "Sentence-fusion pairs (DiscoFuse) of English documents - texts with a discourse phenomenon, and two "
            "sentences without it",
        ),
        *_recipe(
            mine_markers,
            "mine",
            "Sentence pairs with discourse markers (Discovery) of English documents - two neighbours, and the marker "
            "that opened the second one",
        ),
        *_recipe(
            explicitate_bitext,
            "explicitate",
            "Implicit relations of neighbouring English sentences, labelled through their translations into other "
            "languages",
        ),
        *_training(),
    ]


def _joins() -> list[Deployment]:
    """Return the deployments that join builds: those of the demo, and those of the paper by language."""
    what = {
        "demo": "One data set of the demo's pairs with both pivots, French and Spanish, built first; "
        "minutes, no network.",
        "paper-en": "The English corpus of the paper - eight pivots, which are built first. Downloads "
        "hundreds of gigabytes; weeks on two cores. The command plan shows how much each pivot is.",
    }
    what |= {
        f"paper-{language}": f"The {_ENGLISH_NAMES[language]} corpus of the paper, with the paper's sets. "
        "Downloads tens of gigabytes; days on two cores."
        for language in ("de", "es", "fr")
    }
    return [
        Deployment(
            name=f"join-{preset}",
            description=description,
            flow=join_builds,
            tags=["join"],
            settings=presets.load(preset, presets.FOLDER / "join"),
            environment=_environment(preset),
        )
        for preset, description in what.items()
    ]


def _environment(preset: str) -> dict[str, str]:
    """Return the environment of a preset: the demos read the bitext of the quickstart."""
    if preset == "demo":
        return _QUICKSTART
    return {}


def _training() -> list[Deployment]:
    """Return the deployments that train: on the pairs of the demo, and on those of any data set."""
    what = {
        "demo": "A small splitter from the pairs of demo-fr-en, which has to run first - 60 updates, no network.",
        "split": "A splitter from a data set of pairs - other tasks (fuse, markers, relations, entailment), data sets "
        "and networks can be chosen in the form. An hour or more on a CPU; large networks need a GPU.",
    }
    folder = presets.FOLDER / "train"
    return [
        Deployment(
            name=f"train-{preset}",
            description=description,
            flow=train_model,
            tags=["train"],
            settings=presets.load(preset, folder),
            environment=_QUICKSTART if preset == "demo" else {},
        )
        for preset, description in what.items()
    ]


def _recipe(flow: Flow[Any, Any], name: str, description: str) -> list[Deployment]:
    """Return the deployments of a recipe over documents: the demo's documents, and corpora of OPUS."""
    demo_source = "the documents of the quickstart. A minute, no network."
    folder = presets.FOLDER / name
    return [
        Deployment(
            name=f"{name}-{preset}",
            description=f"{description}; {demo_source if preset == 'demo' else _FROM_OPUS}",
            flow=flow,
            tags=[*([START] if preset == "demo" else []), f"recipe:{name}"],
            settings=presets.load(preset, folder),
            environment=_QUICKSTART if preset == "demo" else {},
        )
        for preset in presets.names(folder)
    ]


def _build(name: str, description: str) -> Deployment:
    settings = presets.load(name)
    pivot, language = settings["pivot"], settings["language"]
    corpora = " and ".join(corpus.replace("/", " ") for corpus in settings["corpora"])
    bitext = f"{_ENGLISH_NAMES[pivot]}-{_ENGLISH_NAMES[language]} bitext, {corpora}"
    return Deployment(
        name=name,
        description=description.format(language=_ENGLISH_NAMES[language], bitext=bitext),
        tags=[*([START] if name in _FIRST else []), f"pair:{pivot}-{language}"],
        settings=settings,
        environment=_QUICKSTART if "demo" in name else {},
    )
