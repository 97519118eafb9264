"""Sessions of Spark: what must be installed, and what is set for everyone."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import TreewrightError, how_to_install

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA = "Java 17 or later (as in the package openjdk-17-jre-headless)"

_SETTINGS = {
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    # Counts are counts: a sum that overflows is an error, not a smaller number.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
}


SLICES = 8
"""Pieces of work for each core: what is lost with a worker is small."""

_SHUFFLED = "spark.sql.shuffle.partitions"


def start(master: str | None) -> SparkSession:
    """Start a session on a master; without one, where Spark's own settings say, or here."""
    check_installed()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("treewright")
    if master is not None:
        builder = builder.master(master)
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except (PySparkException, OSError, RuntimeError) as error:
        found = str(error).splitlines()[0]
        raise TreewrightError(f"Spark did not start: {found}") from error
    context = session.sparkContext
    if not context.getConf().contains(_SHUFFLED):
        # Spark's own number is the same for a laptop and a cluster, and far too many for the first.
        session.conf.set(_SHUFFLED, str(context.defaultParallelism * SLICES))
    return session


def check_installed() -> None:
    """Raise an error that says what to install, if something is missing."""
    missing = [
        name for name in ("pyspark", "pyarrow", "pandas") if importlib.util.find_spec(name) is None
    ]
    if missing:
        raise TreewrightError(
            f"the engine 'spark' needs {', '.join(missing)}: {how_to_install('cluster')}"
        )
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    if java is None:
        place = f"JAVA_HOME ({home}) has none" if home else "none was found"
        raise TreewrightError(f"the engine 'spark' needs {JAVA}, and {place}: install it")
