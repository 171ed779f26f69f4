"""Compares the speed of games through Python with the speed of the command: `python speed.py target/release/bastide`.

All figures are per second of processor time. Because machines are busy, each ratio is the median over pairs of consecutive runs.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import time

import bastide
import numpy as np
from bastide.vector import Games

N_PAIRS, N_GAMES = 7, 4000


def native(command: str) -> tuple[float, float]:
    """Returns the games and the answers of players per second of `bastide sim` on one thread."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, arguments = spent(), ["sim", "--games", str(N_GAMES), "--threads", "1", "--json"]
    found = json.loads(subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout)
    seconds = spent() - before
    return found["games"] / seconds, found["choices"] / seconds


def one_at_a_time(mods: bastide.Mods) -> float:
    """Returns the answers of players per second."""
    rng, n, began = random.Random(1), 0, time.process_time()
    for seed in range(N_GAMES // 10):
        game = mods.game(seed=seed)
        while n_options := game.n_options:
            game.answer(int(rng.random() * n_options))
            n += 1
    return n / (time.process_time() - began)


def many_at_once(mods: bastide.Mods, n: int = 128) -> float:
    """Returns the answers of players per second."""
    games, rng = Games(mods, n, seed=1), np.random.default_rng(1)
    n_options, n_steps, began = games.n_options, N_GAMES * 100 // n, time.process_time()
    for _ in range(n_steps):
        n_options = games.step(rng.random(n) * n_options)
    return n * n_steps / (time.process_time() - began)


def simulated(mods: bastide.Mods) -> float:
    """Returns the games per second."""
    began = time.process_time()
    mods.simulate(N_GAMES, threads=1, rows=False, details=False)
    return N_GAMES / (time.process_time() - began)


def main(command: str) -> None:
    mods = bastide.load("base")
    found = {"one game at a time": [], "many at once": [], "simulate": []}
    single, many = [], []
    for _ in range(N_PAIRS):
        games, answers = native(command)
        found["simulate"].append(simulated(mods) / games)
        many.append(many_at_once(mods))
        found["many at once"].append(many[-1] / native(command)[1])
        single.append(one_at_a_time(mods))
        found["one game at a time"].append(single[-1] / answers)
    print(f"answers/s: {statistics.median(single):,.0f} one game at a time, {statistics.median(many):,.0f} many at once")
    for name, ratios in found.items():
        print(f"{name}: {statistics.median(ratios):.3f} of the command ({min(ratios):.3f} to {max(ratios):.3f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
