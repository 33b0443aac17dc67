"""The packaged encoder in other layouts, which compute the same vectors from the same words."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint

if TYPE_CHECKING:
    import torch

Tensors = dict[str, "torch.Tensor"]
POSITIONS, TYPES = (f"embeddings.{name}_embeddings.weight" for name in ("position", "token_type"))


def source() -> Path:
    """Return the folder of the packaged encoder."""
    return fetch_checkpoint("all-MiniLM-L6-v2", 6).folder


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


LAYOUTS: dict[str, Callable[[Path], None]] = {
    "BERT, all files": bert,
    "BERT, vocab.txt alone": lambda folder: bert(folder, "vocab.txt"),
    "BERT, tokenizer.json alone": lambda folder: bert(folder, "tokenizer.json"),
    "BERT, pytorch_model.bin": pickled,
    "DistilBERT": distilbert,
}
