"""Model files: a zip of plain parts with a manifest, a version and checksums. Never pickle.

A model from a stranger is data: nothing in it can run. A damaged, foreign or newer file gives a
`ModelFileError` that says which. The same parts always give the same bytes. Large arrays are stored
as they are, and mapped into memory when the file is read.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import mmap
import reprlib
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from treewright import __version__
from treewright.errors import ModelFileError
from treewright.files import atomic_write, check_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "treewright-model"
MAGIC = b"PK\x03\x04"
"""How a model file begins."""
VERSION = 2
MANIFEST = "manifest.json"
MAX_PART = 1 << 30
MAX_SUM = 1 << 32
MAX_RATIO = 50
"""How many times its own size a file may unpack to, beyond `SMALL`; real ones stay below ten."""
SMALL = 1 << 26
_WORTH_IT = 0.9
"""How small a part must become to be worth compressing: weights hardly do, and take long."""
WORTH_MAPPING = 1 << 20
"""How large an array must be to be mapped rather than compressed."""
_ALIGNMENT = 64
_LOCAL_HEADER = 30
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MOST_HEADER = 10_000
Part = bytes | memoryview
_NAMES = {
    "rules": "a model of rules",
    "linear": "a linear model",
    "network": "a network that prices deletions",
    "stsg": "a model written by an earlier Treewright, to be trained again",
    "deletion": "a deletion model",
    "gibbs-checkpoint": "a checkpoint of train gibbs",
    "margin-checkpoint": "a checkpoint of train svm or perceptron",
    "lm": "a language model",
    "alignment": "a model of word alignment",
    "alignment-checkpoint": "a checkpoint of align",
    "parser": "a parser",
    "phrase": "a phrase model for translation",
    "parser-checkpoint": "a checkpoint of parser train",
    "parser-labels": "labels by a teacher of parsers",
    "parser-teacher": "a teacher of parsers",
    "phrases": "a phrase table",
    "propositions": "a model of propositions",
    "paraphrases": "a model of paraphrases",
    "pivots": "a model of paraphrases by translations",
    "combined-paraphrases": "a combination of models of paraphrases",
    "translation-rules": "a set of rules that translate trees",
}
"""What the kinds of files are called in messages."""


def write_model(
    path: str | Path, *, kind: str, parts: Mapping[str, bytes], metadata: Mapping[str, Any]
) -> None:
    """Write a model file atomically (`-`: to standard output); `metadata` says how it was made."""
    described = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "treewright": __version__,
        "metadata": dict(metadata),
        "parts": {name: _digest(data) for name, data in sorted(parts.items())},
    }
    manifest = {**described, "checksum": _digest(_canonical(described))}
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True)
    with atomic_write(path, binary=True) as handle:
        handle.write(_pack({MANIFEST: text.encode(), **dict(sorted(parts.items()))}))


def _pack(files: Mapping[str, bytes]) -> bytes:
    """Zip files in order, without anything from the clock or the machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        try:
            for name, data in files.items():
                _add(archive, name, data, buffer.tell())
        except BaseException:
            # An archive interrupted within an entry refuses to be closed, which would hide why.
            archive.fp = None
            raise
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes, start: int) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    is_mapped = name.endswith(".npy") and len(data) >= WORTH_MAPPING
    shrinks = not is_mapped and len(zlib.compress(data)) < _WORTH_IT * len(data)
    entry.compress_type = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
    if is_mapped:
        entry.extra = _padding(start + _LOCAL_HEADER + len(name.encode()))
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def _padding(start: int) -> bytes:
    """Return the extra field of a zip entry that would start at `start`, to align its data."""
    length = -(start + 4) % _ALIGNMENT
    return struct.pack("<HH", 0x5754, length) + bytes(length)


