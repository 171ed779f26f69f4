"""Guests of `bastide host` in a real browser: two pages play a whole game, on a wide screen and on a phone."""

import hashlib
import json
import os
import re
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from conftest import LONG, ROOT

PROGRAM = os.environ.get("BASTIDE", str(ROOT / "target/debug/bastide"))


@contextmanager
def hosting(folder, *options):
    """Runs `bastide host` in an empty folder, and yields the link that it prints."""
    command = [PROGRAM, "host", "--address", "127.0.0.1", "--port", "0", "--folder", "tables", *options]
    host = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        yield re.search(r"http://\S+", host.stdout.readline()).group()
    finally:
        host.terminate()
        host.wait()


class Guest:
    """A page of a guest, operated as a guest would."""

    def __init__(self, browser, link, size, name, seat):
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.wrong = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.wrong.append(message.text))
        host = link.rsplit("/", 1)[0]
        self.page.on("request", lambda request: request.url.startswith((host, "data:")) or self.wrong.append(request.url))
        self.page.goto(link)
        self.page.locator("#lobby[open]").wait_for()
        self.page.fill("#name", name)
        self.page.check(f"#seats input[value='{seat}']")
        self.page.click("#sit")
        self.page.locator("#lobby").wait_for(state="hidden")

    def is_over(self):
        return "The game is over" in self.page.inner_text("#ask")

    def act(self):
        """Gives an answer with the controls of the page, if there is a question. Returns whether there was one."""
        page = self.page
        if page.locator(".spot:not(.chosen)").count() and page.locator("#ask button.main:enabled").count() == 0:
            page.locator(".spot").first.click()
            page.locator("#ask button:has-text('Turn'):enabled").count() and page.keyboard.press("r")
            page.locator("#ask button:has-text('Place'):enabled").click()
            return True
        options = page.locator("#ask .options button[data-answer]")
        if options.count():
            options.first.click()
            return True
        return False

    def turn(self):
        """Returns the version of the game that the page shows."""
        return self.page.get_attribute("#ask", "data-at")

    def scores(self):
        return self.page.locator("#players .score").all_inner_texts()


def test_two_guests_play_a_game(browser, tmp_path):
    # Eighteen tiles are enough.
    without = [option for tile in "BEHIJKLNPRUVW" for option in ("--set", f"base/{tile}=0")]
    with hosting(tmp_path, "--mods", "base", *without) as link:
        guests = [Guest(browser, link, (1366, 768), "<b>Anna</b>", 0), Guest(browser, link, (390, 844), "Bob", 1)]
        assert guests[1].page.locator("#players .name").all_inner_texts() == ["<b>Anna</b>", "Bob"]
        end = time.monotonic() + 6 * LONG
        while not all(guest.is_over() for guest in guests):
            assert time.monotonic() < end, [guest.page.inner_text("#ask") for guest in guests]
            before = guests[0].turn()
            if any(guest.act() for guest in guests):
                # Both pages show the answer before the next one.
                for guest in guests:
                    guest.page.locator(f"#ask:not([data-at='{before}'])").wait_for()
            guests[0].page.locator("#ask:not([data-waits='chance'])").wait_for()
        assert guests[0].scores() == guests[1].scores()
        assert guests[0].page.locator("#board svg image").count() > 10
        # Both see the same hash of the seed, and save the record with the seed.
        records = []
        for guest in guests:
            guest.page.click("#more")
            with guest.page.expect_download() as download:
                guest.page.click("#save")
            records.append(Path(download.value.path()).read_text())
        shown = {guest.page.inner_text("#log .hash") for guest in guests}
        assert records[0] == records[1] and len(shown) == 1
        words = re.search("^seed (.*)$", records[0], re.M).group(1)
        assert shown == {hashlib.sha256(words.encode()).hexdigest()}
        (tmp_path / "my.game").write_text(records[0])
        checked = subprocess.run([PROGRAM, "replay", "my.game", "--fair", shown.pop()], cwd=tmp_path, capture_output=True, text=True)
        assert checked.returncode == 0 and "Fair:" in checked.stdout, checked.stderr
        for guest in guests:
            # No button is cut at the edge of the screen.
            width = guest.page.viewport_size["width"]
            assert guest.page.evaluate("document.documentElement.scrollWidth") <= width
            assert guest.wrong == []
            guest.page.close()


