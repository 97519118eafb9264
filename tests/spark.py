"""Spark for tests: two executors, processes of their own, and an end to every wait."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from treewright.engine import Engine, open_engine

SECONDS = 300
"""The longest that starting, one test, or stopping may take."""


def skip_without_spark() -> None:
    """Skip a whole file of tests where PySpark or Java is absent."""
    pytest.importorskip("pyspark", reason="needs the extra [cluster]")
    if shutil.which("java") is None:
        pytest.skip("needs Java", allow_module_level=True)


@contextmanager
def bounded(seconds: int = SECONDS) -> Iterator[None]:
    """Raise a `TimeoutError` in whatever still waits after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"Spark did not finish within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def started() -> Iterator[Engine]:
    """Start Spark on two executors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        # The executors import the tasks of tests.
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
        # Spark's own waits have an end, too: for an executor to start, to be missed, to answer.
        patch.setenv(
            "PYSPARK_SUBMIT_ARGS",
            "--conf spark.ui.enabled=false --conf spark.executor.memory=1024m"
            " --conf spark.network.timeout=60s --conf spark.executor.heartbeatInterval=10s"
            " --conf spark.sql.shuffle.partitions=4 pyspark-shell",
        )
        engine = open_engine("spark=local-cluster[2,1,1024]")
        with bounded():
            engine.__enter__()
        try:
            yield engine
        finally:
            with bounded():
                engine.__exit__(None, None, None)
