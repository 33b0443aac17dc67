"""Runtime settings: where and how a build runs, read from environment variables BITEXT_PIVOT_*.

Only the device and the kernels can change results, so shard keys include them. No other field becomes part of a key.
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
    """Return the value of a variable unchanged. Raises SettingsError if it is a URL."""
    folders.refuse_url(value, f"{PREFIX}{str(info.field_name).upper()}")
    return value


def _absolute(path: Path) -> Path:
    """Return the absolute path with `~` expanded. Raises SettingsError for the home folder of an unknown user."""
    try:
        return path.expanduser().resolve()
    except RuntimeError as error:
        raise SettingsError(
            f"{path} is not a folder on this machine ({error}). Name the folder without ~."
        ) from error


def _folder(path: Path) -> Path:
    """Return the path of a folder, which need not exist. Raises ValueError if the path or a parent is a file."""
    for place in (path, *path.parents):
        if place.is_dir():
            return path
        if place.exists():
            raise ValueError(f"expected a folder, but {place} is a file: name another folder")
    return path


AbsolutePath = Annotated[Path, BeforeValidator(_refuse_url), AfterValidator(_absolute)]
Folder = Annotated[AbsolutePath, AfterValidator(_folder)]
SlurmName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.,@+-]+$")]
Line = Annotated[str, StringConstraints(pattern=r"^[^\r\n\x00]*$")]
PREFIX = "BITEXT_PIVOT_"
"""Prefix of the environment variables that set these fields."""


class Site(BaseSettings):
    """Runtime settings of a build: folders, addresses, threads, device, downloads.

    Folders may be relative to the working folder or begin with `~`; the fields contain absolute paths.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        frozen=True,
        extra="ignore",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
    )

    home: Folder = Path("data")
    """Data folder: everything that is downloaded and built."""
    opus: str = "https://object.pouta.csc.fi"
    """Base address of OPUS or a mirror in the layout of its object storage: http(s)://, file:// or a folder."""
    catalogue: AbsolutePath | None = None
    """OPUS catalogue (opusdata.db of opustools, plain or .gz), by default the one in opustools."""
    cache: Folder | None = None
    """Folder of the unpacked OPUS catalogue (130 MB), by default `bitext-pivot` in the user's cache folder."""
    builds: Folder | None = None
    """Folder of shards and data sets, by default the data folder."""
    runner: Literal["threads", "dask", "slurm"] = "threads"
    """Runner of the tasks: threads on this machine, a Dask cluster, or Slurm jobs."""
    scheduler: str | None = None
    """Address of a Dask scheduler, tcp://host:8786. Without an address, a local cluster is started."""
    slurm_partition: SlurmName | None = None
    """Partition of the Slurm jobs, by default the cluster's default partition."""
    slurm_account: SlurmName | None = None
    """Account that the Slurm jobs are charged to."""
    slurm_time: str = Field(
        default="04:00:00", pattern=r"^(\d+-\d{1,2}(:\d{2}){0,2}|\d+(:\d{2}){0,2})$"
    )
    """Wall time of a Slurm job, as hours:minutes:seconds or days-hours. If a job reaches it before the build is
    complete, another job continues the build."""
    slurm_cores: int = Field(default=4, ge=1)
    """Number of cores of a Slurm job, and of threads of its models."""
    slurm_memory: str = Field(default="16GB", pattern=r"^\d+(\.\d+)? ?[kKMGT]i?B?$")
    """Memory of a Slurm job, as a number and a unit: 16GB."""
    slurm_gpus: str = Field(default="", pattern=r"^(([A-Za-z0-9_.-]+:)?\d+)?$")
    """GPUs of a Slurm job, as in --gpus: 1, or a100:1."""
    slurm_setup: tuple[Line, ...] = ()
    """Shell commands to run first in a Slurm job, as a JSON list: `["module load cuda"]`."""
    workers: int = Field(default=2, ge=1, le=64)
    """Number of shards that are built at the same time. With Slurm, the maximum number of jobs."""
    threads: int = Field(default=2, ge=1, le=256)
    """Number of threads of a translation model or an encoder."""
    device: DeviceChoice = "auto"
    """Device of the neural models: cuda (a GPU), cpu, or auto, which uses a GPU if a small computation on it works."""
    kernels: Literal["portable", "native"] = "portable"
    """CPU kernels of translation. portable gives the same translations on Intel and AMD; native lets CTranslate2 choose
    (MKL on Intel), which is faster there."""
    endpoint: str | None = None
    """Address of the OpenAI-compatible server for the engine endpoint and the filter judge: http(s)://host/v1."""
    endpoint_key: SecretStr | None = None
    """API key of the endpoint, if it needs one."""
    endpoint_requests: int = Field(default=8, ge=1, le=256)
    """Number of simultaneous requests to the endpoint."""
    filters: tuple[str, ...] = ()
    """Custom filters whose code may be loaded, as JSON: `["my_filters.py:NoMuseum"]`. The setting filters.own names
    the filters that run."""
    engines: tuple[str, ...] = ()
    """Custom translation engines whose code may be loaded, as JSON: `["my_engine.py:Apertium"]`."""
    timeout: float = Field(default=60, gt=0)
    """Seconds without data after which a download or a request to the endpoint fails. A whole response of the endpoint
    may take ten times as long."""
    downloads: int = Field(default=2, ge=1, le=16)
    """Number of files of a corpus that are downloaded at the same time."""

    trackers: tuple[str, ...] = ()
    """Experiment trackers of a training, as JSON: tensorboard, wandb, mlflow, or another tracker of transformers."""
    checkpoint_minutes: float = Field(default=5, gt=0)
    """Minutes between checkpoints of a training: the most that a killed training loses."""

    def __init__(self, **values: Any) -> None:
        """Read the environment variables.

        Raises SettingsError with one line per variable with an invalid value.
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
            "it contains a character that is not allowed in a request, such as a line break or a letter with an "
            "accent: expected only the key"
        )

    @property
    def folders(self) -> dict[str, str]:
        """The folders as environment variables with absolute paths, for processes that run elsewhere."""
        names = {"home", "opus", "catalogue", "cache", "builds"}
        values = self.model_dump(include=names, exclude_none=True)
        return {f"{PREFIX}{name.upper()}": str(value) for name, value in values.items()}

    @property
    def encoding(self) -> int:
        """Number of threads for an encoder. With a local Dask cluster, each process gets an equal share."""
        is_shared = self.runner == "dask" and self.scheduler is None
        return max(1, self.threads // self.workers) if is_shared else self.threads

    def build_folder(self, pair: str) -> Path:
        """Return the folder of a language pair's shards and data sets."""
        return (self.builds or self.home) / pair

    @property
    def opus_folder(self) -> Path:
        """Folder of the files downloaded from OPUS."""
        return self.home / "opus"

    @property
    def cache_folder(self) -> Path:
        """Folder of the unpacked catalogue of opustools, which all builds of the user share."""
        return self.cache or own_cache()

    @property
    def models_folder(self) -> Path:
        """Folder of converted models, which all builds share."""
        return self.home / "models"

    @property
    def store_folder(self) -> Path:
        """Folder of the row stores (core/storage/store.py), which all builds share.

        SQLite needs file locks. If the data folder has none, the stores are in a temporary folder of this machine.
        """
        return self.home / "store" if has_locks(self.home) else own_temporary() / "store"


