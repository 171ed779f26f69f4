"""Tests the page as a visitor uses it: plays, changes a rule, comes back."""

import base64
import json
import os
import subprocess
import zlib
from pathlib import Path

import pytest
from conftest import ROOT, Bastide

CASES = ROOT / "mods/base/tests"


def kept(bastide):
    return bastide.until("everything is kept", lambda seen: not seen["is_keeping"])


def change_the_small_city(bastide):
    """Changes the value of cities of two tiles in the rules of the base game, without saving."""
    keys = bastide.page.keyboard
    keys.press("Control+e")
    bastide.until("the rules are open", lambda seen: seen["text"] == "/mods/base/rules.rhai")
    bastide.rest()
    # The file came with the page, so it is read-only at first.
    keys.insert_text("nothing is typed")
    command(bastide, "Allow changes")
    bastide.rest()
    keys.press("Control+Home")
    for _ in range(7):
        keys.press("ArrowDown")
    keys.press("Home")
    keys.press("Shift+End")
    keys.insert_text('score.replace(42, "a test");')
    bastide.until("it is not saved", lambda seen: seen["n_unsaved"] == 1)


def test_a_turn_is_played_by_clicks_and_found_again(bastide):
    bastide.open()
    bastide.picture("first")
    seen = bastide.play_a_turn()
    seen = bastide.until("the bot has played", lambda seen: seen["turn"] > 2 and not seen["is_bot"])
    bastide.play_a_turn()
    bastide.until("the bot has played again", lambda seen: seen["turn"] > 4 and not seen["is_bot"] and seen["places"])
    bastide.rest()
    before = kept(bastide)
    bastide.picture("played")
    bastide.page.reload()
    after = bastide.until("the game is there", lambda seen: seen["answers"] >= before["answers"])
    assert after["record"] == before["record"]
    assert after["scores"] == before["scores"]


def test_a_line_of_a_script_is_changed_and_the_score_with_it(bastide):
    bastide.open()
    bastide.open_file(CASES / "b05_city_of_two.game")
    before = bastide.until("the case is open", lambda seen: seen["scores"][0] > 0)
    change_the_small_city(bastide)
    bastide.picture("changed")
    bastide.page.keyboard.press("Control+s")
    after = bastide.until("the score changes", lambda seen: seen["scores"] != before["scores"])
    assert (before["scores"][0], after["scores"][0]) == (2, 42)
    bastide.picture("saved")
    bastide.rest()
    kept(bastide)
    bastide.page.reload()
    bastide.until("the page is there", lambda seen: True)
    bastide.rest()
    bastide.open_file(CASES / "b05_city_of_two.game")
    bastide.until("the rule is changed still", lambda seen: seen["scores"] == after["scores"])


def program(name):
    """Returns the path of a program of this workspace."""
    return Path(os.environ.get("BASTIDE_HASHES", str(ROOT / "target/debug/hashes"))).with_name(name)


def answers_of(record):
    """Returns the answers of a record, one for each line."""
    return record.split("\n\n", 1)[1].splitlines()


def test_bots_choose_what_they_choose_on_a_machine(bastide, tmp_path):
    file = tmp_path / "native.game"
    players = ["--players", "search:100,greedy", "--names", "red,blue", "--mods", "base", "--seed", "7"]
    subprocess.run(
        [program("bastide"), "play", *players, "--record", file],
        check=True, stdin=subprocess.DEVNULL, capture_output=True, cwd=ROOT,
    )
    native = answers_of(file.read_text())
    bastide.open()
    record = "bastide 1\nmods base\nplayers red blue\nbot red search:100\nbot blue greedy\nseed 7\n"
    bastide.open_file({"name": "bots.game", "mimeType": "text/plain", "buffer": record.encode()})
    bastide.until("the game is open", lambda seen: "search:100" in seen["record"])
    bastide.page.keyboard.press("p")
    seen = bastide.until("ten turns", lambda seen: seen["turn"] > 10)
    here = answers_of(seen["record"])
    assert len(here) > 20 and here == native[: len(here)]


def test_bots_play_ten_turns(bastide):
    bastide.open()
    record = "bastide 1\nmods base, river\nplayers red blue\nbot red greedy\nbot blue random\nseed 7\n"
    bastide.open_file({"name": "bots.game", "mimeType": "text/plain", "buffer": record.encode()})
    bastide.until("the game is open", lambda seen: "river" in seen["mods"])
    bastide.page.keyboard.press("p")
    bastide.until("ten turns", lambda seen: seen["turn"] > 10)
    bastide.picture("bots")


