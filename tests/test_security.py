"""Model files cannot run code here: pickles get a restricted unpickler, a model's own code is never imported."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from messages import Golden
from safetensors.numpy import save_file

from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.neural import encoder
from bitext_pivot.filters.neural import encoder_checkpoint as encoders
from bitext_pivot.filters.neural.entailment import EntailmentFilter
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.syntax.parsing import load_pipeline as load_parser
from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.models import Translation, load_engine

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "quickstart" / "models"
MARIAN, SPACY = MODELS / "marian-frdees-en", MODELS / "spacy-en-ud"


class Bomb:
    """What unpickles into a file: proof that a pickle was opened."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self.mark,)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """The file that is there when code of a model ran."""
    return tmp_path / "it-ran"


@pytest.fixture
def bomb(mark: Path) -> bytes:
    """A pickle that runs code when it is opened, and does so when we open it ourselves."""
    found = pickle.dumps(Bomb(mark))
    pickle.loads(found)
    assert mark.exists()
    mark.unlink()
    return found


def copy(folder: Path, place: Path) -> Path:
    """A copy that may be spoilt."""
    return Path(shutil.copytree(folder, place / folder.name, copy_function=shutil.copyfile))


PICKLED = ["pytorch_model.bin", "./models/weights.pt", "owner/model.PTH", "x.ckpt", "model.pkl"]


@pytest.mark.parametrize("name", PICKLED)
def test_a_pickle_is_refused_by_name_before_the_hub(
    name: str, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("huggingface_hub.snapshot_download", None)
    with golden.refused(SettingsError):
        open_checkpoint(name)
    with golden.refused(SettingsError):
        encoders.fetch_checkpoint(name, 1)


def test_pickles_beside_the_weights_are_left_alone(tmp_path: Path, mark: Path, bomb: bytes) -> None:
    folder = copy(MARIAN, tmp_path)
    for name in (
        "pytorch_model.bin",
        "adapter_model.bin",
        "optimizer.pt",
        "training_args.bin",
        "vocab.pkl",
    ):
        (folder / name).write_bytes(bomb)
    (folder / "adapter_config.json").write_text(
        '{"peft_type": "LORA", "base_model_name_or_path": "x"}'
    )
    settings = Translation(model=str(folder))
    found = load_engine(settings, "fr", "en", models_folder=tmp_path / "converted")
    assert found.translate(["Bonjour."])[0].text != ""
    assert not mark.exists()


def encoder_folder(place: Path, **config: object) -> Path:
    """A folder that looks like an encoder of one layer."""
    place.mkdir()
    (place / "config.json").write_text(
        json.dumps({"num_hidden_layers": 1, **config}), encoding="utf-8"
    )
    save_file({"weight": numpy.zeros(1, numpy.float32)}, place / "model.safetensors")
    return place


def is_refused(folder: Path, golden: Golden) -> None:
    """Assert that neither filter loads the encoder in a folder."""
    with golden.refused(BuildError):
        encoder.load_encoder(encoders.fetch_checkpoint(str(folder), 1), "float32")
    with golden.refused(BuildError):
        EntailmentFilter(model=str(folder)).load("en", Runtime.of(Site(device="cpu")))


def test_an_encoder_whose_weights_would_run_code_is_refused(
    tmp_path: Path, mark: Path, bomb: bytes, golden: Golden
) -> None:
    folder = encoder_folder(tmp_path / "encoder", model_type="bert")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(bomb)
    is_refused(folder, golden)
    assert not mark.exists()


@pytest.mark.parametrize(
    "known", [True, False], ids=["a type that transformers has", "a type of its own"]
)
def test_code_that_comes_with_a_model_is_never_imported(
    tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch, known: bool, golden: Golden
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "y")  # what transformers would ask of a person
    names = {
        "AutoConfig": "evil.Config",
        "AutoModel": "evil.Model",
        "AutoTokenizer": ["evil.Tokenizer", None],
    }
    names["AutoModelForSequenceClassification"] = "evil.Model"
    folder = encoder_folder(
        tmp_path / "encoder", model_type="bert" if known else "evil", auto_map=names
    )
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"auto_map": names, "tokenizer_class": "Tokenizer"})
    )
    (folder / "evil.py").write_text(
        f"import pathlib\npathlib.Path({str(mark)!r}).touch()\nclass Config: pass\nModel = Tokenizer = Config\n"
    )
    is_refused(folder, golden)
    assert not mark.exists()


SPACY_FILES = [
    "vocab/vectors",
    "vocab/lookups.bin",
    "parser/model",
    "parser/moves",
    "tokenizer",
    "meta.json",
]


@pytest.mark.parametrize("name", SPACY_FILES)
def test_a_pickle_in_a_spacy_pipeline_is_refused_unopened(
    tmp_path: Path, mark: Path, bomb: bytes, name: str, golden: Golden
) -> None:
    folder = copy(SPACY, tmp_path)
    if name == "vocab/vectors":  # an array of pickled objects
        with (folder / name).open("wb") as file:
            numpy.save(file, numpy.array([Bomb(mark)], dtype=object), allow_pickle=True)
    else:
        (folder / name).write_bytes(bomb)
    with golden.refused(BuildError):
        load_parser(Parser(pipeline=str(folder)), "en")
    assert not mark.exists()


LOADING = """
import pathlib, pickle, sys
unpickled = []
sys.addaudithook(lambda event, what: unpickled.append(what) if event == "pickle.find_class" else None)
pickle.loads(pickle.dumps(pathlib.PurePath()))
assert unpickled, "the hook does not hear"
unpickled.clear()
from bitext_pivot.alignments.screening import identify
from bitext_pivot.filters.neural import encoder, encoder_checkpoint
from bitext_pivot.syntax.parsing import Parser, load_pipeline as parser
from bitext_pivot.translation.models import Translation, load_engine
models, work = map(pathlib.Path, sys.argv[1:])
one = load_engine(Translation(model=str(models / "marian-frdees-en")), "fr", "en", models_folder=work)
one.translate(["Bonjour."])
parser(Parser(pipeline=str(models / "spacy-en-ud")), "en")
encoder.load_encoder(encoder_checkpoint.fetch_checkpoint("all-MiniLM-L6-v2", 6), "float32")
identify.odds_against("Il pleut beaucoup ce matin.", "fr")
print(unpickled)
"""


@pytest.mark.nightly
def test_no_model_of_the_quickstart_is_a_pickle(tmp_path: Path) -> None:
    """Python tells of every global that an unpickler looks up (docs.python.org/3/library/audit_events.html)."""
    done = subprocess.run(
        [sys.executable, "-c", LOADING, str(MODELS), str(tmp_path)],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "address",
    [
        "s3://key:hush@bucket/x",
        "sftp://me:hush@host/x",
        "ftp://:hu@sh@host",
        "s3://key:hu/sh@bucket/x",
        "s3://key:h+/u/@bucket",
    ],
)
def test_a_url_in_place_of_a_folder_is_refused_without_repeating_its_password(
    address: str, golden: Golden
) -> None:
    with golden.refused(SettingsError) as caught:
        Site(builds=address).build_folder("en-fr")
    assert "hu" not in str(caught.value)
