"""Environments for learning fulfil the requirements of PettingZoo and Gymnasium, for several mods."""

from __future__ import annotations

import re

import bastide
import numpy as np
import pytest
from bastide.env import SeatEnv, TableEnv, lead, win_or_lose
from bastide.vector import Games
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

MODS = ["base", "hunters-gatherers", "inns-cathedrals,builders-traders,messages,flying-machines"]


@pytest.mark.parametrize("mods", MODS)
def test_pettingzoo_finds_nothing_wrong(mods):
    env = TableEnv(mods.split(","), 3, size=15)
    api_test(env, num_cycles=400)
    seed_test(lambda: TableEnv(mods.split(","), 2, size=15, reward=lead), num_cycles=300)


def test_gymnasium_finds_nothing_wrong():
    class Masked(SeatEnv):
        """Maps every action to an offered action, because the checker of Gymnasium ignores masks."""

        def step(self, action):
            offered = np.flatnonzero(self.action_masks())
            return super().step(offered[action % len(offered)])

    check_env(Masked(opponent="random", size=9), skip_render_check=True)


def random_action(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("mods", MODS)
def test_a_game_comes_to_its_end(mods):
    env, rng = TableEnv(mods.split(","), 2, size=9), np.random.default_rng(1)
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, is_over, is_cut, _ = env.last()
        total[agent] += reward
        assert env.observation_space(agent).contains(observation)
        env.step(None if is_over or is_cut else random_action(observation["action_mask"], rng))
    assert env.game.is_over
    assert sum(total.values()) == pytest.approx(0.0)
    winners = env.game.winners
    assert all((total[agent] == 1.0) == (winners == [agent]) for agent in env.possible_agents)


def test_only_who_is_asked_has_a_mask_and_others_are_refused():
    env = TableEnv("base")
    env.reset(seed=3)
    asked, other = env.agent_selection, next(it for it in env.agents if it != env.agent_selection)
    assert env.observe(asked)["action_mask"].sum() == env.game.n_options
    assert env.observe(other)["action_mask"].sum() == 0
    refused = int(np.flatnonzero(env.observe(asked)["action_mask"] == 0)[0])
    with pytest.raises(bastide.SetupError, match=re.escape(env.encoding.action_name(refused))):
        env.step(refused)


def test_leads_add_up_to_the_last_one():
    env, rng = SeatEnv(opponent="random", size=9, seat=1), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    total, is_over = 0.0, False
    while not is_over:
        _, reward, is_over, _, info = env.step(random_action(info["action_mask"], rng))
        total += reward
    assert env.player == "blue"
    assert total == env.game.scores["blue"] - env.game.scores["red"]
    assert win_or_lose({}, {}, ["red", "blue"], "red") == 0.0


def test_a_fault_of_a_mod_ends_the_game_and_not_the_process(write_mod):
    manifest = '[mod]\nid = "broken"\nversion = "1.0.0"\ntitle = "Broken"\nabout = "Fails."\nrequires = ["base ^1.0"]\n'
    rules = "fn turn_ended() {\n    if turn.number > 1 { throw \"too far\"; }\n}\n"
    mods = bastide.load("broken", path=write_mod("broken", manifest, rules))
    env, rng = TableEnv(mods), np.random.default_rng(1)
    env.reset(seed=1)
    for agent in env.agent_iter(1000):
        observation, _, is_over, is_cut, info = env.last()
        if is_over or is_cut:
            assert "too far" in info["fault"]
            break
        env.step(random_action(observation["action_mask"], rng))
    else:
        pytest.fail("it went on")


def test_games_that_go_on_together_see_what_one_sees(base):
    rng = np.random.default_rng(2)
    games = Games(base, 7, seed=5, threads=3, size=15)
    encoding = base.encoding(2, size=15)
    table = base.simulate(7, seed=5, rows=True)
    import pyarrow

    seeds = pyarrow.table(table)["seed"].to_pylist()
    single = [base.game(seed=seed) for seed in seeds]
    for _ in range(40):
        board, numbers = games.observe()
        masks, seats = games.masks(), games.seats
        for i, game in enumerate(single):
            planes, others = encoding.observe(game, int(seats[i]))
            assert planes == board[i].tobytes() and others == numbers[i].tobytes()
            assert encoding.mask(game) == masks[i].tobytes()
            assert game.players[seats[i]] == game.who
            assert games.n_options[i] == game.n_options
        actions = np.array([random_action(mask, rng) for mask in masks])
        games.act(actions)
        for game, action in zip(single, actions):
            game.answer(encoding.option(game, int(action)))
    assert games.ended() == []


def test_games_end_and_begin_anew_whatever_the_threads(base):
    def play(threads):
        games = Games(base, 6, seed=9, threads=threads, size=3)
        n_options = games.n_options
        for _ in range(300):
            n_options = games.step(n_options - 1)
        return sorted(games.ended(), key=lambda it: it.number)

    ended = play(1)
    assert len(ended) >= 6 and ended == play(4)
    assert all(it.number % 6 == it.slot and it.fault is None for it in ended)


def test_a_step_that_is_not_offered_is_refused(base):
    games = Games(base, 4)
    with pytest.raises(bastide.SetupError, match="option 100000 is not offered in game 2"):
        games.step([0, 0, 100_000, 0])
    with pytest.raises(bastide.SetupError, match="3 numbers for 4 games"):
        games.step([0, 0, 0])
    with pytest.raises(bastide.SetupError, match="odd number"):
        Games(base, 4, size=10)


def test_an_encoding_is_for_its_mods_and_seats(base):
    encoding, game = base.encoding(2), base.game(2)
    with pytest.raises(bastide.SetupError, match="no seat 2"):
        encoding.observe(game, 2)
    for other in [base.game(3), bastide.load("hunters-gatherers").game(2)]:
        with pytest.raises(bastide.SetupError, match="other mods or for another number"):
            encoding.mask(other)
