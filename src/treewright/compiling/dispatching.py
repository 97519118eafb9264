"""Numba's side of a kernel: its dispatcher, and the files that keep compiled code.

Numba keeps functions beside their source or in a user's folder, fails if it can write to neither,
and does not notice when a function called from another file has changed. So the folder and the
stamp of a kernel are chosen here; the contents of the files, and which processor they suit, are
left to numba.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache
from numba.core.registry import cpu_target

from treewright.compiling import folders
from treewright.compiling.policy import policy
from treewright.signals import held_back

if TYPE_CHECKING:
    from treewright.compiling.kernels import Kernel


def dispatcher(kernel: Kernel, function: Any) -> Any:
    """Return numba's dispatcher for a kernel, which asks before it compiles."""
    result = numba.njit(**kernel.options)(function)
    result._cache = (_BorrowersGate if kernel.borrows else _Gate)(kernel, function)
    compile_for = result._compile_for_args

    def compile_whole(*arguments: Any, **named: Any) -> Any:
        # LLVM calls Python back; an exception there, an interrupt for example, ends in a crash.
        try:
            with held_back():
                found = compile_for(*arguments, **named)
            for overload in result.overloads.values():
                _check_returned(kernel, overload.signature.return_type)
        except TypeError:
            # Otherwise the next call would find what was refused.
            result._reset_overloads()
            raise
        return found

    result._compile_for_args = compile_whole
    return result


def _check_returned(kernel: Kernel, kind: Any) -> None:
    """Refuse kernels that return named tuples to Python.

    If a signal comes while numba makes one, the process crashes.
    """
    if isinstance(kind, numba.types.BaseNamedTuple):
        name = kind.instance_class.__name__
        raise TypeError(f"{kernel.name} returns {name} to Python; return its parts, `value[:]`")
    if isinstance(kind, numba.types.BaseTuple):
        for part in kind:
            _check_returned(kernel, part)


def _holds_arrays(kind: Any) -> bool:
    if isinstance(kind, numba.types.BaseTuple):
        return any(map(_holds_arrays, kind))
    if isinstance(kind, numba.types.Optional):
        return _holds_arrays(kind.type)
    return isinstance(kind, numba.types.Array)


class _Gate(NullCache):  # type: ignore[misc]
    """Sits where numba looks for compiled functions; kept ones pass, others need permission."""

    def __init__(self, kernel: Kernel, function: Any) -> None:
        self.kernel = kernel
        folder = folders.existing() or folders.writable()
        self.kept = None if folder is None else _Kept(kernel, function, folder)

    def load_overload(self, signature: Any, context: Any) -> Any:
        from treewright.compiling.kernels import NotCompiledError

        found = None
        if self.kept is not None:
            # A damaged file counts as missing; it is rewritten when the kernel is compiled.
            with contextlib.suppress(Exception):
                found = self.kept.load_overload(signature, context)
        if found is None:
            if not policy.may_compile():
                raise NotCompiledError
            policy.say_once(self._announcement())
            self.kernel.complete()
        return found

    def _announcement(self) -> str:
        room = self.kernel.name.split(".")[1]
        if self.kept is None:
            return f"Compiling kernels of {room}, for this run only."
        return f"Compiling kernels of {room}, this once (treewright doctor --warm compiles all)."

    def save_overload(self, signature: Any, result: Any) -> None:
        if self.kept is None:
            return
        # If nothing can be written, the kernel is compiled for this run only.
        with contextlib.suppress(OSError):
            try:
                self.kept.save_overload(signature, result)
            except (pickle.UnpicklingError, EOFError, ValueError, AttributeError, ImportError):
                # Damaged, or about types that have moved since.
                self.kept.flush()
                self.kept.save_overload(signature, result)


class _BorrowersGate(_Gate):
    """That of a kernel that does not count references: an array it returned would be freed."""

    def save_overload(self, signature: Any, result: Any) -> None:
        returned = result.signature.return_type
        if _holds_arrays(returned):
            raise TypeError(f"{self.kernel.name} borrows arrays and cannot return {returned}")
        super().save_overload(signature, result)


class _Kept(FunctionCache):  # type: ignore[misc]
    """The files of one kernel."""

    def __init__(self, kernel: Kernel, function: Any, folder: Path) -> None:
        self._impl_class = lambda function: _Files(kernel, function, folder)
        super().__init__(function)


def is_kept(kernel: Kernel, folder: Path) -> bool:
    """Whether a folder holds a kernel for this processor, for arguments of some types."""
    try:
        index = _Kept(kernel, kernel.py_func, folder)._cache_file._load_index()
    except Exception:  # a damaged file is as good as none
        return False
    processor = cpu_target.target_context.codegen().magic_tuple()
    return any(key[1] == processor for key in index)


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    """The names of a kernel's files, and its locator: the two objects that numba asks for."""

    def __init__(self, kernel: Kernel, function: Any, folder: Path) -> None:
        self.folder = folder
        self.stamp = kernel.stamp
        self._locator = self
        self._lineno = function.__code__.co_firstlineno
        self._py_file = function.__code__.co_filename
        version = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
        self._filename_base = f"{kernel.name}.{self.stamp[:16]}.{version}"

    def get_cache_path(self) -> str:
        return str(self.folder)

    def ensure_cache_path(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        return self.stamp
