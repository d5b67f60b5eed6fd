"""`formctl run` from a pipe: it ends by itself, and not before everything has come."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

from harness import Daemon, formd_binary


def run(path: Path, form: str, script: str) -> subprocess.CompletedProcess[str]:
    formctl = os.environ.get("FORMCTL_BIN") or str(formd_binary().parent / "formctl")
    return subprocess.run(
        [formctl, "run", "--socket", str(path), form], input=script, capture_output=True, text=True, timeout=30, check=False
    )


def fake_daemon(path: Path) -> threading.Thread:
    """Answers one client; a tap's updates before and after its answer go out in one piece with it."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(1)
    listener.settimeout(30)

    def update(revision: int, is_loading: bool, **more: Any) -> dict[str, Any]:
        patch = {"actions": {"go": {"isLoading": is_loading}}}
        params = {"session": 1, "revision": revision, "from": revision - 1, "cause": "effect", "patch": patch, **more}
        return {"method": "session/update", "params": params}

    def serve() -> None:
        connection, _ = listener.accept()
        with listener, connection, connection.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                request = json.loads(line)
                answer: dict[str, Any] = {"id": request["id"], "result": {"session": 1, "revision": 0, "values": {}}}
                messages = [answer]
                if request["method"] == "session/open":
                    answer["result"]["document"] = {"actions": {"go": {"isLoading": False}}}
                elif request["method"] == "action/tap":
                    answer["result"] = {"revision": 1, "outcome": "started", "run": 1}
                    event = {"seq": 1, "action": "go", "run": 1, "kind": "succeeded"}
                    messages = [update(1, True), answer, update(2, False, events=[event])]
                text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
                connection.sendall(text.encode("utf-8"))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return thread


def test_what_came_together_with_an_answer_is_not_waited_for(folder: Path) -> None:
    path = folder / "fake.sock"
    thread = fake_daemon(path)
    done = run(path, "any", "tap go\n")
    assert done.returncode == 0, done
    assert done.stdout.count("* go succeeded") == 1, done.stdout
    thread.join(30)


def test_the_end_of_input_waits_for_a_tap_that_a_throttle_holds(daemon: Daemon) -> None:
    done = run(daemon.path, "join", "email=kim@example.com\ntap check\ntap check\ntap check\n")
    assert done.returncode == 0, done
    assert "the tap was held" in done.stdout, done.stdout
    # The first at once, the second given up for the third, which fires at the end of the window.
    assert done.stdout.count("* check succeeded") == 2, done.stdout
