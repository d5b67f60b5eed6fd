"""scripts/several-daemons, with the daemon that is built already."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Optional

import pytest

from harness import ROOT, Process, formd_binary
from postgresql import NONE, programs

SCRIPT = str(ROOT / "scripts" / "several-daemons")

needs_postgresql = pytest.mark.skipif(programs() is None, reason=NONE)


def processes_of(folder: str) -> list[str]:
    """The command lines that name that folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # The process has ended.
            continue
        if folder in command:
            found.append(command)
    return found


def leaves_nothing(output: str) -> None:
    folder = Path(next(line for line in output.splitlines() if line.startswith("PostgreSQL: ")).split(": ", 1)[1]).parent
    assert not folder.exists()
    assert processes_of(str(folder)) == []


@needs_postgresql
def test_a_session_survives_its_machine() -> None:
    process = Process([SCRIPT], {"FORMD_BIN": str(formd_binary())})
    assert process.wait() == 0, process.output
    lines = process.output.splitlines()
    told = [line for line in lines if line.startswith("   ")]
    assert [line.split("(")[0].strip() for line in told] == [
        "A  email: kim@example.com",
        "B  1014: The session is in use at another daemon",
        "B  email: kim@example.com",
        "A  session/closed: moved",
        "B  session/detach",
        "A  email: kim@example.com",
        "A  email: lee@example.com",
        "A  is dead",
        "B  email: lee@example.com",
        "B  password: empty, because secrets are not stored",
        "B  the tap succeeded: Kim님 환영합니다.",
    ], process.output
    assert lines[-1] == "No acknowledged value was lost."
    leaves_nothing(process.output)


HELD_DAEMON = """#!/usr/bin/env python3
import os, signal, sys
from pathlib import Path

arguments = sys.argv[1:]
folder = Path(arguments[arguments.index("--socket") + 1]).parent
if folder.name == {held!r}:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    signal.sigwait([signal.SIGTERM])
    sys.exit(0)
config = folder / "formd.json"
config.write_text(config.read_text().replace('"lease": "3s"', '"lease": "10m"'))
os.execv({formd!r}, [{formd!r}, *arguments])
"""


@needs_postgresql
@pytest.mark.parametrize("moment, held", [("PostgreSQL: ", "A"), ("A: ", "B"), ("A  is dead", None)])
def test_ctrl_c_ends_everything(tmp_path: Path, moment: str, held: Optional[str]) -> None:
    # The story reaches that moment but not its end: a daemon never listens, or the lease of the dead daemon has not run
    # out yet.
    daemon = tmp_path / "formd"
    daemon.write_text(HELD_DAEMON.format(held=held, formd=str(formd_binary())), encoding="utf-8")
    daemon.chmod(0o755)
    process = Process([SCRIPT], {"FORMD_BIN": str(daemon)})
    process.line_with(moment)
    process.signal(signal.SIGINT)
    assert process.wait() == 0, process.output
    assert process.output.endswith("Ending."), process.output
    leaves_nothing(process.output)


@needs_postgresql
def test_a_daemon_that_does_not_start_fails_it() -> None:
    process = Process([SCRIPT], {"FORMD_BIN": "/bin/false"})
    assert process.wait() == 1, process.output
    assert "several-daemons: the daemon A ended before it was ready" in process.output
    leaves_nothing(process.output)


def test_it_says_what_it_is_for() -> None:
    help = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True, timeout=60, check=True)
    assert help.stdout.startswith("Shows how a session survives") and "FORMD_BIN" in help.stdout
    unknown = subprocess.run([SCRIPT, "--twice"], env={**os.environ, "FORMD_BIN": "/bin/false"}, capture_output=True, text=True, timeout=60)
    assert unknown.returncode == 2 and "--twice" in unknown.stderr
