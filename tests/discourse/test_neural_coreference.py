"""Coreference by fastcoref: which mentions are replaced, with clusters given by hand, and with a small model."""

import inspect
import logging
from pathlib import Path
from typing import Any

import pytest
from factories import source

from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.records import FusedPair, ParsedSentence, Sentence
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.discourse.fusion.documents import Fusion
from bitext_pivot.discourse.fusion.rules import unfuse_pair, unfuse_sentence
from bitext_pivot.discourse.neural_coreference import Clusters, FastCoref, Mentions, clusters
from bitext_pivot.flows.unfuse_settings import UnfuseText
from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.parsing import Pipeline, parse_sentences, parse_texts

MODELS = Path(__file__).parents[2] / "quickstart/models"
pytestmark = pytest.mark.quickstart


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "coreference"
    from coreference_model import save  # fastcoref takes seconds, in every process that collects tests

    save(folder)
    return folder


def span(text: str, tokens: list[str]) -> tuple[int, int]:
    words = text.split()
    start = next(n for n in range(len(tokens)) if tokens[n : n + len(words)] == words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("first", "second", "cluster", "expected", "flags"),
    [
        ("Anna Berg was late .", "Today she left .", ("Anna Berg", "she"), "Today Anna Berg left .", (1, 0)),
        ("The bank closed .", "Its profit fell .", ("The bank", "Its"), "The bank 's profit fell .", (1, 0)),
        ("Oak Street is long .", "The road is old .", ("Oak Street", "The road"), "Oak Street is old .", (0, 1)),
        ("Anna , the queen , left .", "She came back .", ("Anna , the queen", "She"), "Anna came back .", (1, 0)),
        ("The bank 's owner left .", "It closed .", ("The bank 's", "It"), "The bank closed .", (1, 0)),
        ("She was late .", "Anna missed her train .", ("She", "Anna", "her"), None, (0, 0)),  # a pronoun before
        ("The Lions won .", "They beat the Lions .", ("The Lions", "They"), None, (0, 0)),
        ("Anna left .", "Anna came back .", ("Anna", "Anna"), None, (0, 0)),  # the same words
        ("Anna left .", "This was wrong .", ("Anna left", "This"), None, (0, 0)),
        ("Anna left .", "It rained .", (), None, (0, 0)),
    ],
)  # fmt: skip
def test_a_mention_is_replaced_with_the_name_in_its_cluster(
    pipeline: Pipeline, first: str, second: str, cluster: tuple[str, ...], expected: str | None, flags: tuple[int, int]
) -> None:
    a, b = (Grammar(parse, "en") for parse in parse_texts([first, second], pipeline) if not isinstance(parse, str))
    tokens = [*a.parse.tokens, *b.parse.tokens]
    spans: Mentions = tuple(
        span(text, tokens) if n == 0 else tuple(len(a) + i for i in span(text, [*b.parse.tokens]))  # type: ignore[misc]
        for n, text in enumerate(cluster)
    )
    made = unfuse_pair(a, b, "faithful", Clusters({(a.parse.tokens, b.parse.tokens): [spans] if spans else []}))
    assert made.second == (expected or second)
    assert (made.has_pronoun, made.has_nominal) == flags
    assert made.discourse_type == ("PAIR_ANAPHORA" if expected else "PAIR_NONE")


def test_the_leftmost_mention_is_replaced_wherever_it_is(pipeline: Pipeline) -> None:
    texts = ["Anna met Peter .", "He said that he saw her ."]
    a, b = (Grammar(parse, "en") for parse in parse_texts(texts, pipeline) if not isinstance(parse, str))
    found = Clusters({(a.parse.tokens, b.parse.tokens): [((0, 1), (9, 10)), ((2, 3), (4, 5), (7, 8))]})
    assert unfuse_pair(a, b, "faithful", found).second == "Peter said that Peter saw her ."


