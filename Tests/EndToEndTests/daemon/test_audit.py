"""The audit: a file with a line for each act of a client, and no value."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import Daemon, eventually


def lines(file: Path, count: int) -> list[dict[str, Any]]:
    """The lines of the file, once there are so many."""
    eventually(lambda: file.is_file() and file.read_text(encoding="utf-8").count("\n") >= count, f"{count} lines in the audit")
    entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert all(entry["time"] for entry in entries)
    return [{"method": entry["message"], **entry["details"]} for entry in entries]


def test_each_act_has_a_line_with_who_and_what_and_without_a_value(start: Callable[..., Daemon], folder: Path) -> None:
    file = folder / "audit.jsonl"
    daemon = start({"audit": {"file": str(file)}, "store": {"sqlite": {"path": str(folder / "kept.sqlite")}}})
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with daemon.connect() as client, daemon.connect() as other:
        opened = client.call("session/open", {"form": "login", "keep": "1h", "values": {"email": "kim@example.com"}})
        other.call("session/attach", {"key": opened["key"]})
        client.call("field/change", {"field": "password", "value": "hunter2"})
        client.call("action/tap", {"action": "login"})
        assert client.exchange("session/attach", {"key": "A" * 43})[0]["error"]["code"] == 1001
        copy = folder / "copy.sqlite"
        client.call("server/backup", {"file": str(copy)})
        client.call("server/reload")
        client.call("server/endSession", {"session": opened["session"]})
        second = client.call("session/open", {"form": "feedback"})
        client.call("session/close", {"session": second["session"]})
        found = lines(file, 8)
        assert [line["method"] for line in found] == [
            "session/open", "session/attach", "action/tap", "server/backup", "server/reload", "server/endSession",
            "session/open", "session/close",
        ]  # fmt: skip
        for line in found:
            assert (line["uid"], line["pid"]) == (str(os.getuid()), str(os.getpid()))
        assert {found[index]["session"] for index in (0, 1, 2, 5)} == {str(opened["session"])}
        assert found[0]["connection"] == found[2]["connection"] != found[1]["connection"]
        assert (found[2]["form"], found[2]["action"]) == ("login", "login")
        assert found[3]["file"] == str(copy)
        gone = int(found[1]["connection"])
        client.call("server/disconnect", {"connection": gone})
        assert lines(file, 9)[8]["disconnected"] == str(gone)
    text = file.read_text(encoding="utf-8")
    for value in ("kim@example.com", "hunter2", opened["key"]):
        assert value not in text


def test_no_line_is_counted_away_and_a_later_daemon_adds_its_lines(start: Callable[..., Daemon], folder: Path) -> None:
    file = folder / "audit.jsonl"
    for round in (1, 2):
        daemon = start({"audit": {"file": str(file)}})
        with daemon.connect() as client:
            for _ in range(100):
                client.call("session/close", {"session": client.call("session/open", {"form": "login"})["session"]})
            assert len(lines(file, 200 * round)) == 200 * round
        assert daemon.end() == 0


def test_a_file_that_cannot_be_opened_keeps_the_daemon_from_starting(folder: Path) -> None:
    config = folder / "formd.json"
    config.write_text(json.dumps({"audit": {"file": "/nowhere/audit.jsonl"}}), encoding="utf-8")
    command = [str(harness.formd_binary()), "serve", "--config", str(config), "--socket", str(folder / "formd.sock")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=harness.PATIENCE_SECONDS)
    assert run.returncode == 1
    assert "audit.file: /nowhere/audit.jsonl cannot be opened: No such file or directory" in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_lines_that_the_file_refuses_are_reported(start: Callable[..., Daemon]) -> None:
    daemon = start({"audit": {"file": "/dev/full"}})
    with daemon.connect() as client:
        client.call("session/open", {"form": "login"})
        daemon.line_with("the audit is incomplete", "file=/dev/full", "No space left on device")
        assert client.call("server/ping")["instanceId"]
