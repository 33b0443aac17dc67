"""The packaged encoder in the layouts of other architectures, which compute the same vectors from the same words."""

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bitext_pivot.filters.neural.checkpoint import checkpoint

if TYPE_CHECKING:
    import torch

Tensors = dict[str, "torch.Tensor"]
WORDS, POSITIONS, TYPES = (
    f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")
)
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
"""Of RoBERTa and XLM-R, and the words of BERT in their place."""
OF_BERT = ["[CLS]", "[PAD]", "[SEP]", "[UNK]"]


def source() -> Path:
    """Return the folder of the packaged encoder."""
    return checkpoint("all-MiniLM-L6-v2", 6).folder


def weights(folder: Path) -> Tensors:
    """Return the tensors of a folder."""
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def write(folder: Path, tensors: Tensors) -> None:
    """Write tensors as the weights of a folder."""
    from safetensors.torch import save_file

    tensors = {name: tensor.contiguous().clone() for name, tensor in tensors.items()}
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


def bert(folder: Path, *files: str) -> None:
    """BERT, with all files of its tokenizer or some of them."""
    folder.mkdir()
    tokenizer = files or (
        "vocab.txt",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
    )
    for name in ("config.json", "model.safetensors", *tokenizer):
        shutil.copyfile(source() / name, folder / name)


def pickled(folder: Path) -> None:
    """BERT with its weights as pytorch_model.bin in the format before torch 1.6, named as a language model's."""
    import torch

    bert(folder, "vocab.txt", "tokenizer_config.json")
    tensors = {
        f"bert.{name}": tensor
        for name, tensor in weights(folder).items()
        if not name.startswith("pooler")
    }
    torch.save(tensors, folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    (folder / "model.safetensors").unlink()


def distilbert(folder: Path) -> None:
    """DistilBERT: without token types, whose first vector is added to the positions."""
    bert(folder, "vocab.txt")
    tensors = {
        name: tensor for name, tensor in weights(folder).items() if not name.startswith("pooler")
    }
    tensors[POSITIONS] = tensors[POSITIONS] + tensors.pop(TYPES)[0]
    names = {
        "encoder.layer": "transformer.layer", "attention.self.query": "attention.q_lin",
        "attention.self.key": "attention.k_lin", "attention.self.value": "attention.v_lin",
        "attention.output.dense": "attention.out_lin", "attention.output.LayerNorm": "sa_layer_norm",
        "intermediate.dense": "ffn.lin1", "output.dense": "ffn.lin2", "output.LayerNorm": "output_layer_norm",
    }  # fmt: skip
    renamed = {}
    for name, tensor in tensors.items():
        for old, new in names.items():
            name = name.replace(old, new)
        renamed[name] = tensor
    write(folder, renamed)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    sizes = {
        "dim": config["hidden_size"],
        "n_layers": 6,
        "n_heads": 12,
        "hidden_dim": config["intermediate_size"],
    }
    kept = {
        "vocab_size": 30522,
        "max_position_embeddings": 512,
        "architectures": ["DistilBertModel"],
    }
    (folder / "config.json").write_text(
        json.dumps({"model_type": "distilbert", **sizes, **kept}), encoding="utf-8"
    )


def xlm_roberta(folder: Path) -> None:
    """XLM-R: SentencePiece in sentencepiece.bpe.model, with the words of BERT as its pieces."""
    words = (source() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    rows = {
        word.removeprefix("##") if word.startswith("##") else f"▁{word}": row
        for row, word in enumerate(words)
    }
    rows |= {f"▁{word.capitalize()}": row for row, word in enumerate(words) if word.isalpha()}
    pieces = [piece for piece, row in rows.items() if row >= 999]
    order = [
        *(words.index(word) for word in OF_BERT),
        *(rows[piece] for piece in pieces),
        words.index("[MASK]"),
    ]
    _robertas(folder, order, "xlm-roberta")
    entries = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3)]
    entries += [
        (piece, 0.1 * len(piece) - 10, 1) for piece in pieces
    ]  # one long piece rather than several short ones
    (folder / "sentencepiece.bpe.model").write_bytes(_sentencepiece(entries))


