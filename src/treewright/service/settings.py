"""What whoever runs the service decides; requests cannot."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from treewright.compression import MAX_TEXT, NAMES, model_path
from treewright.errors import UsageError, check_least

LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the service listens, what it serves and how much it accepts.

    `models` are files by the names that requests use; the first is the default. `workers` are
    processes; `queue` requests wait for them at most, and every one has `seconds` once it is begun.
    A body has at most `max_body` bytes and `max_chars` characters of text. `streams` may be open at
    a time. `hosts` are the names under which the service may be called, `origins` the sites whose
    pages may call it.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    models: dict[str, str] = field(
        default_factory=lambda: {name: str(model_path(name)) for name in NAMES}
    )
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    queue: int = 32
    seconds: float = 30.0
    max_body: int = 1 << 20
    max_chars: int = MAX_TEXT
    streams: int = 8
    token: str | None = None
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    grace: float = 60.0
    """Seconds that accepted requests have to finish when the service is stopped."""
    remember: int = 256
    """Sentences that each worker remembers."""

    def __post_init__(self) -> None:
        if not self.models:
            raise UsageError("a service needs a model")
        check_least(self, "workers", "queue", "max_body", "max_chars", "streams")
        for name in ("seconds", "grace"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be above 0, found {getattr(self, name)}")
        if self.token is not None and not (self.token.isascii() and self.token.strip()):
            raise UsageError("a token must be ASCII characters, and not only spaces")
        if "*" in self.origins and self.token is None:
            raise UsageError("any site may call a service only if it asks for a token")

    @property
    def allowed_hosts(self) -> tuple[str, ...]:
        """The names that a request may call the service by; none: any."""
        if self.hosts:
            return self.hosts
        return LOCAL if self.host in LOCAL else ()
