"""Games played from Python."""

from __future__ import annotations

import copy
import pickle
import random
import threading

import bastide
import pytest


def test_a_game_is_asked_and_answered_to_its_end(base):
    game = base.game(["anna", "ben", "cleo"], seed=3, settings={"base.farmers": False})
    seen = set()
    while not game.is_over:
        decision = game.decision
        assert decision["who"] == game.who
        assert [option["text"] for option in decision["options"]] == game.options
        assert len(game.options) == game.n_options
        seen.add(decision["kind"])
        game.answer(decision["options"][-1]["n"])
    assert seen == {"place", "deploy"}
    assert (game.decision, game.who, game.n_options, game.options) == (None, None, 0, [])
    assert list(game.scores) == ["anna", "ben", "cleo"]
    assert game.winners == [name for name, score in game.scores.items() if score == max(game.scores.values())]
    assert game.projected_scores == game.scores


def test_prospects_say_which_options_are_good(base):
    for seed in range(10):
        game = base.game(seed=seed)
        while not game.is_over:
            leads = game.prospects()
            assert len(leads) == game.n_options
            game.answer(leads.index(max(leads)) if game.who == "red" else game.bot("random", seed=seed))
        assert game.winners == ["red"]
        with pytest.raises(bastide.SetupError):
            game.prospects()


def test_numbers_and_texts_answer_the_same(base):
    by_number, by_text = base.game(seed=5), base.game(seed=5)
    for n in range(20):
        number = n % by_number.n_options
        by_text.answer(by_text.options[number])
        by_number.answer(number)
    assert by_number.hash == by_text.hash
    assert by_number.record() == by_text.record()


def test_undo_takes_the_answer_of_a_player_back(base):
    game = base.game(seed=1)
    before = []
    for _ in range(10):
        before.append((game.hash, game.options))
        game.answer(0)
    assert game.undo()
    assert (game.hash, game.options) == before.pop()
    assert game.undo(3)
    assert (game.hash, game.options) == before[6]
    assert not game.undo(100)
    assert (game.hash, game.options) == before[0]


def test_copies_go_their_own_way(base):
    game = base.game(seed=1)
    game.answer(0)
    for other in [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]:
        assert other.hash == game.hash
        other.answer(0)
        assert other.hash != game.hash
        assert other.n_answers > game.n_answers


def test_records_go_out_and_in(base):
    game = base.game(seed=11)
    game.play("random")
    record = game.record()
    assert record.startswith("bastide 1\n")
    for again in [bastide.replay(record), base.replay(record)]:
        assert (again.hash, again.scores, again.record()) == (game.hash, game.scores, record)
    half = "\n".join(record.splitlines()[:40]) + "\n"
    again = bastide.replay(half)
    again.answer(0)
    assert not again.is_over


def test_the_same_seed_gives_the_same_game(base):
    games = [base.game(seed=9) for _ in range(2)]
    for game in games:
        game.play({"red": "random", "blue": "greedy"}, seed=4)
    assert games[0].record() == games[1].record()
    other = base.game(seed=9)
    other.play({"red": "random", "blue": "greedy"}, seed=5)
    assert other.record() != games[0].record()


def test_bots_stop_where_a_player_has_none(base):
    game = base.game(seed=2)
    game.play({"blue": "random"})
    assert (game.who, game.turn) == ("red", 1)
    while game.who == "red":
        game.answer(0)
    game.play({"blue": "random"})
    assert (game.who, game.turn) == ("red", 3)


def test_chance_can_be_asked(base):
    game = base.game(seed=2, asks_chance=True)
    assert (game.who, game.decision["kind"]) == ("chance", "draw")
    game.answer("draw base/B")
    assert game.who == "red"
    assert game.state()["drawn_tile"] == "base/B"
    with pytest.raises(bastide.NotOfferedError, match="draw base/ZZ"):
        base.game(seed=2, asks_chance=True).answer("draw base/ZZ")


def test_the_state_is_told(base):
    game = base.game(seed=4)
    game.play("greedy")
    state = game.state()
    assert state["is_over"] and state["player"] is None
    assert {seat["name"]: seat["score"] for seat in state["seats"]} == game.scores
    assert len(state["tiles"]) == 72
    assert state["tiles"][0] == {"tile": "base/D", "x": 0, "y": 0, "facing": 0}
    points = {name: 0 for name in game.players}
    for award in state["awards"]:
        points[award["player"]] += award["points"]
    assert points == game.scores
    assert state["decks"][0]["left"] == 0


def test_what_others_hold_is_hidden_from_a_player():
    game = bastide.load("hunters-gatherers").game(seed=1)
    game.play("random")
    assert game.state("red")["seats"][1]["name"] == "blue"
    with pytest.raises(bastide.SetupError, match="there is no player green"):
        game.state("green")


def test_positions_begin_games(base):
    game = base.game(position=["score red 48", "tile base/K 0,-1 180"])
    assert game.scores == {"red": 48, "blue": 0}
    assert len(game.state()["tiles"]) == 2


def test_games_go_from_thread_to_thread(base):
    game = base.game(seed=6)

    def play():
        for _ in range(10):
            game.answer(random.Random(1).randrange(game.n_options))

    for _ in range(3):
        thread = threading.Thread(target=play)
        thread.start()
        thread.join()
    play()
    assert bastide.replay(game.record()).hash == game.hash


def test_several_threads_share_a_game(base):
    game = base.game(seed=6)

    def answer():
        for _ in range(20):
            game.answer(0)

    threads = [threading.Thread(target=answer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one = base.game(seed=6)
    for _ in range(80):
        one.answer(0)
    assert one.hash == game.hash


def test_the_board_is_a_picture(base):
    game = base.game(seed=8)
    empty = game.svg()
    for _ in range(6):
        game.answer(0)
    assert game._repr_svg_().startswith("<svg xmlns")
    assert len(game.svg()) > len(empty)
    assert game.png(40).startswith(b"\x89PNG\r\n")
    assert len(game.png(80)) > len(game.png(40))


def test_a_board_that_is_too_large_is_no_picture():
    far = bastide.replay("bastide 1\nmods base\nplayers red blue\ngiven tile base/U 8000,8000\n")
    with pytest.raises(bastide.SetupError, match="pixels are too many"):
        far.png()
