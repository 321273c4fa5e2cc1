"""Any game as an environment of PettingZoo (`pip install sandtable[pettingzoo]`).

>>> from sandtable import load, pettingzoo
>>> environment = pettingzoo.Environment(load("skirmish"), seed=7)

The sides are the agents. Actions are numbered as `sandtable.actions` says; which are legal stands in the action mask. Choose `max_actions`
large enough for the game: a question with more of them is an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .actions import Turns
from .game import Game
from .states import returns


class Environment(AECEnv):  # type: ignore[misc]
    """A game in which each side in turn is asked for an action."""

    metadata = {"name": "sandtable", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        max_actions: int = 512,
        max_answers: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self._seed = seed
        self._max_actions = max_actions
        self._max_answers = max_answers
        self.possible_agents = list(game.sides)
        size = Turns(game, game.session(seed)).observation_size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (max_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(max_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game: with `seed` that one, else the next after the last."""
        if seed is not None:
            self._seed = seed
        self.turns = Turns(self.game, self.game.session(self._seed))
        self._seed += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        question = self.turns.question
        if question is not None:
            self.agent_selection = question.side
            last = max(self.turns.legal())
            if last >= self._max_actions:
                raise ValueError(f"{question.prompt} has {last + 1} actions; make the environment with max_actions={last + 1} or more")
            self.infos[question.side] = {"question": question.text}

    def observe(self, agent: str) -> dict[str, Any]:
        mask = np.zeros(self._max_actions, dtype=np.int8)
        question = self.turns.question
        if question is not None and question.side == agent and agent == self.agent_selection:
            mask[self.turns.legal()] = 1
        return {"observation": self.turns.observation(agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is wanted of a side that still plays")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.turns.act(int(action))
        if self.turns.question is None:
            self.rewards = dict(zip(self.possible_agents, returns(self.turns), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_answers is not None and self.turns.session.answers >= self._max_answers:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """What is asked, as text."""
        if self.render_mode != "ansi":
            return None
        question = self.turns.question
        return "the game is over" if question is None else f"{question.side}: {question.text}"

    def close(self) -> None:
        pass
