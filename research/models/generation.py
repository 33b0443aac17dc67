"""The network of kind `generate`: any sequence-to-sequence model, with a category head for BiSECT's adaptive loss.

The category head is one linear layer on the encoder's first vector. The paper adds a hidden layer of 1,000 units and
puts [FILL] between the pieces of a pair; this implementation does neither.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, get_args

import torch
from safetensors.torch import save_file
from transformers import T5Config, T5ForConditionalGeneration

from bitext_pivot.core.reading.row_files import SEPARATOR
from bitext_pivot.core.records import Category
from bitext_pivot.research.models import network
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.research.models.network import IGNORED, Batch, NetworkPlan
from bitext_pivot.research.models.split_texts import divided, joined

CATEGORIES: tuple[Category, ...] = get_args(Category)
HEAD = "category_head"
_FACTOR, _MORE = 2, 20  # an output has at most 2 pieces for each piece of the source, and 20 more
_SPECIAL = {"pad_token": "<pad>", "unk_token": "<unk>", "eos_token": "</s>"}


class Generator:
    """A sequence-to-sequence model whose tokenizer encodes the separator `<SEP>` as one piece."""

    def __init__(self, module: Any, tokenizer: Any, plan: NetworkPlan) -> None:
        self.module, self._tokenizer, self._plan = module, tokenizer, plan

    @classmethod
    def build(cls, plan: NetworkPlan, train: Sequence[TrainingExample]) -> Self:
        """Load or create the model, and add the separator `<SEP>` to its vocabulary.

        For the adaptive loss, a category head is added, too.
        """
        if plan.folder is None:
            module, tokenizer = _random(plan, train)
        else:
            module = network.start(plan.folder, "AutoModelForSeq2SeqLM")
            tokenizer = network.start_tokenizer(plan.folder)
        if (
            tokenizer.add_tokens([SEPARATOR])
            and len(tokenizer) > module.get_input_embeddings().num_embeddings
        ):
            # An encoder-decoder model consists of two models with embeddings of their own, such as two BERTs.
            is_composed = module.config.model_type == "encoder-decoder"
            for part in (module.encoder, module.decoder) if is_composed else (module,):
                part.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        _set_language(module, tokenizer, plan.language)
        _complete(module, tokenizer)
        if plan.is_adaptive:
            units = module.get_input_embeddings().embedding_dim
            setattr(module, HEAD, torch.nn.Linear(units, len(CATEGORIES)))
        return cls(module, tokenizer, plan)

    @classmethod
    def load(cls, folder: Path, plan: NetworkPlan) -> Self:
        """Load the model that `save` wrote.

        The category head is not loaded, because generation does not need it.
        """
        return cls(*network.load_trained(folder / "model", "AutoModelForSeq2SeqLM"), plan)

    def save(self, folder: Path) -> None:
        """Write model and tokenizer to the subfolder `model`, and any category head to another file."""
        if head := getattr(self.module, HEAD, None):
            (folder / "model").mkdir(parents=True, exist_ok=True)
            save_file(dict(head.state_dict()), folder / "category.safetensors")
            delattr(self.module, HEAD)
        self.module.save_pretrained(folder / "model")
        self._tokenizer.save_pretrained(folder / "model")

    def collate(self, examples: Sequence[TrainingExample]) -> Batch:
        """Return a batch: ids of sources and targets, and category indices for the category head."""
        targets = [
            _reverse_sentences(example.target) if self._plan.decoding.reverse else example.target
            for example in examples
        ]
        batch = self._encode([example.source for example in examples])
        pieces = self._encode(text_target=targets)
        labels = pieces["input_ids"].masked_fill(pieces["attention_mask"] == 0, IGNORED)
        batch["decoder_input_ids"] = self.module.prepare_decoder_input_ids_from_labels(
            labels=labels
        )
        if self._plan.is_adaptive:
            numbers = {str(category): number for number, category in enumerate(CATEGORIES)}
            batch["category"] = torch.tensor(
                [numbers.get(example.label, IGNORED) for example in examples]
            )
        return {**batch, "labels": labels}

    def outputs(self, examples: Sequence[TrainingExample]) -> list[str]:
        """Return the text that beam search generates for the source of each example."""
        batch = self._encode([example.source for example in examples]).to(self.module.device)
        decoding = self._plan.decoding
        with torch.inference_mode():
            pieces = self.module.generate(
                **batch, num_beams=decoding.beams, no_repeat_ngram_size=decoding.no_repeat, max_length=None,
                max_new_tokens=_FACTOR * batch["input_ids"].shape[1] + _MORE,
            )  # fmt: skip
        special = {token for token in self._tokenizer.all_special_ids if token != self._separator}
        kept = [[piece for piece in row.tolist() if piece not in special] for row in pieces]
        texts = self._tokenizer.batch_decode(kept, clean_up_tokenization_spaces=False)
        outputs = [
            joined([" ".join(sentence.split()) for sentence in divided(text)]) for text in texts
        ]
        return [_reverse_sentences(text) for text in outputs] if decoding.reverse else outputs

    @property
    def _separator(self) -> int:
        return int(self._tokenizer.convert_tokens_to_ids(SEPARATOR))

    def _encode(self, texts: list[str] | None = None, text_target: list[str] | None = None) -> Any:
        longest = self._plan.training.longest
        batch = self._tokenizer(
            texts,
            text_target=text_target,
            truncation=True,
            max_length=longest,
            padding=True,
            return_tensors="pt",
        )
        batch.pop("token_type_ids", None)
        return batch


def _reverse_sentences(text: str) -> str:
    """Reverse the order of the sentences of a text, which are separated by `<SEP>`."""
    return joined(divided(text)[::-1])


def _set_language(module: Any, tokenizer: Any, language: str) -> None:
    """Set source and target language of a multilingual model, if it has codes such as `en_XX`."""
    codes = getattr(tokenizer, "lang_code_to_id", None) or {}
    code = next((name for name in codes if name.partition("_")[0] == language), None)
    if code is not None:
        tokenizer.src_lang = tokenizer.tgt_lang = code
        module.generation_config.forced_bos_token_id = codes[code]


def _complete(module: Any, tokenizer: Any) -> None:
    """Set the start, end and padding tokens for generation if the model does not define them.

    A model composed of two BERTs, for example, does not.
    """
    config = module.generation_config
    begin = getattr(module.config, "decoder_start_token_id", None)
    defaults = {
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id
        if tokenizer.eos_token_id is not None
        else tokenizer.sep_token_id,
        "decoder_start_token_id": begin
        if begin is not None
        else tokenizer.cls_token_id or tokenizer.pad_token_id,
    }
    for name, value in defaults.items():
        if getattr(config, name, None) is None:
            setattr(config, name, value)
        if getattr(module.config, name, None) is None:
            setattr(module.config, name, getattr(config, name))


def _random(plan: NetworkPlan, train: Sequence[TrainingExample]) -> tuple[Any, Any]:
    """Return a small T5 with random weights, and a tokenizer trained on the training examples."""
    tokenizer = network.random_tokenizer(train, _SPECIAL)
    units, layers = network.SIZES[plan.start.size]
    config = T5Config(
        vocab_size=len(tokenizer) + 1, d_model=units, d_kv=units // 4, d_ff=4 * units, num_layers=layers,
        num_decoder_layers=layers, num_heads=4, pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id, decoder_start_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    return T5ForConditionalGeneration(config), tokenizer
