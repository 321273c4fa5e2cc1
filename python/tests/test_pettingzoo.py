"""The environment keeps to PettingZoo's interface."""

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

import sandtable  # noqa: E402
from sandtable.pettingzoo import Environment  # noqa: E402


def test_pettingzoo_accepts_the_environment() -> None:
    api_test(Environment(sandtable.load("skirmish"), seed=7), num_cycles=400)


def test_the_same_seed_gives_the_same_game() -> None:
    seed_test(lambda: Environment(sandtable.load("skirmish")), num_cycles=100)


def test_a_game_ends_with_a_return_for_each_side() -> None:
    environment = Environment(sandtable.load("skirmish"), seed=7)
    environment.reset()
    rewards = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[agent] += reward
        over = terminated or truncated
        environment.step(None if over else environment.action_space(agent).sample(observation["action_mask"]))
    assert environment.agents == []
    assert sum(rewards.values()) == 0


def test_too_few_actions_are_an_error() -> None:
    with pytest.raises(ValueError, match="max_actions"):
        Environment(sandtable.load("skirmish"), max_actions=1).reset()


def test_a_bound_on_answers_truncates() -> None:
    environment = Environment(sandtable.load("skirmish"), seed=7, max_answers=5)
    environment.reset()
    for agent in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        if truncated:
            break
        environment.step(environment.action_space(agent).sample(observation["action_mask"]))
    assert truncated and not terminated
