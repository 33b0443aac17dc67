"""Finished builds of pairs, which a join combines into one data set."""

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

_PIVOT_PREFIXES = ("direction=", "model=", "prefix=")
"""Prefixes of the words in an engine's signature that depend on the pivot language."""


class _Settings(BaseModel):
    """The settings of a build that a join needs."""

    language: str
    filters: Filters
    translation: dict[str, Any] = {}
    export: dict[str, Any] = {}


@dataclass(frozen=True)
class FinishedBuild:
    """A finished build: its data set and the shards of judged pairs that the data set was written from."""

    name: str
    """Path of the data set relative to the folder of builds, such as fr-en/export-1a2b3c4d, or its full path if it is
    elsewhere."""
    folder: Path
    """The folder of the data set."""
    stats: BuildStats
    """The content of stats.json."""
    signature: BuildSignature
    """All settings and versions that can change the rows of the build, as in the card."""
    settings: _Settings

    @property
    def pair(self) -> str:
        """The language pair, such as fr-en."""
        return self.folder.parent.name

    @property
    def shards(self) -> list[Path]:
        """The paths of the shards of judged pairs."""
        return [self.folder.parent / name for name in self.stats.shards]

    def check(self, language: str) -> None:
        """Raise SettingsError if a join cannot use the build.

        Its pairs may be in another language, they may be incomplete because of `export.best`, or shards may be missing.
        """
        if self.settings.language != language:
            raise SettingsError(
                f"{self.name} has pairs in {self.settings.language!r}, but the join expects {language!r}. Set "
                "language, or name builds in one language."
            )
        refuse_best(self.name, self.settings.export.get("best", 1))
        missing = [path for path in self.shards if shards.find(path) is None]
        if missing:
            raise SettingsError(
                f"{len(missing)} of {len(self.shards)} shards of {self.name} are missing or damaged, such as "
                f"{missing[0]}. Build it again: only these shards are built."
            )


def refuse_best(name: str, best: float) -> None:
    """Raise SettingsError if a data set has only its best pairs, because a join needs them all."""
    if best < 1:
        raise SettingsError(
            f"{name} was built with export.best {best:g}, but a join needs all pairs that the filters accept. Build it "
            "without export.best, and set export.best of the join instead."
        )


def read_all(names: Sequence[str], site: Site) -> list[FinishedBuild]:
    """Return the builds with these names or paths, sorted and without duplicates.

    Raises the same errors as `find`.
    """
    builds = {build.name: build for build in (find(name, site) for name in names)}
    return [builds[name] for name in sorted(builds)]


def shards_of(builds: Sequence[FinishedBuild]) -> list[Path]:
    """Return the shards of all builds, in order.

    If shards have equal names, only the first is returned.
    """
    paths: dict[str, Path] = {}
    for build in builds:
        for name, path in zip(build.stats.shards, build.shards, strict=True):
            paths.setdefault(name, path)
    return [*paths.values()]


def identities(builds: Sequence[FinishedBuild]) -> dict[str, str]:
    """Return the SHA-256 of each build's stats.json (which lists shards), by build name."""
    return {build.name: atomic.sha256(build.folder / STATS) for build in builds}


def find(name: str, site: Site) -> FinishedBuild:
    """Return the build at a path, such as `fr-en` or `fr-en/latest` in the folder of builds.

    Raises SettingsError if there is no such build, or if a join cannot read it.
    """
    below = site.build_folder(name)
    folders.refuse_url(name, "builds")
    path = Path(name)
    with folders.reading(path):
        for folder in (below, below / "latest", path, path / "latest"):
            folder = reading.find_data_set(str(folder))
            if manifest.files(folder) is not None:
                return _read(folder.resolve(), site)
    raise SettingsError(
        f"builds names {name!r}, but there is no finished data set at this path or in {site.build_folder('')}. Name "
        "a data set, such as fr-en or data/fr-en/latest, or build it first."
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
            f"{name} was built by another version, or not by `bitext-pivot build`. Build it again with the same "
            "command: only the stages that have changed are built."
        ) from error
    return FinishedBuild(name, folder, stats, signature, settings)


