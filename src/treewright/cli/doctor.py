"""`treewright doctor`: check that everything is present and works."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from treewright import __version__, compiling
from treewright.cli import console
from treewright.errors import DataError, TreewrightError, how_to_install

SENTENCE = (
    "The mayor said on Monday that the old harbour bridge, which has been closed since last "
    "winter, will not reopen until June because repairs will cost 4 million euros."
)
SHORTENED = {
    "news": "The mayor said that the old harbour bridge will not reopen until June because repairs "
    "will cost 4 million euros.",
    "headline": "The mayor said the old harbour bridge will not reopen until June.",
}
PARSED = (
    "(ROOT (S (NP (DT The) (NN minister)) (VP (VBD said) (PP (IN on) (NP (NNP Tuesday))) (SBAR (IN "
    "that) (S (NP (NNS prices)) (VP (MD would) (VP (VB fall)))))) (. .)))"
)
_EXTRAS = {
    "train": ("torch", "transformers"),
    "plots": ("matplotlib",),
    "benepar": ("benepar",),
    "stanza": ("stanza",),
    "zh": ("jieba",),
    "moses": ("sacremoses",),
    "tokens": ("tiktoken",),
    "spacy": ("spacy",),
    "langchain": ("langchain_core",),
}
_LIBRARIES = ("numpy", "numba", "scipy", "markdown-it-py")
_FULL = ("--rate", "0.5", "--explain", "--keep", "numbers")
_PAIRS = ("@sample.train.jsonl", "--model", "@model")
_TREES = ("@model", "@sample.test.jsonl")
STEPS = (
    ("compress", SENTENCE, "--output", "@out"),
    *(("compress", SENTENCE, *_FULL, "--model", name, "--output", "@out") for name in SHORTENED),
    ("compress", SENTENCE, "--max-chars", "60", "--output", "@out"),
    ("parse", "@text", "--output", "@out"),
    *(("train", name, *_PAIRS) for name in ("crf", "deletion")),
    *(("train", name, *_PAIRS, "--rounds", "2") for name in ("svm", "perceptron")),
    ("train", "gibbs", *_PAIRS, "--iterations", "20"),
    *(("train", name, *_PAIRS) for name in ("vb", "em")),
    *(("transduce", *_TREES, *how) for how in ((), ("--rate", "0.6"), ("--corpus-rate", "0.6"))),
    ("transduce", *_TREES, "--nbest", "3"),
    ("transduce", *_TREES, "--decode", "mbr"),
)
"""Commands whose kernels are compiled by `--warm`, one after the other; `@` is their folder."""


def doctor(
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile all kernels beforehand; takes minutes.")
    ] = False,
) -> None:
    """Check the installation and report what a user needs to know about it.

    With --warm, the kernels that compress, parse, transduce and training need are compiled and
    kept, so that no later command has to. The exit status is 1 if something is wrong.
    """
    if warm:
        _warm()
    console.put(f"treewright {__version__} on Python {sys.version.split()[0]} ({sys.platform})")
    console.put(", ".join(f"{name} {_version(name)}" for name in _LIBRARIES))
    for extra, modules in _EXTRAS.items():
        missing = [name for name in modules if find_spec(name) is None]
        state = "installed" if not missing else f"not installed; {how_to_install(extra)}"
        console.put(f"extra {extra}: {state}")
    _put_models()
    failed = [name for name, check in _checks() if not _passes(name, check)]
    if not failed:
        _put_speed()
    _put_home()
    _put_kernels(compiling.take_inventory())
    if failed:
        raise DataError(
            f"{len(failed)} of the checks failed; install Treewright again in a new environment"
        )
    console.put("all is well")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def _put_models() -> None:
    from treewright.compression import NAMES, model_path

    sizes = [
        f"{name} ({model_path(name).stat().st_size / 1e6:.1f} MB)"
        if model_path(name).exists()
        else f"{name} (missing: install Treewright again)"
        for name in NAMES
    ]
    console.put(f"models: {', '.join(sizes)}, in {model_path(NAMES[0]).parent}")


def _put_speed() -> None:
    """Say how long a model takes to load and a sentence to be shortened."""
    from treewright.compression import Compressor

    start = time.perf_counter()
    compressor = Compressor.load()
    loaded = time.perf_counter()
    compressor.compress(SENTENCE)
    done = time.perf_counter()
    console.put(
        f"speed: a model loads in {loaded - start:.1f} s, a sentence of 30 words takes "
        f"{1000 * (done - loaded):.0f} ms, on {os.cpu_count()} processors"
    )
    forced = os.environ.get("TREEWRIGHT_JIT")
    if forced == "0":
        console.put("slow: TREEWRIGHT_JIT=0 forbids compiling kernels; unset it for long work")
    elif forced:
        console.put("slow to start: TREEWRIGHT_JIT=1 compiles every kernel, even for one text")


def _put_home() -> None:
    """Warn of a home folder that cannot be written: nothing needs it, but nothing is kept there."""
    try:
        home = Path.home()
    except RuntimeError:
        console.put("home: there is none; nothing needs one")
        return
    if not os.access(home, os.W_OK | os.X_OK):
        console.put(f"home: {home} cannot be written; nothing needs it, but nothing is kept there")


def _checks() -> Iterator[tuple[str, Callable[[], bool]]]:
    for name, expected in SHORTENED.items():
        yield f"model {name}", partial(_shortens, name, expected)
    yield "parser", _parses


def _shortens(model: str, expected: str) -> bool:
    from treewright.compression import Compressor

    return Compressor.load(model).compress(SENTENCE).text == expected


def _parses() -> bool:
    from treewright.parsing import open_parser

    words = ["The", "minister", "said", "on", "Tuesday", "that", "prices", "would", "fall", "."]
    return str(open_parser("embedded").parse([words])[0]) == PARSED


def _passes(name: str, check: Callable[[], bool]) -> bool:
    """Run a check and print its result, whatever goes wrong in it."""
    try:
        trouble = "" if check() else "gives another answer than it should"
    except Exception as error:
        trouble = f"{type(error).__name__}: {' '.join(str(error).split())}"
    console.put(f"{name}: {trouble or 'works'}")
    return not trouble


def _put_kernels(found: compiling.Inventory) -> None:
    if found.folder is None:
        console.put(
            "compiled kernels: no folder can be written; set NUMBA_CACHE_DIR to one, or long work "
            "compiles them again each time"
        )
        return
    console.put(f"compiled kernels: {found.kept} for this processor and version, in {found.folder}")
    if not found.is_writable:
        console.put("this folder cannot be written; set NUMBA_CACHE_DIR to one that can")
    elif not found.kept:
        console.put("kernels are compiled when work is long, or by treewright doctor --warm")


def _warm() -> None:
    """Run what needs kernels, in a temporary folder."""
    found = compiling.take_inventory()
    if not found.is_writable:
        raise TreewrightError(
            "compiled kernels cannot be kept: no folder for them can be written; set "
            "NUMBA_CACHE_DIR to one that can"
        )
    console.say(f"Compiling all kernels into {found.folder}.")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "text").write_text(f"{SENTENCE}\n", encoding="utf-8")
        _run("corpus", "sample", folder)
        for number, step in enumerate(STEPS, start=1):
            start = time.monotonic()
            _run(*(word.replace("@", f"{folder}{os.sep}") for word in step))
            what = " ".join(step[:2]) if step[0] == "train" else step[0]
            seconds = time.monotonic() - start
            console.say(f"{number} of {len(STEPS)}: {what}, {seconds:.0f} s")
    console.say(f"All kernels are compiled; it took {time.monotonic() - began:.0f} s.")


def _run(*arguments: str) -> None:
    """Run a command with every kernel compiled; what it prints is not shown."""
    from treewright.cli.app import app

    quiet = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with (
        compiling.forced(True),
        contextlib.redirect_stdout(quiet),
        contextlib.redirect_stderr(quiet),
    ):
        app(list(arguments), standalone_mode=False)
