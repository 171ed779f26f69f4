"""Games as environments for learning: `TableEnv` for PettingZoo has an agent in every seat, `SeatEnv` for Gymnasium has one seat against bots.

Both take any mod. An observation is a dictionary: `board` contains planes of a window around the start tile (named by `Encoding.plane_names`), and
`numbers` contains further values (named by `Encoding.number_names`). Actions have fixed numbers; the mask marks the offered actions. The engine
answers for chance.
"""

from __future__ import annotations

from typing import Any, Callable

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import bastide
from bastide._bastide import Encoding, Game, Mods

#: A game with more answers than this is truncated.
MOST_ANSWERS = 100_000

#: The exclusive upper bound of the seeds that a reset draws.
_MOST_SEED = 2**48


def _mods(mods: Mods | str | list[str]) -> Mods:
    return mods if isinstance(mods, Mods) else bastide.load(mods)


def _observation_space(encoding: Encoding) -> spaces.Dict:
    return spaces.Dict(
        {
            "board": spaces.Box(0, 255, encoding.board_shape, np.uint8),
            "numbers": spaces.Box(-np.inf, np.inf, (encoding.n_numbers,), np.float32),
        }
    )


def _observation(encoding: Encoding, game: Game, seat: int) -> dict[str, np.ndarray]:
    planes, numbers = encoding.observe(game, seat)
    return {
        "board": np.frombuffer(planes, np.uint8).reshape(encoding.board_shape),
        "numbers": np.frombuffer(numbers, np.float32),
    }


def _mask(encoding: Encoding, game: Game) -> np.ndarray:
    return np.frombuffer(encoding.mask(game), np.int8)


def win_or_lose(before: dict[str, int], after: dict[str, int], winners: list[str], player: str) -> float:
    """Rewards 1 for a win, -1 for a loss, and 2/n - 1 for a tie of n winners; 0 while there are no winners."""
    if not winners:
        return 0.0
    return (2.0 / len(winners) - 1.0) if player in winners else -1.0


def lead(before: dict[str, int], after: dict[str, int], winners: list[str], player: str) -> float:
    """Rewards the change of a player's lead over the best opponent, in points."""

    def ahead(scores: dict[str, int]) -> int:
        return scores[player] - max((score for name, score in scores.items() if name != player), default=0)

    return float(ahead(after) - ahead(before))


Reward = Callable[[dict, dict, list, str], float]


