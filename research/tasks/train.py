"""Train a network on rows of data sets, score it on test sets and write its card (README.md)."""

import shutil
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext_pivot.core.hub import device, hub
from bitext_pivot.core.hub.weights import silence_transformers
from bitext_pivot.core.progress import warn
from bitext_pivot.core.settings import key
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, manifest, received
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.front_matter import without_front_matter
from bitext_pivot.research.models import data, evaluation, model_card, network
from bitext_pivot.research.models.data import ExampleSubsets
from bitext_pivot.research.models.evaluation import HeldOutExamples
from bitext_pivot.research.models.kinds import SCORES, network_class
from bitext_pivot.research.models.network import NetworkPlan
from bitext_pivot.research.models.training_settings import TrainSettings, output_file
from bitext_pivot.research.tasks.training_examples import digest, find_rows, read, titles
from bitext_pivot.tasks.run.current_run import StageResult, as_task, current_run
from bitext_pivot.tasks.run.stages import write_once

if TYPE_CHECKING:
    from bitext_pivot.research.models.trainer import Losses, TrainingRuntime

VERSION = 3
"""Changes the folder names of trained models. Raise it when a change of research/models/ gives another network for the
same settings."""
_CHECKPOINTS = "checkpoints"
_DONE, _NETWORK, _RESULT = "done", "network", "result.json"
"""Folder of a seed whose training is finished, and in it the folder of the network and the file of outputs and
losses."""
_PACKAGES = ("torch", "transformers", "accelerate", "sentence-transformers")


