"""The native half of the package."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict

from bastide.errors import FaultError

_Folder = str | PathLike[str]
_Folders = _Folder | Sequence[_Folder] | None
_Settings = Mapping[str, bool | int | str] | None

class Option(TypedDict):
    n: int
    text: str
    label: str
    about: str

class Decision(TypedDict):
    who: str
    kind: Literal["place", "deploy", "marker", "source", "mod", "draw", "roll"]
    prompt: str
    mod: str | None
    options: list[Option]

class ModInfo(TypedDict):
    id: str
    version: str
    title: str
    about: str
    hash: str

class Setting(TypedDict):
    name: str
    about: str
    default: bool | int | str
    choices: list[bool | int | str]
    range: list[int] | None

class SeatState(TypedDict):
    name: str
    score: int
    supply: dict[str, int]
    hand: list[str]
    hidden_in_hand: int

class State(TypedDict):
    turn: int
    player: str | None
    is_over: bool
    seats: list[SeatState]
    drawn_tile: str | None
    tiles: list[dict[str, Any]]
    pieces: list[dict[str, Any]]
    piles: list[dict[str, Any]]
    decks: list[dict[str, Any]]
    awards: list[dict[str, Any]]
    notes: list[str]

class Mods:
    """Mods that have been loaded together: what games are begun with."""

    @property
    def ids(self) -> list[str]: ...
    @property
    def about(self) -> list[ModInfo]: ...
    @property
    def folders(self) -> list[Path]: ...
    @property
    def settings(self) -> list[Setting]: ...
    @property
    def n_players(self) -> tuple[int, int]: ...
    def game(
        self,
        players: int | Sequence[str] = 2,
        *,
        settings: _Settings = None,
        seed: int | None = None,
        position: Sequence[str] = (),
        asks_chance: bool = False,
    ) -> Game: ...
    def replay(self, record: str, *, asks_chance: bool = False) -> Game: ...
    def simulate(
        self,
        games: int = 1000,
        players: Sequence[str] = ("random", "random"),
        *,
        seed: int = 1,
        settings: _Settings = None,
        rotate: bool = False,
        threads: int | None = None,
        shard: tuple[int, int] | None = None,
        rows: bool = True,
        records: bool = False,
        details: bool = True,
        progress: Callable[[int], object] | None = None,
    ) -> Simulation: ...

class Game:
    """A game: setup and the answers so far, from which everything else follows."""

    @property
    def players(self) -> list[str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def who(self) -> str | None: ...
    @property
    def n_options(self) -> int: ...
    @property
    def options(self) -> list[str]: ...
    @property
    def decision(self) -> Decision | None: ...
    def answer(self, option: int | str) -> None: ...
    def undo(self, n: int = 1) -> bool: ...
    def copy(self) -> Game: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    @property
    def hash(self) -> int: ...
    @property
    def scores(self) -> dict[str, int]: ...
    @property
    def projected_scores(self) -> dict[str, int]: ...
    @property
    def winners(self) -> list[str]: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def turn(self) -> int: ...
    @property
    def n_answers(self) -> int: ...
    @property
    def fault(self) -> FaultError | None: ...
    def state(self, player: str | None = None) -> State: ...
    def bot(self, name: str = "greedy", *, seed: int = 1) -> int: ...
    def play(self, bots: str | Mapping[str, str] = "random", *, seed: int = 1) -> None: ...
    def record(self) -> str: ...
    def svg(self, width: int = 64) -> str: ...
    def png(self, width: int = 64) -> bytes: ...
    def _repr_svg_(self) -> str: ...

class Simulation:
    """What has come of many games: a table with a row for each, and statistics."""

    @property
    def n_games(self) -> int: ...
    @property
    def n_faults(self) -> int: ...
    @property
    def games_per_second(self) -> float: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def part(self) -> str: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __len__(self) -> int: ...

def load(mods: str | Sequence[str], path: _Folders, builtin: _Folder) -> Mods: ...
def replay(text: str, path: _Folders, builtin: _Folder, asks_chance: bool) -> Game: ...
def bots() -> list[tuple[str, str]]: ...
def merge(parts: Sequence[str]) -> Simulation: ...
