"""Site: where a build's folders are, and how many threads an encoder gets."""

from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site, without_proxy


@pytest.mark.parametrize(
    ("runner", "scheduler", "threads"),
    [
        ("threads", None, 6),
        ("dask", None, 3),
        ("dask", "tcp://scheduler:8786", 6),
    ],
)
def test_processes_of_one_machine_share_the_threads_of_encoders(
    runner: str, scheduler: str | None, threads: int
) -> None:
    assert (
        Site.model_validate(
            {"runner": runner, "scheduler": scheduler, "workers": 2, "threads": 6}
        ).encoding
        == threads
    )


def test_each_process_has_a_thread_at_least() -> None:
    assert Site(runner="dask", workers=8, threads=2).encoding == 1


def test_folders_are_absolute_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "OPUS", "BUILDS", "CATALOGUE", "CACHE"):
        monkeypatch.delenv(f"BITEXT_PIVOT_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    site = Site()
    assert (
        site.home == tmp_path / "data" and site.build_folder("fr-en") == tmp_path / "data" / "fr-en"
    )
    assert (site.opus, site.builds, site.catalogue) == ("https://object.pouta.csc.fi", None, None)
    assert site.folders == {
        "BITEXT_PIVOT_HOME": str(tmp_path / "data"),
        "BITEXT_PIVOT_OPUS": site.opus,
    }


def test_folders_may_be_relative_or_in_the_users_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    for name, value in (
        ("HOME", "~/corpora"),
        ("OPUS", "../mirror"),
        ("BUILDS", "~/builds"),
        ("CACHE", "~/.cache/mine"),
        ("CATALOGUE", "my.db"),
    ):
        monkeypatch.setenv(f"BITEXT_PIVOT_{name}", value)
    site = Site()
    assert site.folders == {
        "BITEXT_PIVOT_HOME": str(tmp_path / "somebody" / "corpora"),
        "BITEXT_PIVOT_OPUS": str(tmp_path.parent / "mirror"),
        "BITEXT_PIVOT_BUILDS": str(tmp_path / "somebody" / "builds"),
        "BITEXT_PIVOT_CATALOGUE": str(tmp_path / "my.db"),
        "BITEXT_PIVOT_CACHE": str(tmp_path / "somebody" / ".cache" / "mine"),
    }
    assert site.build_folder("fr-en") == tmp_path / "somebody" / "builds" / "fr-en"


@pytest.mark.parametrize("name", ["HOME", "BUILDS", "CACHE", "CATALOGUE"])
def test_a_url_is_not_a_folder(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BITEXT_PIVOT_{name}", "s3://me:secret@bucket/corpora")
    with pytest.raises(SettingsError) as refused:
        Site()
    assert str(refused.value).startswith(
        f"BITEXT_PIVOT_{name} starts with s3://, expected a folder."
    )
    assert "aws s3 sync" in str(refused.value) and "secret" not in str(refused.value)


def test_the_home_of_an_unknown_user_is_refused() -> None:
    with pytest.raises(
        SettingsError, match=r"~nobody-of-this-name/data is not a folder on this machine"
    ):
        Site(home=Path("~nobody-of-this-name/data"))


@pytest.mark.parametrize(
    ("variable", "value", "is_refused"),
    [
        ("HOME", "{tmp}/file", True),
        ("HOME", "{tmp}/file/below", True),
        ("HOME", "{tmp}/link", True),
        ("HOME", "{tmp}/file/", True),
        ("BUILDS", "{tmp}/file", True),
        ("BUILDS", "{tmp}/file/fr-en", True),
        ("CACHE", "{tmp}/file", True),
        ("HOME", "/dev/null", True),
        ("HOME", "{tmp}", False),
        ("HOME", "{tmp}/new/folder", False),
        ("HOME", "{tmp}/linked", False),
        ("CATALOGUE", "{tmp}/file", False),
        ("OPUS", "{tmp}/file", False),  # what is wrong with it is said where it is read
    ],
)
def test_a_file_in_the_place_of_a_folder_is_refused(
    variable: str, value: str, is_refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "linked").symlink_to(tmp_path)
    monkeypatch.setenv(f"BITEXT_PIVOT_{variable}", value.format(tmp=tmp_path))
    if not is_refused:
        Site()
        return
    with pytest.raises(SettingsError, match="expected a folder, but .* is a file") as refused:
        Site()
    assert f"BITEXT_PIVOT_{variable}: " in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(("set_before", "expected"), [
    ({}, "127.0.0.1"), ({"NO_PROXY": "a.org,b.org"}, "a.org,b.org,127.0.0.1"), ({"no_proxy": "*"}, "*,127.0.0.1"),
    ({"no_proxy": "a.org", "NO_PROXY": "b.org"}, "a.org,127.0.0.1"),  # the order of Python and httpx
])  # fmt: skip
def test_a_host_is_added_to_those_without_a_proxy(
    set_before: dict[str, str], expected: str
) -> None:
    assert without_proxy(set_before, "127.0.0.1") == {"NO_PROXY": expected, "no_proxy": expected}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("WORKERS", "many"),
        ("WORKERS", "0"),
        ("TIMEOUT", "nan"),
        ("DEVICE", "tpu"),
        ("SLURM_MEMORY", "lots"),
        ("SLURM_TIME", "lots"),
        ("SLURM_TIME", "1:00:00\n#SBATCH --uid=0"),
        ("SLURM_PARTITION", "fast\nrm -r ~"),
        ("SLURM_ACCOUNT", "a b"),
        ("SLURM_GPUS", "all of them"),
        ("SLURM_SETUP", '["module load cuda\\nrm -r ~"]'),
        ("SLURM_SETUP", "module load cuda"),
        ("TRACKERS", "tensorboard"),
        *(
            ("ENDPOINT", address)
            for address in (
                "localhost:8000",
                "nonsense",
                "ftp://host/v1",
                "http://",
                "http://[::1",
                "http://host:port/v1",
                "http://127.0.0.1:99999/v1",
            )
        ),
        ("ENDPOINT_KEY", "sk-é"),
        ("ENDPOINT_KEY", "sk-1\n"),
    ],
)
def test_a_wrong_variable_is_named(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"BITEXT_PIVOT_{variable}", value)
    with pytest.raises(SettingsError) as refused:
        Site()
    assert variable in str(refused.value).upper() and "BITEXT_PIVOT_" in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_the_place_inside_a_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_TRACKERS", '["wandb", 1]')
    with pytest.raises(SettingsError, match="^BITEXT_PIVOT_TRACKERS.1: expected"):
        Site()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SLURM_MEMORY", "16GB"),
        ("SLURM_MEMORY", "4.5 GiB"),
        ("SLURM_TIME", "90"),
        ("SLURM_TIME", "04:00:00"),
        ("SLURM_TIME", "2-12"),
        ("SLURM_TIME", "2-12:30:00"),
        ("SLURM_GPUS", "1"),
        ("SLURM_GPUS", "a100:2"),
        ("SLURM_PARTITION", "gpu-long,gpu"),
    ],
)
def test_values_of_slurm(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BITEXT_PIVOT_{variable}", value)
    assert getattr(Site(), variable.lower()) == value


@pytest.mark.parametrize(("variables", "folder"), [
    ({}, "somebody/.cache/bitext-pivot"),
    ({"XDG_CACHE_HOME": "{tmp}/cache"}, "cache/bitext-pivot"),
    ({"XDG_CACHE_HOME": "cache"}, "somebody/.cache/bitext-pivot"),  # a relative path is to be ignored
    ({"XDG_CACHE_HOME": ""}, "somebody/.cache/bitext-pivot"),
    ({"XDG_CACHE_HOME": "{tmp}/cache", "BITEXT_PIVOT_CACHE": "{tmp}/mine"}, "mine"),
    ({"BITEXT_PIVOT_CACHE": "~/mine"}, "somebody/mine"),
    ({"BITEXT_PIVOT_HOME": "{tmp}/data"}, "somebody/.cache/bitext-pivot"),
])  # fmt: skip
def test_the_catalogue_is_in_the_cache_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str
) -> None:
    for name in ("XDG_CACHE_HOME", "BITEXT_PIVOT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(tmp=tmp_path))
    assert Site().cache_folder == tmp_path / folder
