"""`formctl submit`: a form filled in and sent by a script, which goes by the exit status and the output."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

from harness import JSON, Daemon, Process, eventually, formctl, formctl_binary

KIM = {"email": "kim@example.com", "password": "hunter2"}

VACANCY = {
    "form": "vacancy",
    "schema": {"type": "object", "properties": {"email": {"type": "string", "default": "kim@example.com"}}},
    "fields": {"email": {"throttle": "10s"}},
    "checks": [
        {
            "id": "email.taken",
            "field": "email",
            "debounce": "10ms",
            "run": {
                "http": {
                    "service": "accounts",
                    "method": "GET",
                    "path": "/emails/availability",
                    "query": {"email": "values.email"},
                }
            },
            "outcomes": [
                {"when": "response.status == 200 && response.body.available", "valid": True},
                {"code": "taken", "message": "That address is taken."},
            ],
        }
    ],
    "actions": {"apply": {"whenPending": "refuse"}, "save": {"enabled": "form.isDirty"}},
}
"""An address that is checked, with an initial address that is taken. One action waits for no check, one for a change.
"""


def submit(daemon: Daemon, form: str, values: JSON, *options: str, **more: Any) -> subprocess.CompletedProcess[str]:
    text = values if isinstance(values, str) else json.dumps(values)
    return formctl("submit", "--socket", daemon.path, form, "--values", text, "--locale", "en", *options, **more)


def test_a_success_is_its_message_and_its_result(daemon: Daemon) -> None:
    done = submit(daemon, "login", KIM)
    assert (done.returncode, done.stdout, done.stderr) == (0, 'Kim님 환영합니다.\n{"name":"Kim"}\n', "")
    done = submit(daemon, "login", KIM, "--json", "--tap", "login")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "seq": 1, "action": "login", "run": 1, "kind": "succeeded", "result": {"name": "Kim"},
        "message": "Kim님 환영합니다.", "errors": [],
    }  # fmt: skip


def test_values_come_from_a_file_or_from_standard_input(daemon: Daemon, folder: Path) -> None:
    (folder / "kim.json").write_text(json.dumps(KIM), encoding="utf-8")
    assert submit(daemon, "login", str(folder / "kim.json")).returncode == 0
    assert submit(daemon, "login", "-", standard_input=json.dumps(KIM)).returncode == 0


def test_what_the_form_refuses_is_a_line_for_each_error(daemon: Daemon) -> None:
    done = submit(daemon, "login", {"email": "kim"})
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "/email: That is not an email address. [email.shape]", "/password: This is required. [required]",
    ]  # fmt: skip
    done = submit(daemon, "login", {"email": "kim"}, "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["kind"] == "rejected" and answer["blockers"][0] == {"field": "email", "code": "email.shape"}
    assert [(error["field"], error["code"]) for error in answer["errors"]] == [
        ("email", "email.shape"), ("password", "required"),
    ]  # fmt: skip


def test_an_action_that_fails_is_a_line_with_its_error(daemon: Daemon) -> None:
    done = submit(daemon, "login", {**KIM, "password": "wrong"})
    assert (done.returncode, done.stdout) == (1, "login: The email or the password is wrong. [badRequest]\n")


def test_no_value_is_sent_unchecked(daemon: Daemon, start: Callable[..., Daemon], folder: Path) -> None:
    done = submit(daemon, "registration", {"email": "kim@example.com"})
    assert (done.returncode, done.stdout) == (1, "/email: That address is taken. [taken]\n")
    done = submit(daemon, "registration", {"email": "slow-200@example.com"})
    assert (done.returncode, done.stdout) == (0, "join: succeeded\n")
    (folder / "forms").mkdir()
    (folder / "forms" / "vacancy.form.json").write_text(json.dumps(VACANCY), encoding="utf-8")
    own = start(forms=folder / "forms")
    for values in ({}, {"email": "kim@example.com"}):
        done = submit(own, "vacancy", values, "--tap", "apply")
        assert (done.returncode, done.stdout) == (1, "/email: That address is taken. [taken]\n"), values
    assert submit(own, "vacancy", {"email": "new@example.com"}, "--tap", "apply").returncode == 0
    # Values that are filled in are changes of the form.
    assert submit(own, "vacancy", {"email": "new@example.com"}, "--tap", "save").returncode == 0
    done = submit(own, "vacancy", {})
    assert done.returncode == 2 and "--tap: apply, save" in done.stderr, done


@pytest.mark.parametrize("enabled, told", [("false", ""), ("values.a == 1 ? true : 'We are closed.'", ": We are closed.")])
def test_an_action_that_is_not_enabled_says_so(
    start: Callable[..., Daemon], folder: Path, enabled: str, told: str
) -> None:
    form = {"form": "closed", "schema": {"properties": {"a": {}}}, "actions": {"send": {"enabled": enabled}}}
    (folder / "forms").mkdir()
    (folder / "forms" / "closed.form.json").write_text(json.dumps(form), encoding="utf-8")
    daemon = start(forms=folder / "forms")
    done = submit(daemon, "closed", {})
    assert (done.returncode, done.stdout) == (1, f"send: the tap was rejected [disabled]{told}\n")
    answer = json.loads(submit(daemon, "closed", {}, "--json").stdout)
    assert answer["kind"] == "rejected" and answer.get("message") == (told[2:] or None)


def test_fields_that_take_no_edits_are_left_alone(start: Callable[..., Daemon], folder: Path) -> None:
    form = {
        "form": "order",
        "schema": {"properties": {"no": {"readOnly": True, "default": "new"}, "a": {}, "b": {}}},
        "fields": {"b": {"computed": "values.a"}},
        "actions": {"send": {"outcomes": [{"success": "values.no + values.a + values.b"}]}},
    }
    (folder / "forms").mkdir()
    (folder / "forms" / "order.form.json").write_text(json.dumps(form), encoding="utf-8")
    daemon = start(forms=folder / "forms")
    assert submit(daemon, "order", {"a": "1"}).stdout == '"new11"\n'
    done = submit(daemon, "order", {"no": "2"})
    assert done.returncode == 2 and "readOnly" in done.stderr, done


@pytest.mark.parametrize(
    ("form", "values", "options", "words"),
    [
        ("logn", KIM, [], 'Unknown form "logn" (1003); did you mean login?'),
        ("login", {"emial": "x"}, [], 'Unknown field "emial" (1004); did you mean email?'),
        ("login", KIM, ["--tap", "logn"], 'Unknown action "logn" (1005); did you mean login?'),
        ("login", "{", [], "--values:1:2: error: the JSON text ends too early\n"),
        ("login", "[]", [], "[]: No such file"),
        ("login", "/nonexistent", [], "/nonexistent: No such file"),
        ("login", "-", [], "-:1:1: write the values as a JSON object"),
        ("login", KIM, ["--socket", "/nonexistent"], "no daemon answers at /nonexistent"),
        ("login", KIM, ["--tpa", "login"], "--tpa"),
    ],
)
def test_trouble_is_told_on_standard_error(
    daemon: Daemon, form: str, values: JSON, options: list[str], words: str
) -> None:
    done = submit(daemon, form, values, *options, standard_input="[1]")
    assert (done.returncode, done.stdout) == (2, "") and words in done.stderr, done


def test_a_daemon_that_ends_is_trouble(start: Callable[..., Daemon]) -> None:
    daemon = start()
    values = json.dumps({"email": "slow@example.com", "password": "x"})
    run = Process([str(formctl_binary()), "submit", "--socket", str(daemon.path), "login", "--values", values])
    connection = daemon.connect()
    eventually(lambda: connection.call("server/stats")["effectsStarted"], "the request")
    daemon.process.kill()
    assert run.wait() == 2
    assert "ended" in run.output
