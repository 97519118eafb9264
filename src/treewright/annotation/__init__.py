"""Human judgement: tasks as a page or as CSV, answers, whose count, and what they say."""

from treewright.annotation.answers import Answer, parse_time, read_answers
from treewright.annotation.form import Choice, Form, load_form
from treewright.annotation.item import HiddenTest, Item, Origin, Passage
from treewright.annotation.layout import make_study, number_of_pages
from treewright.annotation.paraphrases import (
    Context,
    find_contexts,
    made_tests,
    put_in_context,
    read_paraphrases,
)
from treewright.annotation.reading import read_items, read_tests
from treewright.annotation.rendering import page_html, tasks_csv, write_page, write_tasks
from treewright.annotation.results import UNITS, Results, Score, evaluate_answers
from treewright.annotation.screening import Screening, Settled, screen, settle
from treewright.annotation.study import Page, Slot, Study
from treewright.annotation.tables import impossible_tests, result_tables

__all__ = [
    "UNITS",
    "Answer",
    "Choice",
    "Context",
    "Form",
    "HiddenTest",
    "Item",
    "Origin",
    "Page",
    "Passage",
    "Results",
    "Score",
    "Screening",
    "Settled",
    "Slot",
    "Study",
    "evaluate_answers",
    "find_contexts",
    "impossible_tests",
    "load_form",
    "made_tests",
    "make_study",
    "number_of_pages",
    "page_html",
    "parse_time",
    "put_in_context",
    "read_answers",
    "read_items",
    "read_paraphrases",
    "read_tests",
    "result_tables",
    "screen",
    "settle",
    "tasks_csv",
    "write_page",
    "write_tasks",
]
