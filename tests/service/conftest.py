"""One service for all tests that do not break it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .server import Server, serving

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("prometheus_client", reason="the extra serve is not installed")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("service"), "--workers", 1) as found:
        yield found
