"""Many games at once, with numpy arrays: what a learner steps through."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import numpy as np

from bastide._bastide import Mods


class Ended(NamedTuple):
    """A game that has come to its end, or could not."""

    slot: int
    number: int
    scores: list[int]
    fault: str | None


class Games:
    """`n` games that go on together in threads of their own; where one ends, the next begins in its place.

    Game number i draws what game i of `Mods.simulate` with the same seed draws. Slot s plays the games s, s + n, s + 2n and so on.
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
        #: How the games become tensors.
        self.encoding = self._stepper.encoding

    def __len__(self) -> int:
        return len(self._stepper)

    @property
    def n_options(self) -> np.ndarray:
        """How many options each game offers."""
        return np.frombuffer(self._stepper.n_options(), np.int32)

    @property
    def seats(self) -> np.ndarray:
        """The number of the seat that is asked in each game."""
        return np.frombuffer(self._stepper.seats(), np.uint8)

    def step(self, options: np.ndarray) -> np.ndarray:
        """Answers in every game with an option, by its number; returns how many options each offers then."""
        return np.frombuffer(self._stepper.step(np.ascontiguousarray(options, np.int32).tobytes()), np.int32)

    def act(self, actions: np.ndarray) -> None:
        """Answers in every game with an action."""
        self._stepper.act(np.ascontiguousarray(actions, np.int32).tobytes())

    def masks(self) -> np.ndarray:
        """1 for each action that a game offers, a row each."""
        return np.frombuffer(self._stepper.masks(), np.uint8).reshape(len(self), self.encoding.n_actions)

    def observe(self) -> tuple[np.ndarray, np.ndarray]:
        """What is seen by who is asked in each game: the planes of the board, and the numbers besides."""
        planes, numbers = self._stepper.observe()
        board = np.frombuffer(planes, np.uint8).reshape(len(self), *self.encoding.board_shape)
        return board, np.frombuffer(numbers, np.float32).reshape(len(self), self.encoding.n_numbers)

    def ended(self) -> list[Ended]:
        """Takes the games that have ended since the last time."""
        return [Ended(*it) for it in self._stepper.ended()]
