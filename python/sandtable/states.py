"""Games and states in the manner of OpenSpiel, for programs that are written against such an interface.

Dice are rolled by the session's seed: there are no chance nodes, and `new_initial_state` takes a seed.
"""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from . import game as _game
from .actions import Turns

#: What `current_player` gives when the game is over.
TERMINAL = -4


class Game:
    """A game whose states are played with numbered actions."""

    def __init__(self, game: _game.Game) -> None:
        self.game = game

    def num_players(self) -> int:
        """How many sides there are."""
        return len(self.game.sides)

    def new_initial_state(self, seed: int = 0) -> State:
        """A new game from its set-up."""
        return State(Turns(self.game, self.game.session(seed)))


class State:
    """A moment of a game."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def current_player(self) -> int:
        """The number of the side that is to act, or `TERMINAL`."""
        question = self._turns.question
        return TERMINAL if question is None else self._turns.game.sides.index(question.side)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._turns.question is None

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions."""
        return self._turns.legal()

    def action_to_string(self, action: int) -> str:
        """What an action stands for."""
        return self._turns.name(action)

    def apply_action(self, action: int) -> None:
        """Takes an action."""
        self._turns.act(action)

    def returns(self) -> list[float]:
        """For each side 1 if it has won, -1 if another has, else 0."""
        return returns(self._turns)

    def clone(self) -> State:
        """The same moment once more."""
        return State(self._turns.fork())

    def observation_string(self, player: int) -> str:
        """What a side sees, as text: equal for equal pictures."""
        return json.dumps(self._turns.session.view(self._turns.game.sides[player]), sort_keys=True)

    def observation_tensor(self, player: int) -> npt.NDArray[np.float32]:
        """What a side sees, as numbers."""
        return self._turns.observation(self._turns.game.sides[player])

    def record(self) -> str:
        """The record of the game so far."""
        return self._turns.session.record()


def returns(turns: Turns) -> list[float]:
    """For each side 1 if it has won, -1 if another has, else 0."""
    ending = turns.session.ending
    if ending is None or ending.winner is None:
        return [0.0] * len(turns.game.sides)
    return [1.0 if side == ending.winner else -1.0 for side in turns.game.sides]
