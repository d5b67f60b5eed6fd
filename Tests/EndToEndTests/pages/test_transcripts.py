"""The transcripts of protocol/transcripts: their form, and their replay by `formctl play` with the built daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import Backend, Daemon, formctl
from record_transcripts import FOLDER, SCENARIOS, Hear, Say

TRANSCRIPTS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def lines_of(name: str) -> list[str]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_every_scenario_has_its_transcript_and_every_transcript_its_scenario() -> None:
    assert TRANSCRIPTS == sorted(SCENARIOS)


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_lines_are_what_the_format_says(name: str) -> None:
    at = 0
    for line in lines_of(name):
        step: dict[str, Any] = json.loads(line)
        assert step["at"] >= at
        at = step["at"]
        if "effect" in step:
            asked = {"check", "lookup"} & set(step["effect"]) or {"action", "run"}
            assert set(step["effect"]) == {"session", "response", *asked}
        else:
            assert step["dir"] in ("->", "<-") and step["frame"]["jsonrpc"] == "2.0"


# The transcripts in which no timer of the form takes part. The Swift tests replay all further transcripts in virtual
# time: in real time a busy machine would decide the order.
@pytest.mark.parametrize("name", ["login", "nickname"])
def test_formctl_plays_a_transcript(start: Callable[..., Daemon], folder: Path, name: str) -> None:
    backend = Backend(folder / "own.sqlite")
    daemon = start(harness.configuration(backend), forms=harness.EXAMPLES)
    # By the clock, a busy machine could send the second of two taps when the answer to the first is there.
    run = formctl("play", "--speed", "0", "--socket", daemon.path, FOLDER / f"{name}.jsonl")
    backend.end()
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_scenarios_go_forward_in_time() -> None:
    for _, steps in SCENARIOS.values():
        times = [step.at for step in steps]
        assert times == sorted(times) and all(isinstance(step, (Say, Hear)) for step in steps)