def test_a_small_model_resolves_neighbours_and_parts_of_a_sentence(pipeline: Pipeline, model: Path) -> None:
    texts = [
        "Anna was late .",
        "She missed the train .",
        "All shops were closed .",
        "Peter closed the shop because he was ill .",
    ]
    parses = [parse for parse in parse_texts(texts, pipeline) if not isinstance(parse, str)]
    found = clusters([parse.tokens for parse in parses], FastCoref(model=str(model)), "cpu")
    a, b, _, d = (Grammar(parse, "en") for parse in parses)
    assert unfuse_pair(a, b, "faithful", found).second == "Anna missed the train ."
    single = unfuse_sentence(d, "faithful", found)
    assert single is not None
    assert (single.discourse_type, single.second) == ("SINGLE_CONN_INNER_ANAPHORA", "Peter was ill .")


def test_a_shard_is_made_with_the_model(
    pipeline: Pipeline, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.unfuse import unfuse

    for place in ("bitext_pivot.tasks.run.stages", "bitext_pivot.tasks.run.progress"):
        monkeypatch.setattr(f"{place}.get_run_logger", lambda: logging.getLogger("test"))
    sentences = [
        Sentence(
            id=f"Days/v1/en/a:{n}", source=source("Days", "a"), language="en",
            paragraph=1, position=n, text=text,
        )
        for n, text in enumerate(["The twins was late .", "They missed the train ."], 1)
    ]  # fmt: skip
    shard = tmp_path / "parsed-0" / "Days-v1-00000.parquet"
    shards.write(shard, ParsedSentence, parse_sentences(sentences, pipeline)[0], {"skips": {}, "before": {}})
    settings = Fusion(coreference="fastcoref", fastcoref=FastCoref(model=str(model)), profile="faithful")
    fusion = settings.pinned()
    path: Any = unfuse.fn(shard, fusion, fusion.digest("cpu"), Site(device="cpu")).data
    (pair,) = shards.read(path, FusedPair)
    assert (pair.discourse_type, pair.second, pair.has_pronoun) == (
        "PAIR_ANAPHORA",
        "The twins missed the train .",
        True,
    )


def refused(folder: Path) -> str:
    with pytest.raises(BuildError) as error:
        clusters([], FastCoref(model=str(folder)), "cpu")
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_model_that_links_nothing_right_is_refused(model: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    broken = tmp_path / "broken"
    broken.mkdir()
    for path in model.iterdir():
        (broken / path.name).write_bytes(path.read_bytes())
    torch.manual_seed(0)
    tensors = {name: torch.randn_like(tensor) for name, tensor in load_file(model / "model.safetensors").items()}
    save_file(tensors, broken / "model.safetensors", metadata={"format": "pt"})
    assert "of 4 plain English sentences are resolved" in refused(broken)


def test_another_kind_of_model_is_refused() -> None:
    assert "which fastcoref cannot load" in refused(MODELS / "marian-frdees-en")
    assert "neither a folder that exists nor a name on the hub" in refused(Path("no/such/folder"))


def test_fastcoref_still_needs_the_attribute_that_is_set() -> None:
    """If this fails, the line in `_load` that sets `all_tied_weights_keys` is not needed any more: delete it."""
    from fastcoref.coref_models import modeling_fcoref
    from transformers import PreTrainedModel

    assert "post_init" not in inspect.getsource(modeling_fcoref)  # it would set the attribute
    assert "self.all_tied_weights_keys = " in inspect.getsource(PreTrainedModel.post_init)
    assert not hasattr(PreTrainedModel, "all_tied_weights_keys")


def test_fastcoref_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitext_pivot.core.extras.find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r"coreference fastcoref needs .*not installed here\. Install it with"):
        UnfuseText(corpora=["Days/v1"], fusion=Fusion(coreference="fastcoref"))
    with pytest.raises(SettingsError, match="not installed"):
        FastCoref().check()
