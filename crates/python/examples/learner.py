"""A small learner: a masked policy of a few hundred weights, made better by nothing but playing against a bot.

    python learner.py --games 400

Every offered action gets a weight for each of its features; the policy takes actions by the exponential of their sum, and after each game the weights
move towards what has brought more points than usual (REINFORCE). One feature is what the engine reckons a player to be ahead after the action
(`Game.prospects`), the others what the environment shows. It needs numpy only. What it shows is that the environment can be learned from: a policy that
begins as the random player, which loses every game against `greedy`, wins a third of them after 400 games.
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
        # Places: what lies on the spots around. All other actions: one weight each, and one for each by how many pieces are left.
        self.weights = np.zeros(self.n_planes + 2 * (self.n_others + 1) + 1)
        self.supply = env.encoding.number_names.index("seat 0 follower")

    def features(self, env: SeatEnv, seen: dict, actions: np.ndarray) -> np.ndarray:
        """A row of features for each action."""
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
        """An action, and which way the weights would go to make it more likely."""
        actions = np.flatnonzero(mask)
        rows = self.features(env, seen, actions)
        logits = rows @ self.weights
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        taken = rng.choice(len(actions), p=shares)
        return int(actions[taken]), rows[taken] - shares @ rows


def play(env: SeatEnv, policy: Policy, rng: np.random.Generator, seed: int | None = None) -> tuple[list, list, float]:
    """Plays a game: the ways the weights would go, the rewards after each, and 1 for a win, a half for a shared one."""
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
    """The share of wins in games that nothing is learned from."""
    rng = np.random.default_rng(99)
    env.reset(seed=99)
    return float(np.mean([play(env, policy, rng)[2] for _ in range(n_games)]))


def learn(mods: str, opponent: str, n_games: int, rate: float = 0.1, batch: int = 10) -> tuple[float, float]:
    """Learns from `n_games`; returns the share of wins before and after."""
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
        # Adam, as every weight has its own scale.
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