def signature(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return the signature of a join: the settings and versions that can change rows.

    It combines the signatures of the builds, and contains a summary of each build and the differences.
    """
    filters: dict[str, str] = {}
    models: dict[str, Any] = {}
    cited: dict[str, str] = {}
    for build in builds:
        filters |= build.signature.filters
        cited |= _citations(build)
        models |= {
            f"{build.pair} {stage}": model for stage, model in build.signature.models.items()
        }
    return {
        "engine": _distinct(_engine_signature(build.signature.engine) for build in builds),
        "parser": _distinct(build.signature.parser for build in builds),
        "filters": filters,
        **{name: _distinct(_citations(build).get(name, "") for build in builds) for name in cited},
        "models": models,
        "thresholds": _common_thresholds(builds),
        "builds": {build.name: _summary(build) for build in builds},
        "different": differences(builds),
    }


def _distinct(texts: Iterable[str]) -> str:
    """Return the distinct non-empty texts, joined by ` + `."""
    return " + ".join(dict.fromkeys(filter(None, texts)))


def _summary(build: FinishedBuild) -> dict[str, Any]:
    return {
        "title": build.stats.title,
        "kept": build.stats.kept,
        "engine": build.signature.engine,
    }


def _common_thresholds(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return the thresholds of each filter that has the same thresholds in all builds."""
    first, *others = [build.signature.thresholds for build in builds]
    common = {}
    for name, thresholds in first.items():
        if all(other.get(name) == thresholds for other in others):
            common[name] = thresholds
    return common


def differences(builds: Sequence[FinishedBuild]) -> list[str]:
    """Return the settings and versions that differ between builds, such as `versions.spacy`."""
    return [".".join(path) for path, _ in sorted(find_differences(*map(_comparable_parts, builds)))]


def _comparable_parts(build: FinishedBuild) -> dict[str, Any]:
    """Return the settings and versions that should be equal in all builds of a join.

    The translation model is omitted, because it depends on the pivot language, unless a server translates.
    """
    signature, translation = build.signature, dict(build.settings.translation)
    if model_kind(translation.get("engine", "")) != "served":
        translation.pop("model", None)
        translation.pop("revision", None)
    return {
        "--filters": build.settings.filters.model_dump(mode="json"),
        "--translation": translation,
        "engine": _engine_signature(signature.engine),
        "parser": signature.parser,
        "filters": signature.filters,
        **_citations(build),
        "versions": {**signature.versions, "processor": ""},
    }


def _citations(build: FinishedBuild) -> dict[str, str]:
    """Return the citations of the models that a build's filters use, by filter name."""
    return citation.filter_citations(build.stats.signature)


def _engine_signature(text: str) -> str:
    """Return an engine's signature without the words that depend on the pivot language."""
    kind, *words = text.split()
    return " ".join([kind, *(word for word in words[1:] if not word.startswith(_PIVOT_PREFIXES))])


def recipe(builds: Sequence[FinishedBuild], language: str) -> Recipe[JudgedPair]:
    """Return a BiSECT recipe whose rows have the scores of all filters in the builds."""
    active: dict[str, Filter] = {}
    for build in builds:
        active |= build.settings.filters.active()
    return bisect(
        score_names(active),
        in_examples=example_score_names(active),
        on_meaning=meaning_roles(active),
    )


def corpora(builds: Sequence[FinishedBuild]) -> dict[str, dict[str, Any]]:
    """Return the licence of each corpus, where it is stated, and the digest of its files.

    If a corpus was built with several pivot languages, the digest covers the files for all these languages.
    """
    by_name: dict[str, list[SourceStats]] = {}
    for build in builds:
        for name, source in build.stats.corpora.items():
            by_name.setdefault(name, []).append(source)
    return {
        name: {**sources[0].model_dump(exclude_unset=True), "sha256": _digest(sources)}
        for name, sources in sorted(by_name.items())
    }


def _digest(sources: Sequence[SourceStats]) -> str:
    digests = sorted({source.sha256 for source in sources})
    if len(digests) == 1:
        return digests[0]
    return key(*digests)


def sources(builds: Sequence[FinishedBuild]) -> dict[str, Any]:
    """Return what identifies each source's content, by build and source (`fr-en Europarl/v8`)."""
    identities: dict[str, Any] = {}
    for build in builds:
        identities |= {
            f"{build.pair} {name}": identity for name, identity in build.signature.sources.items()
        }
    return identities
