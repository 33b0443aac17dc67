"""A Slurm cluster on this machine: munged, slurmctld, and two nodes of two cores each."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from served import free_port, kill, until

NODES = ("n1", "n2")
_CONFIGURATION = """
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldPort={port}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
SlurmdParameters=config_overrides
KillWait=2
BatchStartTimeout=5
JobRequeue=1
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName={nodes} NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports}] CPUs=2 RealMemory=30000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """A running cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.environment = folder, {"SLURM_CONF": str(folder / "slurm.conf")}

    def run(self, *command: str) -> str:
        """Run a command of Slurm, and return what it printed."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, node: str) -> None:
        """Start a node that was lost, or is new."""
        self.run("slurmd", "-N", node)

    def running(self) -> dict[str, str]:
        """Return the numbers of the jobs that run, with the node of each."""
        return dict(
            line.split() for line in self.run("squeue", "-h", "-t", "R", "-o", "%A %N").splitlines()
        )

    def lose(self, node: str) -> None:
        """Kill a node and everything on it at once, as a power failure does."""
        daemon = psutil.Process(int((self.folder / f"slurmd-{node}.pid").read_text()))
        steps = [process for process in psutil.process_iter() if self._is_step(process, node)]
        kill(daemon, *steps)

    def _is_step(self, process: psutil.Process, node: str) -> bool:
        """Return whether a process holds a job's processes on this node: it has the node's log open."""
        log = str(self.folder / f"slurmd-{node}.log")
        return process.name() == "slurmstepd" and log in [
            file.path for file in process.open_files()
        ]


@contextmanager
def slurm() -> Iterator[Slurm]:
    """Yield a cluster; skip the test where Slurm is not installed or its daemons may not be started."""
    missing = [
        program
        for program in ("munged", "slurmctld", "slurmd", "sbatch")
        if shutil.which(program) is None
    ]
    if missing or os.geteuid() != 0:
        pytest.skip(
            "needs root, and Slurm (Debian's packages slurm-wlm and munge), which are not here"
        )
    with tempfile.TemporaryDirectory(prefix="slurm-") as name:
        cluster = Slurm(Path(name))
        _configure(cluster.folder)
        try:
            _start(cluster)
            yield cluster
        finally:
            _end(cluster)


def _configure(folder: Path) -> None:
    (folder / "munge").mkdir(mode=0o755)
    (folder / "state").mkdir()
    key = folder / "munge" / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    folder.chmod(0o755)
    first = free_port()
    text = _CONFIGURATION.format(
        host=socket.gethostname(),
        folder=folder,
        port=free_port(),
        nodes=",".join(NODES),
        ports=f"{first}-{first + 1}",
    )
    (folder / "slurm.conf").write_text(text, encoding="utf-8")


def _start(cluster: Slurm) -> None:
    munge = cluster.folder / "munge"
    files = {
        "key-file": "key",
        "socket": "socket",
        "pid-file": "pid",
        "log-file": "log",
        "seed-file": "seed",
    }
    cluster.run(
        "munged", "--force", *(f"--{option}={munge / name}" for option, name in files.items())
    )
    cluster.run("slurmctld")
    for node in NODES:
        cluster.start(node)
    until(lambda: cluster.run("sinfo", "-h", "-t", "idle", "-o", "%D") == str(len(NODES)))


def _end(cluster: Slurm) -> None:
    for pid in [*cluster.folder.glob("*.pid"), cluster.folder / "munge" / "pid"]:
        if pid.exists() and psutil.pid_exists(int(pid.read_text())):
            os.kill(int(pid.read_text()), signal.SIGKILL)
