"""Implicit relations of GUM with the BiLSTM of the explicitation paper and with an encoder, three seeds each.

usage: python benchmarks/relations.py FILE.rels.gz

The documents of the file are divided by a hash, a fifth of them for the test. The printed folders have cards.
"""

import gzip
import json
import sys
from pathlib import Path

from bitext_pivot.commands.main import main as command
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.site import Site

TESTED = 5  # one document of so many is for the test
MODELS = (
    "--model.start lstm --training.epochs 15 --training.learning_rate 2e-3",
    "--model.start all-MiniLM-L6-v2 --training.epochs 6 --training.learning_rate 1e-4",
)
SHARED = "train --task relations --licence CC-BY-4.0 --training.batch 16 --training.seeds [0,1,2]"


def main(path: Path) -> None:
    """Train and test both models."""
    folder = Site().home / "benchmarks" / "relations"
    folder.mkdir(parents=True, exist_ok=True)
    header, *lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    is_tested = [rank(line.partition("\t")[0]) % TESTED == 0 for line in lines]
    for name, wanted in (("train", False), ("test", True)):
        chosen = [line for line, tested in zip(lines, is_tested, strict=True) if tested is wanted]
        (folder / f"{name}.rels").write_text("\n".join([header, *chosen]) + "\n", encoding="utf-8")
    tests = json.dumps([{"name": "gdtb", "source": str(folder / "test.rels")}])
    for options in MODELS:
        data = ["--data", str(folder / "train.rels"), "--tests", tests]
        if status := command([*SHARED.split(), *options.split(), *data]):
            sys.exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
