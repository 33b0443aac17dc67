"""Where a build runs, read from the environment (BITEXT_PIVOT_*).

Only the device and the kernels may change numbers: the signatures of models name them. Nothing else enters a key.
"""

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    BeforeValidator,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import DeviceChoice
from bitext_pivot.core.refused_values import joined, located
from bitext_pivot.core.storage import folders
from bitext_pivot.core.storage.locks import has_locks
from bitext_pivot.core.untrusted import keep_address, keep_secret


def _refuse_url(value: Any, info: ValidationInfo) -> Any:
    """Return the value of a variable; raises SettingsError if it is a URL."""
    folders.refuse_url(value, f"{PREFIX}{str(info.field_name).upper()}")
    return value


def _absolute(path: Path) -> Path:
    """Return `path` from the root, with `~` expanded; raises SettingsError for the home of an unknown user."""
    try:
        return path.expanduser().resolve()
    except RuntimeError as error:
        raise SettingsError(
            f"{path} is not a folder here ({error}). Name the folder without ~."
        ) from error


def _folder(path: Path) -> Path:
    """Return the path of a folder that may be made; raises ValueError if it, or one above it, is a file."""
    for place in (path, *path.parents):
        if place.is_dir():
            return path
        if place.exists():
            raise ValueError(f"expected a folder, and {place} is a file: name another folder")
    return path


AbsolutePath = Annotated[Path, BeforeValidator(_refuse_url), AfterValidator(_absolute)]
Folder = Annotated[AbsolutePath, AfterValidator(_folder)]
SlurmName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.,@+-]+$")]
Line = Annotated[str, StringConstraints(pattern=r"^[^\r\n\x00]*$")]
PREFIX = "BITEXT_PIVOT_"
"""Of the environment variables."""


