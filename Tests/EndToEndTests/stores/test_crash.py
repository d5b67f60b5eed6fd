"""A daemon that is killed under load loses nothing that it acknowledged: `scripts/fuzz crash` in small, and the faults
that its checker can find."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

from harness import JSON, ROOT, formd_binary
from postgresql import NONE, programs

sys.path.insert(0, str(ROOT / "scripts" / "bench.d"))

from store.history import History, Input  # noqa: E402

ROUNDS = 30
ROUNDS_OF_MACHINES = 10
"""Each waits for the lease of the daemon before."""
SEED = 20_261_123
SECONDS_MAX = 600.0


def crash(rounds: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "bench.d" / "store" / "crash", str(rounds), "--seed", str(SEED), *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS_MAX, check=False)


def test_nothing_is_lost_when_the_daemon_is_killed() -> None:
    ran = crash(ROUNDS, "--formd", formd_binary())
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{ROUNDS} kills, and no acknowledged input was lost" in ran.stdout


@pytest.mark.skipif(programs() is None, reason=NONE)
@pytest.mark.parametrize(("rounds", "machines"), [(ROUNDS, 1), (ROUNDS_OF_MACHINES, 2)])
def test_nothing_is_lost_when_a_daemon_is_killed_that_stores_in_postgresql(rounds: int, machines: int) -> None:
    ran = crash(rounds, "--formd", formd_binary(), "--postgres", "--machines", str(machines))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{rounds} kills, and no acknowledged input was lost" in ran.stdout


def test_a_store_that_forgets_is_found(folder: Path) -> None:
    # It starts without the log, and so without the last commits.
    forgetful = folder / "formd"
    forgetful.write_text(f'#!/bin/sh\nrm -f "$(dirname "$3")/sessions.sqlite-wal"\nexec "{formd_binary()}" "$@"\n', encoding="utf-8")
    forgetful.chmod(0o700)
    ran = crash(ROUNDS, "--formd", forgetful, "--findings", folder)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "BROKEN" in ran.stdout and (folder / f"crash-{SEED}" / "log").exists()


# The checker, fed with histories that were made up

INITIAL = {"tag": "t", "mark": "0", "a": "0", "b": "0", "items": [{"name": "first"}]}
TAP = Input("action/tap", {"action": "send"})


def changed(**values: str) -> Input:
    return Input("field/change", {"values": values})


def lived() -> History:
    """Three inputs and a tap were answered, of three inputs more nothing is known."""
    history = History("t", "0" * 32, INITIAL)
    answered = [changed(a="1"), Input("field/insert", {"field": "items", "at": 0, "value": {"name": "second"}}), changed(mark="7"), TAP]
    for revision, one in enumerate(answered, start=1):
        result = {"revision": revision, "outcome": "started", "run": 1} if one is TAP else {"revision": revision}
        assert history.is_answered(history.sends(one), result) == []
    event = {"seq": 1, "action": "send", "run": 1, "kind": "succeeded", "result": {}}
    assert history.is_updated({"revision": 5, "events": [event]}) == []
    for one in [changed(a="2"), Input("field/move", {"field": "/items/0", "to": 1}), changed(b="3", pin="geheim")]:
        history.sends(one)
    return history


def found(history: History, inputs: int, seq: int = 0) -> JSON:
    """The answer that the client finds if the first `inputs` of its inputs had an effect."""
    values = history.base
    for one in history.inputs[:inputs]:
        values = one.applied(values, INITIAL)
    return {
        "revision": max(5, inputs), "values": copy.deepcopy(values), "eventsLost": 0,
        "events": [event for number, event in sorted(history.events.items()) if number > seq],
        "document": {"outputs": {"echo": f"{values['mark']}|{values['a']}"}},
    }  # fmt: skip


@pytest.mark.parametrize("inputs", [4, 5, 6, 7])
@pytest.mark.parametrize("seq", [0, 1])
def test_the_checker_admits_what_was_acknowledged_and_any_more_that_was_sent(inputs: int, seq: int) -> None:
    history = lived()
    what = found(history, inputs, seq)
    assert history.is_attached(what, seq, {"7": 1}) == []
    assert history.base == history.latest == what["values"] and history.inputs == []
    # It goes on from there.
    assert history.is_answered(history.sends(changed(a="8")), {"revision": what["revision"] + 1}) == []
    assert history.is_attached(found(history, 1) | {"revision": what["revision"] + 1}, 0, {"7": 1}) == []


def lose_acknowledged(history: History, what: JSON) -> None:
    what.update(found(history, 2), events=what["events"])


def lose_one_in_between(history: History, what: JSON) -> None:
    what["values"]["b"] = "3"


def take_what_nobody_sent(history: History, what: JSON) -> None:
    what["values"]["items"][0]["name"] = "third"


def mix_values_and_document(history: History, what: JSON) -> None:
    what["document"]["outputs"]["echo"] = "7|2"


def go_back_in_revisions(history: History, what: JSON) -> None:
    what["revision"] = 4


def lose_an_event(history: History, what: JSON) -> None:
    what["events"] = []


def tell_an_event_twice(history: History, what: JSON) -> None:
    what["events"] *= 2


def give_a_number_to_another_event(history: History, what: JSON) -> None:
    what["events"] = [{**what["events"][0], "kind": "failed", "error": "interrupted"}]


def end_a_run_twice(history: History, what: JSON) -> None:
    what["events"].append({**what["events"][0], "seq": 2, "kind": "failed", "error": "interrupted"})


def forget_the_end_of_a_run(history: History, what: JSON) -> None:
    history.runs.add(2)


@pytest.mark.parametrize(
    ("plant", "finds"),
    [
        (lose_acknowledged, "but 4 inputs are acknowledged"),
        (lose_one_in_between, "are not the values after any of the inputs"),
        (take_what_nobody_sent, "are not the values after any of the inputs"),
        (mix_values_and_document, "does not belong to the values"),
        (go_back_in_revisions, "the revision is 4, and was 5"),
        (lose_an_event, "the events after 0 are []"),
        (tell_an_event_twice, "have the numbers [1, 1]"),
        (give_a_number_to_another_event, "the event 1 is"),
        (end_a_run_twice, "the run 1 has 2 events"),
        (forget_the_end_of_a_run, "the run 2 was answered, and has no event"),
    ],
)
def test_the_checker_finds_a_planted_fault(plant: Callable[[History, JSON], None], finds: str) -> None:
    history = lived()
    what = found(history, 4)
    plant(history, what)
    faults = history.is_attached(what, 0, {"7": 1})
    assert any(finds in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("requests", "inputs", "finds"),
    [
        ({"7": 2}, 4, "the tap of mark 7 was sent 2 times"),
        ({"7": 1, "9": 1}, 4, "came without a tap"),
        ({"7": 1, "8": 1}, 7, "but 9 inputs are acknowledged or had an effect"),
        ({"7": 1, "8": 1}, 9, "2 requests were sent, and 1 runs have events"),
    ],
)
def test_the_checker_finds_an_effect_that_must_not_be(requests: dict[str, int], inputs: int, finds: str) -> None:
    history = lived()
    history.sends(changed(mark="8"))
    history.sends(TAP)
    faults = history.is_attached(found(history, inputs), 0, requests)
    assert any(finds in fault for fault in faults), faults


def test_the_checker_finds_answers_and_updates_out_of_order() -> None:
    history = lived()
    assert history.is_answered(6, {"revision": 6}) == ["input 6 was answered after input 4"]
    assert history.is_updated({"revision": 5}) == ["revision 5 came after 6"]
    assert history.is_updated({"revision": 7, "events": [history.events[1]]}) == ["the event 1 came twice"]
