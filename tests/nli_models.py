"""Small models of natural language inference in the layouts of published ones, with random weights or trained ones."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bitext_pivot.core.languages import languages_with
from bitext_pivot.filters.neural import entailment_check

MNLI = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
"""Classes of roberta-large-mnli, in its order and case."""
Item = tuple[str, str, bool]
"""Premise, hypothesis, and whether it follows."""
SIZE: dict[str, Any] = {
    "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64,
    "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.1,
}  # fmt: skip


def probes(language: str = "en") -> list[Item]:
    """Return the questions of the self-check in a language, with their answers."""
    rows = entailment_check.probes(language)
    return [(premise, text, n == 0) for premise, *texts in rows for n, text in enumerate(texts)]


def _texts() -> list[str]:
    return [
        text
        for language in languages_with("entailment_check")
        for row in entailment_check.probes(language)
        for text in row
    ]


def roberta(folder: Path) -> Any:
    """RoBERTa: byte pairs in vocab.json and merges.txt, positions that begin at 2."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = ByteLevelBPETokenizer()
    pieces.train_from_iterator(
        _texts(), vocab_size=600, special_tokens=special, show_progress=False
    )
    pieces.save_model(str(folder))
    return RobertaConfig(vocab_size=600, max_position_embeddings=130, type_vocab_size=1, **SIZE)


def xlm_roberta(folder: Path) -> Any:
    """XLM-R: sentencepiece.bpe.model, whose pieces are numbered one higher in the model."""
    from transformers import XLMRobertaConfig

    _sentencepiece(folder / "sentencepiece.bpe.model", vocab_size=350)
    return XLMRobertaConfig(
        vocab_size=352, max_position_embeddings=130, type_vocab_size=1, pad_token_id=1, bos_token_id=0, eos_token_id=2,
        **SIZE,
    )  # fmt: skip


def deberta_v3(folder: Path) -> Any:
    """DeBERTa-v3: spm.model, relative positions only, and rows of word vectors without a piece."""
    import transformers

    _sentencepiece(
        folder / "spm.model", vocab_size=350, pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]",
        bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]",
    )  # fmt: skip
    kind: Any = transformers.DebertaV2Config  # takes these values of published files besides
    return kind(
        vocab_size=500, max_position_embeddings=130, type_vocab_size=0, relative_attention=True, position_buckets=16,
        norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False,
        max_relative_positions=-1, layer_norm_eps=1e-7, pooler_hidden_size=32, pooler_dropout=0, **SIZE,
    )  # fmt: skip


LAYOUTS: dict[str, Callable[[Path], Any]] = {
    "RoBERTa": roberta, "XLM-R": xlm_roberta, "DeBERTa-v3": deberta_v3,
}  # fmt: skip


def _sentencepiece(path: Path, **options: Any) -> None:
    import sentencepiece

    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(_texts()),
            model_writer=file,
            minloglevel=2,
            character_coverage=1.0,
            **options,
        )


def save(
    folder: Path,
    layout: str = "XLM-R",
    labels: Sequence[str] | None = MNLI,
    items: Sequence[Item] = (),
    entailment: int = 2,
) -> str:
    """Write a model whose classes have these names, trained to answer `items`; without items its weights are random.

    Without `labels` the configuration does not name the classes. Class `entailment` is what follows.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder.mkdir()
    torch.manual_seed(7)
    config = LAYOUTS[layout](folder)
    config.id2label = dict(enumerate(labels or ("LABEL_0", "LABEL_1", "LABEL_2")))
    names = {
        "RoBERTa": "RobertaTokenizer",
        "XLM-R": "XLMRobertaTokenizer",
        "DeBERTa-v3": "DebertaV2Tokenizer",
    }
    tokenizer_config = {"tokenizer_class": names[layout], "model_max_length": 128}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer_config), encoding="utf-8")
    auto: Any = AutoModelForSequenceClassification
    model = auto.from_config(config)
    model.save_pretrained(folder)
    if items:
        _train(model, AutoTokenizer.from_pretrained(folder), items, entailment)
        model.save_pretrained(folder)
    return str(folder)


def _train(model: Any, tokenizer: Any, items: Sequence[Item], entailment: int) -> None:
    """Train a model on all items at once until it knows them by heart."""
    import torch

    premises, hypotheses, answers = map(list, zip(*items, strict=True))
    inputs = tokenizer(premises, hypotheses, padding=True, return_tensors="pt")
    other = 0 if entailment else 1
    classes = torch.tensor([entailment if answer else other for answer in answers])
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(200):
        loss = model(**inputs, labels=classes).loss
        if loss.item() < 0.05:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