def record_with(bot):
    text = f"bastide 1\nmods base\nplayers red blue\nbot red {bot}\nbot blue {bot}\nseed 7\n"
    return {"name": "bots.game", "mimeType": "text/plain", "buffer": text.encode()}


# Counts the frames in two seconds, and measures the longest pause of the page, in milliseconds.
FRAMES = """() => new Promise((resolve) => {
    const begun = performance.now();
    let [last, n, longest] = [begun, 0, 0];
    const frame = () => { n += 1; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    const look = () => {
        const now = performance.now();
        [longest, last] = [Math.max(longest, now - last), now];
        if (now - begun < 2000) setTimeout(look);
        else resolve({ n, longest });
    };
    look();
})"""


def answers(bastide):
    """Returns whether the page responds and draws. The limits allow for a busy machine."""
    frames = bastide.page.evaluate(FRAMES)
    print("frames of two seconds, longest pause:", frames)
    return frames["longest"] < 1000 and frames["n"] > 2


def test_the_page_answers_while_a_bot_thinks(bastide):
    bastide.open()
    bastide.open_file(record_with("search:100000"))
    bastide.until("the game is open", lambda seen: "search:100000" in seen["record"])
    bastide.page.keyboard.press("p")
    before = bastide.until("the bot thinks", lambda seen: seen["is_thinking"])
    assert answers(bastide)
    assert bastide.seen()["is_thinking"], "it thinks on"
    bastide.picture("thinking")
    # The bot stops immediately when the user pauses it.
    bastide.page.keyboard.press("p")
    bastide.until("the bot has stopped", lambda seen: not seen["is_thinking"])
    assert bastide.seen()["answers"] == before["answers"]
    bastide.open_file(record_with("search:100"))
    bastide.until("the game is open", lambda seen: "search:100\n" in seen["record"])
    bastide.page.keyboard.press("p")
    bastide.until("bots have answered", lambda seen: seen["answers"] >= 4)
    bastide.picture("thought")


def command(bastide, name):
    """Runs a command by its name."""
    bastide.rest()
    bastide.page.keyboard.press("Control+p")
    bastide.rest()
    bastide.page.keyboard.insert_text(name)
    bastide.rest()
    bastide.page.keyboard.press("Enter")


def test_the_page_answers_while_games_are_played_for_balance(bastide):
    bastide.open()
    command(bastide, "Run balance")
    bastide.until("games are played", lambda seen: seen["n_balanced"])
    assert answers(bastide)
    bastide.until("all games are played", lambda seen: seen["n_balanced"] == 200)
    bastide.picture("balance")


def test_without_workers_long_work_fails_with_a_reason(bastide):
    bastide.page.add_init_script("window.Worker = undefined")
    bastide.open()
    command(bastide, "Make rulebook")
    bastide.told("this browser gives the page no workers")


def test_a_worker_that_cannot_be_loaded_is_reported(bastide):
    bastide.page.add_init_script(
        "const Worker = window.Worker; window.Worker = function () { return new Worker('missing.js'); };"
    )
    bastide.open()
    command(bastide, "Make rulebook")
    bastide.told("the worker of the page cannot be loaded")


def test_the_page_answers_while_a_folder_is_compared_with(bastide, tmp_path):
    other = tmp_path / "others/base"
    other.mkdir(parents=True)
    for name in ["mod.toml", "tiles.toml", "rules.rhai"]:
        text = (ROOT / "mods/base" / name).read_text()
        (other / name).write_text(text.replace("K = { count = 3", "K = { count = 9"))
    bastide.open()
    bastide.rest()
    with bastide.page.expect_file_chooser() as chosen:
        command(bastide, "Compare with a folder")
    chosen.value.set_files(other.parent)
    bastide.until("games are played", lambda seen: seen["n_balanced"])
    assert answers(bastide)
    bastide.until("all games are played", lambda seen: seen["n_balanced"] == 200)
    bastide.picture("compared")


# Begins to count frames and to measure the longest pause of the page, in milliseconds.
WATCH = """() => {
    const seen = window.pauses = { n: 0, longest: 0 };
    let last = performance.now();
    const frame = () => { seen.n += 1; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    const look = () => {
        const now = performance.now();
        [seen.longest, last] = [Math.max(seen.longest, now - last), now];
        setTimeout(look);
    };
    look();
}"""


