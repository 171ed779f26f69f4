"""What a visitor does on the page: plays, changes a rule, comes back."""

from conftest import ROOT

CASES = ROOT / "mods/base/tests"


def kept(bastide):
    return bastide.until("everything is kept", lambda seen: not seen["is_keeping"])


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
    keys = bastide.page.keyboard
    keys.press("Control+e")
    bastide.until("the rules are open", lambda seen: seen["text"] == "/mods/base/rules.rhai")
    bastide.rest()
    for _ in range(7):
        keys.press("ArrowDown")
    keys.press("Home")
    keys.press("Shift+End")
    keys.insert_text('score.replace(42, "a test");')
    bastide.until("it is not saved", lambda seen: seen["n_unsaved"] == 1)
    bastide.picture("changed")
    keys.press("Control+s")
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


def test_bots_play_ten_turns(bastide):
    bastide.open()
    record = "bastide 1\nmods base, river\nplayers red blue\nbot red greedy\nbot blue random\nseed 7\n"
    bastide.open_file({"name": "bots.game", "mimeType": "text/plain", "buffer": record.encode()})
    bastide.until("the game is open", lambda seen: "river" in seen["mods"])
    bastide.page.keyboard.press("p")
    bastide.until("ten turns", lambda seen: seen["turn"] > 10)
    bastide.picture("bots")


def test_what_cannot_be_kept_is_said(make):
    private = make()
    private.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    private.open()
    private.play_a_turn()
    private.told("this browser keeps nothing any more: it gives the page no storage, as in a private window")
    private.picture("private")
