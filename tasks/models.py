"""Models of a build: which it needs, their sizes, what is missing here, the commits they are pinned to."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.filesize import decimal

from filters.neural.checkpoint import choose as choose_encoder
from filters.neural.encoded import Encoded
from filters.neural.entailment import Entailment
from filters.sieve import Sieve
from pairs.checkpoints import hub
from pairs.checkpoints.hub import Preview
from pairs.errors import BuildError, SettingsError, SourceError
from pairs.syntax import pipelines
from pairs.syntax.parsing import Parser
from pairs.syntax.pipelines import default_pipeline
from pairs.tables import Table
from translation.checkpoint import SETTING, open_checkpoint
from translation.checkpoint import choose as choose_marian
from translation.directions import default_model
from translation.models import Translation

_WITH_A_MODEL = {"marian", "marian-transformers"}


@dataclass(frozen=True, slots=True)
class Model:
    """A model in Hugging Face's layout that a build needs."""

    stage: str
    """`translate`, or the name of a filter."""
    name: str
    """A hub name, a folder, or an encoder that comes as a package."""
    revision: str | None

    def preview(self) -> Preview:
        """Return its size and what of it is missing here. Raises SettingsError and SourceError."""
        is_marian = self.stage == "translate"
        choose = choose_marian if is_marian else choose_encoder
        setting = SETTING if is_marian else f"sieve.advanced.{self.stage}.model"
        return hub.preview(self.name, choose=choose, setting=setting, revision=self.revision)


def models(translation: Translation, sieve: Sieve, pivot: str, language: str) -> Iterator[Model]:
    """Yield the models of a build in the order of its stages. Raises SettingsError without a model for a direction."""
    if translation.engine in _WITH_A_MODEL:
        yield Model("translate", translation.model or default_model(pivot, language), translation.revision)
    for name, one in sieve.active().items():
        if isinstance(one, Encoded | Entailment) and one.model:
            yield Model(name, one.model, one.revision)


def table(translation: Translation, parser: Parser, sieve: Sieve, pivot: str, language: str) -> Table:
    """Return every model with its size and whether it is here, and the filters that need none."""
    rows = [_row(model) for model in models(translation, sieve, pivot, language)]
    if translation.engine not in _WITH_A_MODEL:
        rows.insert(0, ("translate", f"{translation.engine} {translation.model or ''}".strip(), "", ""))
    name = parser.pipeline or default_pipeline(language)
    folder = pipelines.installed(name)
    here = "yes" if folder else f"no: {pipelines.install_command(name)}"
    rows.append(("parse", name, decimal(_size(folder)) if folder else "", here))
    others = [name for name in sieve.active() if name not in {row[0] for row in rows}]
    return Table(
        title="Models", head=("stage", "model", "size", "here"), rows=rows, note=f"Filters: {', '.join(others)}."
    )


def _row(model: Model) -> tuple[str, str, str, str]:
    name = f"{model.name} ({model.revision})" if model.revision else model.name
    try:
        found = model.preview()
    except BuildError as error:
        return model.stage, name, "unknown", f"no: {error}"
    missing = f"no: {decimal(found.download)} to download"
    return model.stage, name, decimal(found.bytes), missing if found.missing else "yes"


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def problems(translation: Translation, sieve: Sieve, pivot: str, language: str) -> list[str]:
    """Return what is wrong with the named models, as far as it is known without a download; one message each."""
    said: list[str] = []
    try:
        needed = list(models(translation, sieve, pivot, language))
    except SettingsError as error:
        needed, said = [], [str(error)]
    for model in needed:
        try:
            model.preview()
        except SettingsError as error:
            said.append(str(error))
        except SourceError:
            pass  # a hub that does not answer now may answer when the build starts
    return list(dict.fromkeys(said))


def pinned(translation: Translation, sieve: Sieve, pivot: str, language: str) -> tuple[Translation, Sieve]:
    """Return the settings with each hub model's revision replaced by its commit, so that all workers use the same.

    Raises SettingsError and SourceError.
    """
    for model in models(translation, sieve, pivot, language):
        if commit := model.preview().commit:
            if model.stage == "translate":
                translation = translation.model_copy(update={"model": model.name, "revision": commit})
            else:
                one = getattr(sieve.advanced, model.stage).model_copy(update={"revision": commit})
                advanced = sieve.advanced.model_copy(update={model.stage: one})
                sieve = sieve.model_copy(update={"advanced": advanced})
    return translation, sieve


def commits(translation: Translation, sieve: Sieve, pivot: str, language: str) -> dict[str, dict[str, str]]:
    """Return name and commit of each hub model, by stage; nothing for folders and packages."""
    found = [(model, model.preview().commit) for model in models(translation, sieve, pivot, language)]
    return {model.stage: {"model": model.name, "revision": commit} for model, commit in found if commit}


def downloads(translation: Translation, sieve: Sieve, pivot: str, language: str) -> Iterator[str]:
    """Yield a line for each model that has to be downloaded: `Downloading NAME: 298.9 MB`."""
    for model in models(translation, sieve, pivot, language):
        if size := model.preview().download:
            yield f"Downloading {model.name}: {decimal(size)}"


def fetch_all(pivot: str, language: str) -> Iterator[str]:
    """Download everything that a build with default settings needs; yield a line per model, with where it is.

    Raises SettingsError for languages without defaults, SourceError for what cannot be downloaded.
    """
    name = default_model(pivot, language)
    yield f"translate  {name}  {open_checkpoint(name).folder}"
    encoders = {one.model: one for one in Sieve().active().values() if isinstance(one, Encoded)}
    for model, one in encoders.items():
        yield f"score  {model}  {one.checkpoint().folder}"
    pipeline = pipelines.download(language)
    yield f"parse  {pipeline}  {pipelines.installed(pipeline)}"
