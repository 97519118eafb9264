"""Where big counting runs: on this machine, or on a cluster, through the same three verbs."""

from treewright.engine.choice import NAMES, open_engine
from treewright.engine.objects import in_partitions, loaded_once, map_objects
from treewright.engine.protocol import Engine
from treewright.engine.tables import COUNT, Columns, Partition, Schema, Table, cut_by_key, read

__all__ = [
    "COUNT",
    "NAMES",
    "Columns",
    "Engine",
    "Partition",
    "Schema",
    "Table",
    "cut_by_key",
    "in_partitions",
    "loaded_once",
    "map_objects",
    "open_engine",
    "read",
]
