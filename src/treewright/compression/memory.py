"""What a compressor remembers of sentences: a text is often shortened again, a bit more."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """The values of the `size` keys used last. Safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """Return what is remembered, which is then the last to be forgotten."""
        if not self.size:
            # To look for a sentence takes longer than to know that there is none.
            return None
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Value) -> None:
        """Remember a value, and forget the one that was not used for longest."""
        if not self.size:
            return
        with self._lock:
            self._values[key] = value
            while len(self._values) > self.size:
                self._values.popitem(last=False)
