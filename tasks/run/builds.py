"""Finished builds of pairs, which a join reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, folders, manifest, shards
from bitext_pivot.corpus import citation, reading
from bitext_pivot.corpus.differences import find_differences
from bitext_pivot.corpus.facts import STATS, BuildStats, SourceStats, read_stats
from bitext_pivot.corpus.rebuild import BuildSignature
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.recipes.bisect import bisect
from bitext_pivot.filters.base import Filter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.presentation import example_score_names, meaning_roles, score_names
from bitext_pivot.translation.models import model_kind

_OF_A_PIVOT = ("direction=", "model=", "prefix=")
"""Words of an engine's signature that say for which language it is."""


class _Settings(BaseModel):
    """The settings of a build that a join reads."""

    language: str
    filters: Filters
    translation: dict[str, Any] = {}
    export: dict[str, Any] = {}


@dataclass(frozen=True)
class FinishedBuild:
    """The data set of a build, whose shards of judged pairs are still beside it."""

    name: str
    """Its folder below that of all builds, as fr-en/export-1a2b3c4d; the whole path if it is elsewhere."""
    folder: Path
    stats: BuildStats
    """What its stats.json says."""
    signature: BuildSignature
    """What ran."""
    settings: _Settings

    @property
    def pair(self) -> str:
        """Its language pair, such as fr-en."""
        return self.folder.parent.name

    @property
    def shards(self) -> list[Path]:
        """The shards of its judged pairs."""
        return [self.folder.parent / name for name in self.stats.shards]

    def check(self, language: str) -> None:
        """Raise SettingsError if it is of another language or has a part of its pairs only, or shards are missing."""
        own = self.settings.language
        if own != language:
            raise SettingsError(
                f"{self.name} has pairs in {own!r}, expected {language!r}. Set language, or name "
                "builds of one language."
            )
        refuse_best(self.name, self.settings.export.get("best", 1))
        gone = [path for path in self.shards if shards.find(path) is None]
        if gone:
            raise SettingsError(
                f"{len(gone)} of {len(self.shards)} shards of {self.name} are missing or damaged, such as "
                f"{gone[0]}. Build it again: only these are made."
            )


def refuse_best(name: str, best: float) -> None:
    """Raise SettingsError for a build whose data set has the best pairs only: a join reads all that filters kept."""
    if best < 1:
        raise SettingsError(
            f"{name} was built with export.best {best:g}, but a join reads all pairs that the filters kept. Build it "
            "without, and set export.best of the join."
        )


def read_all(names: Sequence[str], site: Site) -> list[FinishedBuild]:
    """Return builds, each once, in an order that does not depend on that of `names`. Raises SettingsError."""
    found = {build.name: build for build in (find(name, site) for name in names)}
    return [found[name] for name in sorted(found)]


def shards_of(builds: Sequence[FinishedBuild]) -> list[Path]:
    """Return the shards of all builds in order, each once: those of a copy of a build have the same names."""
    paths: dict[str, Path] = {}
    for build in builds:
        for name, path in zip(build.stats.shards, build.shards, strict=True):
            paths.setdefault(name, path)
    return [*paths.values()]


def identities(builds: Sequence[FinishedBuild]) -> dict[str, str]:
    """Return the SHA-256 of each build's stats.json: its shards, counts and signature, by its name."""
    return {build.name: atomic.sha256(build.folder / STATS) for build in builds}


def find(name: str, site: Site) -> FinishedBuild:
    """Return the build at a path, or with a name below the folder of builds: `fr-en`, or `fr-en/latest`.

    Raises SettingsError if there is none, or it cannot be joined.
    """
    below = site.build_folder(name)
    folders.refuse_url(name, "builds")
    here = Path(name)
    with folders.reading(here):
        for folder in (below, below / "latest", here, here / "latest"):
            folder = reading.find_data_set(str(folder))
            if manifest.files(folder) is not None:
                return _read(folder.resolve(), site)
    raise SettingsError(
        f"builds names {name!r}, which is no finished data set, here or in {site.build_folder('')}. Name "
        "one, such as fr-en or data/fr-en/latest, or build it first."
    )