class TableEnv(AECEnv):
    """A game of any mod with an agent in every seat.

    An agent observes `{"observation": {"board", "numbers"}, "action_mask"}`; the mask is all 0 for an agent that is not to move. `reward` is
    `win_or_lose`, `lead` or a function of the scores before and after, the winners and the player. If a function of a mod fails, the game is truncated,
    and `infos` contains the reason.
    """

    metadata = {"name": "bastide_v0", "render_modes": ["svg", "rgb_array"], "is_parallelizable": False}

    def __init__(
        self,
        mods: Mods | str | list[str] = "base",
        players: int | list[str] = 2,
        *,
        settings: dict | None = None,
        size: int = 25,
        indexed: int = 64,
        reward: Reward = win_or_lose,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.mods = _mods(mods)
        self.settings = settings
        self.reward = reward
        self.render_mode = render_mode
        self._players = players
        self.game = self.mods.game(players, settings=settings, seed=1)
        self.possible_agents = self.game.players
        self.encoding = self.mods.encoding(len(self.possible_agents), size=size, indexed=indexed)
        n_actions = self.encoding.n_actions
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": _observation_space(self.encoding),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space:
        """Returns the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Returns the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Starts a game. The same `seed` gives the same draws, in this game and in later games."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        game_seed = int(self._rng.integers(_MOST_SEED))
        self.game = self.mods.game(self._players, settings=self.settings, seed=game_seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.who or self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the current observation of an agent."""
        observation = _observation(self.encoding, self.game, self.possible_agents.index(agent))
        is_asked = self.game.fault is None and self.game.who == agent
        mask = _mask(self.encoding, self.game) if is_asked else np.zeros(self.encoding.n_actions, np.int8)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answers for the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise bastide.SetupError(f"{agent} must decide, so an action is needed; see `action_mask`")
        option = self.encoding.option(self.game, int(action))
        if option is None:
            name = self.encoding.action_name(int(action))
            raise bastide.SetupError(f"action {action} ({name}) is not offered; see `action_mask`")
        before = self.game.scores
        self._cumulative_rewards[agent] = 0.0
        try:
            self.game.answer(option)
        except bastide.FaultError as fault:
            self.infos = {agent: {"fault": str(fault)} for agent in self.agents}
            self.truncations = dict.fromkeys(self.agents, True)
        after, winners = self.game.scores, self.game.winners
        self.rewards = {agent: self.reward(before, after, winners, agent) for agent in self.agents}
        if self.game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.game.n_answers > MOST_ANSWERS:
            self.truncations = dict.fromkeys(self.agents, True)
        is_open = not (self.game.is_over or any(self.truncations.values()))
        self.agent_selection = (self.game.who if is_open else None) or self.agents[0]
        self._accumulate_rewards()

    def render(self) -> str | np.ndarray | None:
        """Returns the board as SVG text, or as an array of rows, columns and colours (needs Pillow)."""
        return _render(self.game, self.render_mode)

    def close(self) -> None:
        """Does nothing."""


class SeatEnv(gymnasium.Env):
    """One seat of a game of any mod; bots play the other seats.

    Observes `{"board", "numbers"}`; `info["action_mask"]` and `action_masks()` mark the offered actions. `opponent` is the name of a bot. `seat`
    is the number of the seat, counted from 0, or `None` for a random seat in each game. `reward` is as in `TableEnv`.
    """

    metadata = {"render_modes": ["svg", "rgb_array"]}

    def __init__(
        self,
        mods: Mods | str | list[str] = "base",
        players: int | list[str] = 2,
        *,
        opponent: str = "greedy",
        seat: int | None = None,
        settings: dict | None = None,
        size: int = 25,
        indexed: int = 64,
        reward: Reward = lead,
        render_mode: str | None = None,
    ) -> None:
        self.mods = _mods(mods)
        self.settings = settings
        self.opponent = opponent
        self.reward = reward
        self.render_mode = render_mode
        self._players = players
        self._seat = seat
        self.game = self.mods.game(players, settings=settings, seed=1)
        names = self.game.players
        if seat is not None and not 0 <= seat < len(names):
            raise bastide.SetupError(f"there is no seat {seat}; seats are numbered from 0 to {len(names) - 1}")
        self.encoding = self.mods.encoding(len(names), size=size, indexed=indexed)
        self.action_space = spaces.Discrete(self.encoding.n_actions)
        self.observation_space = _observation_space(self.encoding)
        self._sit(seat or 0)

    def _sit(self, seat: int) -> None:
        names = self.game.players
        self.seat = seat
        self.player = names[seat]
        self._bots = {name: self.opponent for name in names if name != self.player}

    def action_masks(self) -> np.ndarray:
        """Returns the mask of offered actions, for learners that use masks."""
        if self.game.fault or self.game.is_over:
            return np.zeros(self.encoding.n_actions, bool)
        return _mask(self.encoding, self.game).astype(bool)

    def _seen(self) -> tuple[dict, dict]:
        return _observation(self.encoding, self.game, self.seat), {"action_mask": self.action_masks().astype(np.int8)}

    def _let_others_play(self) -> None:
        self.game.play(self._bots, seed=self._bot_seed)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        """Starts a game. Bots play until this seat is to move."""
        super().reset(seed=seed)
        game_seed, self._bot_seed = (int(it) for it in self.np_random.integers(_MOST_SEED, size=2))
        self.game = self.mods.game(self._players, settings=self.settings, seed=game_seed)
        self._sit(int(self.np_random.integers(len(self.game.players))) if self._seat is None else self._seat)
        self._let_others_play()
        return self._seen()

    def step(self, action: int) -> tuple[dict, float, bool, bool, dict]:
        """Answers for this seat, then lets bots play until this seat is to move again."""
        option = self.encoding.option(self.game, int(action))
        if option is None:
            name = self.encoding.action_name(int(action))
            raise bastide.SetupError(f"action {action} ({name}) is not offered; see `action_masks()`")
        before, fault = self.game.scores, None
        try:
            self.game.answer(option)
            self._let_others_play()
        except bastide.FaultError as error:
            fault = str(error)
        reward = self.reward(before, self.game.scores, self.game.winners, self.player)
        observation, info = self._seen()
        if fault:
            info["fault"] = fault
        is_truncated = fault is not None or self.game.n_answers > MOST_ANSWERS
        return observation, reward, self.game.is_over, is_truncated, info

    def render(self) -> str | np.ndarray | None:
        """Returns the board as SVG text, or as an array of rows, columns and colours (needs Pillow)."""
        return _render(self.game, self.render_mode)


def _render(game: Game, mode: str | None) -> str | np.ndarray | None:
    if mode == "svg":
        return game.svg()
    if mode == "rgb_array":
        import io

        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(game.png())).convert("RGB"))
    return None
