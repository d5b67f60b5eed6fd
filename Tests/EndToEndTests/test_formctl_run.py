"""`formctl run` from a pipe: it ends by itself, and not before everything has come."""

from __future__ import annotations

import os
import subprocess

import pytest

from harness import Daemon, formd_binary


def run(daemon: Daemon, form: str, script: str) -> subprocess.CompletedProcess[str]:
    formctl = os.environ.get("FORMCTL_BIN") or str(formd_binary().parent / "formctl")
    return subprocess.run(
        [formctl, "run", "--socket", str(daemon.path), form], input=script, capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize("round_number", range(10))
def test_an_answer_that_comes_with_the_tap_is_not_waited_for_twice(daemon: Daemon, round_number: int) -> None:
    done = run(daemon, "search", f"term=round {round_number}\ntap search\n")
    assert done.returncode == 0, done
    assert done.stdout.count("* search succeeded") == 1, done.stdout


def test_the_end_of_input_waits_for_a_tap_that_a_throttle_holds(daemon: Daemon) -> None:
    done = run(daemon, "join", "email=kim@example.com\ntap check\ntap check\ntap check\n")
    assert done.returncode == 0, done
    assert "the tap was held" in done.stdout, done.stdout
    # The first at once, the second given up for the third, which fires at the end of the window.
    assert done.stdout.count("* check succeeded") == 2, done.stdout
