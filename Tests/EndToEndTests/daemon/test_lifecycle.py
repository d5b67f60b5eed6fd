"""Starting, reloading and ending: locks, permissions, signals, configuration."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import Backend, Daemon, Process, encode, formd, formd_binary, request

Start = Callable[..., Daemon]


# The socket and its lock


def test_the_socket_is_for_its_owner_alone(start: Start) -> None:
    daemon = start()
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o600
    assert stat.S_ISSOCK(os.stat(daemon.path).st_mode)
    assert stat.S_IMODE(os.stat(daemon.path.parent).st_mode) == 0o700


def test_a_second_instance_says_who_holds_the_socket_and_the_first_goes_on(start: Start) -> None:
    first = start()
    second = start(wait=False)
    assert second.wait() not in (0, None)
    assert str(first.pid) in second.output and str(first.path) in second.output
    with first.connect() as connection:
        connection.call("server/ping")


def test_a_stale_socket_is_replaced(start: Start) -> None:
    killed = start()
    killed.signal(signal.SIGKILL)
    killed.wait()
    assert killed.path.exists(), "a killed daemon leaves its socket"
    with start().connect() as connection:
        connection.call("server/ping")


def test_a_second_instance_is_refused_even_when_the_lock_file_was_removed(start: Start) -> None:
    first = start()
    Path(f"{first.path}.lock").unlink()
    second = start(wait=False)
    assert second.wait() == 1
    second.line_with("a process listens on", str(first.path), "--socket")
    with first.connect() as connection:
        connection.call("server/ping")


def test_a_daemon_that_ends_leaves_the_socket_of_another(start: Start) -> None:
    first = start()
    first.path.unlink()
    Path(f"{first.path}.lock").unlink()
    second = start()
    assert first.end() == 0
    with second.connect() as connection:
        connection.call("server/ping")
    assert second.end() == 0
    assert not second.path.exists()


def test_a_folder_that_others_may_write_to_is_refused_with_a_remedy(folder: Path) -> None:
    (folder / "run").mkdir()
    (folder / "run").chmod(0o777)
    daemon = Daemon(folder, {}, wait=False)
    assert daemon.wait() == 1
    daemon.line_with("other users may write to the folder", f"chmod go-w {folder / 'run'}", "--socket")


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_socket_is_never_replaced(folder: Path, kind: str) -> None:
    path = folder / "run" / "formd.sock"
    path.parent.mkdir()
    if kind == "file":
        path.write_text("precious", encoding="utf-8")
    else:
        path.symlink_to(folder / "elsewhere")
    daemon = Daemon(folder, {}, wait=False)
    assert daemon.wait() == 1
    daemon.line_with("is not a socket", "--socket", str(path))
    assert path.read_text(encoding="utf-8") == "precious" if kind == "file" else path.is_symlink()


def test_two_instances_on_two_sockets_know_nothing_of_each_other(start: Start, scratch: Path) -> None:
    (one_folder, other_folder) = (Path(tempfile.mkdtemp(dir=scratch)) for _ in range(2))
    one, other = start(folder=one_folder), start(folder=other_folder)
    with one.connect() as connection, other.connect() as another:
        mine = connection.call("server/info")
        theirs = another.call("server/info")
        assert mine["instanceId"] != theirs["instanceId"], "a restart would not be noticed"


def test_a_path_too_long_for_a_socket_is_refused_with_a_remedy(folder: Path) -> None:
    path = folder / ("long" * 30) / "formd.sock"
    process = Process([str(formd_binary()), "serve", "--socket", str(path), "--forms", str(harness.EXAMPLES)])
    assert process.wait() != 0
    assert "107" in process.output or "108" in process.output, process.output
    assert "--socket" in process.output, process.output


def test_a_path_may_be_as_long_as_is_said(folder: Path) -> None:
    path = folder / ("x" * (107 - len(str(folder)) - 1))
    assert len(str(path)) == 107
    process = Process([str(formd_binary()), "serve", "--socket", str(path), "--forms", str(harness.EXAMPLES)])
    process.line_with("listening", str(path))
    with harness.Connection(path) as connection:
        connection.call("server/ping")
    assert process.end() == 0


def test_the_default_socket_is_in_the_runtime_directory(folder: Path, backend: Backend) -> None:
    config = folder / "formd.json"
    config.write_text(json.dumps(harness.configuration(backend)), encoding="utf-8")
    command = [str(formd_binary()), "serve", "--config", str(config), "--forms", str(harness.EXAMPLES)]
    process = Process(command, {"XDG_RUNTIME_DIR": str(folder)})
    path = folder / "formd" / "formd.sock"
    process.line_with("listening", str(path))
    with harness.Connection(path) as connection:
        connection.call("server/ping")
    assert process.end() == 0
    assert not path.exists()


# The end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_the_end_is_in_order(start: Start, number: int) -> None:
    daemon = start()
    with daemon.connect() as busy, daemon.connect() as idle:
        busy.call("session/open", {"form": "login"})
        busy.call("field/change", {"values": {"email": "slow-1500@example.com", "password": "x"}})
        busy.send(request("tap", "action/tap", {"action": "login", "await": True}))
        assert busy.read()["params"]["patch"]["actions"]["login"]["isLoading"] is True
        daemon.signal(number)
        for connection in (busy, idle):
            assert connection.read()["method"] == "server/draining"
        # The daemon takes nothing new, and says so; it finishes the requests that it accepted.
        assert busy.refused("session/open", {"form": "login"})["code"] == 1010
        answer, before = busy.read_until_answer("tap")
        assert answer["result"]["event"]["kind"] == "failed"
        rest = busy.read_to_end() + idle.read_to_end()
        assert all(message["method"] in ("session/closed", "session/update") for message in rest), rest
    assert daemon.wait() == 0, daemon.output
    assert not daemon.path.exists(), "the socket stayed"
    with pytest.raises((FileNotFoundError, ConnectionRefusedError)):
        daemon.connect()


def test_an_idle_daemon_ends_at_once_and_tells_everybody(start: Start) -> None:
    daemon = start()
    connections = [daemon.connect() for _ in range(20)]
    for connection in connections:
        connection.call("session/open", {"form": "login"})
    daemon.signal(signal.SIGTERM)
    for connection in connections:
        assert connection.read()["method"] == "server/draining"
        connection.read_to_end()
        connection.close()
    assert daemon.wait() == 0, daemon.output


def test_exit_and_shutdown_end_a_connection_and_never_the_daemon(start: Start) -> None:
    daemon = start()
    for last in ("exit", "shutdown"):
        with daemon.connect() as connection:
            connection.call("initialize", {"processId": None, "capabilities": {}, "anything": 1})
            connection.send(harness.notification("initialized", {}))
            connection.call("shutdown")
            if last == "exit":
                connection.send(harness.notification("exit"))
                assert connection.read() is None
    with daemon.connect() as connection:
        connection.call("server/ping")
    assert daemon.end() == 0


# Reloading


def test_a_reload_that_is_asked_for_during_the_start_waits_for_its_end(folder: Path, forms: Path) -> None:
    config = folder / "formd.json"
    os.mkfifo(config)
    path = folder / "run" / "formd.sock"
    daemon = Process([str(formd_binary()), "serve", "--config", str(config), "--forms", str(forms), "--socket", str(path)])
    # It can be opened once the daemon reads it, and the daemon reads until it is closed.
    with open(config, "w", encoding="utf-8") as file:
        daemon.signal(signal.SIGHUP)
        file.write("{}")
    daemon.line_with("listening")
    daemon.line_with("reloaded")
    assert daemon.end() == 0


def test_a_broken_form_is_reported_at_reload_and_the_old_one_stays(start: Start, own_forms: Path) -> None:
    daemon = start(forms=own_forms)
    path = own_forms / "login" / "login.form.json"
    good = path.read_text(encoding="utf-8")

    with daemon.connect() as connection:
        live = connection.call("session/open", {"form": "login"})["session"]

        path.write_text(good.replace("self.contains('@')", "self.contans('@')"), encoding="utf-8")
        seen = len(daemon.lines)
        daemon.signal(signal.SIGHUP)
        line = daemon.line_with("login.form.json", after=seen)
        assert "contains" in daemon.output[daemon.output.index(line) :], "no remedy in the report"
        session = connection.call("session/open", {"form": "login"})["session"]
        connection.call("field/change", {"session": session, "field": "email", "value": "kim@example.com"})

        path.write_text(good.replace("systemPink", "systemTeal"), encoding="utf-8")
        daemon.signal(signal.SIGHUP)
        values = {"email": "kim@example.com", "password": "x"}

        def color() -> Any:
            opened = connection.call("session/open", {"form": "login", "values": values})
            connection.call("session/close", {"session": opened["session"]})
            return opened["document"]["outputs"]["buttonColor"]

        harness.eventually(lambda: color() == "systemTeal", "the new form")
        # Live sessions keep the form they were opened with.
        connection.call("field/change", {"session": live, "values": values})
        old = connection.call("session/get", {"session": live})["document"]
        assert old["outputs"]["buttonColor"] == "systemPink"


def test_forms_come_and_go_with_their_files(start: Start, own_forms: Path) -> None:
    daemon = start(forms=own_forms)
    with daemon.connect() as connection:
        assert "extra" not in json.dumps(connection.call("form/list"))
        own = {"form": "extra", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
        (own_forms / "extra.form.json").write_text(json.dumps(own), encoding="utf-8")
        daemon.signal(signal.SIGHUP)
        harness.eventually(lambda: "extra" in json.dumps(connection.call("form/list")), "the new form")
        connection.call("session/open", {"form": "extra"})


def test_a_pipe_in_place_of_a_form_stops_neither_a_start_nor_a_reload_nor_the_end(
    start: Start, own_forms: Path
) -> None:
    os.mkfifo(own_forms / "pipe.form.json")
    daemon = start(forms=own_forms)
    daemon.line_with("pipe.form.json", "it is not a regular file")
    path = own_forms / "login" / "login.form.json"
    path.unlink()
    os.mkfifo(path)
    seen = len(daemon.lines)
    daemon.signal(signal.SIGHUP)
    daemon.line_with("login.form.json", "it is not a regular file", after=seen)
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
    assert daemon.end() == 0


def test_a_reload_of_forms_that_take_long_delays_neither_clients_nor_the_end(start: Start, own_forms: Path) -> None:
    # The test looks at how much the daemon has read, and runs as the daemon's user.
    daemon = start(forms=own_forms, arguments=("--debuggable",))
    # 80 GB of forms: no machine has read them before this test is over.
    large = own_forms.parent / "large.json"
    large.write_text('{"x-a": [' + "0," * 1_000_000 + "0]}", encoding="utf-8")
    folder = own_forms.parent / "large"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}.form.json").symlink_to(large)
        (own_forms / f"{number}").symlink_to(folder)
    before = daemon.bytes_read()
    daemon.signal(signal.SIGHUP)
    harness.eventually(lambda: daemon.bytes_read() > before + large.stat().st_size, "the daemon's reading of the forms")
    with daemon.connect() as connection:
        for _ in range(100):
            connection.call("server/ping")
        assert connection.call("server/stats")["reloads"] == 0
    assert daemon.end() == 0
    assert not any("reloaded" in line for line in daemon.lines)


# Names that the configuration does not have

MISNAMED = {
    "form": "misnamed",
    "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
    "actions": {"go": {"run": {"http": {"service": "acounts", "path": "/go"}}}},
}
WARNING = 'warning: no service "acounts" in the configuration; did you mean "accounts"? [/actions/go/run/http/service]'


def check_config(folder: Path, *arguments: str) -> Process:
    process = Process(
        [str(formd_binary()), "check-config", "--config", str(folder / "formd.json"), "--forms", str(folder), *arguments]
    )
    process.wait()
    return process


def test_check_config_warns_of_a_service_that_it_does_not_have(folder: Path) -> None:
    (folder / "formd.json").write_text('{"services": {"accounts": {"mock": []}}}', encoding="utf-8")
    path = folder / "misnamed.form.json"
    path.write_text(json.dumps(MISNAMED, indent=2), encoding="utf-8")
    line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if "acounts" in text)

    lenient = check_config(folder)
    assert lenient.process.returncode == 0, lenient.output
    assert f"{path}:{line}:" in lenient.output and WARNING in lenient.output
    assert "1 form, 0 problems, 1 warning" in lenient.output
    assert check_config(folder, "--strict").process.returncode == 1

    path.write_text(json.dumps(MISNAMED).replace("acounts", "accounts"), encoding="utf-8")
    assert check_config(folder, "--strict").process.returncode == 0


UNUSABLE = {
    "a query in a base URL": {"services": {"a": {"http": {"baseURL": "http://h/?x"}}}},
    "a user in a base URL": {"services": {"a": {"http": {"baseURL": "http://user:canary@h/"}}}},
    "a wrong port": {"services": {"a": {"http": {"baseURL": "http://h:123456"}}}},
    "a space in a base URL": {"services": {"a": {"http": {"baseURL": "http://h/a b"}}}},
    "no host": {"services": {"a": {"http": {"baseURL": "http:///api"}}}},
    "a header of two lines": {"services": {"a": {"http": {"baseURL": "http://h", "headers": {"x-key": "canary\nx: y"}}}}},
    "a service that is not there": {"definitions": {"services": ["accounts"]}},
    "limits that contradict each other": {"limits": {"sessionsMax": 10, "keptSessionsMax": 20}},
    "a store in a missing folder": {"store": {"sqlite": {"path": "nowhere/kept.sqlite"}}},
    "a store that is a folder": {"store": {"sqlite": {"path": "open"}}},
    "a store that is another file": {"store": {"sqlite": {"path": "formd.json"}}},
    "an audit in a missing folder": {"audit": {"file": "nowhere/audit.jsonl"}},
    "an audit that is a folder": {"audit": {"file": "open"}},
    "an audit that is a FIFO": {"audit": {"file": "fifo"}},
    "a missing folder of forms": {"forms": ["nowhere"]},
    "a socket with a long path": {"socket": "s" * 200},
    "a socket where others may write": {"socket": "open/formd.sock"},
    "a socket that is a file": {"socket": "formd.json"},
}


@pytest.mark.parametrize("config", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_check_config_refuses_what_the_daemon_refuses_with_the_same_words(folder: Path, config: Any) -> None:
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    os.mkfifo(folder / "fifo")
    path = folder / "formd.json"
    path.write_text(json.dumps({"socket": "formd.sock", **config}), encoding="utf-8")
    check, serve = [
        subprocess.run(
            [str(formd_binary()), command, "--config", str(path)],
            capture_output=True, text=True, timeout=harness.PATIENCE_SECONDS,
        )  # fmt: skip
        for command in ("check-config", "serve")
    ]
    told = (check.stdout + check.stderr).removesuffix("0 forms, 1 problem, 0 warnings\n")
    assert check.returncode == serve.returncode in (1, 2), check.stdout + serve.stderr
    assert serve.stderr in (told, "formd: " + told)
    assert "canary" not in told
    assert not (folder / "formd.sock").exists()


@pytest.mark.parametrize("command", ["serve", "check-config"])
def test_a_configuration_with_secrets_is_for_the_daemon_s_user(folder: Path, command: str) -> None:
    path = folder / "formd.json"
    token = {"providers": {"vault": {"token": "canary canary canary"}}}
    path.write_text(json.dumps({"socket": "formd.sock", **token}), encoding="utf-8")

    def run(mode: int) -> Process:
        path.chmod(mode)
        process = Process([str(formd_binary()), command, "--config", str(path)])
        if command == "serve" and not mode & 0o002:
            process.line_with("listening")
            process.end()
        process.wait()
        assert "canary" not in process.output
        return process

    warning = "other users may read this file, and it contains a secret"
    readable = run(0o644)
    assert readable.process.returncode == 0 and warning in readable.output and f"chmod go-rwx {path}" in readable.output
    assert warning not in run(0o640).output and warning not in run(0o600).output
    writable = run(0o602)
    assert writable.process.returncode == 2 and f"chmod go-w {path}" in writable.output


def test_check_config_and_a_reload_warn_of_a_query_that_its_database_does_not_take(
    start: Start, own_forms: Path
) -> None:
    with contextlib.closing(sqlite3.connect(own_forms / "shop.sqlite")) as database:
        database.execute("create table product (sku text)")
    settings = {"databases": {"shop": {"sqlite": {"path": str(own_forms / "shop.sqlite")}}}}
    config = own_forms / "formd.json"
    config.write_text(json.dumps(settings), encoding="utf-8")
    form = {
        "form": "shop",
        "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "actions": {"go": {"run": {"sql": {"database": "shop", "query": "select skuu from product"}}}},
    }
    warning = 'the database "shop" does not accept this query: no such column: skuu'
    daemon = start(forms=own_forms, config=settings)
    (own_forms / "shop.form.json").write_text(json.dumps(form), encoding="utf-8")
    seen = len(daemon.lines)
    daemon.signal(signal.SIGHUP)
    daemon.line_with("shop.form.json:1:", warning, after=seen)
    daemon.line_with("reloaded", after=seen)

    # The file may be named without its option.
    check = Process([str(formd_binary()), "check-config", str(config), "--forms", str(own_forms)])
    check.wait()
    assert check.process.returncode == 0 and warning in check.output, check.output


def test_a_reload_warns_of_a_service_that_is_not_configured_and_takes_the_form(start: Start, own_forms: Path) -> None:
    daemon = start(forms=own_forms)
    with daemon.connect() as connection:
        (own_forms / "misnamed.form.json").write_text(json.dumps(MISNAMED), encoding="utf-8")
        seen = len(daemon.lines)
        daemon.signal(signal.SIGHUP)
        daemon.line_with("misnamed.form.json:1:", "no service \"acounts\"", after=seen)
        daemon.line_with("reloaded", after=seen)
        connection.call("session/open", {"form": "misnamed"})


# Configuration


def refused(folder: Path, config: str, *arguments: str) -> Process:
    path = folder / "formd.json"
    path.write_text(config, encoding="utf-8")
    process = Process(
        [str(formd_binary()), "serve", "--config", str(path), "--socket", str(folder / "s"),
         "--forms", str(harness.EXAMPLES), *arguments]
    )  # fmt: skip
    assert process.wait() != 0, process.output
    assert not (folder / "s").exists()
    return process


def test_an_unknown_key_is_refused_with_its_place_and_the_closest_known_one(folder: Path) -> None:
    output = refused(folder, json.dumps({"servces": {}})).output
    assert "servces" in output and "services" in output and "formd.json" in output, output


def test_an_unknown_key_deep_inside_is_refused_too(folder: Path) -> None:
    config = {"services": {"accounts": {"http": {"baseURl": "http://127.0.0.1:1"}}}}
    output = refused(folder, json.dumps(config)).output
    assert "baseURl" in output and "baseURL" in output and "/services/accounts" in output, output


@pytest.mark.parametrize("config", [{"socket": 7}, {"services": []}, {"limits": "many"}], ids=lambda one: str([*one]))
def test_a_wrong_type_is_refused_with_its_place(folder: Path, config: Any) -> None:
    output = refused(folder, json.dumps(config)).output
    assert next(iter(config)) in output and "formd.json" in output, output


def test_a_configuration_that_is_not_json_is_refused_with_line_and_column(folder: Path) -> None:
    output = refused(folder, '{\n  "services": {,\n}').output
    assert "formd.json:2:" in output or "line 2" in output, output


def test_a_folder_of_forms_that_is_not_there_is_refused(folder: Path) -> None:
    daemon = Daemon(folder, {}, forms=folder / "nowhere", wait=False)
    assert daemon.wait() == 1
    daemon.line_with("formd: there is no folder", str(folder / "nowhere"), "--forms")
    assert daemon.output.count("nowhere") == 1, daemon.output
    assert not daemon.path.exists()


def test_a_configuration_that_is_not_there_is_refused(folder: Path) -> None:
    options = ["--config", str(folder / "none.json"), "--socket", str(folder / "s")]
    process = Process([str(formd_binary()), "serve", *options])
    assert process.wait() != 0
    assert "none.json" in process.output


def test_a_mock_service_stands_in_for_a_server(start: Start, backend: Backend) -> None:
    mock = [{"method": "POST", "path": "/login", "status": 200, "json": {"name": "Mock"}}]
    config = harness.configuration(backend)
    config["services"]["accounts"] = {"mock": mock}
    daemon = start(config)
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("field/change", {"values": {"email": "kim@example.com", "password": "x"}})
        event = connection.call("action/tap", {"action": "login", "await": True})["event"]
        assert (event["kind"], event["result"]) == ("succeeded", {"name": "Mock"})


# The process


def test_nothing_is_read_from_standard_input_and_nothing_but_logs_written(start: Start) -> None:
    daemon = start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(daemon.path))
        connection.sendall(encode(request(1, "server/ping")) + b"\n")
        assert connection.recv(4096)
    assert daemon.end() == 0
    assert "Fatal error" not in daemon.output


def test_there_is_room_for_the_files_of_all_clients_from_the_start(daemon: Daemon) -> None:
    """If the table of open files has to grow, the next client waits for the system, and so do all clients."""
    status = Path(f"/proc/{daemon.pid}/status").read_text(encoding="utf-8")
    size = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("FDSize:"))
    assert size > 4096


def test_what_threads_freed_goes_back(daemon: Daemon) -> None:
    """glibc lets the end of each thread's heap keep as much of what was freed as the largest messages teach it to."""
    definition = {"form": "t", "title": "x" * 3_900_000, "schema": {"properties": {f"f{n}": {} for n in range(2_000)}}}
    before = daemon.anonymous_kilobytes()
    with formd.Client(str(daemon.path)) as client:
        for _ in range(8):
            with pytest.raises(formd.RpcError) as refused:
                client.call("form/validate", {"definition": definition})
            assert refused.value.data["limit"] == "definitionBytesMax"
        harness.eventually(lambda: daemon.anonymous_kilobytes() - before < 10 << 10, "going back")