def made_while_watched(bastide, name, begins, told):
    """Runs a command that makes a file. Returns the longest pause and the busy messages."""
    bastide.page.evaluate(WATCH)
    busy = []
    with bastide.page.expect_download() as download:
        command(bastide, name)
        bastide.until("it is made", lambda seen: busy.append(seen["busy"]) or any(told in it for it in seen["told"]))
    assert download.value.path().read_bytes().startswith(begins)
    pauses = bastide.page.evaluate("window.pauses")
    print(name, pauses, sorted({it for it in busy if it}))
    assert pauses["n"] > 10
    return pauses["longest"], [it for it in busy if it]


# Delays each job by a second, so that even a fast machine shows a busy message.
SLOW_WORKERS = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (job) { setTimeout(() => post.call(this, job), 1000); };
"""


def test_the_page_answers_while_a_rulebook_is_made(bastide):
    bastide.page.add_init_script(SLOW_WORKERS)
    bastide.open()
    bastide.rest()
    longest, busy = made_while_watched(bastide, "Make rulebook", b"<!doctype html>", "15 examples")
    # The limit allows for a busy machine.
    assert longest < 500
    assert any(it.startswith("making the rulebook, ") for it in busy), "it shows its progress"


def test_the_page_answers_while_tests_of_mods_run(bastide):
    bastide.open()
    bastide.open_file(CASES / "b05_city_of_two.game")
    bastide.until("the case is open", lambda seen: seen["scores"][0] > 0)
    change_the_small_city(bastide)
    bastide.page.evaluate(WATCH)
    bastide.page.keyboard.press("Control+s")
    bastide.told("see Tests")
    pauses = bastide.page.evaluate("window.pauses")
    print(pauses)
    # Saving also reloads the mods, between two frames. The limit allows for a busy machine.
    assert pauses["longest"] < 1000


def test_a_game_is_drawn_and_downloaded(bastide):
    bastide.open()
    bastide.play_a_turn()
    for name, begins in [("Picture of this position", b"\x89PNG"), ("Animated GIF", b"GIF89a")]:
        with bastide.page.expect_download() as download:
            command(bastide, name)
        assert download.value.path().read_bytes().startswith(begins)


def test_what_cannot_be_kept_is_said(make):
    private = make()
    private.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    private.open()
    private.play_a_turn()
    private.told("your changes are no longer saved: the browser gives the page no storage, as in a private window")
    private.picture("private")


def link_of(mods, record):
    """Returns a link that was not made by Bastide."""
    packed = zlib.compress(json.dumps({"mods": mods, "record": record}).encode())
    return "#b1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


GAME = "bastide 1\nmods base, gift\nplayers red blue\nseed 7\n\ndraw base/E\nplace 0,-1 180\n"
GIFT = {
    "mod.toml": '[mod]\nid = "gift"\ntitle = "A gift"\nversion = "1.0.0"\nrequires = ["base"]\n',
    "rules.rhai": 'fn tile_placed(spot) {\n    score(turn.player, 9, "a gift");\n}\n',
}


def press_one_before(bastide):
    """Presses the button before the one with the keyboard focus."""
    bastide.rest()
    bastide.page.keyboard.press("Shift+Tab")
    bastide.rest()
    bastide.page.keyboard.press("Enter")


def test_a_link_of_a_mod_made_elsewhere_is_played(bastide):
    bastide.open(link_of({"gift": GIFT}, GAME))
    seen = bastide.until("people are asked", lambda seen: seen["is_asked_about_link"])
    assert seen["mods"] == ["base"], "nothing runs before the user agrees"
    bastide.picture("link")
    press_one_before(bastide)
    bastide.until("it is open", lambda seen: "gift" in seen["mods"] and not seen["is_asked_about_link"])
    bastide.rest()
    bastide.page.keyboard.press("Space")
    bastide.play_a_turn()
    seen = bastide.rest()
    assert max(seen["scores"]) >= 9, seen["scores"]
    bastide.picture("link-played")
    kept(bastide)
    bastide.page.reload()
    again = bastide.until("the game is there with its mod", lambda seen: "gift" in seen["mods"])
    assert again["record"].startswith(seen["record"][:200])


def puzzle_of(folder):
    """Finds a puzzle in a bot game with the command line. Its solution is a place and a piece."""
    file = folder / "whole.game"
    players = ["--players", "greedy,greedy", "--mods", "base", "--seed", "7"]
    quiet = {"check": True, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "cwd": ROOT}
    subprocess.run([program("bastide"), "play", *players, "--record", file], **quiet)
    said = subprocess.run([program("bastide"), "puzzle", file, "--json"], **quiet).stdout
    found = [json.loads(line) for line in said.splitlines()]
    # Uses the earliest puzzle, because marks may overlap on a large board.
    usable = [it for it in found if len(it["answers"]) == 2 and it["answers"][1].startswith("deploy")]
    return min(usable, key=lambda it: it["at"])


def give(bastide, answers):
    """Answers a puzzle by clicks: the place and facing of the tile, then a piece or none."""
    place, then = answers
    _, spot, facing = place.split()
    at = bastide.rest()["places"][spot]
    bastide.page.mouse.move(*at)
    # Turns the tile until its facing is right, at most four times.
    for _ in range(4):
        bastide.page.wait_for_timeout(150)
        if bastide.seen()["facing"] == int(facing) // 90:
            break
        bastide.page.keyboard.press("r")
    bastide.page.mouse.click(*at)
    bastide.until("the tile lies", lambda seen: place in seen["record"])
    if then == "pass":
        bastide.page.keyboard.press("Space")
    else:
        bastide.rest()
        bastide.click(next(it["at"] for it in bastide.seen()["options"] if it["text"] == then))
    return bastide.until("it is judged", lambda seen: seen["puzzle"][0] == "judged")


def test_a_puzzle_is_solved_wrong_and_then_right(bastide, tmp_path):
    bastide.open()
    mine = bastide.play_a_turn()
    mine = bastide.until("the bot has played", lambda seen: seen["turn"] > 2 and not seen["is_bot"])
    mine = bastide.rest()
    puzzle = puzzle_of(tmp_path)
    bastide.page.evaluate("link => { location.hash = link; }", puzzle["link"])
    bastide.until("people are asked", lambda seen: seen["is_asked_about_link"])
    bastide.picture("puzzle-link")
    press_one_before(bastide)
    seen = bastide.until("it is open", lambda seen: seen["puzzle"] == ["open", None])
    assert seen["answers"] == puzzle["at"] and seen["places"]
    bastide.picture("puzzle")
    # A wrong answer: the same place, but no piece.
    seen = give(bastide, [puzzle["answers"][0], "pass"])
    assert seen["puzzle"][1] > 0
    bastide.picture("puzzle-wrong")
    # The next draw is not revealed.
    assert seen["answers"] == puzzle["at"] + 2
    bastide.page.keyboard.press("Control+z")
    bastide.rest()
    bastide.page.keyboard.press("Control+z")
    bastide.until("it is open again", lambda seen: seen["puzzle"] == ["open", None] and seen["answers"] == puzzle["at"])
    seen = give(bastide, puzzle["answers"])
    assert seen["puzzle"] == ["judged", 0]
    bastide.picture("puzzle-right")
    command(bastide, "Return to my game")
    seen = bastide.until("the visitor's own game is there", lambda seen: seen["puzzle"] is None)
    assert seen["record"].startswith(mine["record"])


def test_puzzles_are_found_in_a_game(bastide, tmp_path):
    puzzle_of(tmp_path)
    bastide.open()
    bastide.open_file(tmp_path / "whole.game")
    bastide.until("the game is open", lambda seen: seen["is_over"])
    command(bastide, "Find puzzles")
    seen = bastide.until("it was looked at", lambda seen: seen["n_puzzles"] is not None)
    assert seen["n_puzzles"] > 1
    bastide.picture("puzzles")


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("#b1.nonsense", "the link is damaged"),
        (link_of({"gift": GIFT}, GAME)[:-9], "the link is damaged"),
        (link_of({"gift": {**GIFT, "../../base/mod.toml": ""}}, GAME), "leads out of the folder of the mod"),
        (link_of({"gift": GIFT}, GAME + " " * (9 << 20)), "more than 8 MB unpacked"),
        ("#b9.AAAA", "made by a later version"),
    ],
    ids=["nonsense", "torn", "leads-out", "bomb", "later"],
)
def test_a_link_that_is_broken_or_hostile_is_refused(bastide, link, said):
    bastide.open(link)
    bastide.told(said)
    assert bastide.seen()["mods"] == ["base"]


def test_a_board_is_shown_turn_by_turn_without_webgl(bastide):
    page = bastide.page
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    record = "bastide 1\nmods base\nplayers red blue\nseed 7\n\ndraw base/E\nplace 0,-1 180\ndeploy follower 0,-1 city@s\ndraw base/E\n"
    page.goto(bastide.address + "board.html" + link_of({}, record))
    page.wait_for_selector("#board:not([hidden])")
    assert page.inner_text("#shown") == "2 / 2"
    page.click("#before")
    assert page.inner_text("#shown") == "1 / 2"
    assert page.get_attribute("#board", "alt") == "The board after turn 1: red 2, blue 0"
    assert page.evaluate("document.getElementById('board').decode().then(() => document.getElementById('board').naturalWidth)") > 100
    bastide.picture("board")
    # Mods of a link run only after the visitor agrees.
    page.goto("about:blank")
    page.goto(bastide.address + "board.html" + link_of({"gift": GIFT}, GAME))
    page.wait_for_selector("#agree:not([hidden])")
    assert "gift" in page.inner_text("#said") and page.is_hidden("#board")
    page.click("#agree")
    page.wait_for_selector("#board:not([hidden])")
    assert "red 9" in page.get_attribute("#board", "alt")
    page.goto("about:blank")
    page.goto(bastide.address + "board.html#b1.nonsense")
    page.locator("#said", has_text="damaged").wait_for()


def test_a_changed_mod_goes_on_with_another_visitor(make):
    giver, taker = make(permissions=["clipboard-read", "clipboard-write"]), make()
    giver.open()
    giver.open_file({"name": "changed.game", "mimeType": "text/plain", "buffer": (CASES / "b05_city_of_two.game").read_bytes()})
    giver.until("the case is open", lambda seen: seen["scores"][0] > 0)
    change_the_small_city(giver)
    giver.page.keyboard.press("Control+s")
    giver.until("the score changes", lambda seen: seen["scores"][0] == 42)
    command(giver, "Copy link")
    giver.told("copied a link")
    link = giver.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(giver.address + "#b1.")
    taker.page.goto(link)
    taker.until("people are asked", lambda seen: seen["is_asked_about_link"])
    press_one_before(taker)
    taker.until("the changed game is open", lambda seen: seen["scores"][0] == 42)


def test_a_full_storage_is_said_and_nothing_is_lost_that_was_kept(bastide):
    bastide.open()
    before = bastide.play_a_turn()
    before = bastide.until("the bot has played", lambda seen: seen["turn"] > 2 and not seen["is_bot"] and seen["places"])
    bastide.rest()
    before = kept(bastide)
    bastide.page.evaluate(
        """() => {
            const put = IDBObjectStore.prototype.put;
            window.makeRoom = () => { IDBObjectStore.prototype.put = put; };
            IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
        }"""
    )
    bastide.play_a_turn()
    bastide.told("your changes are no longer saved: the storage of the browser is full")
    bastide.picture("full")
    bastide.page.evaluate("makeRoom()")
    bastide.told("all changes are saved in this browser again")
    after = bastide.seen()
    bastide.page.reload()
    again = bastide.until("the game is there", lambda seen: seen["turn"] > before["turn"])
    assert again["record"].startswith(after["record"])


# A WebAssembly program of one function that traps, as the page does when it panics.
TRAP = """() => {
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
    const trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    setTimeout(trap.exports.f);
}"""


def test_a_panic_is_told_and_nothing_is_lost(bastide):
    bastide.open()
    bastide.play_a_turn()
    bastide.rest()
    before = kept(bastide)
    bastide.page.evaluate(TRAP)
    bastide.page.locator("#said", has_text="internal error").wait_for()
    assert all("unreachable" in wrong for wrong in bastide.wrong), bastide.wrong
    bastide.wrong.clear()
    bastide.picture("panic")
    bastide.page.click("#said button")
    after = bastide.until("the game is there", lambda seen: seen["answers"] >= before["answers"])
    assert after["record"].startswith(before["record"])


def test_a_second_tab_says_that_it_keeps_nothing(bastide):
    bastide.open()
    bastide.play_a_turn()
    second = Bastide(bastide.page.context.new_page(), bastide.address)
    second.open()
    second.told("another tab of this browser has Bastide open")
    second.picture("second-tab")
    second.page.close()


def test_a_tab_that_is_closed_at_once_has_lost_nothing_that_was_kept(bastide):
    bastide.open()
    bastide.play_a_turn()
    bastide.rest()
    before = kept(bastide)
    bastide.play_a_turn()
    bastide.page.close()
    again = Bastide(bastide.page.context.new_page(), bastide.address)
    again.open()
    after = again.until("the game is there", lambda seen: seen["answers"] >= before["answers"])
    lines = before["record"].splitlines()
    assert after["record"].splitlines()[: len(lines)] == lines


def test_the_page_opens_without_a_network(bastide):
    bastide.open()
    bastide.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    bastide.page.context.set_offline(True)
    bastide.page.reload()
    bastide.play_a_turn()


def lay_by_tapping(phone, before):
    """Taps a place, taps again to turn the tile there, and lays it with the button."""
    name, at = next(iter(before["places"].items()))
    phone.page.touchscreen.tap(*at)
    put = phone.until("the tile is on the place", lambda seen: seen["lay"])
    assert put["answers"] == before["answers"], "nothing is laid by the first tap"
    turns = before["places_to_lay"].count(name)
    phone.page.touchscreen.tap(*put["places"][name])
    again = phone.rest()
    assert (again["facing"] != put["facing"]) == (turns > 1), (put["facing"], again["facing"], turns)
    assert again["answers"] == before["answers"], "nothing is laid by turning it"
    phone.picture(f"put-{phone.page.viewport_size['width']}")
    phone.page.touchscreen.tap(*again["lay"])
    return phone.until("the tile lies", lambda seen: seen["answers"] > before["answers"])


def test_fingers_lay_a_tile_on_a_small_screen(make):
    phone = make(viewport={"width": 820, "height": 412}, device_scale_factor=2, has_touch=True, is_mobile=True)
    phone.open()
    lay_by_tapping(phone, phone.rest())
    phone.picture("small")


def test_fingers_move_the_board_of_an_upright_telephone(make):
    # One pixel for each point: a browser that emulates a telephone draws at this density, whatever
    # density it reports.
    phone = make(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.open()
    before = phone.rest()
    phone.picture("upright")
    begin, *_ = before["places"].values()
    fingers = phone.page.context.new_cdp_session(phone.page)

    def touch(kind, *points):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        # If fingers move twice within a frame, only the last position counts, so wait for a frame.
        phone.page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        phone.page.wait_for_timeout(50)

    def width(seen):
        places = seen["places"]
        return max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in places.values() for b in places.values())

    touch("touchStart", (180, 300))
    for by in (10, 20, 30, 40):
        touch("touchMove", (180, 300 + by))
    touch("touchEnd")
    name = next(iter(before["places"]))
    moved = phone.until("the board is moved", lambda seen: seen["places"][name][1] > begin[1] + 15)
    assert moved["answers"] == before["answers"], "nothing is laid by moving the board"
    touch("touchStart", (165, 300), (195, 300))
    for by in (20, 25, 30):
        touch("touchMove", (180 - by, 300), (180 + by, 300))
    touch("touchEnd")
    phone.until("the board is larger", lambda seen: width(seen) > 1.3 * width(before))
    phone.page.keyboard.press("0")
    lay_by_tapping(phone, phone.rest())
    phone.picture("upright-played")


def test_records_come_to_the_same_state_as_on_a_machine(bastide):
    lines = subprocess.run([program("hashes"), "100"], check=True, capture_output=True, text=True).stdout.splitlines()
    games = [json.loads(line) for line in lines]
    assert len(games) == 100
    bastide.open()
    hashes = bastide.page.evaluate("records => records.map(bastide.hashOf)", [game["record"] for game in games])
    assert hashes == [game["hash"] for game in games]


def test_a_changed_mod_that_came_with_the_page_is_restored(bastide):
    bastide.open()
    bastide.open_file(CASES / "b05_city_of_two.game")
    bastide.until("the case is open", lambda seen: seen["scores"][0] > 0)
    change_the_small_city(bastide)
    bastide.page.keyboard.press("Control+s")
    bastide.until("the score changes", lambda seen: seen["scores"][0] == 42)
    seen = bastide.rest()
    assert seen["changed_mods"] == {"base": ["rules.rhai"]}
    kept(bastide)
    bastide.page.reload()
    bastide.until("it is changed still", lambda seen: seen["changed_mods"] == {"base": ["rules.rhai"]})
    bastide.rest()
    command(bastide, "Restore mods")
    bastide.until("what differs is shown", lambda seen: seen["restores"])
    bastide.picture("restore")
    # The button with the focus at first closes the window.
    press_one_before(bastide)
    bastide.told("restored /mods/base/rules.rhai")
    bastide.until("it is as it came", lambda seen: seen["changed_mods"] == {})
    press_one_before(bastide)
    bastide.until("that is undone", lambda seen: seen["changed_mods"] == {"base": ["rules.rhai"]})
