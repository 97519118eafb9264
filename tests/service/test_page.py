"""The page in a real browser: every control, narrow and slow, long texts, and the service gone.

Needs Chromium, its driver and selenium; skipped where one is missing.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.service.application import FILES, PAGE

from .server import Server, serving

webdriver: Any = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
waiting: Any = pytest.importorskip("selenium.webdriver.support.wait")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="no Chromium with its driver is installed"
)

SECONDS = 90
FLAGS = (
    "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking "
    "disable-component-update disable-sync window-size=1280,900"
)
DOG = "The old dog, which was tired, slept on the mat on Monday."


def test_the_page_is_small_and_asks_no_other_host() -> None:
    files = [PAGE / name for name, _ in FILES.values()]
    assert sum(path.stat().st_size for path in files) <= 150_000
    assert {path.name for path in PAGE.iterdir()} == {path.name for path in files}
    for path in files:
        found = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in found
        assert "https:" not in found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"user-data-dir={folder / 'profile'}"]:
        options.add_argument(f"--{flag}")
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_page_load_timeout(SECONDS)
    driver.set_script_timeout(SECONDS)
    driver.command_executor.client_config.timeout = 3 * SECONDS
    driver.downloads = folder
    try:
        yield driver
    finally:
        driver.quit()


class Page:
    """The page, as a reader uses it."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.browser = browser
        browser.get(server.url.replace("127.0.0.1", "localhost"))
        self.until(lambda: self.text("summary"))

    def until(self, condition: Callable[[], Any]) -> Any:
        return waiting.WebDriverWait(self.browser, SECONDS, 0.02).until(lambda _: condition())

    def find(self, name: str) -> Any:
        return self.browser.find_element("id", name)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def text(self, name: str) -> str:
        return str(self.run("return document.getElementById(arguments[0]).textContent", name))

    def short(self) -> str:
        """What is left of the text: all but what is struck through."""
        script = "return [...document.querySelectorAll('#marked .w:not(del .w)')]"
        return str(self.run(f"{script}.map(each => each.textContent).join(' ')"))

    def deleted(self) -> list[str]:
        script = (
            "return [...document.querySelectorAll('#marked del')].map(each => each.textContent)"
        )
        return [str(each).strip() for each in self.run(script)]

    def write(self, text: str) -> None:
        self.set("text", text)

    def set(self, name: str, value: object) -> None:
        """Set a field as typing or dragging does."""
        script = (
            "const [name, value] = arguments; const field = document.getElementById(name);"
            "field.value = value; field.dispatchEvent(new Event('input', {bubbles: true}));"
            "field.dispatchEvent(new Event('change', {bubbles: true}))"
        )
        self.run(script, name, str(value))

    def settled(self) -> None:
        """Wait until the answer is explained."""
        self.until(lambda: not self.run("return document.getElementById('details').hidden"))

    def press(self, *keys: str) -> None:
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Page]:
    found = Page(browser, server)
    yield found
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    # What the service refuses, the browser logs too.
    log = [each for each in browser.get_log("browser") if each["source"] != "network"]
    mistakes = [each for each in log if each["level"] == "SEVERE"]
    assert mistakes == [], mistakes


@needs_browser
def test_limits_answer_while_they_change(page: Page) -> None:
    page.write(DOG)
    page.set("rate", 100)
    page.until(lambda: "12 of 12 words" in page.text("summary"))
    assert page.deleted() == []
    page.set("rate", 60)
    page.until(lambda: "7 of 12 words" in page.text("summary") or page.deleted())
    page.set("words", 4)
    page.until(lambda: page.text("summary").startswith(("4 ", "3 ")))
    assert page.text("rate-shown") == "–"
    page.set("chars", 18)
    page.until(lambda: page.text("summary") and "4 of" in page.text("summary"))
    assert page.find("words").get_attribute("value") == ""
    page.find("auto").click()
    page.until(lambda: page.find("auto").get_attribute("aria-pressed") == "true")
    page.until(lambda: page.deleted())


@needs_browser
def test_clicks_keep_and_drop(page: Page) -> None:
    page.write(DOG)
    page.find("auto").click()
    page.settled()
    gone = page.browser.find_elements("css selector", "#marked del")
    first = page.deleted()[0]
    gone[0].click()
    page.until(lambda: page.text("chips"))
    assert page.text("chips").startswith("keep ")
    page.until(lambda: first not in page.deleted())
    page.settled()
    # A demand goes with its chip.
    page.browser.find_element("css selector", "#chips button").click()
    page.until(lambda: first in page.deleted())
    page.settled()
    words = page.browser.find_elements("css selector", "#marked .w:not(del .w)")
    [dog] = [word for word in words if word.text == "old"]
    dog.click()
    page.until(lambda: "old" not in page.short().split())
    assert page.text("chips") == "drop old"
    # So it does when the same is clicked again.
    page.settled()
    [old] = [
        each
        for each in page.browser.find_elements("css selector", "#marked del")
        if "old" in each.text
    ]
    old.click()
    page.until(lambda: page.text("chips") == "")
    page.until(lambda: "old" in page.short().split())