def _read(folder: Path, site: Site) -> FinishedBuild:
    name = str(folder)
    pair = folder.parent.name
    if site.build_folder(pair).resolve() == folder.parent:
        name = f"{pair}/{folder.name}"
    problems = manifest.problems(folder, STATS)
    if problems:
        raise SettingsError(
            f"{name} differs from its manifest: {', '.join(problems)}. Build it again."
        )
    try:
        stats = read_stats(folder)
        signature = BuildSignature.model_validate(stats.signature)
        settings = _Settings.model_validate(signature.settings)
        if not signature.engine or not stats.shards:
            raise ValueError("it has no engine, or no shards")
    except (ShardError, ValueError) as error:
        raise SettingsError(
            f"{name} was made by another version, or not by `bitext-pivot build`. Build it again by the same "
            "command: only what has changed is made."
        ) from error
    return FinishedBuild(name, folder, stats, signature, settings)


def signature(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return what ran in all builds: what they share, each build, and in what they differ."""
    filters: dict[str, str] = {}
    models: dict[str, Any] = {}
    cited: dict[str, str] = {}
    for build in builds:
        filters |= build.signature.filters
        cited |= _cited(build)
        models |= {
            f"{build.pair} {stage}": model for stage, model in build.signature.models.items()
        }
    return {
        "engine": _distinct(_engine(build.signature.engine) for build in builds),
        "parser": _distinct(build.signature.parser for build in builds),
        "filters": filters,
        **{name: _distinct(_cited(build).get(name, "") for build in builds) for name in cited},
        "models": models,
        "thresholds": _common_thresholds(builds),
        "builds": {build.name: _summary(build) for build in builds},
        "different": differences(builds),
    }


def _distinct(texts: Iterable[str]) -> str:
    """Return the different texts of a part of the signatures, joined."""
    return " + ".join(dict.fromkeys(filter(None, texts)))


def _summary(build: FinishedBuild) -> dict[str, Any]:
    return {
        "title": build.stats.title,
        "kept": build.stats.kept,
        "engine": build.signature.engine,
    }


def _common_thresholds(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return the thresholds of the filters that have the same ones in all builds."""
    first, *others = [build.signature.thresholds for build in builds]
    common = {}
    for name, limits in first.items():
        if all(other.get(name) == limits for other in others):
            common[name] = limits
    return common


def differences(builds: Sequence[FinishedBuild]) -> list[str]:
    """Return in what builds differ: options of `build`, and parts of their signatures, as `versions.spacy`."""
    return [".".join(path) for path, _ in sorted(find_differences(*map(_alike, builds)))]


def _alike(build: FinishedBuild) -> dict[str, Any]:
    """Return what builds of one data set have in common.

    The model of each pivot language is another one, unless a server translates.
    """
    signature, translation = build.signature, dict(build.settings.translation)
    if model_kind(translation.get("engine", "")) != "served":
        translation.pop("model", None)
        translation.pop("revision", None)
    return {
        "--filters": build.settings.filters.model_dump(mode="json"),
        "--translation": translation,
        "engine": _engine(signature.engine),
        "parser": signature.parser,
        "filters": signature.filters,
        **_cited(build),
        "versions": {**signature.versions, "processor": ""},
    }


def _cited(build: FinishedBuild) -> dict[str, str]:
    """Return what the filters of a build cite of themselves, by their names."""
    return citation.filter_citations(build.stats.signature)


def _engine(text: str) -> str:
    """Return an engine's signature without its model and direction, which differ by pivot language."""
    kind, *words = text.split()
    return " ".join([kind, *(word for word in words[1:] if not word.startswith(_OF_A_PIVOT))])


def recipe(builds: Sequence[FinishedBuild], language: str) -> Recipe[JudgedPair]:
    """Return the recipe of all builds: the scores that their pairs can have, and what their filters do."""
    active: dict[str, Filter] = {}
    for build in builds:
        active |= build.settings.filters.active()
    return bisect(
        score_names(active),
        in_examples=example_score_names(active),
        on_meaning=meaning_roles(active),
    )


def corpora(builds: Sequence[FinishedBuild]) -> dict[str, dict[str, Any]]:
    """Return licence, grounds and digest of each corpus; with several pivots that of all its files."""
    by_name: dict[str, list[SourceStats]] = {}
    for build in builds:
        for name, source in build.stats.corpora.items():
            by_name.setdefault(name, []).append(source)
    return {
        name: {**found[0].model_dump(exclude_unset=True), "sha256": _digest(found)}
        for name, found in sorted(by_name.items())
    }


def _digest(sources: Sequence[SourceStats]) -> str:
    digests = sorted({source.sha256 for source in sources})
    if len(digests) == 1:
        return digests[0]
    return key(*digests)


def sources(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return the identity of each source of each build, as in their signatures."""
    identities: dict[str, Any] = {}
    for build in builds:
        identities |= {
            f"{build.pair} {name}": identity for name, identity in build.signature.sources.items()
        }
    return identities
