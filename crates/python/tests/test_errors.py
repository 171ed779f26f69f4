"""Refusals and failures are typed exceptions with file, line and help. They never end the process."""

from __future__ import annotations

import bastide
import pytest

MANIFEST = """\
[mod]
id = "broken"
version = "1.0.0"
title = "Broken"
about = "A mod that fails."
requires = ["base ^1.0"]
"""


def test_all_problems_of_mods_are_told(write_mod):
    folder = write_mod("broken", MANIFEST + "colour = 1\n", "fn turn_endd() {\n}\n")
    with pytest.raises(bastide.ModError) as caught:
        bastide.load("broken", path=folder)
    error = caught.value
    assert len(error.problems) >= 2
    assert {problem.severity for problem in error.problems} <= {"error", "warning"}
    assert error.file.endswith("mod.toml")
    assert error.line == 7
    assert any(problem.help for problem in error.problems)
    assert isinstance(error, bastide.BastideError)


def test_names_that_were_meant_are_suggested():
    with pytest.raises(bastide.ModError) as caught:
        bastide.load("bse")
    assert caught.value.help == "did you mean `base`?"
    with pytest.raises(bastide.SetupError, match="base.farmers"):
        bastide.load("base").game(settings={"base.farmer": True})
    with pytest.raises(bastide.SetupError, match="available bots: random, novice, greedy"):
        bastide.load("base").game().bot("gredy")
    with pytest.raises(bastide.SetupError, match="is not a folder"):
        bastide.load("base", path="no-such-folder")


@pytest.mark.parametrize("players", [0, 1, 9, [], ["red", "red"], ["a b"]])
def test_players_that_cannot_play(base, players):
    with pytest.raises(bastide.SetupError):
        base.game(players)


def test_an_answer_that_is_not_offered_changes_nothing(base):
    game = base.game(seed=7)
    before = game.hash
    with pytest.raises(bastide.NotOfferedError) as caught:
        game.answer("place 9,9 0")
    error = caught.value
    assert (error.answer, error.who) == ("place 9,9 0", "red")
    assert error.reason == "no tile lies beside it"
    assert sorted(error.options) == sorted(game.options)
    assert isinstance(error, ValueError)
    for number in [game.n_options, 10**6]:
        with pytest.raises(bastide.NotOfferedError):
            game.answer(number)
    assert game.hash == before
    game.play()
    with pytest.raises(bastide.NotOfferedError, match="the game is over"):
        game.answer(0)


def test_a_fault_of_a_mod_is_an_exception_and_can_be_taken_back(write_mod):
    folder = write_mod("broken", MANIFEST, "fn turn_ended() {\n    if turn.number > 1 { throw \"too far\"; }\n}\n")
    game = bastide.load("broken", path=folder).game(seed=7)
    with pytest.raises(bastide.FaultError) as caught:
        game.play()
    error = caught.value
    assert error.file.endswith("rules.rhai") and error.line == 2
    assert "too far" in error.message and error.function == "turn_ended" and error.mods == ["broken"]
    assert "rules.rhai:2" in error.help
    assert str(game.fault) == str(error)
    with pytest.raises(bastide.FaultError):
        game.answer(0)
    assert game.scores.keys() == {"red", "blue"}
    assert game.undo()
    assert game.fault is None and game.n_options > 0


def test_a_mod_that_never_ends_is_stopped(write_mod):
    folder = write_mod("broken", MANIFEST, "fn turn_ended() {\n    loop { }\n}\n")
    simulation = bastide.load("broken", path=folder).simulate(3)
    assert (simulation.n_games, simulation.n_faults) == (3, 3)
    assert "rules.rhai:2" in simulation.summary["first_faults"][0]["message"]


def test_records_that_do_not_fit(base):
    with pytest.raises(bastide.RecordError):
        bastide.replay("this is no record")
    game = base.game(seed=7)
    for _ in range(4):
        game.answer(0)
    lines = game.record().splitlines()
    with pytest.raises(bastide.RecordError) as caught:
        bastide.replay("\n".join(lines[:-1] + ["place 50,50 0"]))
    assert caught.value.line == len(lines)
    with pytest.raises(bastide.RecordError, match="expect score red 99"):
        bastide.replay(game.record() + "expect score red 99\n")
