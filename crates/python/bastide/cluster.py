"""Simulations on many machines with Ray.

    import bastide, bastide.cluster, ray
    ray.init(address="auto")
    result = bastide.cluster.simulate(bastide.load("base"), "out", games=10**6, players=["random", "greedy"])

Games are played in shards. Each shard is a task of Ray, which runs the task again if a worker or a node is lost. The files of the mods are sent once,
identified by their hash. Every shard is written completely or not at all, so if a run is interrupted, another call continues it. The same seeds give
the same files as on one machine, byte for byte. Without Ray, or with `ray=False`, this machine plays all shards.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, Sequence

import bastide
from bastide import _bastide
from bastide._bastide import Mods, Simulation
from bastide.errors import SetupError

if TYPE_CHECKING:
    from bastide._bastide import GoalTask

Progress = Callable[[int, int], object]

#: The maximum number of retries of a shard after the loss of a worker or a node.
MOST_RETRIES = 20


class PackedMods(NamedTuple):
    """The files of mods, with a hash of their content."""

    ids: list[str]
    hash: str
    archive: bytes


class Result(NamedTuple):
    """The results of a simulation in shards."""

    #: The statistics of all games together, without rows. The rows are in `table`.
    simulation: Simulation
    #: A row for each game, in order, as Parquet.
    table: Path
    #: The number of shards played by this call; the others were already in the folder.
    n_played: int
    #: The seconds that shards spent outside of games: on mods, files and waiting in Python, but without the work of Ray between tasks.
    overhead: float


def pack(mods: Mods) -> PackedMods:
    """Packs the files of mods that affect games. The same files always give the same bytes.

    Packs only the files that were read when the mods were loaded, with their content at that time. Does not follow links.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in mods.files:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    data = packed.getvalue()
    return PackedMods(list(mods.ids), hashlib.sha256(data).hexdigest(), data)


_unpacked: dict[str, Mods] = {}


def unpack(packed: PackedMods) -> Mods:
    """Unpacks mods into a folder named after their hash, and loads them once per process."""
    mods = _unpacked.get(packed.hash)
    if mods is None:
        folder = Path(tempfile.gettempdir()) / f"bastide-mods-{os.getuid()}" / packed.hash
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        if folder.parent.stat().st_uid != os.getuid():
            raise SetupError(f"{folder.parent} belongs to another user, so mods are not unpacked there; remove it, or set TMPDIR")
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=folder.parent) as new:
                whole = Path(new) / "mods"
                with zipfile.ZipFile(io.BytesIO(packed.archive)) as archive:
                    archive.extractall(whole)
                try:
                    whole.rename(folder)
                except OSError:
                    if not folder.is_dir():  # otherwise another process has unpacked the mods
                        raise
        mods = _unpacked[packed.hash] = _bastide.load(packed.ids, None, folder)
    return mods


