"""A kernel: one function, run as it stands or compiled.

Kernels call one another by name. Compiled, each must see the others as numba's functions, and as it
stands each should reach the others without a detour. So a kernel has two twins, whose globals are
those of its module with every kernel replaced by its twin of the same kind.
"""

from __future__ import annotations

import functools
import hashlib
import time
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from treewright.compiling import folders
from treewright.compiling.policy import PATIENCE, on_change, policy

Globals = dict[str, Any]
_PLAIN, _COMPILED = "__plain_kernels__", "__compiled_kernels__"


class NotCompiledError(Exception):
    """A kernel is not kept compiled for arguments of these types, and it is not to be compiled."""


class Kernel:
    """A function over arrays; `py_func` is what was written, `options` those of `numba.njit`."""

    def __init__(self, py_func: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, py_func)
        self.name = f"{py_func.__module__}.{py_func.__qualname__}"
        self.py_func: Any = py_func
        self.options = options
        self._call: Callable[..., Any] = self._decide
        self._spent = 0.0
        _kernels.add(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; arguments are given by position."""
        try:
            return self._call(*arguments)
        except NotCompiledError:
            self._call = self._run_metered
        return self._run_metered(*arguments)

    def _decide(self, *arguments: Any) -> Any:
        """Choose how the kernel runs from now on, and run it."""
        compiled = policy.may_compile()
        if compiled is False:
            self._call = self._run_plain
        elif compiled or folders.existing():
            self._call = self.compiled
        else:
            self._call = self._run_metered
        return self._call(*arguments)

    def _run_plain(self, *arguments: Any) -> Any:
        import numpy as np

        # Compiled code is silent: hashes wrap around, and a sum may be infinite.
        with np.errstate(all="ignore"):
            return self.plain(*arguments)

    def _run_metered(self, *arguments: Any) -> Any:
        """Run uncompiled, and compiled from now on once enough time has gone into it."""
        start = time.perf_counter()
        try:
            return self._run_plain(*arguments)
        finally:
            self._spent += time.perf_counter() - start
            if self._spent > PATIENCE:
                self._call = self._run_granted

    def _run_granted(self, *arguments: Any) -> Any:
        policy.granted += 1
        try:
            return self.compiled(*arguments)
        finally:
            policy.granted -= 1

    def reconsider(self) -> None:
        """Forget how the kernel ran so far."""
        self._call = self._decide

    @functools.cached_property
    def plain(self) -> Any:
        """The function as it stands, calling other kernels as they stand."""
        world = self.py_func.__globals__
        if _PLAIN not in world:
            _replace(world, world.setdefault(_PLAIN, {}), lambda kernel: kernel.plain)
        return self.twin(world[_PLAIN])

    @functools.cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher; it compiles only what the policy allows."""
        from treewright.compiling.dispatching import dispatcher

        world = self.py_func.__globals__
        # The other kernels are put in by `complete`; where this one is kept, they are not needed.
        twins = world.setdefault(_COMPILED, {"__name__": self.__module__})
        return dispatcher(self, self.twin(twins))

    def complete(self) -> None:
        """Let the compiled twin see other kernels, as it must to be compiled."""
        world = self.py_func.__globals__
        _replace(world, world[_COMPILED], lambda kernel: kernel.compiled)

    def twin(self, world: Globals) -> Any:
        """Return the function with other globals."""
        function = self.py_func
        twin = types.FunctionType(
            function.__code__,
            world,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        twin.__qualname__ = function.__qualname__
        return twin

    @functools.cached_property
    def stamp(self) -> str:
        """A hash of all that the compiled kernel is made from: its code, constants and callees."""
        seen: dict[Kernel, None] = {}
        _reach(self, seen)
        digest = hashlib.sha256(repr(sorted(self.options.items())).encode())
        for kernel in seen:
            for part in _parts(kernel.py_func.__code__, kernel.py_func.__globals__):
                digest.update(part)
        return digest.hexdigest()


_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


@on_change
def _reconsider() -> None:
    for kernel in _kernels:
        kernel.reconsider()


def _replace(world: Globals, twins: Globals, twin: Callable[[Kernel], Any]) -> None:
    others = {name: value for name, value in world.items() if name not in (_PLAIN, _COMPILED)}
    for name, value in others.items():
        twins[name] = twin(value) if isinstance(value, Kernel) else value


def _reach(kernel: Kernel, seen: dict[Kernel, None]) -> None:
    """Gather a kernel and all that it calls, in the order in which they are met."""
    if kernel in seen:
        return
    seen[kernel] = None
    for name in kernel.py_func.__code__.co_names:
        value = kernel.py_func.__globals__.get(name)
        if isinstance(value, Kernel):
            _reach(value, seen)


def _parts(code: types.CodeType, world: Globals) -> Iterator[bytes]:
    """Yield what code does: its instructions, and the values that it finds by name or number."""
    import numpy as np

    plain = (bool, int, float, str, tuple, np.generic, np.dtype, np.ndarray)
    yield code.co_code
    yield repr((code.co_names, code.co_varnames)).encode()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _parts(constant, world)
        else:
            yield repr(constant).encode()
    for name in code.co_names:
        if isinstance(world.get(name), plain):
            yield repr(world[name]).encode()


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a kernel; `options` are those of `numba.njit`, but all kernels are kept."""
    options.pop("cache", None)

    def decorate(function: Callable[..., Any]) -> Any:
        return Kernel(function, options)

    return decorate


def specialise(template: Kernel, name: str, **functions: Any) -> Any:
    """Return a kernel like `template` in which other functions are called, by the names given.

    The functions are kernels. `name` tells it from other kernels made of the same template.
    """
    function = template.twin(
        {
            key: value
            for key, value in {**template.py_func.__globals__, **functions}.items()
            if key not in (_PLAIN, _COMPILED)
        }
    )
    function.__name__ = name
    function.__qualname__ = f"{template.py_func.__qualname__}.{name}"
    function.__doc__ = template.__doc__
    return Kernel(function, template.options)
