"""Files that a user names: read once, and refused in one line where they cannot be read."""

import errno
import gzip
import os
import socket
import stat
import subprocess
import sys
import threading
from contextlib import chdir
from pathlib import Path

import pytest

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import input_files, table_folders
from bitext_pivot.core.storage import received

EXPECTED = "Name a text file."


def read(path: Path) -> list[str]:
    return list(input_files.lines(path, EXPECTED))


def fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


def unix_socket(path: Path) -> Path:
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)  # the whole path may be too long
    return path


@pytest.mark.parametrize(
    "name", ["/dev/zero", "/dev/null", "/dev", "fifo", "socket", "link to a device", "none"]
)
def test_what_may_never_end_is_refused(name: str, tmp_path: Path) -> None:
    path = Path(name)
    if name == "fifo":
        path = fifo(tmp_path / "fifo")
    elif name == "socket":
        path = unix_socket(tmp_path / "s")
    elif name.startswith("link"):
        path = tmp_path / "link"
        path.symlink_to("/dev/zero")
    with pytest.raises(SettingsError, match=rf"^{path} .*{EXPECTED}$"):
        read(path)


def test_a_pipe_of_a_shell_is_read_to_its_end() -> None:
    ours, theirs = os.pipe()

    def write() -> None:
        with os.fdopen(theirs, "wb") as out:
            out.write(b"a line\n" * 300_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert stat.S_ISFIFO(Path(f"/dev/fd/{ours}").stat().st_mode)
    assert read(Path(f"/dev/fd/{ours}")) == ["a line"] * 300_000
    writer.join()
    os.close(ours)


def test_a_line_that_does_not_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_files, "LONGEST", 2 << 20)
    (tmp_path / "a.txt").write_bytes(b"a" * (1 << 20) + b"\n" + b"b" * ((2 << 20) - 1) + b"\n")
    assert len(read(tmp_path / "a.txt")) == 2
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a\n" + b"b" * (4 << 20)))
    with pytest.raises(SettingsError, match="line of more than 2 MiB"):
        read(tmp_path / "a.txt.gz")


WHOLE = gzip.compress(os.urandom(20_000).hex().encode() + b"\n")


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        (".gz", WHOLE[:-12]),
        (".gz", WHOLE[:200] + bytes(40) + WHOLE[240:]),
        (".gz", WHOLE[:-8] + bytes(8)),
        (".gz", b"no gzip\n"),
        (".GZ", WHOLE[:-12]),
        (".bz2", b"BZh91AY&SY"),
        (".xz", b"\xfd7zXZ\x00 and no more"),
        (".zst", b"\x28\xb5\x2f\xfd and no more"),
    ],
)
def test_damage_in_a_compressed_file_is_one_line(
    ending: str, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / f"a.tsv{ending}"
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path} cannot be read (") and "\n" not in str(
        caught.value
    )


def test_the_first_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("é\né\n".encode() + b"caf\xe9\n")
    assert len(read(path)) == 3
    with pytest.raises(SettingsError, match=r"a\.txt is not UTF-8 \(line 3\)"):
        list(input_files.utf8_lines(path, EXPECTED))
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(SettingsError, match=r"a\.txt is not UTF-8 .*iconv -f"):
        read(path)


def test_a_disk_that_fails_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").touch()
    with pytest.raises(OSError, match=r"a\.json"), received.opened(tmp_path / "a.json"):
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize(
    "address", ["http://a.b/c.tsv", "s3://b/c.tsv", "hf://datasets/a", "file:///a.tsv"]
)
def test_an_address_is_not_read(address: str) -> None:
    with pytest.raises(SettingsError, match=r"^\w+:// is not read here; download the file first"):
        read(Path(address))
    with pytest.raises(SettingsError, match=r"^\w+:// is not read here"):
        table_folders.find_files(Path(address))


def test_minus_is_standard_input() -> None:
    code = (
        "from pathlib import Path; from bitext_pivot.core.reading.input_files import lines; "
        "print([*lines(Path('-'), '')])"
    )
    run = [sys.executable, "-c", code]
    assert (
        subprocess.run(run, input="a\nb\n", capture_output=True, text=True, check=True).stdout
        == "['a', 'b']\n"
    )
