"""Sandtable: wargames whose rules are data, from Python.

>>> import sandtable
>>> game = sandtable.load("skirmish")
>>> session = game.session(seed=7)
>>> question = session.questions()[0]
>>> session.answer(question.side, question.options[0])
"""

from ._native import Advice, Ending, IllegalAnswer, Item, LoadError, Player, Question, SandtableError
from ._native import shipped_games as _shipped_games
from .game import Game, Outcomes, Session, load

__all__ = [
    "Advice",
    "Ending",
    "Game",
    "IllegalAnswer",
    "Item",
    "LoadError",
    "Outcomes",
    "Player",
    "Question",
    "SandtableError",
    "Session",
    "games",
    "load",
]


def games() -> list[str]:
    """The ids of the games that come with the package."""
    return sorted(_shipped_games())
