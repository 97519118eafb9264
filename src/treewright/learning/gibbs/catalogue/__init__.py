"""The rules in use, spelled out, so that they can be found in other pairs."""
