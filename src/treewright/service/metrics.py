"""What the service counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from treewright.service.pool import Pool
from treewright.service.work import Answer, Job

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Counters of requests, and the state of the pool when someone asks."""

    def __init__(self, pool: Pool[Job, Answer]) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "treewright_requests",
            "Requests answered.",
            ("route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "treewright_request_seconds",
            "Seconds from the first byte of a request to the last of its answer.",
            ("route",),
            buckets=_BOUNDS,
            registry=self.registry,
        )
        self.characters = Counter(
            "treewright_characters", "Characters of text accepted.", registry=self.registry
        )
        self.registry.register(_PoolState(pool))

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests.labels(route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def written(self) -> bytes:
        """Return everything in Prometheus's text format."""
        return generate_latest(self.registry)


class _PoolState(Collector):
    def __init__(self, pool: Pool[Job, Answer]) -> None:
        self.pool = pool

    def collect(self) -> Iterator[Metric]:
        """Read the pool."""
        pool = self.pool
        for name, about, value in (
            ("workers_ready", "Workers that are warm.", pool.ready),
            ("workers_busy", "Workers that are at work.", pool.running),
            ("queue_length", "Requests that wait for a worker.", pool.waiting),
        ):
            yield GaugeMetricFamily(f"treewright_{name}", about, value=value)
        for name, value in vars(pool.count).items():
            about = {
                "done": "Jobs done.",
                "refused": "Requests refused because the queue was full.",
                "overrun": "Jobs stopped because they took too long.",
                "lost": "Workers that ended by themselves.",
                "started": "Workers started.",
            }[name]
            yield CounterMetricFamily(f"treewright_pool_{name}", about, value=value)