@as_task("train a model")
def train(form: TrainSettings, site: Site) -> StageResult[Path]:
    """Train and test a model and write its card, unless it is finished, and return its folder.

    The training runs in the thread of the caller, so that Ctrl-C reaches the trainer.
    """
    begun = time.monotonic()
    run = _TrainingRun.of(form, site)
    write_once(run.folder, [], run.write)
    text = without_front_matter(received.text(run.folder / "README.md"))
    current_run().publish("report", text, form.title)
    score = model_card.main_score(atomic.load_json(run.folder / SCORES))
    message = f"{score}, {(time.monotonic() - begun) / 60:.1f} min, in {run.folder}"
    return StageResult(run.folder, True, message)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TrainingRun:
    """A training and the folder of its model.

    The name of the folder contains a digest of settings, data, test sets and pretrained model.
    """

    form: TrainSettings
    plan: NetworkPlan
    site: Site
    signature: dict[str, Any]
    folder: Path

    @classmethod
    def of(cls, form: TrainSettings, site: Site) -> "_TrainingRun":
        start = network.fetch(form.start)
        facts = (
            {} if start is None else {"commit": start.commit, "digest": hub.digest(start.folder)}
        )
        digests = {name: digest(find_rows(name, site)) for name in form.names}
        signature = {
            "settings": form.model_dump(mode="json"),
            "data": digests | {str(path): digest(path) for path in form.test_files},
            "start": {"name": form.start.start, **facts},
        }
        folder = site.home / "trained" / form.task / f"train-{key(signature, VERSION)}"
        plan = NetworkPlan(
            kind=form.kind, start=form.start, folder=start and start.folder, training=form.training,
            decoding=form.decoding, language=form.scoring.language,
            is_adaptive=form.loss == "adaptive" and form.kind == "generate",
        )  # fmt: skip
        return cls(form=form, plan=plan, site=site, signature=signature, folder=folder)

    def write(self) -> None:
        """Train with each seed, and write the folder of the model.

        The folder contains the model of the first seed, the outputs of all seeds, the scores, the card (README.md) and,
        written last, the manifest.
        """
        skips = Counter[str]()
        tests, parts = read(self.form, self.site, skips)
        results = {
            f"seed {seed}": self._train(seed, parts, tests) for seed in self.form.training.seeds
        }
        first = next(iter(results.values()))
        facts = {
            "title": self.form.title, "task": self.form.task, "plan": self.plan.model_dump(mode="json"),
            "seeds": list(results), "start": self.signature["start"],
            "data": {"titles": titles(self.form, self.site), **data.summary(parts, skips)},
            "tests": {test.name: self._score(test, results) for test in tests},
            "seconds": sum(result["seconds"] for result in results.values()), "steps": first["steps"],
            "losses": first["losses"], "threads": self.site.threads,
            "device": device.describe_processor(self.site.device),
            "versions": {name: version(name) for name in _PACKAGES},
        }  # fmt: skip
        facts["worth"] = model_card.main_score(facts)
        trained = self._checkpoints(self.form.training.seeds[0]) / _DONE / _NETWORK
        shutil.copytree(trained, self.folder, dirs_exist_ok=True)
        atomic.write_json(self.folder / SCORES, facts)
        again = rebuild.rebuild_section(
            self.signature, "`bitext-pivot train --preset README.md` trains it again."
        )
        atomic.write_text(
            self.folder / "README.md",
            f"{model_card.front_matter(facts)}{model_card.readme(facts)}\n{again}\n",
        )
        manifest.write(self.folder, {}, self._files())
        shutil.rmtree(self.folder / _CHECKPOINTS)

    def _checkpoints(self, seed: int) -> Path:
        return self.folder / _CHECKPOINTS / f"seed-{seed}"

    def _train(
        self, seed: int, parts: ExampleSubsets, tests: Sequence[HeldOutExamples]
    ) -> dict[str, Any]:
        """Train with one seed, and return outputs, number of updates, seconds and losses.

        If an earlier process finished this training, its result is returned.
        """
        from bitext_pivot.research.models import trainer  # takes seconds

        folder = self._checkpoints(seed)
        done = folder / _DONE
        problems = manifest.broken_seal(done)
        if not problems:
            return atomic.load_json(done / _RESULT)
        if (done / manifest.NAME).exists():
            warn(f"seed {seed} is trained again because its result is damaged: {problems[0]}")
        shutil.rmtree(done, ignore_errors=True)
        trainer.seed(seed)
        training = self.form.training.model_copy(update={"seeds": [seed]})
        built = network_class(self.plan.kind).build(self.plan, parts.train)
        fitted = trainer.fit(built, parts, training, folder, _runtime(self.site))
        outputs = {
            test.name: evaluation.outputs(built, test.examples, training.batch) for test in tests
        }
        with silence_transformers():
            built.save(done / _NETWORK)
        result = {"outputs": outputs, **asdict(fitted)}
        atomic.write_json(done / _RESULT, result)
        manifest.seal(done)
        return result

    def _score(self, test: HeldOutExamples, results: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """Write the outputs of all trained models for a test set, and return their scores."""
        systems = {seed: result["outputs"][test.name] for seed, result in results.items()}
        for number, lines in enumerate(systems.values()):
            path = self.folder / "outputs" / output_file(test.name, number)
            atomic.write_text(path, "".join(f"{line}\n" for line in lines))
        return evaluation.scores(self.form.task, test, systems, self.form.scoring)

    def _files(self) -> list[str]:
        paths = (
            path.relative_to(self.folder)
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        )
        return [str(path) for path in paths if path.parts[0] not in {_CHECKPOINTS, manifest.NAME}]


def _runtime(site: Site) -> "TrainingRuntime":
    """Return device and callbacks for a training, which show the losses on the run's page."""
    from bitext_pivot.research.models.trainer import TrainingRuntime  # takes seconds

    def on_losses(losses: "Losses") -> None:
        current_run().publish("losses", list(losses), "Losses by update")

    return TrainingRuntime(
        device=device.torch_device(site.device), threads=site.threads, trackers=site.trackers,
        checkpoint_minutes=site.checkpoint_minutes, on_losses=on_losses,
    )  # fmt: skip
