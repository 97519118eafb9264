"""Where big counting runs: on this machine, or on a cluster, through the same three verbs."""

from treewright.engine.choice import open_engine
from treewright.engine.protocol import Engine
from treewright.engine.tables import COUNT, Columns, Partition, Schema, Table, read

__all__ = ["COUNT", "Columns", "Engine", "Partition", "Schema", "Table", "open_engine", "read"]
