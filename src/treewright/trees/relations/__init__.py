"""Grammatical relations: Stanford basic typed dependencies, read off constituency trees."""

from treewright.trees.relations.convert import Relation, is_punctuation, relations

__all__ = ["Relation", "is_punctuation", "relations"]
