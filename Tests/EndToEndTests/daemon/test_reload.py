"""SIGHUP and `formctl reload`: the whole configuration follows, or nothing does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Callable

import harness
from harness import Backend, Daemon, Process, formd_binary
from service import Service

Start = Callable[..., Daemon]

CREDENTIALS = {"values": {"email": "kim@example.com", "password": "x"}}
TOKEN = "0123456789abcdef-1"
OTHER_TOKEN = "0123456789abcdef-2"


def write(daemon: Daemon, config: Any) -> None:
    daemon.config.write_text(config if isinstance(config, str) else json.dumps(config), encoding="utf-8")


def reload(daemon: Daemon, *arguments: str) -> subprocess.CompletedProcess[str]:
    return harness.formctl("reload", "--socket", daemon.path, *arguments)


def reloaded(daemon: Daemon, config: Any) -> str:
    write(daemon, config)
    run = reload(daemon)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def accounts(url: str) -> dict[str, Any]:
    return {"services": {"accounts": {"http": {"baseURL": url}}}}


# What follows


def test_a_service_s_new_address_is_asked_and_a_request_under_way_has_its_answer(start: Start) -> None:
    with Service() as old, Service() as new:
        daemon = start(accounts(old.url))
        with daemon.connect() as connection:
            first = connection.call("session/open", {"form": "login"})["session"]
            connection.call("field/change", {"session": first, **CREDENTIALS})
            connection.send(harness.request("tap", "action/tap", {"session": first, "action": "login", "await": True}))
            old.wait_for(1)
            assert "services.accounts" in reloaded(daemon, accounts(new.url))
            second = connection.call("session/open", {"form": "login"})["session"]
            connection.call("field/change", {"session": second, **CREDENTIALS})
            connection.call("action/tap", {"session": second, "action": "login"})
            new.wait_for(1)
            old.answer()
            answer, _ = connection.read_until_answer("tap")
            assert answer["result"]["event"]["kind"] == "succeeded", answer
            assert len(old.requests) == 1


def test_a_database_s_new_file_is_asked(start: Start, folder: Path, backend: Backend) -> None:
    daemon = start({"databases": {"example": {"sqlite": {"path": str(folder / "none.sqlite")}}}})
    values = {"email": "kim@example.com", "password": "hunter2"}
    with daemon.connect() as connection:

        def outcome() -> Any:
            session = connection.call("session/open", {"form": "login-sql"})["session"]
            connection.call("field/change", {"session": session, "values": values})
            answer = connection.call("action/tap", {"session": session, "action": "login", "await": True})
            connection.call("session/close", {"session": session})
            return answer["event"]["kind"]

        assert outcome() == "failed"
        config = {"databases": {"example": {"sqlite": {"path": str(backend.database)}}}}
        assert "databases.example" in reloaded(daemon, config)
        assert outcome() == "succeeded"


def test_limits_and_the_log_s_level_follow(start: Start) -> None:
    daemon = start({"limits": {"sessionsPerConnectionMax": 1}})
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        assert connection.refused("session/open", {"form": "login"})["code"] == 1012
        said = reloaded(daemon, {"limits": {"sessionsPerConnectionMax": 2}, "log": {"level": "warning"}})
        assert "limits.sessionsPerConnectionMax" in said and "log.level" in said
        assert connection.call("server/info")["limits"]["sessionsPerConnectionMax"] == 2
        connection.call("session/open", {"form": "login"})
        seen = len(daemon.lines)
        # "reloaded" is a notice, which is no longer logged. A warning is.
        reloaded(daemon, {"log": {"level": "warning"}, "socket": "elsewhere.sock", "store": {"sqlite": {"path": "k"}}})
        daemon.line_with("need a restart", after=seen)
        assert not any("reloaded" in line for line in daemon.lines[seen:])


def test_the_limits_of_a_connection_hold_for_connections_from_then_on(start: Start) -> None:
    daemon = start({"limits": {"depthMax": 64}})
    deep = {"form": "login", "values": {"email": [[[[[[[[[[]]]]]]]]]]}}
    with daemon.connect() as old:
        reloaded(daemon, {"limits": {"depthMax": 8}})
        old.call("session/open", deep)
        with daemon.connect() as new:
            new.send(harness.request(1, "session/open", deep))
            assert new.read()["error"]["data"]["reason"] == "depth"


def test_folders_of_forms_follow(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        form = {"form": name, "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
        (folder / name / f"{name}.form.json").write_text(json.dumps(form), encoding="utf-8")
    config = folder / "formd.json"
    config.write_text('{"forms": ["one"]}', encoding="utf-8")
    path = folder / "run" / "formd.sock"
    daemon = Process([str(formd_binary()), "serve", "--config", str(config), "--socket", str(path)])
    daemon.line_with("listening")
    config.write_text('{"forms": ["two"]}', encoding="utf-8")
    run = harness.formctl("reload", "--socket", path)
    assert run.returncode == 0 and "forms" in run.stdout, run
    with harness.Connection(path) as connection:
        assert [form["form"] for form in connection.call("form/list")["forms"]] == ["two"]
        # A folder that is new and does not exist is a mistake of the configuration.
        config.write_text('{"forms": ["two", "three"], "log": {"level": "debug"}}', encoding="utf-8")
        run = harness.formctl("reload", "--socket", path)
        assert run.returncode == 1 and "three: error: no such folder" in run.stdout + run.stderr, run
        assert [form["form"] for form in connection.call("form/list")["forms"]] == ["two"]
    assert daemon.end() == 0


def test_a_provider_s_new_token_ends_the_holders_of_the_old_one(start: Start) -> None:
    def config(token: str) -> dict[str, Any]:
        return {"providers": {"vault": {"token": token, "secrets": True}, "stock": {}}}

    daemon = start(config(TOKEN))
    with daemon.connect() as vault, daemon.connect() as stock:
        vault.call("provider/register", {"name": "vault", "token": TOKEN})
        stock.call("provider/register", {"name": "stock"})
        assert "providers.vault" in reloaded(daemon, config(OTHER_TOKEN))
        (error,) = vault.read_to_end()
        assert error["id"] is None and error["error"]["code"] == 1009
        stock.call("server/ping")
        assert [one["name"] for one in stock.call("server/stats", {"providers": 10})["providers"]] == ["stock"]
        assert stock.refused("provider/register", {"name": "vault", "token": TOKEN})["code"] == 1009
        stock.call("provider/register", {"name": "vault", "token": OTHER_TOKEN})


# Whole or not at all


def test_a_broken_configuration_changes_nothing_and_is_said_as_by_check_config(start: Start, own_forms: Path) -> None:
    daemon = start({"limits": {"sessionsMax": 7}}, forms=own_forms)
    extra = {"form": "extra", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    (own_forms / "extra.form.json").write_text(json.dumps(extra), encoding="utf-8")
    write(daemon, {"limits": {"sessionsMax": 8}, "servces": {}})
    checked = subprocess.run(
        [str(formd_binary()), "check-config", str(daemon.config), "--forms", str(own_forms)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    message = checked.stderr.splitlines()[0]
    assert "servces" in message
    seen = len(daemon.lines)
    run = reload(daemon)
    assert run.returncode == 1 and message in run.stdout + run.stderr, run
    assert message in daemon.line_with("servces", after=seen)
    daemon.line_with("error", "nothing was changed", after=seen)
    with daemon.connect() as connection:
        assert connection.call("server/info")["limits"]["sessionsMax"] == 7
        assert "extra" not in json.dumps(connection.call("form/list"))
        # The same by the signal.
        seen = len(daemon.lines)
        daemon.signal(signal.SIGHUP)
        daemon.line_with("nothing was changed", after=seen)
        assert not any("reloaded" in line for line in daemon.lines)
        write(daemon, {"limits": {"sessionsMax": 8}})
        daemon.signal(signal.SIGHUP)
        line = daemon.line_with("reloaded", after=seen)
        assert "changed=limits.sessionsMax" in line
        assert connection.call("server/info")["limits"]["sessionsMax"] == 8
        assert "extra" in json.dumps(connection.call("form/list"))


def test_a_service_that_serve_refuses_is_refused_by_a_reload(start: Start) -> None:
    daemon = start({"limits": {"sessionsMax": 7}})
    write(daemon, {**accounts("http://127.0.0.1:99999/"), "limits": {"sessionsMax": 8}})
    run = reload(daemon)
    assert run.returncode == 1 and "/services/accounts/http/baseURL" in run.stdout + run.stderr, run
    with daemon.connect() as connection:
        assert connection.call("server/info")["limits"]["sessionsMax"] == 7


def test_a_broken_form_is_said_with_status_1_and_the_rest_follows(start: Start, own_forms: Path) -> None:
    daemon = start({}, forms=own_forms)
    (own_forms / "broken.form.json").write_text("{", encoding="utf-8")
    write(daemon, {"limits": {"sessionsMax": 8}})
    run = reload(daemon)
    assert run.returncode == 1 and "broken.form.json:1:" in run.stdout + run.stderr, run
    with daemon.connect() as connection:
        assert connection.call("server/info")["limits"]["sessionsMax"] == 8


def test_changed_new_and_removed_forms_are_named(start: Start, own_forms: Path) -> None:
    daemon = start({}, forms=own_forms)
    extra: dict[str, Any] = {"form": "extra", "schema": {"properties": {"a": {"type": "string"}}}}
    path = own_forms / "extra.form.json"
    for step, said in (("new", "the form extra"), ("changed", "the form extra"), ("touched", "nothing"), ("gone", "the form extra")):
        if step == "gone":
            path.unlink()
        else:
            extra["title"] = "new" if step == "new" else "changed"
            path.write_text(json.dumps(extra), encoding="utf-8")
        run = reload(daemon)
        assert run.returncode == 0 and run.stdout.rstrip().endswith("; changed: " + said), (step, run)


def test_what_needs_a_restart_is_named_each_time_and_left_as_it_was(start: Start) -> None:
    daemon = start({})
    write(daemon, {"store": {"sqlite": {"path": "kept.sqlite"}}, "metrics": {"file": "m.prom"}, "limits": {"rowsMax": 9}})
    for changed in ("changed: limits.rowsMax", "changed: nothing"):
        run = reload(daemon)
        assert run.returncode == 0 and changed in run.stdout, run
        assert "needs a restart: store, metrics" in run.stdout, run
    daemon.line_with("need a restart", "settings=", "metrics", "store")
    assert not (daemon.folder / "kept.sqlite").exists() and not (daemon.folder / "m.prom").exists()


def test_an_option_of_the_command_line_stays_stronger_than_the_file(start: Start, own_forms: Path) -> None:
    daemon = start({}, forms=own_forms)
    assert "changed: nothing" in reloaded(daemon, {"forms": ["nowhere"], "socket": "elsewhere"})
    with daemon.connect() as connection:
        assert "login" in json.dumps(connection.call("form/list"))


def test_a_configuration_from_a_pipe_is_kept_and_the_forms_follow(folder: Path, own_forms: Path) -> None:
    config = folder / "formd.json"
    os.mkfifo(config)
    path = folder / "run" / "formd.sock"
    daemon = Process(
        [str(formd_binary()), "serve", "--config", str(config), "--forms", str(own_forms), "--socket", str(path)]
    )
    config.write_text('{"limits": {"sessionsMax": 7}}', encoding="utf-8")
    daemon.line_with("listening")
    (own_forms / "login" / "login.form.json").unlink()
    run = harness.formctl("reload", "--socket", path)
    assert run.returncode == 0 and "configuration file" in run.stdout, run
    with harness.Connection(path) as connection:
        assert connection.call("server/info")["limits"]["sessionsMax"] == 7
        assert connection.refused("session/open", {"form": "login"})["code"] == 1003
    assert daemon.end() == 0


# The method


def test_formctl_reload_without_a_daemon_has_status_2(folder: Path) -> None:
    run = harness.formctl("reload", "--socket", folder / "none.sock")
    assert run.returncode == 2 and "none.sock" in run.stderr, run


def test_requests_at_once_have_one_outcome_each_and_the_end_waits_for_none(start: Start, own_forms: Path) -> None:
    # The test looks at how much the daemon has read, and runs as the daemon's user.
    daemon = start({}, forms=own_forms, arguments=("--debuggable",))
    with daemon.connect() as first, daemon.connect() as second:
        for connection in (first, second):
            connection.send(harness.request(1, "server/reload"))
        for connection in (first, second):
            answer, _ = connection.read_until_answer(1)
            assert answer["result"]["reloaded"] and answer["result"]["forms"] > 5
    large = own_forms.parent / "large.json"
    large.write_text('{"x-a": [' + "0," * 1_000_000 + "0]}", encoding="utf-8")
    for number in range(1000):
        (own_forms / f"{number}.form.json").symlink_to(large)
    with daemon.connect() as connection:
        before = daemon.bytes_read()
        connection.send(harness.request(1, "server/reload"))
        harness.eventually(lambda: daemon.bytes_read() > before + large.stat().st_size, "the reading of the forms")
        daemon.signal(signal.SIGTERM)
        answer, _ = connection.read_until_answer(1)
        assert answer["error"]["code"] == 1010, answer
    assert daemon.wait() == 0
