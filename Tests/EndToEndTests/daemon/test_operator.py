"""The tools of an operator: numbers, the list of clients, lines of the log, and ways to end connections and sessions.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import termios
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
    rows, columns = 12, 60
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    crowd = [daemon.connect() for _ in range(20)]
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
    for connection in crowd:
        connection.close()
    assert shown.count(b"\x1b[H\x1b[2J") == 3 and shown.count(b"AGE") == 3 and shown.endswith(b"\r\n")
    for screen in shown.decode().removesuffix("\r\n").split("\x1b[H\x1b[2J")[1:]:
        lines = screen.split("\r\n")
        assert len(lines) == rows and max(map(len, lines)) <= columns, screen


# Metrics


def names(text: str) -> set[str]:
    return {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}


def test_metrics_are_told_to_formctl_at_an_address_and_in_a_file(start: Start, backend: Backend, folder: Path) -> None:
    config = {"metrics": {"file": str(folder / "formd.prom"), "interval": "100ms", "address": "127.0.0.1:0"}}
    daemon = start({**harness.configuration(backend), **config})
    url = f"http://127.0.0.1:{metrics_address(daemon)[1]}"
    asked = formctl("metrics", "--socket", daemon.path).stdout
    with urllib.request.urlopen(f"{url}/metrics", timeout=harness.PATIENCE_SECONDS) as response:
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        served = response.read().decode()
    assert asked.endswith("\n") and not asked.endswith("\n\n")
    assert names(asked) == names(served) >= {"formd_connections", "formd_turn_seconds", "formd_memory_bytes", "formd_limit"}
    assert all(name.startswith("formd_") for name in names(asked))
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


def promtool(*arguments: str | Path, standard_input: str = "") -> None:
    """Lets Prometheus' own program check something; it must have nothing against it."""
    own = harness.ROOT / ".build" / "prometheus" / "usr" / "bin" / "promtool"
    program = shutil.which("promtool") or (str(own) if own.exists() else None)
    if not program:
        pytest.skip("there is no promtool, which Debian's package prometheus has")
    command = [program, "check", *map(str, arguments)]
    run = subprocess.run(command, input=standard_input, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout + run.stderr


OPERATIONS = harness.ROOT / "protocol" / "operations"


def busy_metrics(start: Start, backend: Backend, accept: str = "") -> tuple[str, str]:
    """The metrics of a daemon that has asked a service and refused a request, and their content type."""
    daemon = start({**harness.configuration(backend), "metrics": {"address": "127.0.0.1:0"}})
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("field/change", {"values": {"email": "kim@example.com", "password": "hunter2"}})
        connection.call("action/tap", {"action": "login", "await": True})
        connection.refused("field/change", {"field": "nobody", "value": 1})
    url = f"http://127.0.0.1:{metrics_address(daemon)[1]}/metrics"
    request = urllib.request.Request(url, headers={"accept": accept} if accept else {})
    with urllib.request.urlopen(request, timeout=harness.PATIENCE_SECONDS) as response:
        return response.read().decode(), response.headers["content-type"]


def test_prometheus_has_nothing_against_the_metrics(start: Start, backend: Backend) -> None:
    text, _ = busy_metrics(start, backend)
    for line in (
        'formd_target_seconds_count{part="service",name="accounts"} 1', 'formd_request_errors_total{code="1004"} 1',
        'formd_form_turns_total{form="login"}', 'formd_build_info{version="',
    ):  # fmt: skip
        assert f"\n{line}" in text
    promtool("metrics", standard_input=text)


def test_services_databases_and_providers_are_counted_by_name_with_the_kinds_of_failures(start: Start) -> None:
    daemon = start()
    with daemon.connect() as client, daemon.connect() as provider:
        login = client.call("session/open", {"form": "login-sql", "values": {"email": "kim@example.com", "password": "hunter2"}})
        client.call("action/tap", {"session": login["session"], "action": "login", "await": True})
        stock = client.call("session/open", {"form": "stock", "values": {"item": "tea"}})["session"]
        client.call("action/tap", {"session": stock, "action": "look", "await": True})
        provider.call("provider/register", {"name": "stock"})
        client.call("action/tap", {"session": stock, "action": "look"})
        provider.send({"jsonrpc": "2.0", "id": provider.read()["id"], "result": {"left": 1}})
        assert client.read()["method"] == "session/update"
    text = formctl("metrics", "--socket", daemon.path).stdout
    for line in (
        'formd_target_seconds_count{part="database",name="example"} 1', 'formd_target_seconds_count{part="provider",name="stock"} 2',
        'formd_target_seconds_bucket{part="provider",name="stock",le="+Inf"} 2',
        'formd_target_failures_total{part="provider",name="stock",kind="noProvider"} 1',
    ):  # fmt: skip
        assert f"\n{line}\n" in text, text


@pytest.mark.parametrize(
    "accept, kind",
    [
        ("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5", "application/openmetrics-text; version=1.0.0"),
        ("application/openmetrics-text", "application/openmetrics-text; version=1.0.0"),
        ("application/openmetrics-text; version=2.0.0, */*", "text/plain; version=0.0.4"),
        ("application/openmetrics-text;q=0", "text/plain; version=0.0.4"),
        ("*/*", "text/plain; version=0.0.4"),
        ("", "text/plain; version=0.0.4"),
    ],
)
def test_who_accepts_openmetrics_gets_it(start: Start, backend: Backend, accept: str, kind: str) -> None:
    text, found = busy_metrics(start, backend, accept)
    assert found == f"{kind}; charset=utf-8"
    assert text.endswith("# EOF\n") == ("openmetrics" in kind)
    assert ("# TYPE formd_requests counter\n" in text) == ("openmetrics" in kind)


def test_prometheus_has_nothing_against_the_alerts() -> None:
    promtool("rules", OPERATIONS / "alerts.yml")


def test_prometheus_has_nothing_against_the_expressions_of_the_dashboard(folder: Path) -> None:
    panels = json.loads((OPERATIONS / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    rules = [
        # Grafana fills in its variables. promtool reads $instance in a text as it is.
        {"record": f"panel_{panel['id']}_{target['refId']}", "expr": target["expr"].replace("$__rate_interval", "5m")}
        for panel in panels
        for target in panel["targets"]
    ]
    assert rules
    # JSON is YAML.
    (folder / "rules.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), encoding="utf-8")
    promtool("rules", folder / "rules.yml")


@pytest.mark.parametrize("file", ["alerts.yml", "dashboard.json"])
def test_alerts_and_the_dashboard_ask_for_metrics_that_exist(start: Start, backend: Backend, file: str) -> None:
    text, _ = busy_metrics(start, backend)
    # These come with a store, a failure of a target, or a lease.
    more = {
        "formd_store_up", "formd_store_commit_seconds", "formd_store_lease_seconds", "formd_target_failures_total",
    }  # fmt: skip
    asked = set(re.findall(r"\bformd_[a-z_]+", (OPERATIONS / file).read_text(encoding="utf-8")))
    asked = {re.sub("_(bucket|count|sum)$", "", name) for name in asked}
    assert asked and asked <= names(text) | more, asked - names(text) - more


def test_reloads_good_and_bad_and_broken_forms_are_counted(start: Start, folder: Path) -> None:
    forms = folder / "own"
    forms.mkdir()
    daemon = start({}, forms=forms)

    def counts() -> tuple[str, str, str]:
        text = without_comments(formctl("metrics", "--socket", daemon.path).stdout)
        names = ("formd_reloads_total", "formd_reloads_refused_total", "formd_broken_forms")
        return tuple(re.findall(rf"^{name} (\d+)$", text, re.MULTILINE)[0] for name in names)  # type: ignore[return-value]

    assert counts() == ("0", "0", "0")
    (forms / "broken.form.json").write_text("{", encoding="utf-8")
    formctl("reload", "--socket", daemon.path)
    assert counts() == ("1", "0", "1")
    daemon.config.write_text('{"limits": 1}', encoding="utf-8")
    assert formctl("reload", "--socket", daemon.path).returncode == 1
    assert counts() == ("1", "1", "1")


def without_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def metrics_address(daemon: Daemon) -> tuple[str, int]:
    found = re.search(r"address=127\.0\.0\.1:(\d+)", daemon.line_with("metrics are served"))
    assert found
    return ("127.0.0.1", int(found[1]))


def http(address: tuple[str, int], text: bytes) -> bytes:
    """The answer to a client that ends its side as soon as it has asked."""
    with socket.create_connection(address, timeout=harness.PATIENCE_SECONDS) as client:
        client.sendall(text)
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while more := client.recv(65536):
            answer += more
    return answer


def test_who_asks_for_metrics_and_does_not_finish_keeps_nobody_out(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "metrics": {"address": "127.0.0.1:0"}})
    address = metrics_address(daemon)
    silent = [socket.create_connection(address, timeout=harness.PATIENCE_SECONDS) for _ in range(40)]
    for one in silent[30:]:
        one.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
    # The oldest make room for those who come.
    assert silent[0].recv(1) == b""
    assert b"formd_connections 0\n" in http(address, b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    daemon.line_with("the oldest connection for metrics was closed")
    for one in silent:
        one.close()
    assert daemon.end() == 0


@pytest.mark.parametrize(
    ("target", "status", "kind"),
    [
        ("/metrics", b"200 OK", b"text/plain; version=0.0.4; charset=utf-8"),
        ("/metrics?x=1", b"200 OK", b"text/plain; version=0.0.4; charset=utf-8"),
        ("http://127.0.0.1/metrics", b"200 OK", b"text/plain; version=0.0.4; charset=utf-8"),
        ("http://metrics", b"404 Not Found", b"text/plain; charset=utf-8"),
        ("/", b"404 Not Found", b"text/plain; charset=utf-8"),
    ],
)
def test_who_ends_its_side_is_answered(start: Start, target: str, status: bytes, kind: bytes) -> None:
    daemon = start({"metrics": {"address": "127.0.0.1:0"}})
    answer = http(metrics_address(daemon), f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 " + status) and b"content-type: " + kind + b"\r\n" in answer, answer
    assert daemon.end() == 0


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("127.0.0.1:9469", 200), ("LocalHost:1", 200), ("[::1]:9469", 200), ("[::1]", 200),
        ("example.com", 421), ("example.com:9469", 421), ("127.0.0.1.example.com", 421), ("localhost.example.com", 421),
        ("[::2]", 421), ("", 421),
    ],
)  # fmt: skip
def test_metrics_are_only_for_requests_that_name_this_machine(
    daemon_with_metrics: Daemon, host: str, status: int
) -> None:
    answer = http(metrics_address(daemon_with_metrics), f"GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer


@pytest.fixture
def daemon_with_metrics(start: Start) -> Daemon:
    return start({"metrics": {"address": "127.0.0.1:0"}})


def test_an_address_that_cannot_be_had_is_said(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        daemon = start({"metrics": {"address": f"127.0.0.1:{taken.getsockname()[1]}"}}, wait=False)
        assert daemon.wait() == 1
        daemon.line_with("for metrics is in use: another process listens there", "metrics.address")


def test_a_daemon_of_one_client_leaves_the_metrics_to_the_one_that_is_watched(folder: Path) -> None:
    written = folder / "formd.prom"
    written.write_text("of the other daemon", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        metrics = {"file": str(written), "interval": "100ms", "address": f"127.0.0.1:{taken.getsockname()[1]}"}
        (folder / "formd.json").write_text(json.dumps({"metrics": metrics}), encoding="utf-8")
        run = subprocess.run(
            [str(formd_binary()), "serve", "--stdio", "--config", str(folder / "formd.json")],
            input=harness.frame(harness.encode(request(1, "server/ping")), "lines"), capture_output=True, timeout=harness.PATIENCE_SECONDS,
        )  # fmt: skip
    assert run.returncode == 0 and b"instanceId" in run.stdout, run.stderr
    assert written.read_text("utf-8") == "of the other daemon"


def test_the_file_of_metrics_can_be_read_by_all_and_goes_only_if_it_is_the_daemon_s_own(folder: Path) -> None:
    written, other, path = folder / "formd.prom", folder / "other", folder / "formd.sock"
    (folder / "formd.json").write_text(json.dumps({"metrics": {"file": str(written), "interval": "1h"}}), encoding="utf-8")
    # As the units say it: UMask=0077.
    script = f'umask 077 && exec "$0" serve --config {folder / "formd.json"} --socket {path}'
    daemon = Process(["bash", "-c", script, str(formd_binary())])
    daemon.line_with("listening")
    harness.eventually(written.exists, "the file")
    assert stat.S_IMODE(written.stat().st_mode) == 0o644
    assert not list(folder.glob("*.new"))
    other.write_text("of another daemon", encoding="utf-8")
    os.replace(other, written)
    assert daemon.end() == 0
    assert written.read_text("utf-8") == "of another daemon"


def test_who_else_writes_the_file_of_metrics_is_noticed(start: Start, folder: Path) -> None:
    written, other = folder / "formd.prom", folder / "other"
    daemon = start({"metrics": {"file": str(written), "interval": "100ms"}})
    harness.eventually(written.exists, "the file")
    other.write_text("of another daemon", encoding="utf-8")
    os.replace(other, written)
    daemon.line_with("another process also writes the metrics file", f"file={written}")
    assert daemon.end() == 0


def test_what_is_no_file_stays_and_a_link_stays_a_link(start: Start, folder: Path) -> None:
    pipe, link, target = folder / "pipe.prom", folder / "link.prom", folder / "target"
    os.mkfifo(pipe)
    daemon = start({"metrics": {"file": str(pipe), "interval": "100ms"}})
    daemon.line_with("the metrics cannot be written", f"file={pipe}", "not a regular file")
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    pipe.unlink()
    daemon.line_with("the metrics are written again", f"file={pipe}")
    assert daemon.end() == 0
    target.touch()
    link.symlink_to(target)
    daemon = start({"metrics": {"file": str(link), "interval": "100ms"}})
    harness.eventually(lambda: target.read_text("utf-8"), "the text in the file that the link leads to")
    assert link.is_symlink()
    assert daemon.end() == 0
    assert not target.exists()


@pytest.mark.parametrize(("name", "words"), [("nowhere/formd.prom", "there is no folder"), ("", "is not a regular file")])
def test_check_config_looks_where_the_metrics_go(folder: Path, name: str, words: str) -> None:
    (folder / "formd.json").write_text(json.dumps({"metrics": {"file": str(folder / name)}}), encoding="utf-8")
    run = subprocess.run([str(formd_binary()), "check-config", str(folder / "formd.json")], capture_output=True, text=True)
    assert run.returncode == 1 and words in run.stdout and "1 problem," in run.stdout, run.stdout


# The log


def test_a_slow_turn_is_logged_with_what_it_was_about(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "log": {"slowTurn": "0.001ms"}})
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login"})["session"]
        connection.call("field/change", {"field": "email", "value": "kanarienvogel"})
        connection.call("field/change", {"field": "email", "value": "kanarienvögel"})
        for cause, part in (("session/open", None), ("field/change", "email")):
            words = [f"cause={cause}", "form=login", "microseconds="] + ([f"part={part}", f"session={session}"] if part else [])
            daemon.line_with("a turn was slow", *words)
        assert connection.call("server/stats")["slowTurns"] >= 3
    assert "kanarienv" not in daemon.output


def test_an_effect_that_takes_too_long_is_logged(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login-quick"})
        connection.call("field/change", {"values": {"email": "slow-20000@example.com", "password": "x"}})
        event = connection.call("action/tap", {"action": "login", "await": True})["event"]
        assert event["error"] == "timeout"
        daemon.line_with("an effect failed", "form=login-quick", "kind=timeout", 'service=accounts')
        assert connection.call("server/stats")["effectsFailed"] >= 1


def test_a_stranger_s_name_is_one_value_of_one_line(start: Start, backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "log": {"slowTurn": "0.001ms"}})
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.refused("field/change", {"field": "a b=c session=99\x1b\u202e\n\u2028", "value": "x"})
        daemon.line_with('part="a b=c session=99????"', "form=login", "session=1")


def test_a_log_that_nobody_reads_any_more_ends_no_daemon(folder: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    path = folder / "formd.sock"
    # So few files are a warning before there are clients.
    script = f'ulimit -n 256 && exec "$0" serve --socket {path}'
    with subprocess.Popen(["bash", "-c", script, str(formd_binary())], stderr=writes, env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}) as process:
        os.close(writes)
        with harness.eventually(lambda: connected(path), "a daemon that listens") as connection:
            connection.call("server/ping")
        process.send_signal(signal.SIGTERM)
        assert process.wait(harness.PATIENCE_SECONDS) == 0


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
    daemon.line_with("without the token", "name=stock", f"pid={os.getpid()}")
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
    """The owner of the process's memory: root, if no user may look into it (proc(5), PR_SET_DUMPABLE)."""
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


@pytest.mark.skipif(not shutil.which("strip"), reason="there is no strip")
@pytest.mark.parametrize("program", [formd_binary(), formctl_binary()], ids=["formd", "formctl"])
def test_a_released_program_does_not_name_the_folders_of_the_machine_that_has_built_it(
    folder: Path, program: Path
) -> None:
    if "debug" in program.resolve().parts:
        pytest.skip("this is a debug build, which names source files (FORMD_BIN names another program)")
    # As it is installed.
    subprocess.run(["strip", "-o", str(folder / "stripped"), str(program)], check=True)
    root = harness.ROOT
    assert str(root).encode() not in (folder / "stripped").read_bytes()
