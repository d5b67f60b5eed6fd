"""Clients that break off, say nothing, never read, or come in crowds: the daemon stays up and serves the others."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import subprocess
import sys
import threading
from typing import Any, Callable, Optional

import harness
from harness import Backend, Connection, Daemon, Replica, encode, formctl, request

KILOBYTES_A_READER_MAY_COST = 64 * 1024
"""More than the daemon's hard limit for one connection's unread output, and less than a leak would use."""
KILOBYTES_A_SILENT_CLIENT_MAY_COST = 16
"""A connection without sessions takes about 2. A buffer for its input or output would take more than this."""


def served(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        answer, before = connection.exchange("field/change", {"field": "email", "value": "kim@example.com"})
        assert answer["result"] == {"revision": 1} and len(before) == 1


def flips(session: int, count: int) -> bytes:
    """`count` requests, each of which makes the email valid or invalid: one update and one answer each."""
    changes = (
        {"session": session, "field": "email", "value": f"kim{number}@example.com" if number % 2 else "kim"}
        for number in range(count)
    )
    return b"".join(encode(request(number, "field/change", change)) + b"\n" for number, change in enumerate(changes))


def test_a_client_killed_in_the_middle_of_a_message(daemon: Daemon) -> None:
    script = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        's.sendall(b\'{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login"}}\\n\'); s.recv(1)\n'
        's.sendall(b\'{"jsonrpc":"2.0","id":2,"method":"field/cha\'); print("sent", flush=True); s.recv(1 << 20)\n'
        "s.recv(1)\n"
    )
    for _ in range(10):
        client = subprocess.Popen([sys.executable, "-c", script, str(daemon.path)], stdout=subprocess.PIPE, text=True)
        assert client.stdout is not None and client.stdout.readline() == "sent\n"
        client.kill()
        client.wait()
        client.stdout.close()
    served(daemon)


def test_a_client_that_goes_away_while_its_login_is_under_way(daemon: Daemon) -> None:
    for _ in range(10):
        with daemon.connect() as connection:
            connection.call("session/open", {"form": "login"})
            connection.call("field/change", {"values": {"email": "slow-200@example.com", "password": "x"}})
            assert connection.call("action/tap", {"action": "login"})["outcome"] == "started"
    served(daemon)


def test_clients_that_say_nothing_cost_nothing(daemon: Daemon) -> None:
    served(daemon)
    before = daemon.anonymous_kilobytes()
    silent = [daemon.connect() for _ in range(100)]
    served(daemon)
    used = daemon.anonymous_kilobytes() - before
    assert used < len(silent) * KILOBYTES_A_SILENT_CLIENT_MAY_COST, used
    for connection in silent:
        connection.close()


def test_one_that_reads_late_has_lost_nothing_it_was_not_told_of(daemon: Daemon) -> None:
    """While its output waits, the daemon stops reading; once it is read, the merged document is the true one."""
    with daemon.connect() as slow:
        replica = Replica(slow.call("session/open", {"form": "login"}))
        before = daemon.anonymous_kilobytes()
        sent = harness.send_until_blocked(slow.socket, flips(replica.session, 100), 256 * 1024 * 1024)
        assert daemon.anonymous_kilobytes() - before < KILOBYTES_A_READER_MAY_COST
        served(daemon)
        # Both directions are full: a thread sends what is left (the rest of the chunk that was cut, and a request for
        # the document) while we read.
        last = encode(request("last", "session/get", {"session": replica.session})) + b"\n"
        sender = harness.threading.Thread(target=slow.send_bytes, args=(sent.rest + last,))
        sender.start()
        answers = 0
        while True:
            message = slow.read()
            assert message is not None, f"the connection ended after {answers} answers"
            if message.get("method") == "session/update":
                replica.apply([message])
            elif message.get("method") == "session/desync":
                fresh = slow.read()
                raise AssertionError(f"a session without events lost its document: {message}, then {fresh}")
            elif message.get("id") == "last":
                break
            else:
                assert "result" in message, message
                answers += 1
        sender.join()
        assert answers == 100 * (sent.whole + bool(sent.rest)), "a request had no answer"
        assert message["result"]["document"] == replica.document
        assert message["result"]["revision"] == replica.revision
        assert slow.call("server/ping") is not None


def test_one_that_never_reads_is_let_go_and_nobody_waits_for_it(start: Callable[..., Daemon], backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"stallMs": 2000}})
    with daemon.connect() as stuck:
        session = stuck.call("session/open", {"form": "login"})["session"]
        before = daemon.anonymous_kilobytes()
        harness.send_until_blocked(stuck.socket, flips(session, 100), 256 * 1024 * 1024)
        served(daemon)
        assert daemon.anonymous_kilobytes() - before < KILOBYTES_A_READER_MAY_COST
        harness.wait_for_hang_up(stuck.socket)
    served(daemon)


def test_so_many_events_that_they_cannot_be_kept_end_in_a_desync_that_counts_them(daemon: Daemon) -> None:
    """Every tap on a disabled button is an event; more than 256 cannot wait for one who does not read."""
    with daemon.connect() as slow:
        session = slow.call("session/open", {"form": "login"})["session"]
        tap = encode(request(1, "action/tap", {"session": session, "action": "login"})) + b"\n"
        sent = harness.send_until_blocked(slow.socket, tap * 100, 256 * 1024 * 1024)
        served(daemon)
        last = encode(request("last", "session/get", {"session": session})) + b"\n"
        sender = harness.threading.Thread(target=slow.send_bytes, args=(sent.rest + last,))
        sender.start()
        last_answer, before = slow.read_until_answer("last")
        sender.join()
        taps = 100 * (sent.whole + bool(sent.rest))
        assert sum("method" not in message for message in before) == taps, "a request had no answer"
        told = sum(len(message["params"].get("events", [])) for message in before if "method" in message)
        lost = [message["params"]["eventsLost"] for message in before if message.get("method") == "session/desync"]
        assert told + sum(lost) == taps, f"{told} told and {lost} lost of {taps}: some vanished in silence"
        assert last_answer["result"]["revision"] == taps


def test_a_thousand_connections_at_once(start: Callable[..., Daemon]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 2048:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    daemon = start()
    served(daemon)
    before = daemon.anonymous_kilobytes()
    crowd: list[Connection] = []
    try:
        for _ in range(1000):
            crowd.append(daemon.connect())
        for connection in crowd:
            connection.send(request(1, "session/open", {"form": "login"}))
        opened = [connection.read() for connection in crowd]
        assert all("result" in answer for answer in opened), next(one for one in opened if "result" not in one)
        for connection in crowd:
            connection.send(request(2, "field/change", {"field": "email", "value": "kim@example.com"}))
        for connection in crowd:
            answer, updates = connection.read_until_answer(2)
            assert answer["result"] == {"revision": 1} and len(updates) == 1
        assert daemon.anonymous_kilobytes() - before < KILOBYTES_A_READER_MAY_COST
    finally:
        for connection in crowd:
            connection.close()
    served(daemon)
    assert daemon.end() == 0


def test_connections_over_the_limit_are_turned_away_and_the_others_served(
    start: Callable[..., Daemon], backend: Backend
) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"connectionsMax": 20}})
    welcome = [daemon.connect() for _ in range(20)]
    for connection in welcome:
        connection.call("server/ping")
    for _ in range(20):
        with daemon.connect() as turned_away:
            error = turned_away.refused("session/open", {"form": "login"})
            assert (error["code"], error["data"]["limit"]) == (1011, "connectionsMax")
            assert turned_away.read_to_end() == []
    # Clients that ask for nothing wait in the sixteen seats for newcomers, and make room for new clients.
    silent = [daemon.connect() for _ in range(17)]
    assert [message["error"]["code"] for message in silent[0].read_to_end()] == [1011]
    with daemon.connect() as operator:
        assert operator.call("server/stats")["connections"] == 20 + 15 + 1
        assert [message["error"]["code"] for message in silent[1].read_to_end()] == [1011]
    for connection in silent:
        connection.close()
    for connection in welcome:
        connection.call("server/ping")
        connection.close()
    # Room again, as soon as the daemon has seen the ends.
    harness.eventually(lambda: room(daemon), "room for another connection")


def test_operators_stay_while_ordinary_clients_try_again(start: Callable[..., Daemon], backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"connectionsMax": 2}})
    welcome = [daemon.connect() for _ in range(2)]
    for connection in welcome:
        connection.call("session/open", {"form": "login"})
    enough = threading.Event()

    def try_again(method: Optional[str]) -> None:
        while not enough.is_set():
            # A client that is turned away may not even get its request out.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError), socket.socket(socket.AF_UNIX) as client:
                client.connect(str(daemon.path))
                if method:
                    client.sendall(harness.frame(harness.encode(request(1, method, {"form": "login"})), "lines"))
                    client.recv(4096)

    crowd = [threading.Thread(target=try_again, args=(method,)) for method in [None, "session/open", "initialize", "session/open"]]
    for one in crowd:
        one.start()
    try:
        with daemon.connect() as operator:
            for _ in range(20):
                operator.call("server/stats")
                assert formctl("ping", "--count", "3", "--socket", daemon.path).returncode == 0
            operator.call("server/stats")
    finally:
        enough.set()
        for one in crowd:
            one.join()
    for connection in welcome:
        connection.call("session/list")
        connection.close()
    assert daemon.end() == 0


def test_the_files_that_a_process_may_have_bound_the_clients(start: Callable[..., Daemon]) -> None:
    daemon = start(files=256)
    daemon.line_with("fewer clients than connectionsMax", "filesMax=256")
    with daemon.connect() as operator:
        clients_max = operator.call("server/info")["limits"]["connectionsMax"]
        assert 100 < clients_max < 240
        welcome = [daemon.connect() for _ in range(clients_max - 1)]
        for connection in welcome:
            connection.call("session/open", {"form": "login"})
        with daemon.connect() as turned_away:
            assert turned_away.refused("form/list")["data"] == {"limit": "connectionsMax", "value": clients_max, "retryAfterMs": 1000}
        daemon.line_with("a client was refused", f"connectionsMax={clients_max}")
        for connection in welcome:
            connection.close()
    assert daemon.end() == 0


def test_so_few_files_that_there_is_room_for_nobody_are_refused_with_a_remedy(start: Callable[..., Daemon]) -> None:
    daemon = start(files=64, wait=False)
    assert daemon.wait() == 1
    daemon.line_with("this process may have 64 files open and needs", "LimitNOFILE=", "ulimit -Hn")


def test_a_listener_that_cannot_accept_waits_and_goes_on(start: Callable[..., Daemon]) -> None:
    """An operator may lower the limit while the daemon runs, or the system may have no more files for any process."""
    daemon = start()
    with daemon.connect() as early:
        early.call("server/ping")
        before = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
        used = max(int(name) for name in os.listdir(f"/proc/{daemon.pid}/fd")) + 1
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (used, before[1]))
        with daemon.connect() as late:
            late.send(request(1, "server/ping"))
            daemon.line_with("the daemon cannot accept a client")
            for _ in range(100):
                early.call("server/ping")
            resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, before)
            assert "result" in late.read()
    # Each failed attempt is a line; lines beyond twenty a second are summed up in one line.
    assert "more like this" not in daemon.output
    assert daemon.end() == 0


def room(daemon: Daemon) -> bool:
    with daemon.connect() as connection:
        try:
            connection.send(request(1, "form/list"))
            answer = connection.read()
        except BrokenPipeError:
            return False
        return answer is not None and "result" in answer


def test_a_flood_of_bad_lines_is_answered_line_by_line(daemon: Daemon) -> None:
    count = 2000
    with daemon.connect() as connection:
        sender = harness.threading.Thread(target=connection.send_bytes, args=(b"{oops\n" * count,))
        sender.start()
        codes: list[Any] = [connection.read()["error"]["code"] for _ in range(count)]
        sender.join()
        assert codes == [-32700] * count
        connection.call("server/ping")
    served(daemon)


def test_a_pointer_of_very_many_tokens_is_refused(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        for count in (100, 10_000, 100_000):
            pointer = "/email" + "/a" * count
            assert connection.refused("field/change", {"field": pointer, "value": 1})["code"] == -32602
            assert connection.refused("field/change", {"values": {pointer: 1}})["code"] == -32602
        connection.call("server/ping")
    served(daemon)


def test_hanging_taps_of_one_client_leave_the_service_to_the_others(daemon: Daemon) -> None:
    with daemon.connect() as hog, daemon.connect() as other:
        for _ in range(20):
            session = hog.call("session/open", {"form": "login"})["session"]
            values = {"email": "slow-20000@example.com", "password": "x"}
            hog.call("field/change", {"session": session, "values": values})
            hog.call("action/tap", {"session": session, "action": "login"})
        other.call("session/open", {"form": "login"})
        other.call("field/change", {"values": {"email": "kim@example.com", "password": "hunter2"}})
        event = other.call("action/tap", {"action": "login", "await": True})["event"]
        assert event["kind"] == "succeeded", event
