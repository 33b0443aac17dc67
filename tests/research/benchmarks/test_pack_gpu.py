"""What is packed for a machine without a network, and how the steps are run there, on small stand-ins."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import distribution, version
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


def unpacked(folder: Path, python: str) -> list[str]:
    """Write what an archive is unpacked to, with steps b and c for stand-ins; return the command that runs them."""
    (folder / "benchmarks").mkdir()
    (folder / "data" / "jobs").mkdir(parents=True)
    (folder / "packed.txt").write_text(f"{python} pytest no-such-package", encoding="utf-8")
    (folder / "data" / "jobs" / "filters.jobs.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    scores = {"hsplit": {"systems": {"trained": {"SARI": 12.345}}}}
    facts = {"tests": scores, "training_seconds": 1, "device": "cpu"}
    (folder / "benchmarks" / "gpu.py").write_text("print('begun')\nraise SystemExit(3)\n")
    (folder / "benchmarks" / "trainings.py").write_text(
        "import sys\nfrom pathlib import Path\n"
        "assert Path(sys.argv[1], 'filters.jobs.jsonl').read_text() == '{}\\n'\n"
        "Path(sys.argv[2]).mkdir()\n"
        f"Path(sys.argv[2], 'one.json').write_text({json.dumps(facts)!r})\n"
    )
    script = folder / "benchmarks" / "pack_gpu.py"
    shutil.copy(pack_gpu.__file__, script)
    return [sys.executable, str(script), "run", "--small", "--out", str(folder / "out")]


def test_a_step_that_fails_does_not_stop_the_next_one(tmp_path: Path) -> None:
    """Both steps ran, one text file has what all processes printed, another the results."""
    command = [*unpacked(tmp_path, pack_gpu.HERE), "--steps", "bc"]
    process = subprocess.run(command, capture_output=True, text=True)
    printed = (tmp_path / "out" / "results.txt").read_text(encoding="utf-8")
    assert process.returncode == 1
    assert printed == process.stdout
    assert f"pytest {version('pytest')} no-such-package MISSING" in printed
    assert "begun\n== b: status 3" in printed
    assert "== c: status 0" in printed
    assert "one {'hsplit': 12.35} 1 s on cpu" in printed
    assert printed.endswith("failed: b\n")
    with tarfile.open(tmp_path / "out" / "filters.tar.gz") as results:
        assert results.getnames() == ["one.json"]


def test_another_python_is_named_at_once(tmp_path: Path) -> None:
    """No step begins where the packages cannot be imported."""
    process = subprocess.run(unpacked(tmp_path, "3.9"), capture_output=True, text=True)
    assert process.returncode == 1
    assert process.stderr == (
        f"This is Python {pack_gpu.HERE}, the packages are for 3.9. Pack with --python {pack_gpu.HERE}.\n"
    )
    assert process.stdout == ""


def test_packages_that_are_there_are_not_packed(tmp_path: Path) -> None:
    """Of a package that was opened all modules are copied, without caches; the product's metadata is."""
    needs = distribution("bitext-pivot").requires or []
    there = {re.split(r"[^\w.-]", need)[0] for need in needs} - {"tomli-w"}
    opened = {str(distribution("tomli-w").locate_file("tomli_w/__init__.py"))}
    opened |= {str(distribution("numpy").locate_file("numpy/__init__.py"))}
    left_out = pack_gpu.stage_packages(
        tmp_path, opened, pack_gpu.HERE, [*there, *pack_gpu.ONLY_ON_A_GPU], tmp_path
    )
    packed = {path.name for path in tmp_path.iterdir()}
    assert "tomli_w" in packed
    assert {name.partition("-")[0] for name in packed} == {"tomli_w", "bitext_pivot"}
    assert not list(tmp_path.rglob("*.pyc"))
    assert left_out["package numpy"] > pack_gpu.LARGE


def test_a_large_archive_is_cut(tmp_path: Path) -> None:
    """The pieces are at most as large as allowed, and give the archive again."""
    path = tmp_path / "pack.tar.xz"
    path.write_bytes(bytes(range(100)))
    assert pack_gpu.cut(path, 100) == [path]
    pieces = pack_gpu.cut(path, 40)
    assert [piece.name for piece in pieces] == [f"pack.tar.xz.0{number}" for number in (1, 2, 3)]
    assert max(piece.stat().st_size for piece in pieces) <= 40
    assert b"".join(piece.read_bytes() for piece in pieces) == bytes(range(100))
    assert not path.exists()


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
        "pyarrow/libarrow_s3.so.2600": b"",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    found = {
        path.relative_to(tmp_path).as_posix()
        for path, _ in pack_gpu.needless(
            tmp_path, {"package/read.json", "pyarrow/libarrow_s3.so.2600"}
        )
    }
    assert found == {
        "package/unread.json",
        "package/unused.cpython-312-x86_64-linux-gnu.so",
        "package.libs/libunused-0123.so.4",
        "pyarrow/libarrow_s3.so.2600",
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
