"""A small learner: a masked policy of a few hundred weights, which improves only by playing against a bot.

    python learner.py --games 400

There is a weight for each feature of an action. The policy chooses among the offered actions with probabilities proportional to the exponential of
their weighted sums. After each game, the weights move towards actions that led to more points than usual (REINFORCE). One feature is the player's
lead after the action by the engine's estimate (`Game.prospects`); the other features are observations of the environment. The learner needs only
numpy. It demonstrates that a learner can learn from the environment: the policy begins as a random player, which loses every game against `greedy`,
and wins a third of the games after 400 games.
"""

from __future__ import annotations

import argparse

import numpy as np
from bastide.env import SeatEnv, lead


class Policy:
    """Chooses among offered actions by a weight for each feature."""

    def __init__(self, env: SeatEnv) -> None:
        self.size = env.encoding.board_shape[1]
        self.n_places = 1 + 4 * self.size**2
        self.n_planes = env.encoding.board_shape[0]
        self.n_others = env.encoding.n_actions - self.n_places
        # The features of a placement describe the land around. Every other action has two weights: a constant, and one for the pieces in supply.
        self.weights = np.zeros(self.n_planes + 2 * (self.n_others + 1) + 1)
        self.supply = env.encoding.number_names.index("seat 0 follower")

    def features(self, env: SeatEnv, seen: dict, actions: np.ndarray) -> np.ndarray:
        """Returns a row of features for each action."""
        rows = np.zeros((len(actions), len(self.weights)), np.float32)
        is_place = (actions >= 1) & (actions < self.n_places)
        if is_place.any():
            board = np.pad(np.minimum(seen["board"], 3), ((0, 0), (1, 1), (1, 1)))
            y, x = np.divmod((actions[is_place] - 1) // 4, self.size)
            around = [board[:, y + dy, x + dx] for dy in range(3) for dx in range(3) if (dy, dx) != (1, 1)]
            rows[is_place, : self.n_planes] = np.sum(around, axis=0).T / 8.0
        others = np.flatnonzero(~is_place)
        slots = np.where(actions[others] == 0, self.n_others, actions[others] - self.n_places)
        rows[others, self.n_planes + slots] = 1.0
        rows[others, self.n_planes + self.n_others + 1 + slots] = seen["numbers"][self.supply] / 7.0
        leads = np.array(env.game.prospects())[[env.encoding.option(env.game, action) for action in actions.tolist()]]
        rows[:, -1] = leads - leads.max()
        return rows

    def choose(self, env: SeatEnv, seen: dict, mask: np.ndarray, rng: np.random.Generator) -> tuple[int, np.ndarray]:
        """Returns an action, and the direction of weights that makes it more likely."""
        actions = np.flatnonzero(mask)
        rows = self.features(env, seen, actions)
        logits = rows @ self.weights
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        taken = rng.choice(len(actions), p=shares)
        return int(actions[taken]), rows[taken] - shares @ rows


def play(env: SeatEnv, policy: Policy, rng: np.random.Generator, seed: int | None = None) -> tuple[list, list, float]:
    """Plays a game. Returns the directions of weights, the rewards after each action, and the result: 1 for a win, a half for a tie of two."""
    seen, info = env.reset(seed=seed)
    ways, rewards, is_over = [], [], False
    while not is_over:
        action, way = policy.choose(env, seen, info["action_mask"], rng)
        seen, reward, is_over, is_cut, info = env.step(action)
        is_over = is_over or is_cut
        ways.append(way)
        rewards.append(reward)
    winners = env.game.winners
    return ways, rewards, (env.player in winners) / max(len(winners), 1)


def win_share(env: SeatEnv, policy: Policy, n_games: int) -> float:
    """Returns the win rate in games without learning."""
    rng = np.random.default_rng(99)
    env.reset(seed=99)
    return float(np.mean([play(env, policy, rng)[2] for _ in range(n_games)]))


def learn(mods: str, opponent: str, n_games: int, rate: float = 0.1, batch: int = 10) -> tuple[float, float]:
    """Learns from `n_games` games. Returns the win rates before and after."""
    env = SeatEnv(mods.split(","), opponent=opponent, size=21, reward=lead)
    policy, rng = Policy(env), np.random.default_rng(1)
    env.reset(seed=1)
    before = win_share(env, policy, 100)
    env.reset(seed=1)
    mean, spread = np.zeros(len(policy.weights)), np.zeros(len(policy.weights))
    for step in range(1, n_games // batch + 1):
        played = [play(env, policy, rng) for _ in range(batch)]
        longest = max(len(rewards) for _, rewards, _ in played)
        to_come = np.zeros((batch, longest))
        for row, (_, rewards, _) in zip(to_come, played):
            row[: len(rewards)] = np.cumsum(rewards[::-1])[::-1]
        better = (to_come - to_come.mean(axis=0)) / (to_come.std() + 1e-6)
        way = sum((np.array(ways).T @ row[: len(ways)] for row, (ways, _, _) in zip(better, played))) / batch
        # Adam, because the weights have different scales.
        mean = 0.9 * mean + 0.1 * way
        spread = 0.99 * spread + 0.01 * way**2
        policy.weights += rate * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-6)
        if step % 10 == 0:
            print(f"{step * batch:5} games: won {np.mean([won for *_, won in played]):.2f} of the last {batch}", flush=True)
    return before, win_share(env, policy, 200)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--mods", default="base")
    arguments.add_argument("--opponent", default="greedy")
    arguments.add_argument("--games", type=int, default=400)
    said = arguments.parse_args()
    before, after = learn(said.mods, said.opponent, said.games)
    print(f"wins against {said.opponent}: {before:.0%} before, {after:.0%} after {said.games} games")


if __name__ == "__main__":
    main()
