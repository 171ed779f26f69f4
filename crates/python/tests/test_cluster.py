"""Simulations in shards: here, and on a cluster of two nodes that loses a worker and a node."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import signal
import threading
import time
import zipfile

import bastide
import duckdb
import polars
import pyarrow
import pyarrow.parquet
import pytest
from bastide import cluster

TIMES = ("seconds", "thinking", "games_per_second", "threads")


def numbers(simulation):
    return {name: it for name, it in simulation.summary.items() if name not in TIMES}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_shards_come_to_the_same_as_the_whole(base, tmp_path):
    told = []
    plan = dict(games=100, players=["random", "greedy"], seed=3, rotate=True)
    result = cluster.simulate(base, tmp_path / "a", **plan, shards=7, ray=False, progress=lambda n, of: told.append((n, of)))
    assert told == [(n, 7) for n in range(1, 8)]
    whole = base.simulate(**plan)
    assert numbers(result.simulation) == numbers(whole)
    table = pyarrow.parquet.read_table(result.table)
    assert table.to_pydict() == pyarrow.table(whole).to_pydict()
    mean = whole.summary["seats"][0]["mean"]
    assert duckdb.sql(f"select avg(red) from '{result.table}'").fetchall()[0][0] == pytest.approx(mean)
    assert polars.read_parquet(result.table)["red"].mean() == pytest.approx(mean)


def test_what_was_interrupted_goes_on_and_comes_to_the_same_bytes(base, tmp_path):
    plan = dict(games=60, shards=6, seed=5, ray=False)
    whole = cluster.simulate(base, tmp_path / "whole", **plan)
    assert whole.n_played == 6

    def stop(n, of):
        if n == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster.simulate(base, tmp_path / "cut", **plan, progress=stop)
    assert not (tmp_path / "cut" / "games.parquet").exists()
    rest = cluster.simulate(base, tmp_path / "cut", **plan)
    assert rest.n_played == 2
    assert digest(rest.table) == digest(whole.table)
    lost = sorted((tmp_path / "cut").glob("000003*"))
    lost[0].unlink()
    assert cluster.simulate(base, tmp_path / "cut", **plan).n_played == 1
    assert digest(rest.table) == digest(whole.table)
    assert cluster.simulate(base, tmp_path / "cut", **plan).n_played == 0
    with pytest.raises(bastide.SetupError, match="another simulation"):
        cluster.simulate(base, tmp_path / "cut", **{**plan, "seed": 6})
    with pytest.raises(bastide.SetupError, match="shards"):
        cluster.simulate(base, tmp_path / "none", games=5, shards=6, ray=False)


def test_an_interrupted_search_goes_on_and_finds_the_same(base, tmp_path):
    plan = dict(goals=["points=..60"], vary={"follower": [2, 5, 8], "base.farmers": [False, True]}, games=80, players=["random", "random"], ray=False)
    whole = cluster.search_goals(base, tmp_path / "whole", **plan)
    assert (whole["tried"], whole["possible"]) == (6, 6)
    assert all(best["base.farmers"] == "false" for best in whole["best"][:2])

    def stop(round, n, of):
        assert of == 6 or round > 1
        if (round, n) == (2, 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster.search_goals(base, tmp_path / "cut", **plan, progress=stop)
    told = []
    rest = cluster.search_goals(base, tmp_path / "cut", **plan, progress=lambda *it: told.append(it))
    assert rest == whole and told[0] == (2, 4, 6)
    with pytest.raises(bastide.SetupError, match="another search: seed differs"):
        cluster.search_goals(base, tmp_path / "cut", **plan, seed=2)
    with pytest.raises(bastide.SetupError, match="there is no quantity"):
        cluster.search_goals(base, tmp_path / "none", ["pionts=3"], {"follower": [2]}, ray=False)


def test_mods_are_known_by_what_they_hold(base, tmp_path):
    packed = cluster.pack(base)
    assert packed == cluster.pack(bastide.load("base"))
    assert packed.hash != cluster.pack(bastide.load("inns-cathedrals")).hash
    unpacked = cluster.unpack(packed)
    assert unpacked is cluster.unpack(packed)
    assert unpacked.about == base.about
    assert unpacked.folders != base.folders


def test_nothing_but_what_was_read_of_a_mod_is_sent(tmp_path):
    own = tmp_path / "mods" / "own"
    (own / "notes").mkdir(parents=True)
    (own / "mod.toml").write_text('[mod]\nid = "own"\nversion = "1.0.0"\nrequires = ["base"]\n')
    (tmp_path / "secret").write_text("secret")
    (own / "notes" / "a.md").symlink_to(tmp_path / "secret")
    packed = cluster.pack(bastide.load(["base", "own"], path=tmp_path / "mods"))
    with zipfile.ZipFile(io.BytesIO(packed.archive)) as archive:
        names = archive.namelist()
    assert "own/mod.toml" in names and "base/rules.rhai" in names
    assert not [name for name in names if name.endswith(".md")]


def test_settings_are_swept_and_bots_meet(base, tmp_path):
    chosen = [{}, {"base.farmers": False}]
    found = cluster.sweep(base, tmp_path / "sweep", chosen, 40, shards=2, ray=False)
    assert [settings for settings, _ in found] == chosen
    means = [result.simulation.summary["seats"][0]["mean"] for _, result in found]
    assert means[0] != means[1]
    standings = cluster.tournament(base, tmp_path / "cup", ["random", "greedy"], 40, shards=2, ray=False)
    assert [(it.bot, it.against, it.games) for it in standings] == [("random", "greedy", 40), ("greedy", "random", 40)]
    assert standings[0].share + standings[1].share == pytest.approx(1.0)
    assert standings[1].share > 0.9


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_is_said_what_is_missing(base, tmp_path):
    with pytest.raises(bastide.SetupError, match="Ray is not installed"):
        cluster.simulate(base, tmp_path, games=2, shards=2, ray=True)
    assert cluster.simulate(base, tmp_path / "here", games=2, shards=2).n_played == 2


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_and_a_node_finishes(base, tmp_path, capsys):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    plan = dict(games=8_000, players=["random", "greedy"], seed=8, shards=100)
    local = cluster.simulate(base, tmp_path / "local", **plan, ray=False)
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    node = nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address)
    try:
        # Ray plays shards in the same processes that run these calls.
        pids = set(ray.get([ray.remote(lambda: os.getpid()).remote() for _ in range(8)]))
        at = {}

        def harm(n, of):
            if n == 20:
                at["killed"] = [_kill(pid) for pid in pids]
            if n == 50:
                threading.Thread(target=nodes.remove_node, args=(node,)).start()
                at["removed"] = True

        began = time.perf_counter()
        result = cluster.simulate(base, tmp_path / "ray", **plan, ray=True, progress=harm)
        took = time.perf_counter() - began
    finally:
        ray.shutdown()
        nodes.shutdown()
    assert any(at["killed"]) and at["removed"]
    assert result.n_played == 100
    assert digest(result.table) == digest(local.table)
    assert numbers(result.simulation) == numbers(local.simulation)
    with capsys.disabled():
        print(f"\n100 shards in {took:.1f} s; a shard spends {result.overhead * 10:.1f} ms outside of its games", end=" ")


def _kill(pid):
    """Kills a process. Returns whether the process existed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