def _write(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file atomically."""
    new = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        write(new)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _files(folder: Path, shard: int, n_shards: int) -> tuple[Path, Path]:
    name = f"{shard:06}-of-{n_shards:06}"
    return folder / f"{name}.parquet", folder / f"{name}.json"


def _play_shard(packed: PackedMods, folder: str, shard: int, n_shards: int, plan: dict[str, Any]) -> float:
    """Plays a shard and writes its rows, then its statistics. The file of statistics marks the shard as done.

    Returns the seconds spent outside the games.
    """
    import pyarrow
    import pyarrow.parquet

    began = time.perf_counter()
    simulation = unpack(packed).simulate(**plan, shard=(shard, n_shards), threads=1)
    played = simulation.n_games / simulation.games_per_second if simulation.n_games else 0.0
    rows, part = _files(Path(folder), shard, n_shards)
    _write(rows, lambda path: pyarrow.parquet.write_table(pyarrow.table(simulation), path))
    _write(part, lambda path: path.write_text(simulation.part))
    return time.perf_counter() - began - played


def _ray(wanted: bool | None) -> Any:
    """Returns Ray if it is running, and starts it first if `wanted` is true; `None` to play without Ray."""
    if wanted is False:
        return None
    try:
        import ray
    except ImportError:
        if wanted:
            raise SetupError("Ray is not installed: run `pip install ray`, or pass `ray=False`") from None
        return None
    if not ray.is_initialized():
        if not wanted:
            return None
        ray.init()
    return ray


def _on_ray(ray: Any, play: Callable, packed: PackedMods, calls: list[tuple], told: Callable[[Any], object]) -> None:
    """Plays shards or tasks on Ray, which retries a call if its worker is lost."""
    on_worker = ray.remote(num_cpus=1, max_retries=MOST_RETRIES)(play)
    sent = ray.put(packed)
    waiting = [on_worker.remote(sent, *call) for call in calls]
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1)
        told(ray.get(done[0]))


def _merge(folder: Path, n_shards: int) -> Simulation:
    """Merges the shards: writes one file of all rows, with a row group per shard, and returns the statistics."""
    import pyarrow.parquet

    def write(path: Path) -> None:
        first = pyarrow.parquet.read_schema(_files(folder, 1, n_shards)[0])
        with pyarrow.parquet.ParquetWriter(path, first) as out:
            for shard in range(1, n_shards + 1):
                out.write_table(pyarrow.parquet.read_table(_files(folder, shard, n_shards)[0]))

    _write(folder / "games.parquet", write)
    parts = [_files(folder, shard, n_shards)[1].read_text() for shard in range(1, n_shards + 1)]
    return bastide.merge(parts)


def simulate(
    mods: Mods,
    out: str | os.PathLike,
    games: int = 1000,
    players: Sequence[str] = ("random", "random"),
    *,
    shards: int = 100,
    seed: int = 1,
    settings: dict | None = None,
    rotate: bool = False,
    records: bool = False,
    ray: bool | None = None,
    progress: Progress | None = None,
) -> Result:
    """Plays many games in shards and merges the results. Uses Ray if it is running. `ray=True` starts Ray; `ray=False` plays here.

    All machines must have access to the folder `out`. It receives the rows and the statistics of each shard, and `games.parquet` with all rows. Shards
    that are already in the folder are not played again. Calls `progress` with the number of finished shards and the total.

    Raises `SetupError` if `out` contains another simulation, or if there are more shards than games.
    """
    if not 1 <= shards <= max(games, 1):
        raise SetupError(f"{games} games cannot be divided into {shards} shards; choose 1 to {max(games, 1)}")
    packed = pack(mods)
    plan = dict(games=games, players=list(players), seed=seed, settings=settings, rotate=rotate, records=records)
    folder = Path(out).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    said = json.dumps({"mods": packed.hash, "shards": shards, **plan}, indent=1, sort_keys=True) + "\n"
    about = folder / "simulation.json"
    if about.exists() and about.read_text() != said:
        raise SetupError(f"{folder} contains another simulation, according to its simulation.json; choose another folder")
    _write(about, lambda path: path.write_text(said))
    missing = [i for i in range(1, shards + 1) if not all(file.exists() for file in _files(folder, i, shards))]
    spent: list[float] = []

    def told(seconds: float) -> None:
        spent.append(seconds)
        if progress:
            progress(shards - len(missing) + len(spent), shards)

    calls = [(str(folder), shard, shards, plan) for shard in missing]
    cluster = _ray(ray)
    if cluster and calls:
        _on_ray(cluster, _play_shard, packed, calls, told)
    else:
        for call in calls:
            told(_play_shard(packed, *call))
    return Result(_merge(folder, shards), folder / "games.parquet", len(missing), sum(spent))


def sweep(
    mods: Mods, out: str | os.PathLike, settings: Iterable[dict], games: int = 1000, **plan: Any
) -> list[tuple[dict, Result]]:
    """Plays the same games, with the same seeds, for each dictionary in `settings`. Each has its own folder in `out`.

    Other arguments are those of `simulate`.
    """
    found = []
    for chosen in settings:
        name = ",".join(f"{key}={value}" for key, value in sorted(chosen.items())) or "default"
        if any(it in "/\\" for it in name):
            raise SetupError(f"the setting {name} cannot be the name of a folder")
        found.append((chosen, simulate(mods, Path(out) / name, games, settings=chosen, **plan)))
    return found


class Standing(NamedTuple):
    """The result of a bot against another bot."""

    bot: str
    against: str
    games: int
    share: float
    #: The interval of `share`, which contains the true value in 95 of 100 tournaments.
    low: float
    high: float


def tournament(
    mods: Mods, out: str | os.PathLike, bots: Sequence[str], games: int = 1000, **plan: Any
) -> list[Standing]:
    """Plays every pair of bots against each other. Both bots have each seat equally often. Each pair has its own folder in `out`.

    Other arguments are those of `simulate`.
    """
    if len(set(bots)) < len(bots) or len(bots) < 2:
        raise SetupError("a tournament is between two or more different bots")
    found = []
    for i, one in enumerate(bots):
        for other in bots[i + 1 :]:
            name = f"{one}-{other}".replace(":", "_")
            result = simulate(mods, Path(out) / name, games, [one, other], rotate=True, **plan)
            for mine, theirs in ((0, 1), (1, 0)):
                it = result.simulation.summary["players"][mine]
                low, high = it["share_interval"]
                names = (one, other)
                found.append(Standing(names[mine], names[theirs], it["games"], it["share"], low, high))
    return found


def _play_task(packed: PackedMods, task: GoalTask, plan: dict[str, Any]) -> tuple[int, str]:
    """Plays the games of a search's task. Returns the number of the task, and the statistics as text."""
    settings = {**(plan["settings"] or {}), **task["settings"]}
    whole = {**plan, "settings": settings, "games": task["games"], "first": task["first"]}
    return task["number"], unpack(packed).simulate(**whole, rows=False, threads=1).part


def search_goals(
    mods: Mods,
    out: str | os.PathLike,
    goals: Sequence[str],
    vary: dict[str, Sequence],
    games: int = 1000,
    players: Sequence[str] = ("greedy", "greedy"),
    *,
    seed: int = 1,
    settings: dict | None = None,
    rotate: bool = False,
    ray: bool | None = None,
    progress: Callable[[int, int, int], object] | None = None,
) -> dict[str, Any]:
    """Searches for values of settings and counts for which games meet goals, as `bastide sim --goal` does. Uses Ray if it is running.

    `goals` are texts such as `"points=60..75"`; `vary` names settings and counts, each with the values to try. Each combination of values is a task of
    Ray. The file `out` receives the state of the search after each task, so if a search is interrupted, another call continues it. Calls `progress` with
    the number of the round, from 1 to 3, the combinations played in it, and the combinations to play in it.

    Returns a dictionary: `best` with the best combinations, `rows` with their values and intervals, and the numbers `tried`, `possible` and `games`.
    """
    search = mods.goal_search(goals, vary, games, players, seed=seed, settings=settings, rotate=rotate)
    file = Path(out)
    if file.exists():
        search.resume(file.read_text())
    packed = pack(mods)
    plan = dict(players=list(players), seed=seed, settings=settings, rotate=rotate)

    def told(result: tuple[int, str]) -> None:
        number, part = result
        search.add(number, bastide.merge([part]))
        _write(file, lambda path: path.write_text(search.text))
        if progress:
            progress(*search.progress)

    cluster = _ray(ray)
    while tasks := search.tasks:
        if cluster:
            _on_ray(cluster, _play_task, packed, [(task, plan) for task in tasks], told)
        else:
            for task in tasks:
                told(_play_task(packed, task, plan))
    return search.results
