"""The log on stderr: the daemon never waits for its reader, and no client can flood it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional

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


# Formats and levels

RFC3339 = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d"


def test_each_line_has_a_time_with_milliseconds(start: Start) -> None:
    assert re.match(RFC3339 + " notice formd: ", start().line_with("listening"))


def journaled(folder: Path, config: Dict[str, object]) -> List[str]:
    """The lines of a daemon that ends at once, on a file that systemd says is read by journald."""
    (folder / "formd.json").write_text(json.dumps(config), encoding="utf-8")
    log = folder / "journal"
    with open(log, "wb") as stream:
        status = os.fstat(stream.fileno())
        subprocess.run(
            [str(formd_binary()), "serve", "--stdio", "--config", str(folder / "formd.json")],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stream, check=True,
            timeout=harness.PATIENCE_SECONDS,
            env={**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"},
        )  # fmt: skip
    return log.read_text(encoding="utf-8").splitlines()


def test_lines_for_journald_begin_with_their_priority(folder: Path) -> None:
    lines = journaled(folder, {})
    assert lines and all(re.match("<5>" + RFC3339 + " notice ", line) for line in lines), lines


def test_a_file_that_is_not_the_journal_has_no_priorities(start: Start) -> None:
    daemon = start(environment={"JOURNAL_STREAM": "1:1"})
    assert daemon.line_with("listening").startswith("20")


def test_json_has_one_object_a_line_with_stable_members(folder: Path) -> None:
    lines = journaled(folder, {"log": {"format": "json"}})
    assert lines
    for line in lines:
        assert line.startswith("<5>{")
        entry = json.loads(line[3:])
        assert re.fullmatch(RFC3339, entry["time"]) and entry["level"] == "notice" and entry["module"] == "Daemon"
        assert set(entry) <= {"time", "level", "message", "module", "details", "more"}
        assert all(isinstance(value, str) for value in entry.get("details", {}).values())


def test_a_reload_switches_to_json_and_to_debug(start: Start) -> None:
    daemon = start({})
    daemon.config.write_text(json.dumps({"log": {"format": "json", "level": "debug"}}), encoding="utf-8")
    seen = len(daemon.lines)
    with daemon.connect() as connection:
        connection.call("server/reload")
        connection.call("server/ping")
        entry = json.loads(daemon.line_with("server/ping", after=seen))
        assert entry["message"] == "a message was handled" and entry["level"] == "debug"
        assert entry["details"]["outcome"] == "done" and "microseconds" in entry["details"]


def test_debug_and_trace_name_messages_and_turns_and_no_values(start: Start) -> None:
    daemon = start({"log": {"level": "trace"}})
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("field/change", {"field": "email", "value": "kim@example.com"})
        connection.call("field/change", {"field": "password", "value": "hunter2"})
        connection.refused("field/change", {"field": "nobody", "value": "hunter2"})
        daemon.line_with("debug", "a message was handled", "cause=field/change", "part=email", "session=1", "outcome=done")
        daemon.line_with("a message was handled", "part=nobody", 'outcome="error 1004"')
        daemon.line_with("trace", "a turn has ended", "form=login", "session=1", "fields/email/isdirty")
    assert daemon.end() == 0
    assert "kim@" not in daemon.output and "hunter2" not in daemon.output


def test_a_failed_effect_is_a_warning_with_service_and_kind(start: Start) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        daemon = start({"services": {"accounts": {"http": {"baseURL": f"http://127.0.0.1:{closed.getsockname()[1]}"}}}})
        with daemon.connect() as connection:
            connection.call("session/open", {"form": "login"})
            connection.call("field/change", {"values": {"email": "kim@example.com", "password": "x"}})
            for _ in range(8):
                connection.call("action/tap", {"action": "login", "await": True})
        daemon.line_with("warning", "an effect failed", "service=accounts", "kind=refused", "form=login")
    assert daemon.end() == 0
    assert sum("an effect failed" in line for line in daemon.lines) == 5