class Site(BaseSettings):
    """Runtime settings of a build: folders, addresses, threads, device, downloads.

    Folders may be given relative to the working folder, or with `~`; the fields hold absolute paths.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        frozen=True,
        extra="ignore",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
    )

    home: Folder = Path("data")
    """Folder of everything that is fetched and built."""
    opus: str = "https://object.pouta.csc.fi"
    """Base address of OPUS in object-storage layout: http(s)://, file:// or a folder."""
    catalogue: AbsolutePath | None = None
    """OPUS catalogue (opusdata.db of opustools, plain or .gz) instead of the one it ships."""
    cache: Folder | None = None
    """Folder of the unpacked OPUS catalogue, 130 MB, if not `bitext-pivot` in the user's cache folder."""
    builds: Folder | None = None
    """Folder of shards and data sets, if not the data folder."""
    runner: Literal["threads", "dask", "slurm"] = "threads"
    """Workers: threads of this machine, a Dask cluster, or jobs of Slurm."""
    scheduler: str | None = None
    """Address of a Dask scheduler, tcp://host:8786; without one a local cluster is made."""
    slurm_partition: SlurmName | None = None
    """Partition of the jobs of Slurm, its name; without one the cluster's default."""
    slurm_account: SlurmName | None = None
    """Account that the jobs of Slurm are charged to."""
    slurm_time: str = Field(
        default="04:00:00", pattern=r"^(\d+-\d{1,2}(:\d{2}){0,2}|\d+(:\d{2}){0,2})$"
    )
    """Wall time of a job of Slurm, as hours:minutes:seconds or days-hours. A build goes on in further jobs."""
    slurm_cores: int = Field(default=4, ge=1)
    """Cores of a job of Slurm, and threads of its models."""
    slurm_memory: str = Field(default="16GB", pattern=r"^\d+(\.\d+)? ?[kKMGT]i?B?$")
    """Memory of a job of Slurm, a number and a unit: 16GB."""
    slurm_gpus: str = Field(default="", pattern=r"^(([A-Za-z0-9_.-]+:)?\d+)?$")
    """GPUs of a job of Slurm as in --gpus: 1, or a100:1."""
    slurm_setup: tuple[Line, ...] = ()
    """Lines of the shell before the work in a job of Slurm, as a JSON list: `["module load cuda"]`."""
    workers: int = Field(default=2, ge=1, le=64)
    """Number of shards that are built at the same time; with Slurm the most jobs."""
    threads: int = Field(default=2, ge=1, le=256)
    """Threads of one translation model or encoder."""
    device: DeviceChoice = "auto"
    """Device of the neural models: cuda (a GPU), cpu, or auto: a GPU where a small computation works."""
    kernels: Literal["portable", "native"] = "portable"
    """CPU kernels of translation: portable gives the same translations on Intel and AMD; native lets CTranslate2 choose
    (MKL on Intel), faster there."""
    endpoint: str | None = None
    """Address of the server of translation.engine endpoint and of the filter judge, http(s)://host/v1."""
    endpoint_key: SecretStr | None = None
    """Key of that server, if it needs one."""
    endpoint_requests: int = Field(default=8, ge=1, le=256)
    """Requests to that server at the same time."""
    filters: tuple[str, ...] = ()
    """Filters of your own whose code may be loaded, as JSON: `["my_filters.py:NoMuseum"]`; filters.own names
    those that run."""
    engines: tuple[str, ...] = ()
    """Translation engines of your own whose code may be loaded, as JSON: `["my_engine.py:Apertium"]`."""
    timeout: float = Field(default=60, gt=0)
    """Seconds without a byte after which a download, or a request to the endpoint, is given up; ten times as many for a
    whole answer of the endpoint."""
    downloads: int = Field(default=2, ge=1, le=16)
    """Files of a corpus downloaded at the same time."""

    trackers: tuple[str, ...] = ()
    """Experiment trackers of a training, as JSON: tensorboard, wandb, mlflow and others that transformers knows."""
    checkpoint_minutes: float = Field(default=5, gt=0)
    """Minutes of training that a killed run may lose."""

    def __init__(self, **values: Any) -> None:
        """Read the environment.

        Raises SettingsError with a line for each variable that has a wrong value.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise variable_problems(error, PREFIX) from error
        except UnreadableError as error:
            raise SettingsError(
                f"{error}: expected JSON in this environment variable of {PREFIX}*."
            ) from error

    @field_validator("opus")
    @classmethod
    def _absolute_address(cls, address: str) -> str:
        return str(_absolute(Path(address))) if address and "://" not in address else address

    @field_validator("endpoint")
    @classmethod
    def _refuse_no_address(cls, address: str | None) -> str | None:
        keep_address(address or "")
        bare = (address or "http://none").lower()
        try:
            AnyHttpUrl(bare)
            if not re.fullmatch(r"https?://[^\s/\\]\S*", bare):
                raise ValueError(bare)
        except ValueError:
            expected = (
                "the address of a server of OpenAI's protocol, such as http://127.0.0.1:8000/v1"
            )
            raise ValueError(f"expected {expected}") from None
        return address

    @field_validator("endpoint_key")
    @classmethod
    def _refuse_no_key(cls, secret: SecretStr | None) -> SecretStr | None:
        key = secret.get_secret_value() if secret else ""
        keep_secret(key)
        if key.isascii() and key.isprintable() and key == key.strip():
            return secret
        raise ValueError(
            "it has a character that no request can have, such as a line break or a letter with an "
            "accent: expected the key alone"
        )

    @property
    def folders(self) -> dict[str, str]:
        """The folders as environment variables, for processes that start in another working folder."""
        names = {"home", "opus", "catalogue", "cache", "builds"}
        values = self.model_dump(include=names, exclude_none=True)
        return {f"{PREFIX}{name.upper()}": str(value) for name, value in values.items()}

    @property
    def encoding(self) -> int:
        """Threads of an encoder: all, or an equal part of them in each process of a local Dask cluster."""
        is_shared = self.runner == "dask" and self.scheduler is None
        return max(1, self.threads // self.workers) if is_shared else self.threads

    def build_folder(self, pair: str) -> Path:
        """Return the folder of a pair's shards and data sets."""
        return (self.builds or self.home) / pair

    @property
    def opus_folder(self) -> Path:
        """Folder of fetched OPUS files."""
        return self.home / "opus"

    @property
    def cache_folder(self) -> Path:
        """Folder of what all builds of the user share: the unpacked catalogue of opustools, Prefect's tables."""
        return self.cache or own_cache()

    @property
    def models_folder(self) -> Path:
        """Folder of converted models, which all builds share."""
        return self.home / "models"

    @property
    def store_folder(self) -> Path:
        """Folder of the row stores, which all builds share; SQLite needs locks, else of this machine alone."""
        return self.home / "store" if has_locks(self.home) else own_temporary() / "store"


def variable_problems(error: ValidationError, prefix: str) -> SettingsError:
    """Return the refusal of environment variables that begin with a prefix, a line for each."""
    lines = []
    for problem in error.errors():
        name, *inside = problem["loc"]
        where = joined([f"{prefix}{str(name).upper()}", *inside])
        lines.append(f"{located(where, problem)}. Correct the environment variable.")
    return SettingsError("\n".join(lines))


def own_temporary() -> Path:
    """Return this user's folder in that for temporary files (TMPDIR); raises SettingsError if it is another user's."""
    folder = Path(tempfile.gettempdir()) / f"bitext-pivot-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise SettingsError(
            f"{folder} belongs to another user. Set TMPDIR to a folder of your own."
        )
    return folder


def own_cache() -> Path:
    """Return this user's folder for files that can be made again, below XDG_CACHE_HOME or ~/.cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # unset, or ignored as the XDG base directory specification asks
        base = _absolute(Path("~/.cache"))
    return base / "bitext-pivot"


def without_proxy(environment: Mapping[str, str], host: str) -> dict[str, str]:
    """Return the variables that keep requests to a host away from a proxy: NO_PROXY with the host added.

    Prefect's client sends requests to this machine through HTTP_PROXY, too.
    """
    hosts = environment.get("no_proxy") or environment.get("NO_PROXY")
    return dict.fromkeys(("no_proxy", "NO_PROXY"), f"{hosts},{host}" if hosts else host)
