"""Files of word vectors: formats, and what is no vector."""

import gzip
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.research.models import vector_file
from bitext_pivot.research.models.training_settings import Start


@pytest.mark.parametrize("text", [
    "tom 0.5 -1e-3\nann 1 2\n",
    "2 2\ntom 0.5 -1e-3\nann 1 2\n",
    "tom 0.5 -1e-3\r\nann 1 2\r\n",
    "tom 0.5 -1e-3\nat name@x.org 3 4\nann 1 2\n",
    "tom 0.5 -1e-3 \nann 1 2 \n\xe9\u0085 5 x\n",
])  # fmt: skip
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_words_have_their_vectors(text: str, compress: type[bytes], tmp_path: Path) -> None:
    path = tmp_path / ("v.txt" if compress is bytes else "v.txt.gz")
    path.write_bytes(compress(text.encode()))
    expected = {"tom": [0.5, -0.001], "ann": [1.0, 2.0]}
    assert dict(vector_file.read(path, {"tom", "ann", "at", "2"})) == expected


@pytest.mark.parametrize(
    "line", ["tom 1 x", "tom 1 nan", "tom inf 1", "tom", "", "tom 1", "tom\t1\t2", "tom 1 1e999"]
)
def test_what_is_no_vector_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text(f"ann 1 2\n{line}\n", encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"model\.vectors is .*v\.txt, which has no vector in line 2"
    ):
        vector_file.check(path)


def test_a_file_without_a_word_of_the_data_is_refused(tmp_path: Path) -> None:
    from bitext_pivot.research.models.pair_classifier import word_vectors

    path = tmp_path / "v.txt"
    path.write_text("ann 1 2\n", encoding="utf-8")
    start = Start(start="lstm", vectors=str(path))
    assert word_vectors(["ann", "tom"], start)[1].tolist() == [1, 2]
    with pytest.raises(SettingsError, match="has none of the 1 words"):
        word_vectors(["tom"], start)
