"""Games and sessions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import Advice, Ending, Player, Question

#: How many answers a game may take before it is given up: far more than any of the shipped games needs.
LIMIT = 100_000


def load(
    game: str,
    *,
    scenario: str | None = None,
    layers: Sequence[str | os.PathLike[str]] = (),
    options: Mapping[str, object] | None = None,
    settings: Sequence[str] = (),
    path: str | os.PathLike[str] | None = None,
) -> Game:
    """Loads a game by its id, with the layers, options and settings (`KEY=VALUE`) that are wanted.

    It is looked for among the games of the package, or in the folder `path` if one is given. A game belongs to the thread that loaded it.
    """
    return Game(
        {
            "game": game,
            "scenario": scenario,
            "layers": [os.fspath(layer) for layer in layers],
            "options": [(name, _option(value)) for name, value in (options or {}).items()],
            "settings": list(settings),
            "path": None if path is None else os.fspath(path),
        }
    )


def _option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Outcomes:
    """What came of many games: one entry a game, in the order of their seeds."""

    #: The sides, which `winner` counts.
    sides: list[str]
    seed: npt.NDArray[np.uint64]
    #: The number of the winner among the sides; -1 if nobody has won.
    winner: npt.NDArray[np.int32]
    #: How many answers were given.
    answers: npt.NDArray[np.uint64]
    #: Whether the game ended within the limit of answers.
    ended: npt.NDArray[np.bool_]
    #: The digest of the last state: equal for equal games.
    digest: npt.NDArray[np.uint64]

    def wins(self, side: str) -> int:
        """How many games a side has won."""
        return int(np.count_nonzero(self.winner == self.sides.index(side)))


class Game:
    """A loaded game."""

    def __init__(self, spec: _native.Spec) -> None:
        self._spec = spec
        self._native = _native.Game(spec)

    def __repr__(self) -> str:
        return f"<sandtable.Game {self.id}>"

    @property
    def id(self) -> str:
        """Its id."""
        return self._native.id

    @property
    def title(self) -> str:
        """Its title."""
        return self._native.title

    @property
    def sides(self) -> list[str]:
        """The ids of its sides, in the order of their seats."""
        return self._native.sides

    @property
    def spaces(self) -> list[str]:
        """The ids of its hexes, areas, boxes and piles."""
        return self._native.spaces

    @property
    def attributes_of_game(self) -> list[str]:
        """The names of the attributes of the game as a whole."""
        return self._native.attributes_of_game

    @property
    def attributes_of_sides(self) -> list[str]:
        """The names of the attributes that each side has."""
        return self._native.attributes_of_sides

    def session(self, seed: int = 0) -> Session:
        """A new game from its set-up. The same seed and the same answers give the same game everywhere."""
        return Session(self._native.session(seed))

    def follow(self, record: str) -> Session:
        """The game that a record tells, at its last answer."""
        return Session(self._native.follow(record))

    def playouts(
        self,
        games: int,
        *,
        seed: int = 1,
        jobs: int = 1,
        players: Mapping[str, str] | None = None,
        limit: int = LIMIT,
    ) -> Outcomes:
        """Plays many games in Rust, on `jobs` threads, with the seeds from `seed` on.

        `players` gives the level of a side's player (`{"vale": "greedy"}`); sides without one answer at random. The outcomes do not
        depend on the number of threads.
        """
        unknown = set(players or {}) - set(self.sides)
        if unknown:
            raise ValueError(f"there is no side {', '.join(sorted(unknown))}; there are {', '.join(self.sides)}")
        rows = _native.playouts(self._spec, list((players or {}).items()), games, seed, jobs, limit)
        table = np.array(
            rows,
            dtype=[("seed", "u8"), ("winner", "i4"), ("answers", "u8"), ("ended", "?"), ("digest", "u8")],
        )
        return Outcomes(self.sides, table["seed"], table["winner"], table["answers"], table["ended"], table["digest"])

    def run_cases(self) -> tuple[int, list[tuple[str, int, str, str]]]:
        """Runs the cases of its rulebooks: how many there are, and file, line, name and message of those that failed."""
        return self._native.run_cases()


class Session:
    """One game being played."""

    def __init__(self, native: _native.Session) -> None:
        self._native = native

    def questions(self) -> list[Question]:
        """What is asked now: nothing when the game is over, several questions where sides answer at once."""
        return self._native.questions()

    def answer(self, side: str, answer: str) -> None:
        """Answers what a side is asked: one of `options`, or items with their numbers for a selection (`infantry*2 tank`)."""
        self._native.answer(side, answer)

    def answer_at_random(self) -> None:
        """Answers one question with any legal answer, by the session's seed."""
        self._native.answer_at_random()

    def finish_at_random(self, limit: int = LIMIT) -> None:
        """Answers at random until the game ends, or `limit` times."""
        self._native.finish_at_random(limit)

    def next_items(self, side: str, taken: Sequence[int] = ()) -> tuple[bool, list[bool]]:
        """How a selection of which so many of each item are taken can go on: whether it may stay as it is, and which items can be added.

        Items are added in their order, so that each selection is reached in one way only.
        """
        return self._native.next_items(side, list(taken))

    def advise(self, side: str, player: Player) -> Advice:
        """What a computer player would answer for a side, and why. The game stays as it is."""
        return self._native.advise(side, player)

    def undo(self) -> None:
        """Takes the last answer back, with all that came of it."""
        self._native.undo()

    def fork(self) -> Session:
        """Another session at the same point, which goes its own way. Its coming dice are those of this session."""
        return Session(self._native.fork())

    @property
    def ending(self) -> Ending | None:
        """How the game ended; nothing while it is going on."""
        return self._native.ending

    @property
    def answers(self) -> int:
        """How often somebody has answered."""
        return self._native.answers

    @property
    def digest(self) -> int:
        """The digest of the state: equal for equal states."""
        return self._native.digest

    def view(self, side: str | None = None) -> dict[str, Any]:
        """The game as a side sees it; without a side, as a spectator does; with `"*"`, as one person for all sides does."""
        view: dict[str, Any] = json.loads(self._native.view_json(side))
        return view

    def record(self) -> str:
        """The record of the game so far: everything that is needed to play it again, as text."""
        return self._native.record()

    def changes(self, since: int = 0) -> list[str]:
        """What happened since a number of changes (`change_count`), as cases write it. Nothing is hidden here."""
        return self._native.changes(since)

    @property
    def change_count(self) -> int:
        """How many changes there were so far."""
        return self._native.change_count
