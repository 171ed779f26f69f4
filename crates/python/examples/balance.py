"""Measures the effect of a setting on the balance of a game, by playing games with the same seeds for each value of the setting.

    python balance.py --setting base.farmers --games 2000

Polars computes the printed table from the rows of the games. The statistics of the engine give the same numbers.
"""

from __future__ import annotations

import argparse

import bastide
import polars


def compare(mods: bastide.Mods, setting: str, values: list, bots: list[str], n_games: int) -> polars.DataFrame:
    """Returns a row for each value: the win rate and mean score of each seat, and the mean distance between the scores of the first two seats."""
    found = []
    for value in values:
        games = polars.DataFrame(mods.simulate(n_games, bots, settings={setting: value}, seed=1))
        seats = mods.game(len(bots)).players
        row = {"value": str(value)}
        for seat in seats:
            shares = games["winner"].str.split(" ").list.eval(polars.element() == seat)
            row[f"{seat} wins"] = (shares.list.sum() / shares.list.len()).mean()
            row[f"{seat} scores"] = games[seat].mean()
        row["apart"] = (games[seats[0]] - games[seats[1]]).abs().mean()
        found.append(row)
    return polars.DataFrame(found)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--mods", default="base")
    arguments.add_argument("--setting", default="base.farmers")
    arguments.add_argument("--bots", default="greedy,greedy")
    arguments.add_argument("--games", type=int, default=500)
    said = arguments.parse_args()
    mods = bastide.load(said.mods.split(","))
    setting = next((it for it in mods.settings if it["name"] == said.setting), None)
    if setting is None:
        raise SystemExit(f"there is no setting {said.setting}; available settings: {', '.join(it['name'] for it in mods.settings)}")
    values = setting["choices"] or [True, False]
    with polars.Config(tbl_cols=-1, float_precision=3):
        print(compare(mods, said.setting, values, said.bots.split(","), said.games))


if __name__ == "__main__":
    main()