def test_guests_chat_and_point(browser, tmp_path):
    with hosting(tmp_path) as link:
        anna, bob = Guest(browser, link, (1366, 768), "Anna", 0), Guest(browser, link, (390, 844), "Bob", 1)
        anna.page.click("#more")
        anna.page.fill("#text", "<b>Here?</b>")
        anna.page.keyboard.press("Enter")
        # The phone has no room for the chat, so the line appears as a notice and is counted.
        bob.page.locator("#notice:has-text('Anna: <b>Here?</b>')").wait_for()
        assert bob.page.inner_text("#more") == "Log · 1"
        bob.page.click("#more")
        assert bob.page.locator("#chat li").all_inner_texts() == ["Anna: <b>Here?</b>"]
        assert bob.page.inner_text("#more") == "Log"
        bob.page.click("#more")
        # Pointing at a place of the tile places nothing.
        before = anna.turn()
        anna.page.click("#point")
        anna.page.locator(".spot").first.click()
        for guest in (anna, bob):
            guest.page.locator(".pointed:has-text('Anna')").wait_for()
        assert anna.turn() == before and anna.page.locator(".spot.chosen").count() == 0
        assert anna.page.get_attribute("#point", "aria-pressed") == "false"
        bob.page.locator(".pointed").wait_for(state="detached")
        # Typing does not turn or place tiles.
        anna.page.fill("#text", "")
        anna.page.type("#text", "rrp")
        assert anna.page.get_attribute("#point", "aria-pressed") == "false"
        # Anna pauses the game, and Bob continues it.
        anna.page.click("#log button:has-text('Pause the game')")
        for guest in (anna, bob):
            guest.page.locator("#ask .text:has-text('Anna has paused the game')").wait_for()
        assert anna.page.locator(".spot").count() == 0
        bob.page.click("#ask button:has-text('Continue')")
        anna.page.locator(".spot").first.wait_for()
        # A spectator also sees the chat.
        watcher = browser.new_context().new_page()
        watcher.goto(link)
        watcher.click("#watch")
        watcher.click("#more")
        watcher.locator("#chat li").wait_for()
        assert not watcher.locator("#say").is_visible() and not watcher.locator("#point").is_visible()
        assert anna.wrong == [] and bob.wrong == []


def test_a_guest_explores_alone(browser, tmp_path):
    with hosting(tmp_path) as link:
        anna, bob = Guest(browser, link, (1366, 768), "Anna", 0), Guest(browser, link, (390, 844), "Bob", 1)
        anna.page.locator(".spot").first.wait_for()
        while not bob.page.locator(".spot").count():
            before = anna.turn()
            if anna.act():
                anna.page.locator(f"#ask:not([data-at='{before}'])").wait_for()
            anna.page.locator("#ask:not([data-waits='chance'])").wait_for()
            anna.page.wait_for_timeout(50)
        before, tiles = anna.turn(), anna.page.locator("#board svg g:first-child image").count()
        bob_before = bob.turn()
        # Back to the start with the keys, then a tried choice, which only Anna sees.
        anna.page.keyboard.press("e")
        anna.page.locator("#excursion").wait_for()
        assert "The current position" in anna.page.inner_text("#excursion-text")
        while anna.page.locator("#earlier").is_enabled():
            text = anna.page.inner_text("#excursion-text")
            anna.page.keyboard.press("ArrowLeft")
            anna.page.wait_for_function("text => document.getElementById('excursion-text').textContent !== text", arg=text)
        assert anna.page.locator("#board svg g:first-child image").count() == 1
        anna.page.locator(".spot").last.click()
        anna.page.click("#ask button.main")
        anna.page.locator("#excursion-text:has-text('1 tried choice')").wait_for()
        anna.page.screenshot(path=tmp_path / "explore.png")
        anna.page.click("#untry")
        anna.page.locator("#untry").wait_for(state="hidden")
        # Bob explores on a phone while it is his turn, and is told so.
        bob.page.click("#explore")
        bob.page.locator("#excursion-text:has-text('It is your turn')").wait_for()
        bob.page.click("#earlier")
        bob.page.locator("#excursion-text:has-text('Position')").wait_for()
        bob.page.screenshot(path=tmp_path / "explore-phone.png")
        assert bob.page.evaluate("document.documentElement.scrollWidth") <= 390
        bob.page.click("#return")
        bob.page.locator("#excursion").wait_for(state="hidden")
        assert bob.turn() == bob_before and bob.page.locator(".spot").count()
        anna.page.keyboard.press("e")
        anna.page.locator("#excursion").wait_for(state="hidden")
        assert anna.turn() == before and anna.page.locator("#board svg g:first-child image").count() == tiles
        assert anna.wrong == [] and bob.wrong == []


def test_a_guest_comes_back_after_a_reload(browser, tmp_path):
    with hosting(tmp_path) as link:
        guest = Guest(browser, link, (800, 600), "Anna", 0)
        guest.page.wait_for_url(re.compile("#[0-9a-f]{32}$"))
        guest.page.reload()
        guest.page.locator("#players li:first-child .state:has-text('you')").wait_for()
        assert not guest.page.locator("#lobby").is_visible()
        # On another device, the address alone brings the guest back.
        other = browser.new_context().new_page()
        other.goto(guest.page.url)
        other.locator("#players li:first-child .state:has-text('you')").wait_for()
        assert guest.wrong == []


MANIFEST = """[mod]
id = "tested"
version = "0.1.0"
requires = ["base"]

[playtest.fun]
about = "How much fun was it?"
type = "scale"

[playtest.length]
about = "How long was it?"
type = "choice"
choices = ["too short", "right", "too long"]

[playtest.more]
about = "What else should the author know?"
type = "text"
"""


