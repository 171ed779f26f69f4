"""The exceptions of Bastide, with a message and the details as attributes."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """A problem in a file: its place, a message and a help text."""

    file: str
    line: int
    column: int
    severity: str
    message: str
    help: str | None


class BastideError(Exception):
    """The base class of all exceptions of Bastide."""


class _WithProblems(BastideError):
    def __init__(self, message: str, problems: list[dict] | tuple = ()) -> None:
        super().__init__(message)
        self.problems = [Problem(**problem) for problem in problems]

    @property
    def _first(self) -> Problem | None:
        errors = [problem for problem in self.problems if problem.severity == "error"]
        return next(iter(errors or self.problems), None)

    @property
    def file(self) -> str:
        """The file of the first error."""
        return self._first.file if self._first else ""

    @property
    def line(self) -> int:
        """The line of the first error, counted from 1; 0 if unknown."""
        return self._first.line if self._first else 0

    @property
    def column(self) -> int:
        """The column of the first error, counted from 1; 0 if unknown."""
        return self._first.column if self._first else 0

    @property
    def help(self) -> str | None:
        """The help for the first error; `None` if there is none."""
        return self._first.help if self._first else None


class ModError(_WithProblems):
    """Mods that cannot be loaded; `problems` lists every problem."""


class RecordError(_WithProblems, ValueError):
    """A text that is not a record, or a record that does not fit the rules."""


class SetupError(BastideError, ValueError):
    """Invalid players, settings or numbers."""


class FaultError(BastideError):
    """A failure of a mod's function. The game is in the state before the call."""

    def __init__(
        self,
        said: str,
        file: str = "",
        line: int = 0,
        column: int = 0,
        message: str = "",
        function: str = "",
        mods: list[str] | tuple = (),
        is_panic: bool = False,
    ) -> None:
        super().__init__(said)
        self.file = file
        self.line = line
        self.column = column
        self.message = message or said
        self.function = function
        self.mods = list(mods)
        self.is_panic = is_panic

    @property
    def help(self) -> str:
        """The help for this failure."""
        if self.is_panic:
            return "this is a bug in Bastide, not in a mod; report it with the record of the game"
        return f"fix {self.file}:{self.line} and load the mods again; `game.undo()` undoes the last answer"


class NotOfferedError(BastideError, ValueError):
    """An answer that is not among the options; the game is unchanged."""

    def __init__(
        self,
        said: str,
        answer: str = "",
        who: str | None = None,
        question: str = "",
        options: list[str] | tuple = (),
        mod: str | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__(said)
        self.answer = answer
        self.who = who
        self.question = question
        self.options = list(options)
        self.mod = mod
        self.reason = reason
