"""Measures the longest pauses of the page's own thread while a worker is busy: the processor time of
the longest tasks between which the thread can react, in milliseconds. Drawing in software does not
count, because another process of the browser draws.

    cargo build --workspace && cargo web build && python editor/web/pauses.py
"""

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent / "tests"))
from conftest import BROWSER, Bastide, serving
from test_page import FRAMES, command, record_with


def tasks(trace):
    """Returns the processor times of the tasks of the page's own thread, the longest first."""
    events = trace["traceEvents"]
    names = [event for event in events if event["name"] == "thread_name"]
    pages = {(it["pid"], it["tid"]) for it in names if it["args"]["name"] == "CrRendererMain"}
    of_pages = [event for event in events if (event["pid"], event["tid"]) in pages]
    return sorted((event["tdur"] / 1000 for event in of_pages if "RunTask" in event["name"] and "tdur" in event), reverse=True)


def measure(browser, bastide, what):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        browser.start_tracing(page=bastide.page, path=path, categories=["toplevel"])
        frames = bastide.page.evaluate(FRAMES)["n"]
        browser.stop_tracing()
        longest = tasks(json.loads(path.read_text()))
    print(f"{what}: longest tasks {', '.join(f'{ms:.1f}' for ms in longest[:3])} ms, {frames} frames in two seconds")


with serving() as address, sync_playwright() as playwright:
    browser = playwright.chromium.launch(**BROWSER)
    bastide = Bastide(browser.new_page(), address)
    bastide.open()
    bastide.rest()
    measure(browser, bastide, "at rest")
    bastide.open_file(record_with("search:10000"))
    bastide.until("the game is open", lambda seen: "search:10000" in seen["record"])
    bastide.page.keyboard.press("p")
    bastide.until("the bot thinks", lambda seen: seen["is_thinking"])
    measure(browser, bastide, "while a bot thinks")
    bastide.page.close()
    bastide = Bastide(browser.new_page(), address)
    bastide.open()
    command(bastide, "Run balance")
    bastide.until("games are played", lambda seen: seen["n_balanced"])
    measure(browser, bastide, "while games are played for balance")
    browser.close()
