"""Many games in lockstep with numpy arrays, for training."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import numpy as np

from bastide._bastide import Mods


class Ended(NamedTuple):
    """A game that ended or failed."""

    slot: int
    number: int
    scores: list[int]
    fault: str | None


class Games:
    """`n` games played in lockstep on separate threads. When a game ends, the next game starts in its slot.

    Game number i has the same draws as game i of `Mods.simulate` with the same seed. Slot s plays the games s, s + n, s + 2n and so on.
    """

    def __init__(
        self,
        mods: Mods,
        n: int,
        players: int | Sequence[str] = 2,
        *,
        seed: int = 1,
        settings: dict | None = None,
        threads: int = 1,
        size: int = 25,
        indexed: int = 64,
    ) -> None:
        self._stepper = mods.stepper(
            n, players, seed=seed, settings=settings, threads=threads, size=size, indexed=indexed
        )
        #: The encoding of the games as tensors.
        self.encoding = self._stepper.encoding

    def __len__(self) -> int:
        return len(self._stepper)

    @property
    def n_options(self) -> np.ndarray:
        """The count of options of each game: an int32 per game."""
        return np.frombuffer(self._stepper.n_options(), np.int32)

    @property
    def seats(self) -> np.ndarray:
        """The seat to move in each game: a uint8 per game; 255 if no player must decide."""
        return np.frombuffer(self._stepper.seats(), np.uint8)

    def step(self, options: np.ndarray) -> np.ndarray:
        """Answers in every game with the number of an option. Returns the new `n_options`."""
        return np.frombuffer(self._stepper.step(np.ascontiguousarray(options, np.int32).tobytes()), np.int32)

    def act(self, actions: np.ndarray) -> None:
        """Answers in every game with an action of the encoding."""
        self._stepper.act(np.ascontiguousarray(actions, np.int32).tobytes())

    def masks(self) -> np.ndarray:
        """Returns a row of `n_actions` per game: 1 for each offered action and 0 for the others."""
        return np.frombuffer(self._stepper.masks(), np.uint8).reshape(len(self), self.encoding.n_actions)

    def observe(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the observation of the seat to move in each game: the planes of the board, and further numbers."""
        planes, numbers = self._stepper.observe()
        board = np.frombuffer(planes, np.uint8).reshape(len(self), *self.encoding.board_shape)
        return board, np.frombuffer(numbers, np.float32).reshape(len(self), self.encoding.n_numbers)

    def ended(self) -> list[Ended]:
        """Returns the games that ended since the last call."""
        return [Ended(*it) for it in self._stepper.ended()]