def variable_problems(error: ValidationError, prefix: str) -> SettingsError:
    """Return a SettingsError with one line per environment variable that has an invalid value."""
    lines = []
    for problem in error.errors():
        name, *inside = problem["loc"]
        where = joined([f"{prefix}{str(name).upper()}", *inside])
        lines.append(f"{located(where, problem)}. Correct the environment variable.")
    return SettingsError("\n".join(lines))


def own_temporary() -> Path:
    """Return this user's folder for temporary files, below TMPDIR.

    Raises SettingsError if the folder belongs to another user.
    """
    folder = Path(tempfile.gettempdir()) / f"bitext-pivot-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise SettingsError(
            f"{folder} belongs to another user. Set TMPDIR to a folder that belongs to you."
        )
    return folder


def own_cache() -> Path:
    """Return this user's cache folder, below XDG_CACHE_HOME or ~/.cache."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # unset, or ignored as the XDG base directory specification asks
        base = _absolute(Path("~/.cache"))
    return base / "bitext-pivot"


def without_proxy(environment: Mapping[str, str], host: str) -> dict[str, str]:
    """Return NO_PROXY with `host` added, so that requests to the host do not use a proxy.

    Without this, Prefect's client would send even requests to this machine through HTTP_PROXY.
    """
    hosts = environment.get("no_proxy") or environment.get("NO_PROXY")
    return dict.fromkeys(("no_proxy", "NO_PROXY"), f"{hosts},{host}" if hosts else host)
