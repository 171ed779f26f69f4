"""Runs the page in a real browser: Debian's chromium without a screen, WebGL in software."""

import os
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[3]
# The time limit for any wait on a busy machine, in seconds.
LONG = 40


# Debian's chromium, without a screen; WebGL in software.
BROWSER = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
}


@contextmanager
def serving():
    """Serves `dist` as the README describes, and yields its address."""
    program = os.environ.get("BASTIDE_WEB", str(ROOT / "target/debug/web"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([program, "serve", "--dir", str(ROOT / "dist"), "--port", str(port)])
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    try:
        yield f"http://localhost:{port}/"
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="session")
def address():
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**BROWSER)
        yield browser
        browser.close()


class Bastide:
    """A page, operated as a visitor would."""

    def __init__(self, page, address):
        self.page, self.address, self.wrong = page, address, []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self.hear)
        page.on("request", self.look_at)

    def hear(self, message):
        if message.type == "error":
            self.wrong.append(message.text)

    def look_at(self, request):
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.wrong.append(f"asks for {request.url}")

    def open(self, what=""):
        self.page.goto(self.address + what)
        return self.until("there is a game", lambda seen: True)

    def seen(self):
        return self.page.evaluate("window.bastide && window.bastide.state()")

    def until(self, what, holds):
        """Waits until `holds` accepts the visible state, and returns that state."""
        end = time.monotonic() + LONG
        seen = None
        while time.monotonic() < end:
            seen = self.seen()
            if seen and holds(seen):
                return seen
            self.page.wait_for_timeout(30)
        raise AssertionError(f"never: {what}; seen last: {seen}")

    def told(self, words):
        return self.until(f"told: {words}", lambda seen: any(words in told for told in seen["told"]))

    def rest(self):
        """Waits until animations have ended, and returns the visible state."""
        self.page.wait_for_timeout(600)
        return self.seen()

    def click(self, at):
        self.page.mouse.move(*at)
        self.page.wait_for_timeout(120)
        self.page.mouse.click(*at)

    def open_file(self, path):
        """Opens a file by its dialog. As a visitor would, asks again if no dialog comes: on a busy
        machine a frame can come so late that the browser no longer takes the key for a visitor's.
        """
        choosers = []
        self.page.once("filechooser", lambda chooser: choosers.append(chooser))
        for _ in range(4):
            self.rest()
            if not choosers:
                self.page.keyboard.press("Control+o")
            end = time.monotonic() + LONG / 4
            while not choosers and time.monotonic() < end:
                self.page.wait_for_timeout(30)
        assert choosers, "never: a dialog to choose a file"
        choosers[0].set_files(path)

    def play_a_turn(self):
        """Lays the tile by mouse in the first place that fits, and deploys a piece if it can."""
        self.until("a tile is to be laid", lambda seen: seen["places"] and not seen["is_bot"])
        before = self.rest()
        self.click(next(iter(before["places"].values())))
        laid = self.until("the tile lies", lambda seen: seen["answers"] > before["answers"])
        marks = [option["at"] for option in laid["options"] if option["at"] and option["text"].startswith("deploy")]
        if marks and not laid["is_bot"]:
            self.rest()
            marks = [option["at"] for option in self.seen()["options"] if option["at"]]
            self.click(marks[0])
        return self.until("the turn is over", lambda seen: seen["turn"] > before["turn"] or seen["is_over"])

    def picture(self, name):
        folder = os.environ.get("BASTIDE_PICTURES")
        if folder:
            self.rest()
            self.page.screenshot(path=f"{folder}/{name}.png")


@pytest.fixture
def make(browser, address):
    """Makes pages, each for a separate visitor."""
    made = []

    def begin(**how):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **how})
        page = Bastide(context.new_page(), address)
        slowdown = os.environ.get("BASTIDE_SLOWDOWN")
        if slowdown:
            session = context.new_cdp_session(page.page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": float(slowdown)})
        made.append((context, page))
        return page

    yield begin
    for context, page in made:
        context.close()
    wrong = [line for _, page in made for line in page.wrong]
    assert not wrong, wrong


@pytest.fixture
def bastide(make):
    return make()
