"""The log on stderr: the daemon never waits for its reader, and no client can flood it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Callable, Iterator, Optional

import pytest

import harness
from harness import Daemon, formd_binary

Start = Callable[..., Daemon]

FAULTY = {
    "form": "faulty",
    "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
    "outputs": {"first": "[1][int(values.a.orValue('0')) % 2]"},
}


@pytest.fixture
def full_pipe() -> Iterator[int]:
    """The writing end of a pipe that is full and has no reader."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"." * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writing, True)
    yield writing
    os.close(reading)
    os.close(writing)


def connected(path: Path) -> Optional[harness.Connection]:
    """A connection, if the daemon listens already: no line can say so here."""
    try:
        return harness.Connection(path)
    except (FileNotFoundError, ConnectionRefusedError):
        return None


def test_a_log_that_nobody_reads_stops_nothing(folder: Path, full_pipe: int) -> None:
    forms = folder / "forms"
    forms.mkdir()
    (forms / "faulty.form.json").write_text(json.dumps(FAULTY), encoding="utf-8")
    path = folder / "run" / "formd.sock"
    process = subprocess.Popen(
        [str(formd_binary()), "serve", "--socket", str(path), "--forms", str(forms)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=full_pipe, start_new_session=True,
    )  # fmt: skip
    try:
        with harness.eventually(lambda: connected(path), "a daemon that listens") as connection:
            connection.call("session/open", {"form": "faulty"})
            for number in range(6000):
                # With every other one the formula goes wrong, and so there is a line.
                connection.call("field/change", {"field": "a", "value": str(number)})
            connection.call("server/ping")
        for _ in range(3):
            process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert process.wait(harness.PATIENCE_SECONDS) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_a_start_that_fails_ends_though_nobody_reads_why(folder: Path, full_pipe: int) -> None:
    process = subprocess.run(
        [str(formd_binary()), "serve", "--socket", str(folder / "s"), "--forms", str(folder / "nowhere")],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=full_pipe, timeout=harness.PATIENCE_SECONDS,
    )  # fmt: skip
    assert process.returncode == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_peers_of_another_user_are_named_and_do_not_flood_the_log(start: Start) -> None:
    daemon = start()
    # Root opens the way that the daemon itself keeps shut.
    os.chmod(daemon.path, 0o666)
    for above in (daemon.path.parent, *daemon.path.parent.parents):
        if above == Path("/tmp"):
            break
        os.chmod(above, os.stat(above).st_mode | 0o011)
    stranger = os.fork()
    if stranger == 0:
        os.setuid(65534)
        for _ in range(500):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(daemon.path))
        os._exit(0)
    assert os.waitpid(stranger, 0)[1] == 0
    daemon.line_with("a client of another user was refused", "uid=65534", f"pid={stranger}")
    daemon.line_with("refused (and", "more like this)")
    with daemon.connect() as connection:
        harness.eventually(
            lambda: connection.call("server/stats")["connectionsRefused"] == 500, "the count of refused clients"
        )
    assert daemon.end() == 0
    lines = [line for line in daemon.lines if "another user was refused" in line]
    assert len(lines) < 200, len(lines)
