"""A kernel: one function, run uncompiled or compiled.

Kernels call one another by name. When compiled, each must see the others as numba's functions;
uncompiled, each should call the others directly. So a kernel has two twins, whose globals are those
of its module with every kernel replaced by its twin of the same kind.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from treewright.compiling.elementwise import Twins
from treewright.compiling.policy import PATIENCE, on_change, policy
from treewright.signals import held_back

Globals = dict[str, Any]
_PLAIN, _COMPILED = "__plain_kernels__", "__compiled_kernels__"


class NotCompiledError(Exception):
    """No compiled version is kept for arguments of these types, and none is to be made."""


class Kernel:
    """A function over arrays; `py_func` is the source function, `options` those of `numba.njit`."""

    def __init__(self, py_func: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, py_func)
        self.name = f"{py_func.__module__}.{py_func.__qualname__}"
        self.py_func: Any = py_func
        self.options = options
        self._call: Callable[..., Any] = self._decide
        self._spent = 0.0
        self._missed = False
        _kernels.add(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; arguments are positional."""
        try:
            return self._call(*arguments)
        except NotCompiledError:
            self._missed = True
            self._call = self._run_metered
        except SystemError as error:
            raise _original(error) from None
        return self._run_metered(*arguments)

    def _decide(self, *arguments: Any) -> Any:
        """Choose how the kernel runs from now on, and run it."""
        compiled = policy.may_compile()
        if compiled is False:
            self._call = self._run_plain
        else:
            policy.note_folder()
            self._call = self.compiled if compiled else self._run_metered
        return self._call(*arguments)

    def _run_plain(self, *arguments: Any) -> Any:
        import numpy as np

        # Compiled code is silent: hashes wrap around, and a sum may be infinite.
        with np.errstate(all="ignore"):
            return _as_returned(self.plain(*arguments))

    def _run_metered(self, *arguments: Any) -> Any:
        """Run uncompiled; when that has taken enough time, the next call decides again."""
        start = time.thread_time()
        try:
            return self._run_plain(*arguments)
        finally:
            time_taken = time.thread_time() - start
            policy.spend(time_taken)
            self._spent += time_taken
            if self._spent > PATIENCE:
                self._call = self._run_granted
            elif policy.loads and not self._missed:
                self._call = self.compiled

    def _run_granted(self, *arguments: Any) -> Any:
        policy.granted.add(threading.get_ident())
        try:
            return self.compiled(*arguments)
        finally:
            policy.granted.discard(threading.get_ident())

    def reconsider(self) -> None:
        """Forget how the kernel has run so far."""
        self._call = self._decide
        self._missed = False

    @property
    def borrows(self) -> bool:
        """Whether references to arrays are not counted."""
        return not self.options.get("_nrt", True)

    @functools.cached_property
    def plain(self) -> Any:
        """The plain function, which calls other kernels uncompiled."""
        world = self.py_func.__globals__
        if _PLAIN not in world:
            _replace(world, world.setdefault(_PLAIN, {}), lambda kernel: kernel.plain)
        return self.twin(world[_PLAIN])

    @functools.cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher, which compiles only what the policy allows."""
        _load_numba()
        from treewright.compiling.dispatching import dispatcher

        world = self.py_func.__globals__
        # The other kernels are put in by `complete`; where this one is kept, they are not needed.
        twins = world.setdefault(_COMPILED, {"__name__": self.__module__})
        return dispatcher(self, self.twin(twins))

    def complete(self) -> None:
        """Let the compiled twins of this kernel and of all it calls see one another.

        Numba may inline the code of one kernel into another before it compiles the first.
        """
        for kernel in self._reached:
            world = kernel.py_func.__globals__
            _replace(world, world.setdefault(_COMPILED, {}), lambda other: other.compiled)

    @functools.cached_property
    def _reached(self) -> list[Kernel]:
        """This kernel and everything it calls, in order of first encounter."""
        seen: dict[Kernel, None] = {}
        _reach(self, seen)
        return list(seen)

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
        """A hash of everything the compiled kernel is made from: its code, constants and
        callees.
        """
        digest = hashlib.sha256()
        for kernel in self._reached:
            digest.update(repr(sorted(kernel.options.items())).encode())
            for part in _parts(kernel.py_func.__code__, kernel.py_func.__globals__):
                digest.update(part)
        return digest.hexdigest()


_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


def known_kernels() -> list[Kernel]:
    """Return the kernels of all modules that are imported."""
    return list(_kernels)


@on_change
def _reconsider() -> None:
    for kernel in _kernels:
        kernel.reconsider()


def _as_returned(value: Any) -> Any:
    """Return what compiled code would return: its scalars are Python's, not NumPy's."""
    import numpy as np

    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        values = [_as_returned(item) for item in value]
        return type(value)(*values) if hasattr(value, "_fields") else tuple(values)
    return value


def _original(error: BaseException) -> BaseException:
    """Return the exception that numba's dispatcher complains of, if it complains of one.

    A signal that comes while a kernel runs is handled where numba makes arrays of the results;
    what the handler raises is found only when the call is over.
    """
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _replace(world: Globals, twins: Globals, twin: Callable[[Kernel | Twins], Any]) -> None:
    others = {name: value for name, value in world.items() if name not in (_PLAIN, _COMPILED)}
    for name, value in others.items():
        twins[name] = twin(value) if isinstance(value, Kernel | Twins) else value


def _load_numba() -> None:
    """Import numba; a signal waits until that is done.

    Extension modules that numba imports drop what a handler raises while they are set up, and the
    program would go on.
    """
    if "numba" in sys.modules:
        return
    with held_back(), _without_linear_algebra():
        import numba.np.arraymath  # noqa: F401


@contextmanager
def _without_linear_algebra() -> Iterator[None]:
    """In a command, keep numba from importing the half of scipy that it only looks for.

    It asks for scipy's linear algebra when the first kernel is loaded, a fifth of a second in which
    nothing is done for ours. Where nothing else can want it at that moment, that answer can be kept
    from it; scipy itself is imported later as ever.
    """
    if not policy.alone or "scipy.linalg" in sys.modules:
        yield
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy.linalg"]


def _reach(kernel: Kernel, seen: dict[Kernel, None]) -> None:
    """Gather a kernel and everything it calls, in order of first encounter."""
    if kernel in seen:
        return
    seen[kernel] = None
    for name in kernel.py_func.__code__.co_names:
        value = kernel.py_func.__globals__.get(name)
        if isinstance(value, Kernel):
            _reach(value, seen)


def _parts(code: types.CodeType, world: Globals) -> Iterator[bytes]:
    """Yield what code does: its instructions, and the values it finds by name or number."""
    import numpy as np

    plain = (bool, int, float, str, tuple, np.generic, np.dtype)
    yield code.co_code
    yield repr((code.co_names, code.co_varnames)).encode()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _parts(constant, world)
        else:
            yield repr(constant).encode()
    for name in code.co_names:
        value = world.get(name)
        if isinstance(value, np.ndarray):
            yield value.tobytes()
        elif isinstance(value, plain):
            yield repr(value).encode()
        elif isinstance(value, Twins):
            yield value.stamp
        elif isinstance(value, type):
            yield repr(getattr(value, "_fields", ())).encode()


def njit(*, borrows: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a kernel; `options` are those of `numba.njit`, but all kernels are kept.

    One that `borrows` neither makes nor returns arrays, so nothing counts references to those that
    it is given. In a small function of many arrays, counting takes longer than all the rest. After
    that, passing them costs most, unless `forceinline` puts the function into its caller.

    From Python, a named tuple takes a microsecond more to pass than its parts, because numba spells
    out the names of its fields in every call. So kernels that are called often take `value[:]`, and
    name the parts again.
    """
    options.pop("cache", None)
    if borrows:
        options["_nrt"] = False

    def decorate(function: Callable[..., Any]) -> Any:
        return Kernel(function, options)

    return decorate


def specialise(template: Kernel, name: str, **functions: Any) -> Any:
    """Return a kernel like `template` that calls other functions, given by name.

    The functions are kernels. `name` distinguishes it from other kernels made from the same
    template.
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
