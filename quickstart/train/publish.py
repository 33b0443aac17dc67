"""Write a trained snapshot as the model to hand out: the same folder with its weights in half precision."""

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

WEIGHTS = "model.safetensors"


def publish(snapshot: Path, folder: Path) -> None:
    """Copy a snapshot, storing its weights in float16; config.json keeps float32, so that loading widens them again."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in snapshot.iterdir():
        if path.name != WEIGHTS:
            shutil.copyfile(path, folder / path.name)
    weights = {name: tensor.to(torch.float16) for name, tensor in load_file(snapshot / WEIGHTS).items()}
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})


def main() -> None:
    """Read the arguments and publish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path, help="the export folder that train.py wrote")
    parser.add_argument("folder", type=Path, help="folder of the published model")
    settings = parser.parse_args()
    publish(settings.snapshot, settings.folder)


if __name__ == "__main__":
    main()
