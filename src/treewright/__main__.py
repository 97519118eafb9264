"""`python -m treewright` is the same as `treewright`."""

from treewright.cli import main

main()
