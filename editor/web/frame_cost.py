"""Compares the processor time of a frame in the page and in the window on this machine, in
milliseconds. The board has 300 tiles; it is measured without overlays and with all of them. A frame
is laid out, drawn to shapes and cut into triangles, without a screen.

    cargo build --release && cargo web build && python editor/web/frame_cost.py
"""

import os
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent / "tests"))
from conftest import BROWSER, ROOT, Bastide, serving

# The number of measurements of the window and of the page. They alternate, so that other load on the
# machine slows both.
ROUNDS = 5

program = os.environ.get("BASTIDE_EDITOR", str(ROOT / "target/release/bastide-editor"))
here, there = [], []
with serving() as address, sync_playwright() as playwright:
    browser = playwright.chromium.launch(**BROWSER)
    page = Bastide(browser.new_page(), address)
    page.open()
    page.rest()
    for _ in range(ROUNDS):
        said = subprocess.run([program, "--frame-cost"], check=True, capture_output=True, text=True).stdout
        here.append([float(word) for word in said.split()])
        there.append(page.page.evaluate("bastide.frameCost(40)"))
    browser.close()
for i, overlays in enumerate(["without overlays", "with all overlays"]):
    # The smallest value is the one least affected by other programs and by a cold processor.
    window, page = min(cost[i] for cost in here), min(cost[i] for cost in there)
    print(f"{overlays}: window {window:.2f} ms, page {page:.2f} ms, {page / window:.2f} times as much")
