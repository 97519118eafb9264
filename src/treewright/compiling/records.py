"""Records: arrays whose elements have named fields, as kernels that touch many fields of few
elements like them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def records(fields: list[tuple[str, str]]) -> np.dtype[Any]:
    """Return the type of records whose fields kernels reach by name, compiled or not."""
    import numpy as np

    return np.dtype((np.record, np.dtype(fields, align=True)))
