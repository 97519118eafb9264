"""The embedded parser: a small neural span parser whose weights come with the package."""

from treewright.parsing.embedded.blas import one_blas_thread
from treewright.parsing.embedded.codes import STATE, CodedMatrix, Codes, decode
from treewright.parsing.embedded.encoder import Encoder
from treewright.parsing.embedded.inventory import CHINESE, SCRIPTS, Inventory
from treewright.parsing.embedded.parser import SHIPPED, EmbeddedParser
from treewright.parsing.embedded.weights import (
    Array,
    Weights,
    check_shapes,
    encoder_shapes,
    mean_weights,
    pack_arrays,
    unpack_arrays,
)

__all__ = [
    "CHINESE",
    "SCRIPTS",
    "SHIPPED",
    "STATE",
    "Array",
    "CodedMatrix",
    "Codes",
    "EmbeddedParser",
    "Encoder",
    "Inventory",
    "Weights",
    "check_shapes",
    "decode",
    "encoder_shapes",
    "mean_weights",
    "one_blas_thread",
    "pack_arrays",
    "unpack_arrays",
]
