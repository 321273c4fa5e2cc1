"""Questions as numbered actions, for programs that learn.

An action is the number of an option. A selection is built by several actions: the number of an item adds one of it, in the order of the
items, and the number after the last item ends the selection. Only actions that lead to a legal answer are legal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._native import Question
from .game import Game, Session


class Turns:
    """A session whose questions are answered one after the other with numbered actions."""

    def __init__(self, game: Game, session: Session) -> None:
        self.game = game
        self.session = session
        self._layout = Layout(game)
        self._read()

    def _read(self) -> None:
        questions = self.session.questions()
        #: What is asked now; of several sides that answer at once, the first in the order of seats.
        self.question: Question | None = min(
            questions, key=lambda question: self.game.sides.index(question.side), default=None
        )
        self._taken: list[int] = []
        self._restart_selection()

    def _restart_selection(self) -> None:
        question = self.question
        if question is not None and question.items is not None:
            self._taken = self._taken or [0] * len(question.options)
            self._complete, self._next = self.session.next_items(question.side, self._taken)

    def legal(self) -> list[int]:
        """The numbers of the legal actions, in order."""
        question = self.question
        if question is None:
            return []
        if question.items is None:
            return list(range(len(question.options)))
        actions = [number for number, can in enumerate(self._next) if can]
        return [*actions, len(question.options)] if self._complete else actions

    def name(self, action: int) -> str:
        """What an action stands for."""
        question = self.question
        if question is None:
            raise ValueError("nothing is asked: the game is over")
        if action == len(question.options) and question.items is not None:
            return "done"
        return question.options[action]

    def act(self, action: int) -> None:
        """Takes an action."""
        question = self.question
        if question is None or action not in self.legal():
            raise ValueError(f"action {action} is not legal; legal are {self.legal()}")
        if question.items is None:
            self.session.answer(question.side, question.options[action])
            self._read()
        elif action == len(question.options):
            chosen = zip(question.options, self._taken, strict=True)
            self.session.answer(question.side, " ".join(f"{name}*{n}" for name, n in chosen if n))
            self._read()
        else:
            self._taken[action] += 1
            self._restart_selection()

    def fork(self) -> Turns:
        """The same point once more, with a selection that was begun."""
        other = Turns(self.game, self.session.fork())
        other._taken = list(self._taken)
        other._restart_selection()
        return other

    def observation(self, side: str) -> npt.NDArray[np.float32]:
        """What a side sees, as numbers (see `Layout`)."""
        taken = self._taken if self.question is not None and self.question.side == side else []
        return self._layout.observation(self.session, side, taken)

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self._layout.size


class Layout:
    """Where what stands in an observation: for each space the number of pieces seen there in all and of each side; the attributes of the
    game and of each side; and how many of each of the first items of a selection are taken.

    Numbers stand as they are, truth as 1, sides and spaces by their number from 1, other names as 0: what they are called is no
    quantity. All else that a side sees is in `Session.view`.
    """

    #: Of a selection that is being built, so many items are told.
    ITEMS = 64

    def __init__(self, game: Game) -> None:
        self._sides = {side: number for number, side in enumerate(game.sides)}
        self._spaces = {space: number for number, space in enumerate(game.spaces)}
        self._game_names = game.attributes_of_game
        self._side_names = game.attributes_of_sides
        self._row = 1 + len(self._sides)
        self._attributes = len(self._spaces) * self._row
        self._items = self._attributes + len(self._game_names) + len(self._sides) * len(self._side_names)
        self.size = self._items + self.ITEMS

    def observation(self, session: Session, side: str, taken: list[int]) -> npt.NDArray[np.float32]:
        view = session.view(side)
        numbers = np.zeros(self.size, dtype=np.float32)
        for name, space in view["spaces"].items():
            row = self._spaces[name] * self._row
            numbers[row] = space["count"]
            for piece in space.get("pieces", ()):
                if "side" in piece:
                    numbers[row + 1 + self._sides[piece["side"]]] += 1
        place = self._attributes
        for values, names in [
            (view["game"], self._game_names),
            *((view["sides"][name], self._side_names) for name in self._sides),
        ]:
            for offset, name in enumerate(names):
                numbers[place + offset] = self._number(values.get(name, "0"))
            place += len(names)
        for offset, count in enumerate(taken[: self.ITEMS]):
            numbers[self._items + offset] = count
        return numbers

    def _number(self, text: str) -> float:
        if text in ("true", "false"):
            return float(text == "true")
        for names in (self._sides, self._spaces):
            if text in names:
                return names[text] + 1.0
        try:
            return float(text)
        except ValueError:
            return 0.0
