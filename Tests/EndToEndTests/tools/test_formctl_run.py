"""`formctl run` from a pipe: it ends by itself, and not before everything has come."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

from harness import PATIENCE_SECONDS, Daemon, formctl, formctl_binary, formd


def run(path: Path, form: str, *lines: str, json: bool = False) -> subprocess.CompletedProcess[str]:
    script = "".join(f"{line}\n" for line in lines)
    options = ["--json"] if json else []
    return formctl("run", "--socket", path, form, "--locale", "en", *options, standard_input=script)


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
                if request["method"] == "session/attach" and not request["params"].get("take"):
                    answer = {"id": request["id"], "error": {"code": 1014, "message": "No", "data": {"instance": "5f0c"}}}
                    messages = [answer]
                elif request["method"] == "session/attach":
                    answer["result"] |= {"form": "any", "document": {}, "events": [], "eventsLost": 0}
                    if request["params"]["key"] == "closing":
                        messages.append({"method": "session/closed", "params": {"session": 1, "reason": "closed"}})
                elif request["method"] == "session/open":
                    answer["result"]["document"] = {"actions": {"go": {"isLoading": False}}}
                elif request["method"] == "field/focus":
                    desync = {"method": "session/desync", "params": {"session": 1, "revision": 3, "eventsLost": 0}}
                    messages = [desync, answer]
                elif request["method"] == "session/get":
                    answer["result"] |= {"form": "any", "revision": 3, "document": {"outputs": {"method": "of payment"}}}
                elif request["method"] == "action/tap":
                    event = {"seq": 1, "action": "go", "run": 1, "kind": "succeeded"}
                    waiting = {"id": request["id"], "result": {"revision": 2, "event": event}}
                    messages = [update(1, True)]
                elif request["method"] == "server/ping":
                    answer["result"] = {"instanceId": "0"}
                    messages = [answer, update(2, False, events=[event]), waiting]
                text = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
                connection.sendall(text.encode("utf-8"))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return thread


def test_what_came_together_with_an_answer_is_not_waited_for(folder: Path) -> None:
    path = folder / "fake.sock"
    thread = fake_daemon(path)
    done = run(path, "any", "tap go")
    assert done.returncode == 0, done
    assert done.stdout.count("* go succeeded") == 1, done.stdout
    thread.join(30)


def test_a_session_that_was_closed_together_with_an_answer_is_over(folder: Path) -> None:
    thread = fake_daemon(folder / "fake.sock")
    # The input gets no byte, and does not end.
    command = [str(formctl_binary()), "run", "--socket", str(folder / "fake.sock"), "--attach", "closing", "--take"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        assert run.wait(PATIENCE_SECONDS) == 2
        assert run.stderr is not None and b"another client closed the session" in run.stderr.read()
    thread.join(30)


def test_a_session_in_use_at_another_daemon_is_taken_when_that_is_said(folder: Path) -> None:
    for name, options in (("kept", ()), ("taken", ("--take",))):
        path = folder / name
        thread = fake_daemon(path)
        done = formctl("run", "--socket", path, "--attach", "K", *options)
        if options:
            assert done.returncode == 0 and done.stdout == "{}\n", done
        else:
            assert done.returncode == 2 and done.stdout == "", done
            said = "the session is in use at another daemon (instance 5f0c): close it there, or take it with --take"
            assert said in done.stderr, done
        thread.join(30)


def test_the_end_of_input_waits_for_a_tap_that_a_throttle_holds(daemon: Daemon) -> None:
    done = run(daemon.path, "join", "email=kim@example.com", "tap check", "tap check", "tap check")
    assert done.returncode == 0, done
    assert "the tap was held" in done.stdout, done.stdout
    # The first at once, the second given up for the third, which fires at the end of the window.
    assert done.stdout.count("* check succeeded") == 2, done.stdout


LOGIN = ["email=kim@example.com", "password=hunter2"]
WRONG = ["email=kim@example.com", "password=wrong"]


@pytest.mark.parametrize(
    ("form", "lines", "status", "words"),
    [
        ("login", [], 0, ""),
        ("login", ["email=kim"], 0, ""),
        ("login", [*LOGIN, "tap login"], 0, "* login succeeded"),
        ("login", ["tap login", "wait", *LOGIN, "tap login"], 0, "* login rejected"),
        ("login", [*LOGIN, "tap login", "wait", "email=kim"], 0, "* login succeeded"),
        ("login", [*LOGIN, "tap login", "wait", "email=kim", "tap login"], 1, "* login rejected"),
        ("login", [*WRONG, "tap login"], 1, "* login failed"),
        ("login", ["email=slow-200@example.com", "password=x", "tap login", "tap login"], 1, "* login dropped"),
        ("join", ["email=slow-200@example.com", "tap check", "reset"], 1, "* check superseded"),
        ("join", ["email=slow-200@example.com", "tap check", "quit"], 1, ""),
        ("registration", ["email=kim@example.com", "tap join"], 1, "* join rejected"),
        ("registration", ["email=slow-200@example.com", "tap join"], 0, "* join succeeded"),
        ("login", [*LOGIN, "tap login", "tap logn"], 2, "* login succeeded"),
        ("login", [*LOGIN, "tap login", "jump"], 2, "* login succeeded"),
        ("logn", [], 2, ""),
    ],
)
def test_the_exit_status_is_what_the_last_tap_came_to(
    daemon: Daemon, form: str, lines: list[str], status: int, words: str
) -> None:
    done = run(daemon.path, form, *lines)
    assert done.returncode == status and words in done.stdout, done


def test_a_session_that_the_daemon_closes_is_trouble(start: Callable[..., Daemon]) -> None:
    daemon = start()
    command = [str(formctl_binary()), "run", "--socket", str(daemon.path), "login"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdin and run.stdout and run.stdout.readline()
        assert daemon.end() == 0
        assert run.wait(PATIENCE_SECONDS) == 2


def test_json_lines_are_the_document_and_all_that_is_to_be_merged_into_it(daemon: Daemon) -> None:
    done = run(daemon.path, "login", *LOGIN, "help", "tap login", "wait", "show", json=True)
    assert done.returncode == 0, done
    first, *pushes, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert set(first) == {"session", "revision", "document", "values"}, first
    assert first["revision"] == 0 and first["values"] == {}
    document, revision = first["document"], 0
    for push in pushes:
        params = push["params"]
        assert push["method"] == "session/update" and params["session"] == first["session"], push
        assert params["from"] == revision, push
        document, revision = formd.merge_patch(document, params["patch"]), params["revision"]
    assert document["actions"]["login"]["result"] == {"name": "Kim"}
    assert last == {"session": first["session"], "revision": revision, "document": document}


def test_json_lines_give_the_document_anew_when_updates_were_lost(folder: Path) -> None:
    thread = fake_daemon(folder / "fake.sock")
    done = run(folder / "fake.sock", "any", "focus email", json=True)
    assert done.returncode == 0, done
    first, desync, again = [json.loads(line) for line in done.stdout.splitlines()]
    assert desync["method"] == "session/desync"
    assert again == {"session": 1, "revision": 3, "document": {"outputs": {"method": "of payment"}}}
    thread.join(30)


def test_what_a_throttle_holds_back_counts_at_the_end_of_input(start: Callable[..., Daemon], folder: Path) -> None:
    form = {
        "form": "slow", "schema": {"properties": {"name": {"type": "string", "maxLength": 3}}},
        "fields": {"name": {"throttle": "1h"}},
    }  # fmt: skip
    (folder / "forms").mkdir()
    (folder / "forms" / "slow.form.json").write_text(json.dumps(form), encoding="utf-8")
    done = run(start(forms=folder / "forms").path, "slow", "name=Kimberly", "name=Kim")
    assert done.returncode == 0, done
    errors = [line.split()[1:] for line in done.stdout.splitlines() if line.strip().startswith("fields.name.errors")]
    assert errors == [["maxLength"], ["none"]], done.stdout
