"""Deployments of the Prefect UI: builds of the presets, by language pair and recipe, one for any pair, one plan."""

import re
from pathlib import Path

from bitext_pivot.core.languages import NAMES
from bitext_pivot.deployments import discourse, research
from bitext_pivot.deployments.deployment import START, Deployment, environment
from bitext_pivot.flows import presets
from bitext_pivot.flows.join_builds import join_builds
from bitext_pivot.flows.pivot_bitext import pivot_bitext
from bitext_pivot.flows.plan_bitext import plan_bitext

_ENGLISH_NAMES = {code: name.capitalize() for name, code in NAMES.items()}
_ANY_PAIR = {
    "pivot": "pl", "language": "en", "corpora": ["Europarl/v8"], "translation": {"model": "Helsinki-NLP/opus-mt-pl-en"},
}  # fmt: skip
_FIRST = ("demo-fr-en", "first-fr-en")


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
            flow=pivot_bitext,
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
        *discourse.deployments(),
        *research.deployments(),
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
            environment=environment(preset),
        )
        for preset, description in what.items()
    ]


def _build(name: str, description: str) -> Deployment:
    settings = presets.load(name)
    pivot, language = settings["pivot"], settings["language"]
    corpora = " and ".join(corpus.replace("/", " ") for corpus in settings["corpora"])
    bitext = f"{_ENGLISH_NAMES[pivot]}-{_ENGLISH_NAMES[language]} bitext, {corpora}"
    return Deployment(
        name=name,
        flow=pivot_bitext,
        description=description.format(language=_ENGLISH_NAMES[language], bitext=bitext),
        tags=[*([START] if name in _FIRST else []), f"pair:{pivot}-{language}"],
        settings=settings,
        environment=environment(name),
    )