def _sentencepiece(entries: list[tuple[str, float, int]]) -> bytes:
    """Return a unigram model in the format of sentencepiece_model.proto, from (piece, score, type)."""

    def field(number: int, data: bytes) -> bytes:
        return bytes([number << 3 | 2]) + _varint(len(data)) + data

    pieces = b"".join(
        field(
            1,
            field(1, piece.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind]),
        )
        for piece, score, kind in entries
    )
    return pieces + field(2, b"\x18\x01") + field(3, field(1, b"identity"))


def _varint(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first."""
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return bytes(groups)


def roberta(folder: Path) -> None:
    """RoBERTa: byte pairs in vocab.json and merges.txt that make up whole words from their beginning."""
    words = (source() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    numbers = {word: number for number, word in enumerate(words)}
    letters = [chr(code) for code in range(33, 127)] + ["Ġ"]
    plain = [word for word in words[1996:12_000] if word.isascii() and word.isalpha()]
    prefixes = dict.fromkeys(f"Ġ{word[:end]}" for word in plain for end in range(1, len(word) + 1))
    bodies = {f"Ġ{word}": numbers[word] for word in plain}
    capitals = {f"Ġ{word.capitalize()}": numbers[word] for word in plain}
    starts = {word.capitalize(): numbers[word] for word in plain}
    every = {**dict.fromkeys([*prefixes, *letters]), **bodies, **capitals, **starts}
    merges: dict[tuple[str, str], int] = {}
    for word in [*bodies, *capitals, *starts]:
        for end in range(2, len(word) + 1):
            merges.setdefault((word[: end - 1], word[end - 1]), end)
            every.setdefault(word[:end])
    order = [*(numbers[word] for word in OF_BERT)]
    order += [
        numbers.get(token.lstrip("Ġ").lower(), 100) if row is None else row
        for token, row in every.items()
    ]
    _robertas(folder, [*order, numbers["[MASK]"]], "roberta")
    tokens = {token: number for number, token in enumerate([*SPECIAL, *every, "<mask>"])}
    (folder / "vocab.json").write_text(json.dumps(tokens), encoding="utf-8")
    lines = [
        f"{first} {second}"
        for (first, second), _ in sorted(merges.items(), key=lambda item: item[1])
    ]
    (folder / "merges.txt").write_text(
        "#version: 0.2\n" + "\n".join(lines) + "\n", encoding="utf-8"
    )


def _robertas(folder: Path, order: list[int], kind: str) -> None:
    """Write weights and configuration of a RoBERTa whose token n is BERT's `order[n]`; its positions begin at 2."""
    import torch

    folder.mkdir()
    tensors = {
        name: tensor for name, tensor in weights(source()).items() if not name.startswith("pooler")
    }
    tensors.pop("embeddings.position_ids", None)
    tensors[WORDS] = tensors[WORDS][order]
    tensors[POSITIONS] = torch.cat(
        [torch.zeros(2, tensors[POSITIONS].shape[1]), tensors[POSITIONS]]
    )
    tensors[TYPES] = tensors[TYPES][:1]
    write(folder, tensors)
    config = json.loads((source() / "config.json").read_text(encoding="utf-8"))
    config |= {
        "model_type": kind,
        "vocab_size": len(order),
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
    }
    config |= {
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "architectures": ["RobertaModel"],
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


LAYOUTS: dict[str, Callable[[Path], None]] = {
    "BERT, all files": bert,
    "BERT, vocab.txt alone": lambda folder: bert(folder, "vocab.txt"),
    "BERT, tokenizer.json alone": lambda folder: bert(folder, "tokenizer.json"),
    "BERT, pytorch_model.bin": pickled,
    "DistilBERT": distilbert,
    "RoBERTa, vocab.json and merges.txt": roberta,
    "XLM-R, sentencepiece.bpe.model": xlm_roberta,
}
