"""Games, sessions, records and playouts from Python."""

import threading

import numpy as np
import pytest

import sandtable
from sandtable.actions import Turns
from sandtable.states import TERMINAL
from sandtable.states import Game as StateGame


@pytest.fixture(scope="module")
def skirmish() -> sandtable.Game:
    return sandtable.load("skirmish")


def test_the_shipped_games_are_there() -> None:
    assert {"skirmish", "stalins-war"} <= set(sandtable.games())


def test_a_game_is_played_undone_and_followed(skirmish: sandtable.Game) -> None:
    session = skirmish.session(7)
    question = session.questions()[0]
    before = session.digest
    session.answer(question.side, question.options[0])
    assert session.answers == 1
    again = skirmish.follow(session.record())
    assert again.digest == session.digest
    session.undo()
    assert session.digest == before


def test_a_fork_goes_its_own_way(skirmish: sandtable.Game) -> None:
    session = skirmish.session(7)
    before = session.digest
    session.fork().finish_at_random()
    assert session.digest == before


def test_a_side_does_not_see_what_is_hidden(skirmish: sandtable.Game) -> None:
    session = skirmish.session(7)
    own, other = (session.view(side) for side in skirmish.sides)
    assert own != other
    assert session.view("*") not in (own, other)


def test_wrong_answers_are_told_and_change_nothing(skirmish: sandtable.Game) -> None:
    session = skirmish.session(7)
    side = session.questions()[0].side
    before = session.digest
    with pytest.raises(sandtable.IllegalAnswer):
        session.answer(side, "no-such-option")
    assert session.digest == before
    with pytest.raises(sandtable.LoadError, match="skirmish"):
        sandtable.load("skirmsh")
    with pytest.raises(ValueError, match="vale"):
        skirmish.playouts(1, players={"nobody": "greedy"})


def test_settings_and_layers_change_the_game(tmp_path) -> None:  # type: ignore[no-untyped-def]
    short = sandtable.load("skirmish", settings=["value.last-turn.is=1"])
    usual = sandtable.load("skirmish")
    assert short.playouts(20).answers.mean() < usual.playouts(20).answers.mean() / 2
    layer = tmp_path / "weak.lua"
    layer.write_text(
        "--- layer: weak\n--- version: 1.0\n--- game: skirmish\n"
        'modify("attack", "weak", { stage = "ground" }, function(n) n:add(-1) end)\n'
    )
    weak = sandtable.load("skirmish", layers=[layer])
    assert (weak.playouts(20).digest != usual.playouts(20).digest).any()


def test_playouts_do_not_depend_on_the_number_of_threads(skirmish: sandtable.Game) -> None:
    one, two = skirmish.playouts(30, seed=5), skirmish.playouts(30, seed=5, jobs=2)
    assert np.array_equal(one.digest, two.digest)
    assert one.ended.all()
    assert sum(one.wins(side) for side in one.sides) + int((one.winner == -1).sum()) == 30


def test_the_interpreter_goes_on_while_games_are_played(skirmish: sandtable.Game) -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    skirmish.playouts(300)
    done.set()
    thread.join()
    assert counted > 10


def test_a_player_that_wants_to_win_beats_chance(skirmish: sandtable.Game) -> None:
    outcomes = skirmish.playouts(20, players={"vale": "greedy"}, jobs=2)
    assert outcomes.wins("vale") > outcomes.wins("harrow")
    session = skirmish.session(3)
    side = session.questions()[0].side
    advice = session.advise(side, sandtable.Player("standard:60", 1))
    assert advice.trials > 0 and 0 <= advice.winning <= 100
    session.answer(side, advice.answer)


@pytest.mark.parametrize("name", ["skirmish", "axis-allies-europe", "conflict-of-heroes"])
def test_numbered_actions_reach_the_end_or_go_far(name: str) -> None:
    random = np.random.default_rng(4)
    state = StateGame(sandtable.load(name)).new_initial_state(seed=2)
    for _ in range(600):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        assert legal, "somebody is asked who can do nothing"
        state.apply_action(int(random.choice(legal)))
    if name == "skirmish":
        assert state.is_terminal() and state.current_player() == TERMINAL
        assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_selection_is_built_and_forked(skirmish: sandtable.Game) -> None:
    random = np.random.default_rng(1)
    turns = Turns(skirmish, skirmish.session(5))
    while turns.question is not None:
        if turns.question.items is not None and turns.legal()[0] != len(turns.question.options):
            turns.act(turns.legal()[0])
            other = turns.fork()
            assert other.legal() == turns.legal()
            side = turns.question.side if turns.question else ""
            assert np.array_equal(other.observation(side), turns.observation(side))
            return
        turns.act(int(random.choice(turns.legal())))
    pytest.fail("no selection was asked")


def test_the_cases_of_the_rulebook_hold(skirmish: sandtable.Game) -> None:
    count, failed = skirmish.run_cases()
    assert count > 100 and failed == []
