"""scripts/quickstart --once, with the daemon that is built already."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from harness import ROOT, Process, formd_binary


def test_once_shows_the_conversation_in_order_and_leaves_nothing_behind() -> None:
    before = set(Path("/tmp").glob("formd-*"))
    run = subprocess.run(
        [str(ROOT / "scripts/quickstart"), "--once"],
        env={**os.environ, "FORMD_BIN": str(formd_binary())}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    position = -1
    enabled, name = '"isEnabled": true', '{"name": "Kim"}'
    for words in ('"isValid": false', "update 1", "update 2", enabled, name, "badRequest", "rejected", "blockers"):
        position = run.stdout.find(words, position + 1)
        assert position >= 0, f"{words} is missing, or too early:\n{run.stdout}"
    assert "hunter2" not in run.stdout
    assert {path for path in Path("/tmp").glob("formd-*") if not path.name.startswith("formd-e2e-")} <= before


@pytest.mark.parametrize("before", ["", "trap '' INT;"], ids=["started by a terminal", "started in the background"])
def test_without_once_it_stays_and_ctrl_c_ends_it_in_order(before: str) -> None:
    # A shell without job control starts its background jobs with SIGINT ignored, and so does many a runner of tests.
    command = ["bash", "-c", f'{before} exec "$0"', str(ROOT / "scripts/quickstart")]
    process = Process(command, {"FORMD_BIN": str(formd_binary())})
    socket_path = Path(process.line_with("export FORMD_SOCKET=").split("=", 1)[1])
    process.line_with("Logs:")
    run = subprocess.run(
        [str(ROOT / "protocol/clients/shell/login.sh")], env={**os.environ, "FORMD_SOCKET": str(socket_path)},
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert run.returncode == 0, run
    process.signal(signal.SIGINT)
    assert process.wait() == 0, process.output
    assert not socket_path.exists()


def test_a_daemon_that_does_not_start_fails_it() -> None:
    run = subprocess.run(
        [str(ROOT / "scripts/quickstart"), "--once"],
        env={**os.environ, "FORMD_BIN": "/bin/false"}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 1 and "formd" in run.stderr