def is_cut(page, dialog):
    """Returns whether a part of an open dialog lies outside the screen."""
    box, size = page.locator(dialog).bounding_box(), page.viewport_size
    return box["x"] < 0 or box["y"] < 0 or box["x"] + box["width"] > size["width"] or box["y"] + box["height"] > size["height"]


def test_guests_of_a_playtest(browser, tmp_path):
    (tmp_path / "tested").mkdir()
    (tmp_path / "tested/mod.toml").write_text(MANIFEST)
    few = ["--mods-path", ".", "--mods", "base,tested", "--set", "base/*=0", "--set", "base/U=5"]
    pictures = Path(os.environ.get("PICTURES", tmp_path))
    with hosting(tmp_path, "--playtest", *few) as link:
        anna = Guest(browser, link, (1366, 768), "Anna", 0)
        anna.page.locator("#consent[open]").wait_for()
        bob = Guest(browser, link, (390, 844), "Bob", 1)
        bob.page.locator("#consent[open]").wait_for()
        for guest, name in ((anna, "wide"), (bob, "phone")):
            assert not is_cut(guest.page, "#consent")
            guest.page.screenshot(path=pictures / f"consent-{name}.png")
            assert not guest.page.locator("#note").is_visible()
        # Escape does not answer the question.
        bob.page.keyboard.press("Escape")
        assert bob.page.locator("#consent[open]").count() == 1
        bob.page.click("#decline")
        anna.page.click("#agree")
        anna.page.locator("#note").wait_for()
        bob.page.keyboard.press("n")
        assert not bob.page.locator("#note").is_visible() and bob.page.locator("#noting[open]").count() == 0
        anna.page.keyboard.press("n")
        anna.page.locator("#noting[open]").wait_for()
        anna.page.select_option("#note-about", index=1)
        anna.page.fill("#note-text", "<b>Which edges</b> must fit?")
        anna.page.screenshot(path=pictures / "note-wide.png")
        assert not is_cut(anna.page, "#noting")
        anna.page.click("#noting button.main")
        end = time.monotonic() + 3 * LONG
        while not all(guest.is_over() for guest in (anna, bob)):
            assert time.monotonic() < end, anna.page.inner_text("#ask")
            before = anna.turn()
            if any(guest.act() for guest in (anna, bob)):
                for guest in (anna, bob):
                    guest.page.locator(f"#ask:not([data-at='{before}'])").wait_for()
            anna.page.locator("#ask:not([data-waits='chance'])").wait_for()
        anna.page.locator("#survey[open]").wait_for()
        assert bob.page.locator("#survey[open]").count() == 0
        anna.page.screenshot(path=pictures / "survey-wide.png")
        assert not is_cut(anna.page, "#survey")
        anna.page.set_viewport_size({"width": 390, "height": 844})
        anna.page.screenshot(path=pictures / "survey-phone.png")
        assert not is_cut(anna.page, "#survey")
        anna.page.click("#survey-later")
        anna.page.click("text=Answer the host’s questions")
        anna.page.check("#questions input[value='4']")
        anna.page.check("#questions input[value='too long']")
        anna.page.fill("#questions textarea", "Nothing.")
        anna.page.click("#survey button.main")
        anna.page.locator("text=Answer the host’s questions").wait_for(state="detached")
        anna.page.click("#more")
        anna.page.locator("text=Stop and delete mine").wait_for()
        anna.page.locator("#log details summary").first.click()
        anna.page.click("#log [aria-label^='Unclear']")
        anna.page.locator("#log details[open] [aria-label^='Unclear'][aria-pressed='true']").first.wait_for()
        anna.page.screenshot(path=pictures / "log-phone.png")
        bob.page.click("#more")
        bob.page.locator("#log details summary").first.click()
        assert bob.page.locator("#log .thumbs").count() == 0
        assert anna.wrong == [] and bob.wrong == []
    file = next((tmp_path / "tables").glob("*.playtest.json"))
    playtest = json.loads(file.read_text())
    assert [note["text"] for note in playtest["notes"]] == ["<b>Which edges</b> must fit?"]
    assert playtest["notes"][0]["about"]
    assert [(thumb["person"], thumb["up"]) for thumb in playtest["thumbs"]] == [(playtest["people"][0]["id"], False)]
    assert {reply["question"]: reply["reply"] for reply in playtest["replies"]} == {
        "tested/fun": 4, "tested/length": "too long", "tested/more": "Nothing."}
    assert playtest["answers"] and {answer["person"] for answer in playtest["answers"]} == {playtest["people"][0]["id"]}
    assert [person["seat"] for person in playtest["people"]] == ["red"]


def test_a_wrong_link_says_what_to_do(browser, tmp_path):
    with hosting(tmp_path) as link:
        page = browser.new_page()
        page.goto(link[:-6] + "AAAAAA")
        assert "Ask the host for a new link" in page.inner_text("body")
