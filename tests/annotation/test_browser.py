"""The page in a real browser: a whole sheet by keyboard alone, and its file read by `collect`.

Needs Chromium, its driver and selenium; skipped where one is missing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.annotation import Slot, Study

from ..cli.runner import succeed

webdriver: Any = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
waiting: Any = pytest.importorskip("selenium.webdriver.support.wait")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="no Chromium with its driver is installed"
)

SECONDS = 20
FLAGS = (
    "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking "
    "disable-component-update disable-sync"
)
PHRASES = {"was announced": ["was declared", "was cancelled"], "will reopen": ["will close"]}
TEXT = "It was announced on Monday .\nThe bridge will reopen in June .\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"phrase": phrase, "paraphrases": [{"text": text} for text in found]}
        for phrase, found in PHRASES.items()
    ]
    Path("PD.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("text").write_text(TEXT)
    Path("props.tsv").write_text("Cooks can cook\nGuests can eat\nOvens can pay\n")
    Path("truisms.tsv").write_text("Cooks can be people\n")
    return tmp_path


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"user-data-dir={tmp_path / 'profile'}"]:
        options.add_argument(f"--{flag}")
    options.add_experimental_option("prefs", {"download.default_directory": str(tmp_path)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_page_load_timeout(SECONDS)
    driver.set_script_timeout(SECONDS)
    driver.command_executor.client_config.timeout = 3 * SECONDS
    try:
        yield driver
    finally:
        driver.quit()


def press(browser: Any, *keys: str) -> Any:
    """Press keys, and return the element that has the focus then."""
    webdriver.ActionChains(browser).send_keys(*keys).perform()
    return browser.switch_to.active_element


def answer_page(browser: Any, study: Study, value_of: Any) -> int:
    """Answer a page by keyboard and turn it; return the number of questions answered."""
    keys = webdriver.Keys
    answered = 0
    for _ in range(200):
        element = press(browser, keys.TAB)
        name = element.get_attribute("name") or ""
        if element.tag_name == "button":
            press(browser, keys.ENTER)
            return answered
        if element.get_attribute("type") == "radio":
            slot, question = name.split(":")
            asked = study.form.question(question)
            assert asked is not None
            if asked.required:
                value = value_of(study.slots[slot][1])
                steps = asked.values.index(value)
                press(browser, *([keys.ARROW_DOWN] * steps if steps else [keys.SPACE]))
                answered += 1
    raise AssertionError("no button after 200 tabs")


def heading(browser: Any) -> str:
    return str(browser.execute_script("return document.querySelector('h1').textContent"))


def begin(browser: Any, page: Path, name: str) -> None:
    browser.get(page.as_uri() + "#1")
    for _ in range(3):
        if press(browser, webdriver.Keys.TAB).get_attribute("id") == "name":
            break
    # What the field holds is selected, so that typing replaces it.
    press(browser, name, webdriver.Keys.ENTER)


def download(browser: Any, folder: Path) -> str:
    press(browser, webdriver.Keys.TAB, webdriver.Keys.ENTER)
    wait = waiting.WebDriverWait(browser, SECONDS)
    found = wait.until(lambda _: sorted(folder.glob("answers-*.json")))
    return str(found[0])


def test_a_sheet_is_answered_by_keyboard_and_collected(folder: Path, browser: Any) -> None:
    options = ["--sentences", "text", "--study", "s", "--html", "p.html", "--per-page", 2]
    succeed("annotate", "make", "paraphrases", "PD.jsonl", *options)
    study = Study.load("s")
    sizes = [len(each.order) for each in study.sheets[0]]

    def value_of(slot: Slot) -> str:
        return study.tests[slot.index].answers["meaning"][0] if slot.kind == "test" else "1"

    begin(browser, folder / "p.html", "Zoë Q.")
    assert heading(browser) == "Page 1 of 2"
    press(browser, webdriver.Keys.TAB, webdriver.Keys.ENTER)
    alert = browser.find_element("css selector", "[role=alert]").text
    assert alert.startswith("Please answer every question. Still open: items 1, 2, 3")
    browser.get((folder / "p.html").as_uri() + "?again#1")
    assert heading(browser) == study.form.title
    begin(browser, folder / "p.html", "")
    assert answer_page(browser, study, value_of) == sizes[0]
    assert heading(browser) == "Page 2 of 2"
    # Someone else begins anew in the same browser; whoever comes back goes on where they stopped.
    browser.refresh()
    begin(browser, folder / "p.html", "Yan")
    assert heading(browser) == "Page 1 of 2"
    browser.refresh()
    assert heading(browser) == study.form.title
    begin(browser, folder / "p.html", "Zoë Q.")
    assert heading(browser) == "Page 2 of 2"
    assert answer_page(browser, study, value_of) == sizes[1]
    assert heading(browser) == "Thank you"
    path = download(browser, folder)
    report = json.loads(succeed("annotate", "collect", "s", path, "--json").out)
    assert report["annotators"][0]["name"] == "Zoë Q."
    assert report["counts"]["judgements_counted"] == 3
    assert (report["counts"]["missing"], report["counts"]["pages_rejected"]) == (0, 0)
    assert [score["aggregate"] for score in report["scores"]] == [1.0, 0.0]
    assert browser.get_log("browser") == []
    script = "return performance.getEntriesByType('resource').map(each => each.name)"
    assert browser.execute_script(script) in ([], ["data:,"])


def test_repetition_truism_and_remarks_in_the_browser(folder: Path, browser: Any) -> None:
    options = ["--tests", "truisms.tsv", "--topic", "cooking", "--study", "s", "--html", "p.html"]
    succeed("annotate", "make", "propositions", "props.tsv", *options)
    study = Study.load("s")
    begin(browser, folder / "p.html", "Ann")
    seen = [each.text for each in browser.find_elements("css selector", ".passage p")]
    assert len(seen) == 5
    assert seen[0] == seen[-1]
    # Everything is named for a screen reader: the group by item and question, each choice.
    browser.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {
        role: [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == role]
        for role in ("radiogroup", "radio", "heading")
    }
    assert named["radiogroup"] == [
        f"Item {i}: Is this a sensible statement about cooking?" for i in range(1, 6)
    ]
    assert named["radio"] == ["Yes", "No"] * 5
    assert named["heading"] == ["Page 1 of 1", *(f"Item {i} of 5" for i in range(1, 6))]
    assert answer_page(browser, study, lambda slot: "no" if slot.kind == "repeat" else "yes") == 5
    report = json.loads(
        succeed("annotate", "collect", "s", download(browser, folder), "--json").out
    )
    assert report["annotators"][0]["rejected"] == "failed too many tests"
    assert report["counts"]["judgements_counted"] == 0


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 800)])
def test_nothing_is_wider_than_the_screen(
    folder: Path, browser: Any, width: int, height: int
) -> None:
    Path("long.jsonl").write_text(
        json.dumps({"texts": {"Sentence": "word " * 60, "Shorter version": "x" * 300}}) + "\n"
    )
    succeed("annotate", "make", "compressions", "long.jsonl", "--study", "s", "--html", "p.html")
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    begin(browser, folder / "p.html", "Ann")
    script = "return [document.documentElement.scrollWidth, innerWidth]"
    inside, screen = browser.execute_script(script)
    assert inside <= screen == width
    sizes = browser.execute_script(
        "return [...document.querySelectorAll('.choices label, button')]"
        ".map(each => Math.min(each.offsetHeight, each.offsetWidth))"
    )
    assert min(sizes) >= 44
