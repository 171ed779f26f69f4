"""Simulations give the same games in Python, in the command, and in every reader of the table."""

from __future__ import annotations

import json
import subprocess

import bastide
import duckdb
import polars
import pyarrow
import pyarrow.parquet
import pytest


def test_a_table_has_a_row_for_each_game(base):
    simulation = base.simulate(300, ["random", "greedy"], seed=5)
    table = pyarrow.table(simulation)
    assert len(table) == len(simulation) == simulation.n_games == 300
    assert table.column_names[:6] == ["game", "seed", "red", "blue", "red_player", "blue_player"]
    assert table["game"].to_pylist() == list(range(300))
    assert set(table["blue_player"].to_pylist()) == {"greedy"}
    frame = polars.DataFrame(simulation)
    assert frame["red"].mean() == pytest.approx(simulation.summary["seats"][0]["mean"])


def test_neither_threads_nor_parts_change_anything(base):
    whole = base.simulate(200, seed=3, threads=1)
    assert pyarrow.table(base.simulate(200, seed=3, threads=4)) == pyarrow.table(whole)
    parts = [base.simulate(200, seed=3, shard=(i, 3)) for i in (1, 2, 3)]
    assert pyarrow.concat_tables([pyarrow.table(part) for part in parts]).combine_chunks() == pyarrow.table(whole)
    merged = bastide.merge([part.part for part in reversed(parts)])
    for summary in (merged.summary, whole.summary):
        assert summary.pop("seconds") > 0 and summary.pop("games_per_second") > 0 and summary.pop("threads") > 0
        assert summary["games"] == 200
    times = ("seconds", "games_per_second", "threads")
    kept = [{k: v for k, v in it.summary.items() if k not in times} for it in (merged, whole)]
    assert kept[0] == kept[1]
    with pytest.raises(bastide.SetupError, match="are in both"):
        bastide.merge([parts[0].part, parts[0].part])


def test_a_simulated_game_can_be_played_again(base):
    table = pyarrow.table(base.simulate(5, ["greedy", "random"], records=True, rotate=True))
    for row in table.to_pylist():
        game = bastide.replay(row["record"])
        assert game.is_over and game.seed == row["seed"]
        assert list(game.scores.values()) == [row["red"], row["blue"]]


def test_progress_is_told_and_may_stop_it(base):
    told = []
    base.simulate(20_000, rows=False, progress=told.append)
    assert told == sorted(told)

    def stop(n):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        base.simulate(10**7, rows=False, progress=stop)


def test_without_rows_there_is_no_table(base):
    with pytest.raises(bastide.SetupError, match="rows=True"):
        pyarrow.table(base.simulate(5, rows=False))
    with pytest.raises(bastide.SetupError, match="numbered from 1"):
        base.simulate(5, shard=(0, 3))


def test_the_command_plays_the_same_games(base, command, tmp_path):
    file = tmp_path / "games.parquet"
    arguments = ["--players", "random,greedy", "--games", "200", "--seed", "9", "--rotate", "--set", "base.farmers=false"]
    printed = subprocess.run(
        [command, "sim", *arguments, "--out", file, "--json"], check=True, capture_output=True, text=True
    )
    simulation = base.simulate(
        200, ["random", "greedy"], seed=9, rotate=True, settings={"base.farmers": False}
    )
    table = pyarrow.parquet.read_table(file)
    assert table.to_pydict() == pyarrow.table(simulation).to_pydict()
    red = json.loads(printed.stdout)["seats"][0]
    assert red == simulation.summary["seats"][0]
    wins = "sum(case when contains(' ' || winner || ' ', ' red ') then 1.0 / len(split(winner, ' ')) end)"
    sql = f"select count(*), avg(red), stddev_pop(red), min(red), max(red), {wins} from '{file}' where fault is null"
    n, mean, deviation, least, most, wins = duckdb.sql(sql).fetchall()[0]
    assert (n, least, most, wins) == (red["games"], red["min"], red["max"], red["wins"])
    assert mean == pytest.approx(red["mean"]) and deviation == pytest.approx(red["deviation"])
    frame = polars.read_parquet(file)
    assert frame["red"].mean() == pytest.approx(red["mean"])
    assert frame["red"].std(ddof=0) == pytest.approx(red["deviation"])
