"""Sessions that outlive their connections, and several clients on one session: the real daemon, in both framings."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from harness import (
    PATIENCE_SECONDS,
    Backend,
    Connection,
    Daemon,
    Replica,
    configuration,
    eventually,
    formctl,
    formctl_binary,
    formd,
    request,
    send_until_blocked,
)

GOOD = {"email": "kim@example.com", "password": "hunter2"}


def kept(connection: Connection) -> int:
    return connection.call("server/stats")["keptSessions"]


def open_kept(connection: Connection, **others: Any) -> tuple[str, Replica]:
    opened = connection.call("session/open", {"form": "login", "locale": "en", "keep": "10m", **others})
    assert len(opened["key"]) == 32
    return opened["key"], Replica(opened)


@pytest.mark.parametrize(("first", "second"), [("lines", "headers"), ("headers", "lines")])
def test_a_session_goes_on_where_its_client_was_killed(daemon: Daemon, first: str, second: str) -> None:
    # A process of its own, which types and is killed while its tap is under way.
    program = """
import sys; sys.path[:0] = sys.argv[3].split(":")
import harness, pathlib
connection = harness.Connection(pathlib.Path(sys.argv[1]), sys.argv[2])
opened = connection.call("session/open", {"form": "login", "locale": "en", "keep": "10m"})
connection.call("field/change", {"values": {"email": "kim@example.com", "password": "hunter2"}})
connection.call("action/tap", {"action": "login"})
print(opened["key"], opened["session"], flush=True)
sys.stdin.read()
"""
    path = ":".join(sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(daemon.path), first, path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as client:  # fmt: skip
        assert client.stdout
        key, session = client.stdout.readline().split()
        client.send_signal(signal.SIGKILL)
    with daemon.connect(second) as connection:
        attached = connection.call("session/attach", {"key": key, "seq": 0})
        assert attached["session"] == int(session)
        assert attached["form"] == "login" and attached["values"] == {"email": "kim@example.com"}
        replica = Replica(attached)
        replica.events += attached["events"]
        while not replica.events:
            replica.apply([connection.read()])
        assert [(event["seq"], event["kind"]) for event in replica.events] == [(1, "succeeded")]
        assert replica.document == connection.call("session/get")["document"]
        connection.call("session/close")


def test_two_clients_have_one_session(daemon: Daemon) -> None:
    with daemon.connect("lines") as kim, daemon.connect("headers") as lee:
        key, mine = open_kept(kim)
        theirs = Replica(lee.call("session/attach", {"key": key}))
        answer, before = kim.exchange("field/change", {"values": GOOD})
        assert [message["params"].get("values") for message in before] == [None]
        assert before[-1]["params"]["revision"] == answer["result"]["revision"]
        mine.apply(before)
        told = lee.read()
        assert told["params"]["values"] == {"email": "kim@example.com"}, "what was entered, but no secret"
        theirs.apply([told])
        tapped, before = lee.exchange("action/tap", {"action": "login", "await": True})
        theirs.apply(before)
        assert tapped["result"]["event"]["kind"] == "succeeded"
        while not mine.events:
            mine.apply([kim.read()])
        assert mine.events == theirs.events == [tapped["result"]["event"]]
        assert mine.document == theirs.document == kim.call("session/get")["document"]
        assert lee.call("session/close") == {"session": theirs.session}
        assert kim.read() == {
            "jsonrpc": "2.0", "method": "session/closed", "params": {"session": theirs.session, "reason": "closed"},
        }  # fmt: skip
        assert kim.refused("session/get", {"session": theirs.session})["code"] == 1001


def test_a_client_that_does_not_read_delays_nobody(daemon: Daemon) -> None:
    with daemon.connect() as slow, daemon.connect("headers") as fast:
        key, behind = open_kept(slow)
        current = Replica(fast.call("session/attach", {"key": key}))
        # So many answers that the daemon reads nothing more from it.
        ping = json.dumps(request(1, "form/list")).encode() + b"\n"
        send_until_blocked(slow.socket, ping * 100, 64 << 20)
        for number in range(200):
            _, before = fast.exchange("field/change", {"field": "email", "value": f"{number}@example.com"})
            current.apply(before)
        updates = []
        # The client reads again, and gets the last of the messages that it missed.
        while not updates or updates[-1]["params"].get("values") != {"email": "199@example.com"}:
            message = slow.read()
            if "method" in message:
                updates.append(message)
        behind.apply(updates)
        assert behind.document == current.document
        assert len(updates) < 200, "what was held back came as one"
        fast.call("session/close")


def test_a_session_that_nobody_comes_back_to_is_gone(daemon: Daemon) -> None:
    with daemon.connect() as watcher:
        with daemon.connect() as connection:
            before = kept(watcher)
            key, _ = open_kept(connection, keep="300ms")
            assert kept(watcher) == before + 1
        eventually(lambda: kept(watcher) == before, "the end of the kept session")
        refused = watcher.refused("session/attach", {"key": key})
        assert refused == {"code": 1001, "message": "Unknown session"}


def test_whatever_is_no_key_is_refused_alike(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        key, replica = open_kept(connection)
        fresh = connection.call("session/attach", {"key": key, "rotate": True})["key"]
        assert fresh != key
        answers = set()
        for wrong in [key, key.upper(), fresh[:-1], fresh + "0", "", "0" * 32, "\u0000", "x" * 5_000, str(replica.session)]:
            connection.send(request(7, "session/attach", {"key": wrong}))
            answer, _ = connection.read_until_answer(7)
            answers.add(json.dumps(answer))
        assert answers == {'{"jsonrpc": "2.0", "id": 7, "error": {"code": 1001, "message": "Unknown session"}}'}
        assert connection.call("session/attach", {"key": fresh})["session"] == replica.session
        connection.call("session/detach")
        assert connection.refused("session/detach")["code"] == 1001
        connection.call("session/open", {"form": "login"})
        assert connection.refused("session/detach")["data"]["errors"][0]["path"] == "/session"
        for keep, code in [("soon", -32602), ("0s", -32602), ("25h", 1012)]:
            assert connection.refused("session/open", {"form": "login", "keep": keep})["code"] == code


def test_keys_stand_in_no_log_and_no_listing(folder: Path, backend: Backend, forms: Path) -> None:
    daemon = Daemon(folder, configuration(backend) | {"log": {"level": "trace"}}, forms)
    try:
        with daemon.connect() as connection:
            key, _ = open_kept(connection)
            fresh = connection.call("session/attach", {"key": key, "rotate": True})["key"]
            connection.refused("session/attach", {"key": key})
            connection.refused("session/attach", {"key": fresh, "x": 1})
            connection.refused("session/attach", {"key": 1})
            listed = [connection.call("server/stats", {"top": 10, "kept": 10}), connection.call("session/list")]
            listing = formctl("sessions", "--socket", daemon.path).stdout
        output = json.dumps(listed) + listing + formctl("sessions", "--json", "--socket", daemon.path).stdout
        assert "login" in output
        daemon.signal(signal.SIGTERM)
        daemon.wait()
        for secret in (key, fresh):
            assert secret not in output
            assert secret not in daemon.output
    finally:
        daemon.end()


def test_a_daemon_that_ends_closes_what_it_kept(folder: Path, backend: Backend, forms: Path) -> None:
    daemon = Daemon(folder, configuration(backend), forms)
    try:
        with daemon.connect() as connection, daemon.connect("headers") as other:
            key, replica = open_kept(connection)
            other.call("session/attach", {"key": key})
            other.call("field/change", {"values": GOOD})
            other.send(request(90, "action/tap", {"action": "login", "await": True}))
            daemon.signal(signal.SIGTERM)
            closed = {"session": replica.session, "reason": "draining"}
            for one in (connection, other):
                pushed = [m for m in one.read_to_end() if m.get("method") == "session/closed"]
                assert [message["params"] for message in pushed] == [closed]
        assert daemon.wait() == 0
    finally:
        daemon.end()


def test_a_session_follows_its_form_when_somebody_comes_back(start: Callable[..., Daemon], own_forms: Path) -> None:
    daemon = start(forms=own_forms)
    path = own_forms / "login" / "login.form.json"
    with daemon.connect() as connection, formd.Client(str(daemon.path)) as client:
        key, replica = open_kept(connection)
        connection.call("field/change", {"values": GOOD})
        path.write_text(path.read_text(encoding="utf-8").replace("systemPink", "systemTeal"), encoding="utf-8")
        daemon.signal(signal.SIGHUP)
        eventually(lambda: connection.call("server/stats")["reloads"] == 1, "the reading of the forms")
        beside = client.attach(key)
        assert not beside.is_migrated, "somebody has it"
        beside.detach()
        connection.call("session/detach")
        session = client.attach(key)
        assert session.is_migrated and session.id == replica.session
        assert session.document["outputs"]["buttonColor"] == "systemTeal", "the secret is there, too"
        assert session.values == {"email": "kim@example.com"}
        assert connection.call("session/attach", {"key": key})["document"] == session.document
        session.close()


def test_limits_are_told(folder: Path, backend: Backend, forms: Path) -> None:
    limits = {"keptSessionsMax": 1, "keepMax": 1000, "sessionsPerConnectionMax": 1}
    daemon = Daemon(folder, configuration(backend) | {"limits": limits}, forms)
    try:
        with daemon.connect() as connection, daemon.connect() as other:
            assert connection.refused("session/open", {"form": "login", "keep": "2s"})["data"] == {
                "limit": "keepMax", "value": 1000,
            }  # fmt: skip
            key, _ = open_kept(connection, keep="1s")
            refused = other.refused("session/open", {"form": "login", "keep": "1s"})
            assert refused["code"] == 1011 and refused["data"]["limit"] == "keptSessionsMax"
            other.call("session/open", {"form": "login"})
            refused = other.refused("session/attach", {"key": key})
            assert refused["code"] == 1012 and refused["data"]["limit"] == "sessionsPerConnectionMax"
    finally:
        daemon.end()


def echo(folder: Path) -> Path:
    """The folder of a form whose action has the text as its result."""
    forms = folder / "forms"
    forms.mkdir()
    definition = {
        "form": "echo",
        "schema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "actions": {"go": {"scope": "none", "outcomes": [{"success": "values.text"}]}},
    }
    (forms / "echo.form.json").write_text(json.dumps(definition), encoding="utf-8")
    return forms


def test_kept_sessions_of_a_client_that_left_refuse_nobody(start: Callable[..., Daemon], folder: Path) -> None:
    limits = {
        "textBytesMax": 256 << 10, "unreadBytesMax": 1 << 20, "outputHardBytes": 256 << 10, "memoryMax": 8 << 20,
        "valueBytesMax": 4 << 20, "valueBytesPerConnectionMax": 4 << 20,
    }  # fmt: skip
    daemon = start({"limits": limits}, echo(folder))
    large = {"field": "text", "value": "x" * 100_000}
    # The events of a session share one value, which counts once.
    keys = []
    with daemon.connect() as greedy:
        for _ in range(40):
            opened = greedy.call("session/open", {"form": "echo", "keep": "24h"})
            keys.append(opened["key"])
            greedy.call("field/change", {"session": opened["session"], "field": "text", "value": "x" * 15_000})
            for _ in range(16):
                greedy.call("action/tap", {"session": opened["session"], "action": "go"})
        assert greedy.call("server/stats")["memory"]["values"] < 3 << 20
    with daemon.connect() as other:
        other.call("session/open", {"form": "echo"})
        other.call("field/change", large)
        attached = other.call("session/attach", {"key": keys[0], "seq": 0})
        assert [event["result"] for event in attached["events"]] == ["x" * 15_000] * 16 and attached["eventsLost"] == 0
        other.call("session/detach", {"session": attached["session"]})
    # Values that nobody shares: the sessions of the largest account give way.
    for number in range(3):
        with daemon.connect() as greedy:
            for _ in range(18):
                opened = greedy.call("session/open", {"form": "echo", "keep": "24h"})
                greedy.call("field/change", {"session": opened["session"], "field": "text", "value": "x" * 80_000})
    daemon.line_with("kept sessions without clients have given way")
    with daemon.connect() as other:
        for _ in range(16):
            session = other.call("session/open", {"form": "echo"})["session"]
            other.call("field/change", large | {"session": session})
        # This session counted for a client that had little else.
        other.call("session/attach", {"key": keys[0]})


def test_an_operator_ends_a_kept_session(daemon: Daemon) -> None:
    with daemon.connect() as first, daemon.connect() as second, daemon.connect() as operator:
        key, replica = open_kept(first)
        second.call("session/attach", {"key": key})
        listed = operator.call("server/stats", {"kept": 100})["kept"]
        assert [row["connections"] for row in listed if row["session"] == replica.session] == [2]
        assert operator.call("server/endSession", {"session": replica.session}) == {"session": replica.session}
        for client in (first, second):
            assert client.read()["params"] == {"session": replica.session, "reason": "closed"}
        assert second.refused("session/attach", {"key": key})["code"] == 1001
        assert operator.refused("server/endSession", {"session": replica.session})["code"] == 1001
        # A session that is not kept ends with its connection.
        short = first.call("session/open", {"form": "login"})["session"]
        assert operator.refused("server/endSession", {"session": short})["code"] == 1001
        _, replica = open_kept(first)
        assert formctl("sessions", "--end", str(replica.session), "--socket", daemon.path).returncode == 0
        assert first.read()["params"] == {"session": replica.session, "reason": "closed"}
        unknown = formctl("sessions", "--end", str(replica.session), "--socket", daemon.path)
        assert unknown.returncode == 2 and "Unknown session" in unknown.stderr


def test_the_python_client_comes_back(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login", locale="en", keep="10m")
        key = session.key
        assert key and session.missed_events == ()
        session.change(GOOD, commit=True)
        session.tap("login", wait=True, timeout=PATIENCE_SECONDS)
        session.detach()
        assert not session.is_open
        with pytest.raises(formd.SessionClosed):
            session.change("email", "x")
        again = client.attach(key, seq=0)
        assert [event.kind for event in again.missed_events] == ["succeeded"]
        assert again.document == session.document and again.events_lost == 0 and not again.is_migrated
        assert client.attach(key, seq=1).missed_events == ()
        with formd.Client(str(daemon.path)) as other:
            theirs = other.attach(key, rotate=True)
            assert theirs.key != key
            theirs.change("email", "lee@example.com")
            again.wait_until(lambda it: it.values.get("email") == "lee@example.com", PATIENCE_SECONDS)
            theirs.close()
            with pytest.raises(formd.SessionClosed):
                again.wait_until(lambda _: False, PATIENCE_SECONDS)
            assert again.closed_reason == "closed"
        with pytest.raises(formd.UnknownSession):
            client.attach(key)


def test_formctl_run_says_who_closed_the_session(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        key, _ = open_kept(connection)
        command = [str(formctl_binary()), "run", "--attach", key, "--socket", str(daemon.path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            assert run.stdout is not None and run.stderr is not None
            # The document is there: it has come.
            assert run.stdout.readline()
            connection.call("session/close")
            assert run.wait(PATIENCE_SECONDS) == 2
            assert b"another client closed the session" in run.stderr.read()


def test_formctl_run_keeps_and_comes_back(daemon: Daemon, folder: Path) -> None:
    socket = ("--socket", daemon.path)
    ran = formctl("run", "login", "--keep", "10m", "--locale", "en", *socket, standard_input="email=kim\n")
    assert ran.returncode == 0, ran.stderr
    key = next(line.split()[1] for line in ran.stdout.splitlines() if line.strip().startswith("key:"))
    file = folder / "key"
    file.write_text(key + "\n", encoding="utf-8")
    shown = formctl("run", "--attach", f"@{file}", "--json", *socket, standard_input="email=kim@example.com\n")
    assert shown.returncode == 0, shown.stderr
    first = json.loads(shown.stdout.splitlines()[0])
    # A client that came with the key has the key already.
    assert first["values"] == {"email": "kim"} and key not in shown.stdout
    assert first["document"]["messages"] == {"email": "That is not an email address."}
    again = formctl("run", "--attach", key, *socket, standard_input="")
    assert "kim@example.com" not in again.stderr and key not in again.stdout and again.returncode == 0
    listed = json.loads(formctl("sessions", "--json", *socket).stdout)
    assert any(row["form"] == "login" and row["connections"] == 0 and row["endsInMs"] > 0 for row in listed)
    head, *rows = formctl("sessions", *socket).stdout.splitlines()
    assert head.split() == ["SESSION", "AGE", "CONNECTIONS", "ENDS", "IN", "MEMORY", "FORM"] and rows
    wrong = formctl("run", "--attach", "0" * 32, *socket)
    assert wrong.returncode == 2 and "1001" in wrong.stderr
    for arguments in [(), ("login", "--attach", key), ("--attach", key, "--keep", "1m"), ("login", "--keep", "soon")]:
        assert formctl("run", *arguments, *socket).returncode == 2
