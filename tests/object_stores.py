"""An S3 server on 127.0.0.1 that keeps its objects in memory."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from served import free_port, until

BUCKET = "corpora"


class ObjectStore:
    """An S3 server with an empty bucket: environment variables for a build, and a client."""

    def __init__(self, port: int) -> None:
        import boto3  # type: ignore[import-untyped]

        self.address = f"http://127.0.0.1:{port}"
        self.environment = {
            "AWS_ENDPOINT_URL": self.address, "AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "s3-secret-77",
            "AWS_DEFAULT_REGION": "us-east-1",
        }  # fmt: skip
        self.client: Any = boto3.client(
            "s3", endpoint_url=self.address, aws_access_key_id="nobody", aws_secret_access_key="s3-secret-77",
            region_name="us-east-1",
        )  # fmt: skip
        self.client.create_bucket(Bucket=BUCKET)

    def objects(self, prefix: str = "") -> dict[str, tuple[str, float]]:
        """Return digest and modification time of every object below a prefix."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        found = (one for page in pages for one in page.get("Contents", []))
        return {one["Key"]: (one["ETag"], one["LastModified"].timestamp()) for one in found}

    def bytes(self, key: str) -> bytes:
        """Return the content of an object."""
        return bytes(self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read())


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    """Yield a running store with an empty bucket; skip the test if packages are missing."""
    for package in ("s3fs", "moto.server", "flask_cors", "boto3"):
        pytest.importorskip(
            package, reason="needs the extra dev (s3fs, moto, flask), which is not installed here"
        )
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: _answers(port))
        yield ObjectStore(port)
    finally:
        server.kill()
        server.wait()


def _answers(port: int) -> bool:
    try:
        return httpx.get(
            f"http://127.0.0.1:{port}/moto-api/", timeout=5, trust_env=False
        ).is_success
    except httpx.HTTPError:
        return False
