"""Bastide: an engine for tile-laying games in which every game and every expansion is a folder of text files.

    import bastide

    game = bastide.load("base").game(players=2, seed=7)
    while not game.is_over:
        game.answer(game.bot("greedy"))
    print(game.scores)
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Sequence, Union

from bastide import _bastide
from bastide._bastide import Game, GoalSearch, Mods, Simulation, bots, merge
from bastide.errors import BastideError, FaultError, ModError, NotOfferedError, Problem, RecordError, SetupError

__all__ = [
    "BastideError",
    "FaultError",
    "Game",
    "GoalSearch",
    "ModError",
    "Mods",
    "NotOfferedError",
    "Problem",
    "RecordError",
    "SetupError",
    "Simulation",
    "bots",
    "load",
    "merge",
    "replay",
]

#: The folder of the mods that come with the package.
MODS = Path(__file__).parent / "mods"


_Folders = Union[str, PathLike, Sequence[Union[str, PathLike]], None]


def load(mods: str | Sequence[str] = "base", *, path: _Folders = None) -> Mods:
    """Loads mods and all mods that they require.

    `mods` is an id or a folder, or a list of ids and folders. `path` names folders of mods, which take precedence over the mods of the package.

    Raises `ModError` with all problems, each with file, line and help.
    """
    return _bastide.load(mods, path, MODS)


def replay(record: str, path: _Folders = None, asks_chance: bool = False) -> Game:
    """Starts the game of a record with the mods that the record names, and replays the record to its end. `record` is the text of the record.

    Raises `RecordError` if the text is not a record or does not fit the rules, and `ModError` if the mods cannot be loaded.
    """
    return _bastide.replay(record, path, MODS, asks_chance)