@needs_browser
def test_reasons_trees_and_other_versions(page: Page) -> None:
    page.write(DOG)
    page.find("auto").click()
    page.settled()
    gone = page.browser.find_element("css selector", "#marked del")
    webdriver.ActionChains(page.browser).move_to_element(gone).perform()
    page.until(lambda: page.find("tip").is_displayed())
    for part in ("price", "of all versions", "->", "click to keep"):
        assert part in page.text("tip")
    assert "If kept:" in page.text("reasons")
    for name in ("before", "after"):
        words = page.run(
            f"return [...document.querySelectorAll('#{name} .word')].map(e => e.textContent)"
        )
        assert "dog" in words
    struck = page.run("return document.querySelectorAll('#before .gone .word').length")
    assert struck == page.run("return document.querySelectorAll('#marked del .w').length")
    other = page.browser.find_element("css selector", "#others button")
    wanted = page.run("return arguments[0].firstChild.textContent", other)
    other.click()
    page.until(lambda: page.text("chips"))
    page.settled()
    page.find("show").click()
    page.until(lambda: page.text("marked") == wanted)


@needs_browser
def test_by_keyboard_alone(page: Page) -> None:
    keys = webdriver.Keys
    page.write(DOG)
    page.find("auto").click()
    page.settled()
    page.run("document.getElementById('marked').focus()")
    page.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    page.until(lambda: "Enter to drop" in page.text("hint"))
    before = page.text("hint")
    page.press(keys.ARROW_UP)
    page.until(lambda: page.text("hint") != before)
    page.press(keys.ARROW_DOWN, keys.ENTER)
    page.until(lambda: page.text("chips").startswith("drop "))
    page.settled()
    page.run("document.getElementById('rate').focus()")
    page.press(keys.ARROW_RIGHT)
    page.until(lambda: page.text("rate-shown") == "61 %")
    names = page.run(
        "return [...document.querySelectorAll('button, input:not([hidden]), select, textarea')]"
        ".filter(e => !(e.labels && e.labels.length) && !e.textContent.trim() && !e.ariaLabel"
        " && !e.placeholder).map(e => e.id)"
    )
    assert names == []


@needs_browser
def test_demands_in_words(page: Page) -> None:
    page.write(DOG)
    page.set("words", 6)
    page.find("phrase").send_keys("Monday", webdriver.Keys.ENTER)
    page.until(lambda: "Monday" in page.short() and page.text("chips") == "keep Monday")
    page.set("verb", "drop")
    page.find("phrase").send_keys("zebra", webdriver.Keys.ENTER)
    page.until(lambda: "not in the text: zebra" in page.text("summary"))
    page.set("words", 1)
    page.find("phrase").send_keys("dog", webdriver.Keys.ENTER)
    page.set("verb", "keep")
    page.find("phrase").send_keys("the mat", webdriver.Keys.ENTER)
    page.until(lambda: "raise the limit" in page.text("alert"))
    page.find("clear").click()
    page.until(lambda: page.text("marked") == "" and page.text("chips") == "")
    page.find("auto").click()
    page.find("example").click()
    page.until(lambda: "bridge" in page.short())


def docx(*paragraphs: str) -> bytes:
    """A document, as small as one can be."""
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in paragraphs)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        document = f'<w:document xmlns:w="{name}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
    return made.getvalue()


@needs_browser
def test_files_are_opened_and_dropped(page: Page, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(DOG)
    (tmp_path / "b.docx").write_bytes(docx("The old dog slept.", "It was &lt;tired&gt;."))
    (tmp_path / "c.docx").write_bytes(b"PK nothing")
    (tmp_path / "d.md").write_bytes(b"\xff\xfe")
    page.find("file").send_keys(str(tmp_path / "a.txt"))
    page.until(lambda: page.find("text").get_attribute("value") == DOG)
    page.find("file").send_keys(str(tmp_path / "b.docx"))
    wanted = "The old dog slept.\n\nIt was <tired>."
    page.until(lambda: page.find("text").get_attribute("value") == wanted)
    page.find("file").send_keys(str(tmp_path / "c.docx"))
    page.until(lambda: "not a .docx file" in page.text("alert"))
    page.find("file").send_keys(str(tmp_path / "d.md"))
    page.until(lambda: "not a text in UTF-8" in page.text("alert"))
    script = (
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'e.srt'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}))"
    )
    page.run(script, DOG)
    page.until(lambda: page.find("text").get_attribute("value") == DOG)


