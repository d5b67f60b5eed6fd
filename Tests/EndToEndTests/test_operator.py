"""What whoever runs a daemon has: numbers, the list of clients, lines of the log, and ways to end what must end."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import Backend, Daemon, Process, formctl, formctl_binary, formd_binary, request

Start = Callable[..., Daemon]


# formctl


def test_top_shows_the_clients_and_disconnect_ends_one(daemon: Daemon) -> None:
    with daemon.connect() as busy:
        busy.call("session/open", {"form": "login"})
        busy.call("field/change", {"field": "email", "value": "kim@example.com"})
        told = json.loads(formctl("top", "--json", "--socket", daemon.path).stdout)
        mine = [row for row in told["topClients"] if row["pid"] == os.getpid() and row["sessions"] == 1]
        assert len(mine) == 1 and mine[0]["uid"] == os.geteuid() and mine[0]["turns"] == 2
        shown = formctl("top", "--socket", daemon.path)
        assert shown.returncode == 0 and re.search(rf"(?m)^ *{mine[0]['connection']} +{os.getpid()} .*python", shown.stdout), shown.stdout
        assert formctl("disconnect", str(mine[0]["connection"]), "--socket", daemon.path).returncode == 0
        assert [message["error"]["code"] for message in busy.read_to_end()] == [1013]
        daemon.line_with("a client was disconnected by another", f"connection={mine[0]['connection']}")
        unknown = formctl("disconnect", str(mine[0]["connection"]), "--socket", daemon.path)
        assert unknown.returncode == 2 and "Unknown connection" in unknown.stderr


def test_a_client_ends_another_by_its_number(daemon: Daemon) -> None:
    with daemon.connect() as busy, daemon.connect() as operator:
        busy.call("session/open", {"form": "login"})
        told = operator.call("server/stats", {"top": 100})["topClients"]
        [number] = [row["connection"] for row in told if row["pid"] == os.getpid() and row["sessions"] == 1]
        operator.call("server/disconnect", {"connection": number})
        assert [message["error"]["code"] for message in busy.read_to_end()] == [1013]
        assert operator.refused("server/disconnect", {"connection": number})["code"] == 1002


def test_an_operator_gets_in_when_nobody_else_does(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"connectionsMax": 2}})
    crowd = [daemon.connect() for _ in range(30)]
    crowd[0].call("form/list")
    told = json.loads(formctl("top", "--json", "--socket", daemon.path).stdout)
    # The two, the fifteen newcomers that came last, and formctl itself.
    assert told["connections"] == 2 + 15 + 1
    assert formctl("disconnect", "1", "--socket", daemon.path).returncode == 0
    assert [message["error"]["code"] for message in crowd[0].read_to_end()] == [1013]
    for connection in crowd:
        connection.close()


def test_top_goes_on_on_a_terminal(daemon: Daemon) -> None:
    ours, theirs = pty.openpty()
    command = [str(formctl_binary()), "top", "--interval", "0.01", "--count", "3", "--socket", str(daemon.path)]
    with subprocess.Popen(command, stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        # The end of a terminal is an error (tty_ioctl(4)).
        with contextlib.suppress(OSError):
            while chunk := os.read(ours, 4096):
                shown += chunk
        assert process.wait(harness.PATIENCE_SECONDS) == 0
    os.close(ours)
    assert shown.count(b"\x1b[H\x1b[2J") == 3 and shown.count(b"PROGRAM") == 3


# Metrics


def names(text: str) -> set[str]:
    return {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}


def test_metrics_are_told_to_formctl_at_an_address_and_in_a_file(start: Start, backend: Backend, folder: Path) -> None:
    config = {"metrics": {"file": str(folder / "formd.prom"), "interval": "100ms", "address": "127.0.0.1:0"}}
    daemon = start({**harness.configuration(backend), **config})
    found = re.search(r"address=127\.0\.0\.1:(\d+)", daemon.line_with("metrics are told"))
    assert found
    url = f"http://127.0.0.1:{found[1]}"
    asked = formctl("metrics", "--socket", daemon.path).stdout
    with urllib.request.urlopen(f"{url}/metrics", timeout=harness.PATIENCE_SECONDS) as response:
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        served = response.read().decode()
    assert asked.endswith("\n") and not asked.endswith("\n\n")
    assert names(asked) == names(served) >= {"formd_connections", "formd_turn_seconds", "formd_memory_bytes", "process_cpu_seconds_total"}
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        written = harness.eventually(lambda: (folder / "formd.prom").exists() and (folder / "formd.prom").read_text("utf-8"), "the file")
        assert names(written) == names(asked)
        harness.eventually(lambda: "\nformd_sessions 1\n" in (folder / "formd.prom").read_text("utf-8"), "the session in the file")
    for path, method, status in (("/", "GET", 404), ("/metrics", "POST", 405)):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(url + path, method=method), timeout=harness.PATIENCE_SECONDS)
        assert refused.value.code == status
        refused.value.close()
    assert daemon.end() == 0
    assert not (folder / "formd.prom").exists(), "a file that says nothing true any more stayed"


def test_who_asks_for_metrics_and_says_nothing_keeps_nobody_out(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "metrics": {"address": "127.0.0.1:0"}})
    found = re.search(r"address=127\.0\.0\.1:(\d+)", daemon.line_with("metrics are told"))
    assert found
    silent = [socket.create_connection(("127.0.0.1", int(found[1]))) for _ in range(40)]
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
    # Those beyond the sixteenth are closed at once.
    assert silent[-1].recv(1) == b""
    for one in silent:
        one.close()
    assert daemon.end() == 0


def test_an_address_that_cannot_be_had_is_said(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        daemon = start({"metrics": {"address": f"127.0.0.1:{taken.getsockname()[1]}"}}, wait=False)
        assert daemon.wait() == 1
        daemon.line_with("for metrics cannot be had")


# The log


def test_a_slow_turn_is_logged_with_what_it_was_about(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "log": {"slowTurn": "0.001ms"}})
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login"})["session"]
        connection.call("field/change", {"field": "email", "value": "kanarienvogel"})
        connection.call("field/change", {"field": "email", "value": "kanarienvögel"})
        for cause, cell in (("session/open", None), ("field/change", "email")):
            words = [f"cause={cause}", "form=login", "microseconds="] + ([f"cell={cell}", f"session={session}"] if cell else [])
            daemon.line_with("a turn was slow", *words)
        assert connection.call("server/stats")["slowTurns"] >= 3
    assert "kanarienv" not in daemon.output


def test_an_effect_that_takes_too_long_is_logged(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login-quick"})
        connection.call("field/change", {"values": {"email": "slow-20000@example.com", "password": "x"}})
        event = connection.call("action/tap", {"action": "login", "await": True})["event"]
        assert event["error"] == "timeout"
        daemon.line_with("an effect failed", "form=login-quick", "kind=timeout", "asked=service accounts")
        assert connection.call("server/stats")["effectsFailed"] >= 1


# Tokens


def test_only_who_has_the_token_registers_a_provider_that_is_told_secrets(start: Start, backend: Backend) -> None:
    token = "correct horse battery staple"
    daemon = start({**harness.configuration(backend), "providers": {"stock": {"secrets": True, "token": token}}})
    with harness.formd.Client(str(daemon.path)) as thief:
        with pytest.raises(harness.formd.WrongToken):
            thief.provider("stock", lambda arguments: None)
        with pytest.raises(harness.formd.WrongToken):
            thief.provider("stock", lambda arguments: None, token="correct horse")
        with harness.formd.Client(str(daemon.path)) as client:
            client.provider("stock", lambda arguments: {"left": 1}, token=token)
    daemon.line_with("does not have the token", "name=stock", f"pid={os.getpid()}")
    assert token not in daemon.output


# The end


def test_a_second_signal_hurries(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"drainMs": 600_000}})
    with daemon.connect() as busy:
        busy.call("session/open", {"form": "login"})
        busy.call("field/change", {"values": {"email": "slow-20000@example.com", "password": "x"}})
        busy.send(request("tap", "action/tap", {"action": "login", "await": True}))
        assert busy.read()["method"] == "session/update"
        daemon.signal(signal.SIGTERM)
        assert busy.read()["method"] == "server/draining"
        daemon.signal(signal.SIGTERM)
        answer, _ = busy.read_until_answer("tap")
        assert answer["error"]["code"] == 1010
    assert daemon.wait() == 0, daemon.output
    daemon.line_with("ending at once", "sigterm")


# The process


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_a_standard_stream_that_is_closed_is_nobody_else_s(folder: Path, closed: tuple[int, ...]) -> None:
    path = folder / "formd.sock"
    script = f'exec "$0" serve --debuggable --socket {path} --forms {harness.EXAMPLES / "login"}'
    script += "".join(f" {number}>&-" for number in closed)
    daemon = Process(["bash", "-c", script, str(formd_binary())])
    # It may be unable to say that it listens.
    with harness.eventually(lambda: connected(path), "a daemon that listens") as connection:
        connection.call("session/open", {"form": "login"})
        for number in range(3):
            is_null = os.readlink(f"/proc/{daemon.pid}/fd/{number}") == "/dev/null"
            # The tests give a daemon nothing to read, either.
            assert is_null == (number in (0, *closed))
    assert daemon.end() == 0


def connected(path: Path) -> Any:
    try:
        return harness.Connection(path)
    except (FileNotFoundError, ConnectionRefusedError):
        return None


def owner_of_memory(daemon: Process) -> int:
    """Whose the process's memory is: root's, if nobody is to look into it (proc(5), PR_SET_DUMPABLE)."""
    return os.stat(f"/proc/{daemon.pid}/mem").st_uid


def test_nobody_looks_into_the_memory_of_a_daemon(folder: Path) -> None:
    if os.geteuid() == 0:
        # Of root's own processes the owner does not tell: one of another user does.
        pytest.skip("root may look anyway; see the test below")
    daemon = Daemon(folder, {})
    assert owner_of_memory(daemon) == 0
    assert daemon.end() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("arguments", [[], ["--debuggable"]])
def test_a_daemon_s_memory_is_open_to_its_user_only_when_asked_for(folder: Path, arguments: list[str]) -> None:
    user = 65534
    for above in (folder, *folder.parents):
        if above == Path("/tmp"):
            break
        os.chmod(above, os.stat(above).st_mode | 0o011)
    own = folder / "own"
    own.mkdir()
    # Programs that only root can reach are copied to where the other user can.
    binary = shutil.copy(formd_binary(), folder / "formd")
    os.chown(own, user, user)
    other = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    daemon = Process([*other, str(binary), "serve", "--socket", str(own / "s"), *arguments], {"HOME": str(own)})
    daemon.line_with("listening")
    assert owner_of_memory(daemon) == (user if arguments else 0)
    assert daemon.end() == 0


@pytest.mark.skipif(not shutil.which("readelf"), reason="there is no readelf")
@pytest.mark.parametrize("program", [formd_binary(), formctl_binary()], ids=["formd", "formctl"])
def test_the_programs_resolve_all_symbols_when_they_start(program: Path) -> None:
    run = subprocess.run(["readelf", "--wide", "--dynamic", "--segments", str(program)], capture_output=True, text=True, check=True)
    assert "GNU_RELRO" in run.stdout
    assert re.search(r"\(FLAGS\).*BIND_NOW", run.stdout) or re.search(r"\(FLAGS_1\).*NOW", run.stdout), run.stdout
