"""A folder of finished parts, so that training that was interrupted does not begin again."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treewright import __version__
from treewright.errors import DataError
from treewright.files import atomic_write, make_folder


class Workshop:
    """Makes each part once: a part that is there and was made from the same things is used again.

    What a part was made from is in `NAME.json` beside it.
    """

    def __init__(self, folder: str | Path, say: Callable[[str], None]) -> None:
        self.folder = Path(folder)
        self.say = say
        self._own: set[Path] = set()

    def part(self, name: str, origin: Mapping[str, Any], make: Callable[[Path], None]) -> Path:
        """Return the file of a part, which `make` writes unless it is there."""
        make_folder(self.folder)
        path = self.place(name)
        if not self.has(name, origin):
            self._record(name).unlink(missing_ok=True)
            make(path)
            with atomic_write(self._record(name)) as handle:
                json.dump(_described(origin), handle, ensure_ascii=False, indent=1, sort_keys=True)
        else:
            self.say(f"{path}: finished earlier, used again")
        return path

    def place(self, name: str) -> Path:
        """Return where a file of this name belongs, which `clear` removes."""
        self._own |= {self.folder / name, self._record(name)}
        return self.folder / name

    def has(self, name: str, origin: Mapping[str, Any]) -> bool:
        """Tell whether a part is there that was made from the same things."""
        record = self._record(name)
        try:
            found = json.loads(record.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return (self.folder / name).is_file() and found == _described(origin)

    def _record(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def clear(self) -> None:
        """Remove the files that were made or used, and the folder if nothing else is in it."""
        for path in self._own:
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()


def _described(origin: Mapping[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(json.dumps({"treewright": __version__, **origin}))
    return described


def fingerprint(*paths: str | Path) -> str:
    """Return a digest of the contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with Path(path).open("rb") as handle:
                digest.update(hashlib.file_digest(handle, "sha256").digest())
        except OSError as error:
            raise DataError(f"cannot read it: {error.strerror}", where=str(path)) from None
    return digest.hexdigest()[:32]
