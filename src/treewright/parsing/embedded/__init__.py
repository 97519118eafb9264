"""The embedded parser: a small neural span parser whose weights come with the package."""

from treewright.parsing.embedded.arrays import (
    Array,
    Arrays,
    check_shapes,
    pack_arrays,
    unpack_arrays,
)
from treewright.parsing.embedded.blas import one_blas_thread
from treewright.parsing.embedded.codes import STATE, Codes, Factor, decode
from treewright.parsing.embedded.encoder import Encoder
from treewright.parsing.embedded.inventory import CHINESE, SCRIPTS, Inventory
from treewright.parsing.embedded.parser import SHIPPED, EmbeddedParser
from treewright.parsing.embedded.weights import Weights, encoder_shapes, mean_weights

__all__ = [
    "CHINESE",
    "SCRIPTS",
    "SHIPPED",
    "STATE",
    "Array",
    "Arrays",
    "Codes",
    "EmbeddedParser",
    "Encoder",
    "Factor",
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