@needs_browser
def test_copy_download_and_colours(page: Page) -> None:
    page.write(DOG)
    page.settled()
    page.find("download").click()
    path = page.browser.downloads / "shortened.txt"
    page.until(path.exists)
    page.find("show").click()
    assert path.read_text() == page.text("marked")
    origin = page.run("return location.origin")
    page.browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"origin": origin, "permissions": ["clipboardReadWrite"]}
    )
    page.find("copy").click()
    page.until(lambda: page.text("copy") == "Copied")
    colours = set()
    for name in ("Light", "Dark", "Auto"):
        page.find("theme").click()
        page.until(lambda name=name: page.text("theme") == name)
        colours.add(page.run("return getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


@needs_browser
def test_a_phone(page: Page) -> None:
    size = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page.write(DOG)
    page.settled()
    assert page.run("return document.documentElement.scrollWidth") <= 360
    small = page.run(
        "return [...document.querySelectorAll('button, select')].filter(e => e.offsetParent"
        " && e.getBoundingClientRect().height < 28).map(e => e.id || e.textContent)"
    )
    assert small == []


@needs_browser
def test_a_long_text(page: Page) -> None:
    text = " ".join(DOG.replace("Monday", f"day {number}") for number in range(400))[:20_000]
    page.write(text)
    page.until(lambda: "20,000" in page.text("source-count"))
    page.until(lambda: page.deleted() and " of 4" in page.text("summary"))
    page.set("rate", 30)
    page.until(lambda: "(30 %)" in page.text("summary") or "(29 %)" in page.text("summary"))
    # One sentence is explained when it is pointed at.
    page.run("document.getElementById('marked').focus()")
    page.press(webdriver.Keys.ARROW_RIGHT)
    page.settled()
    assert "dog" in page.text("before")


@needs_browser
def test_a_slow_network(page: Page) -> None:
    slow = {"offline": False, "latency": 400, "downloadThroughput": 50_000}
    page.browser.execute_cdp_cmd("Network.enable", {})
    conditions = {**slow, "uploadThroughput": 50_000}
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
    try:
        page.write(DOG)
        for rate in range(20, 100, 4):
            page.set("rate", rate)
        page.until(
            lambda: (
                "11 of 12" in page.text("summary")
                or "(96 %)" in page.text("summary")
                or "12 words" in page.text("summary")
            )
        )
        # Of all the moves of the slider, only what was last is asked for.
        sent = page.run(
            "return performance.getEntriesByType('resource')"
            ".filter(e => e.name.endsWith('/v1/compress')).length"
        )
        assert sent <= 8
    finally:
        page.browser.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        )


@needs_browser
def test_the_service_gone_and_back(browser: Any, server: Server) -> None:
    page = Page(browser, server)
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    page.write(DOG)
    page.until(lambda: "does not answer" in page.text("alert"))
    assert page.find("text").get_attribute("value") == DOG
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**offline, "offline": False})
    page.until(lambda: page.text("alert") == "")
    page.until(lambda: "of 12 words" in page.text("summary"))
    browser.get_log("browser")


@needs_browser
def test_nothing_comes_from_another_host(page: Page) -> None:
    page.settled()
    names = page.run("return performance.getEntriesByType('resource').map(e => e.name)")
    origin = page.run("return location.origin")
    assert names
    assert all(name.startswith(origin) for name in names)
    blocked = page.run(
        "return new Promise(done => { document.addEventListener('securitypolicyviolation',"
        " e => done(e.effectiveDirective)); fetch('http://example.invalid/').catch(() => {}) })"
    )
    assert blocked == "connect-src"
    page.browser.get_log("browser")


@needs_browser
def test_a_token_is_asked_for(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", 1, TREEWRIGHT_TOKEN="sesame") as guarded:
        browser.get(guarded.url.replace("127.0.0.1", "localhost"))
        wait = waiting.WebDriverWait(browser, SECONDS, 0.02)
        field = wait.until(lambda _: browser.find_element("id", "token"))
        wait.until(lambda _: field.is_displayed())
        field.send_keys("sesame")
        browser.find_element("id", "use-token").click()
        wait.until(lambda _: "words" in browser.find_element("id", "summary").text)
        browser.get_log("browser")