def read_model(
    path: str | Path, *, kind: str, known: Collection[str] = ("*",)
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Read a model file (`-`: standard input); return its verified parts and its metadata.

    `known` are the names of parts that this kind may have, where `*` matches anything. A file with
    others is rejected before any part is read.
    """
    parts, metadata = read_mapped_model(path, kind=kind, known=known)
    return {name: bytes(part) for name, part in parts.items()}, metadata


def read_mapped_model(
    path: str | Path, *, kind: str, known: Collection[str]
) -> tuple[dict[str, Part], dict[str, Any]]:
    """Do the same, but leave large arrays in the file, mapped into memory."""
    with _opened(path) as archive:
        manifest = _manifest(archive, str(path))
        if manifest["kind"] != kind:
            raise ModelFileError(
                f"this is {_name(manifest['kind'])}; {_name(kind)} is needed", where=str(path)
            )
        _check_parts(archive, manifest["parts"], known, str(path))
        mapped = _mapped(archive)
        parts = {
            name: _verified(archive, mapped, name, digest, str(path))
            for name, digest in manifest["parts"].items()
        }
    return parts, dict(manifest["metadata"])


def _mapped(archive: zipfile.ZipFile) -> memoryview | None:
    """Map a file into memory, if it is one; what is written there stays in this process."""
    try:
        number = archive.fp.fileno() if archive.fp is not None else -1
        return memoryview(mmap.mmap(number, 0, access=mmap.ACCESS_COPY))
    except (OSError, ValueError):
        return None


def _name(kind: object) -> str:
    return _NAMES.get(str(kind), f"a model of kind {kind!r}")


def read_kind(path: str | Path) -> str:
    """Return the kind of a model file (`-`: standard input, which can then still be read once)."""
    with _opened(path) as archive:
        return str(_manifest(archive, str(path))["kind"])


@contextmanager
def _opened(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """Open a model file; anything wrong with it becomes a `ModelFileError`."""
    check_path(path)
    try:
        source = _drained(sys.stdin.buffer) if str(path) == "-" else _of_file(Path(path))
    except OSError as error:
        raise ModelFileError(f"cannot read it: {error.strerror}", where=str(path)) from None
    try:
        with source() as stream, zipfile.ZipFile(stream) as archive:
            _check_sizes(archive, stream.seek(0, io.SEEK_END), str(path))
            yield archive
    except ModelFileError:
        raise
    except Exception as error:  # damage shows as BadZipFile, KeyError, UnicodeDecodeError, …
        raise ModelFileError(
            f"not a whole model file ({error}); copy or train it again", where=str(path)
        ) from None


def _of_file(path: Path) -> Callable[[], BinaryIO]:
    """Return how to open a file; anything but an ordinary file, such as a pipe, is read first."""
    stream = path.open("rb")
    if path.is_file():
        return lambda: stream
    with stream:
        data = _whole(stream)
    return lambda: io.BytesIO(data)


@lru_cache(maxsize=1)
def _drained(stream: BinaryIO) -> Callable[[], BinaryIO]:
    """Read a stream to its end, so that its parts can be read after its kind."""
    data = _whole(stream)
    return lambda: io.BytesIO(data)


def _whole(stream: BinaryIO) -> bytes:
    """Read a stream to its end, unless it does not begin like a zip: it may have no end."""
    start = stream.read(len(MAGIC))
    return start + stream.read(MAX_SUM) if start == MAGIC else start


def _check_sizes(archive: zipfile.ZipFile, size: int, path: str) -> None:
    """Reject, before anything is read, a file that would take much more memory than its size
    suggests.
    """
    total = sum(entry.file_size for entry in archive.infolist())
    allowed = min(MAX_SUM, max(SMALL, MAX_RATIO * size))
    if total > allowed:
        raise ModelFileError(
            f"it unpacks to {total} bytes, more than the {allowed} that a model of its size may",
            where=path,
        )


def _check_parts(
    archive: zipfile.ZipFile, named: Mapping[str, Any], known: Collection[str], path: str
) -> None:
    """Reject parts that are not in the manifest, or not known for this kind."""
    unknown = sorted(
        name
        for name in {*archive.namelist(), *named} - {MANIFEST}
        if name not in named or not any(fnmatchcase(name, pattern) for pattern in known)
    )
    if unknown:
        raise ModelFileError(
            f"it has parts that no such model has: {reprlib.repr(unknown)[1:-1]}", where=path
        )


def _manifest(archive: zipfile.ZipFile, path: str) -> dict[str, Any]:
    try:
        manifest = json.loads(_read(archive, MANIFEST, path))
        found = (manifest["format"], manifest["version"], manifest["kind"])
        checksum = manifest.pop("checksum")
        dict(manifest["metadata"]), dict(manifest["parts"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ModelFileError(
            f"no readable {MANIFEST} in it; this is not a Treewright model", where=path
        ) from None
    if found[0] != FORMAT:
        raise ModelFileError(f"expected a {FORMAT} file, found {found[0]!r}", where=path)
    if not isinstance(found[1], int) or found[1] > VERSION:
        raise ModelFileError(
            f"written in format version {found[1]}, this Treewright reads up to {VERSION}; "
            "install a newer Treewright",
            where=path,
        )
    if checksum != _digest(_canonical(manifest)):
        raise ModelFileError(f"the checksum of {MANIFEST} is wrong: damaged or edited", where=path)
    return dict(manifest)


def _verified(
    archive: zipfile.ZipFile, mapped: memoryview | None, name: str, digest: str, path: str
) -> Part:
    found = None if mapped is None else _find(archive.getinfo(name), mapped)
    data: Part = _read(archive, name, path) if found is None else found
    if _digest(data) != digest:
        raise ModelFileError(f"the checksum of {name} is wrong: damaged or edited", where=path)
    return data


def _read(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    if archive.getinfo(name).file_size > MAX_PART:
        raise ModelFileError(f"{name} unpacks to more than {MAX_PART} bytes", where=path)
    try:
        return archive.read(name)
    except Exception as error:  # a damaged stream raises zlib.error, BadZipFile and others
        raise ModelFileError(
            f"{name} cannot be unpacked ({error}); copy or train it again", where=path
        ) from None


def _find(entry: zipfile.ZipInfo, mapped: memoryview) -> memoryview | None:
    """Return a large stored part where it is in the mapped file."""
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size < WORTH_MAPPING:
        return None
    header = entry.header_offset
    name, extra = struct.unpack_from("<HH", mapped, header + _LOCAL_HEADER - 4)
    start = header + _LOCAL_HEADER + name + extra
    part = mapped[start : start + entry.file_size]
    return part if len(part) == entry.file_size <= MAX_PART else None


def _digest(data: Part) -> str:
    return hashlib.sha256(data).hexdigest()


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def under(folder: str, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the parts of something as those of a larger whole; `folder` ends in a slash."""
    return {folder + name: part for name, part in parts.items()}


def within(folder: str, parts: Mapping[str, Part]) -> dict[str, Part]:
    """Undo `under`; other parts are left out."""
    return {
        name.removeprefix(folder): part for name, part in parts.items() if name.startswith(folder)
    }


def pack_array(array: NDArray[Any]) -> bytes:
    """Return an array as a part of a model file, in NumPy's format."""
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def unpack_array(part: Part) -> NDArray[Any]:
    """Undo `pack_array`; a `ValueError` if the part is not an array of numbers.

    The array of a mapped part is the file itself, unless it is not aligned there.
    """
    import numpy as np

    if not isinstance(part, memoryview):
        return _read_array(part)
    header = io.BytesIO(part[:_MOST_HEADER])
    if np.lib.format.read_magic(header) != (1, 0):
        return _read_array(bytes(part))
    shape, fortran_order, kind = np.lib.format.read_array_header_1_0(header)
    start, size = header.tell(), math.prod(shape)
    if kind.hasobject or fortran_order or start + size * kind.itemsize != len(part):
        raise ValueError("not an array of numbers in C order")
    array = np.frombuffer(part, kind, size, start).reshape(shape)
    return array if array.flags.aligned else array.copy()


def _read_array(part: bytes) -> NDArray[Any]:
    import numpy as np

    try:
        array = np.lib.format.read_array(io.BytesIO(part), allow_pickle=False)
    except (EOFError, OSError, MemoryError, OverflowError) as error:
        raise ValueError(f"not an array: {error}") from None
    return array
