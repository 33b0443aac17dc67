"""A small model in the layout of fastcoref's, trained in seconds; it resolves pronouns in sentences of one shape."""

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer, models, pre_tokenizers, processors

if TYPE_CHECKING:
    import torch

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
SHAPE = {"max_segment_len": 512, "max_span_length": 3, "top_lambda": 2.0, "ffnn_size": 48, "dropout_prob": 0.0}
NAMES = {
    "she": ("Anna", "the queen"),
    "it": ("the bank", "Canada"),
    "they": ("the farmers", "the twins"),
    "he": ("Peter",),
}
FRAMES = (
    "{name} sold the old car because {pronoun} needed money .",
    "{name} said that {pronoun} had lost the letter .",
    "{name} sold the land , but {pronoun} kept the horses .",
    "{name} was late . {pronoun} missed the train .",
    "{name} closed the shop because {pronoun} was ill .",
)


BEFORE = ("", "All shops were closed .")


def texts() -> list[tuple[list[str], tuple[int, int], int]]:
    """Return tokenised texts, the span of the name, and the token of its pronoun."""
    made = []
    for before, frame, (pronoun, names) in product(BEFORE, FRAMES, NAMES.items()):
        for name in names:
            start = len(before.split())
            tokens = [*before.split(), *frame.format(name=name[0].upper() + name[1:], pronoun="@").split()]
            place = tokens.index("@")
            tokens[place] = pronoun.capitalize() if tokens[place - 1] == "." else pronoun
            made.append((tokens, (start, start + len(name.split())), place))
    return made


def save(folder: Path) -> None:
    """Train on the texts and write model and tokenizer."""
    import torch
    import transformers
    from fastcoref.coref_models.modeling_fcoref import FCorefModel

    torch.manual_seed(1)
    examples = texts()
    words = sorted({token for tokens, *_ in examples for token in tokens})
    known = {f"\u0120{word}": number for number, word in enumerate(words, len(SPECIAL))}
    tokenizer = _tokenizer(dict(zip(SPECIAL, range(len(SPECIAL)), strict=True)) | known)
    FCorefModel.all_tied_weights_keys = {}
    library: Any = transformers  # its classes take any settings
    config = library.RobertaConfig(
        vocab_size=len(SPECIAL) + len(words), hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=96, max_position_embeddings=514, type_vocab_size=1, pad_token_id=1, bos_token_id=0,
        eos_token_id=2, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, coref_head=SHAPE,
    )  # fmt: skip
    model = FCorefModel(config).train()
    batch, gold = _batch(tokenizer, examples)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(150):
        loss = model(batch, gold_clusters=gold)[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _batch(tokenizer: Any, examples: Any) -> "tuple[Any, torch.Tensor]":
    import torch
    from fastcoref.utilities.collate import LeftOversCollator

    encoded = tokenizer([tokens for tokens, *_ in examples], is_split_into_words=True)
    gold = [[[[1 + name[0], name[1]], [1 + place, 1 + place]]] for _, name, place in examples]  # last tokens included
    return LeftOversCollator(tokenizer, "cpu", 512)(encoded), torch.tensor(gold)


def _tokenizer(vocabulary: dict[str, int]) -> Any:
    import transformers

    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=True)
    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token", "mask_token"), SPECIAL, strict=True))
    library: Any = transformers
    return library.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=512, **names)
