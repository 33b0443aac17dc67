"""What is packed for a machine without a network, and how the steps are run there, on small stand-ins."""

import os
import sys
import tarfile
from pathlib import Path

import pack_gpu
import pytest


@pytest.mark.parametrize(
    ("program", "seconds", "is_done"),
    [
        ("print('measured')", 3600, True),
        ("raise SystemExit(3)", 3600, False),
        ("import time; time.sleep(600)", 0.2, False),
    ],
)
def test_a_step_ends_with_its_time(program: str, seconds: float, is_done: bool) -> None:
    """A step succeeds, fails, or is ended; each returns."""
    command = [sys.executable, "-c", program]
    assert pack_gpu.finishes("step", command, seconds, dict(os.environ)) is is_done


def test_what_nothing_opens_is_left_out(tmp_path: Path) -> None:
    """Modules stay; native libraries and large files stay if they were opened, whatever Python they are for."""
    large = b" " * (pack_gpu.LARGE + 1)
    files = {
        "package/module.py": large,
        "package/small.json": b"{}",
        "package/read.json": large,
        "package/unread.json": large,
        "package/unused.cpython-312-x86_64-linux-gnu.so": b"",
        "package.libs/libunused-0123.so.4": b"",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    found = {
        path.relative_to(tmp_path).as_posix()
        for path, _ in pack_gpu.needless(tmp_path, {"package/read.json"})
    }
    assert found == {
        "package/unread.json",
        "package/unused.cpython-312-x86_64-linux-gnu.so",
        "package.libs/libunused-0123.so.4",
    }


def test_the_archive_keeps_files_and_links(tmp_path: Path) -> None:
    """A linked package is a link again, and the bytes of each part are counted."""
    stage = tmp_path / "stage"
    (stage / "core").mkdir(parents=True)
    (stage / "src").mkdir()
    (stage / "core" / "module.py").write_text("one = 1\n", encoding="utf-8")
    (stage / "src" / "core").symlink_to("../core")
    parts = pack_gpu.archive(stage, tmp_path / "pack.tar.xz")
    assert set(parts) == {"core/module.py", "src/core"}
    with tarfile.open(tmp_path / "pack.tar.xz") as packed:
        packed.extractall(tmp_path / "there", filter="data")
    assert (tmp_path / "there" / "src" / "core" / "module.py").read_text(
        encoding="utf-8"
    ) == "one = 1\n"


@pytest.mark.parametrize(
    ("libraries", "links"),
    [
        (
            ("cu13/lib/libcublas.so.13", "cu13/lib/libcublasLt.so.13"),
            {"libcublas.so.12", "libcublasLt.so.12"},
        ),
        (("cublas/lib/libcublas.so.12", "cublas/lib/libcublasLt.so.12"), set()),
        ((), set()),
    ],
)
def test_cublas_13_gets_the_name_of_12(
    tmp_path: Path, libraries: tuple[str, ...], links: set[str]
) -> None:
    """The link is made only where PyTorch brought no cuBLAS 12."""
    for name in libraries:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    folders = pack_gpu.cublas(tmp_path / "links", [tmp_path])
    made = {path.name for path in (tmp_path / "links").glob("*")}
    assert made == links
    assert {Path(folder) for folder in folders} >= {(tmp_path / name).parent for name in libraries}
