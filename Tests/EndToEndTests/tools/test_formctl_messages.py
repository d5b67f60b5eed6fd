"""How `formctl` reports faults: by their names, once, at once, and with an exit status for scripts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, Daemon, formctl, formctl_binary

OPEN = {"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"form": "logn"}}


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("server/inf", {}, 'Method not found "server/inf" (-32601); did you mean server/info?'),
        ("session/open", {"form": "logn"}, 'session/open: Unknown form "logn" (1003); did you mean login?'),
        ("session/get", {"session": 77}, "session/get: Unknown session 77 (1001)"),
        ("session/get", {}, "session/get: Unknown session (1001)"),
        ("provider/unregister", {"name": "stock"}, 'provider/unregister: Unknown provider "stock" (1006)'),
        ("server/ping", {"a": 1}, "server/ping: Invalid params (-32602)\n  /a: expected no members"),
        ("session/open", {"definition": {"form": "x", "scheme": {}, "schema": {"properties": {"a": {}}}}},
         'session/open: Invalid params (-32602)\n  /definition/scheme: a form definition has no "scheme"\n'
         '    did you mean "schema"?'),
    ],
)  # fmt: skip
def test_a_refusal_names_what_is_wrong(daemon: Daemon, method: str, params: dict[str, object], message: str) -> None:
    done = formctl("call", "--socket", daemon.path, method, json.dumps(params))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"formctl: {message}\n")


def test_a_refused_change_names_the_field_that_was_meant(daemon: Daemon) -> None:
    done = formctl("run", "--socket", daemon.path, "login", standard_input="emial=kim\n")
    assert done.returncode == 2, done
    assert done.stderr == 'formctl: field/change: Unknown field "emial" (1004); did you mean email?\n', done


def test_validate_names_the_field_that_the_form_has_not(daemon: Daemon) -> None:
    done = formctl("validate", "--socket", daemon.path, "order", standard_input='{"customer": {"nmae": 1, "other": 2}}')
    assert (done.returncode, done.stderr) == (1, ""), done
    warning = "-:1:15: warning: there is no field /customer/nmae; did you mean /customer/name? [unknownName]"
    assert [line for line in done.stdout.splitlines() if "warning" in line] == [warning], done


def test_validate_says_what_a_value_lacks_for_the_closest_alternative(tmp_path: Path) -> None:
    form = tmp_path / "pay.form.json"
    branches = [{"type": "object", "required": ["iban", "bic"]}, {"type": "object", "required": ["number"]}]
    form.write_text(json.dumps({"schema": {"properties": {"pay": {"anyOf": branches}}}}))
    done = formctl("validate", str(form), standard_input='{"pay":\n  {}}')
    assert done.returncode == 1
    assert [line.split("[")[-1] for line in done.stdout.splitlines()] == ["anyOf]", "required]"]
    assert done.stdout.splitlines()[1] == "  -:2:3: /pay/number: [required]"


@pytest.mark.parametrize("form", ["login", str(EXAMPLES / "login" / "login.form.json")])
def test_validate_says_where_the_values_name_the_field_that_the_form_has_not(daemon: Daemon, form: str) -> None:
    done = formctl("validate", "--socket", daemon.path, form, standard_input='{"email": "kim",\n  "emial": 1}')
    assert (done.returncode, done.stderr) == (1, ""), done
    warning = "-:2:3: warning: there is no field emial; did you mean email? [unknownName]"
    assert [line for line in done.stdout.splitlines() if "warning" in line] == [warning], done


def test_an_empty_socket_is_told_as_such() -> None:
    done = formctl("ping", "--socket", "")
    assert done.returncode == 2 and done.stderr.startswith("formctl: the socket's path is empty\n"), done


def test_one_is_not_told_in_the_plural(folder: Path) -> None:
    form = {"form": "one", "schema": {"properties": {"a": {}}}, "actions": {"send": {}}}
    (folder / "one.form.json").write_text(json.dumps(form), encoding="utf-8")
    done = formctl("check", folder / "one.form.json")
    assert done.stdout.endswith("one: 1 field, 1 action, 0 outputs\n"), done
    (folder / "one.form.json").write_text(json.dumps({**form, "rulez": []}), encoding="utf-8")
    done = formctl("check", folder / "one.form.json")
    assert done.returncode == 1 and done.stdout.endswith("1 error, 0 warnings\n"), done


@pytest.mark.parametrize("command", [["call", "server/ping", "-"], ["run", "login", "--values", "-"]])
def test_a_text_says_its_place_once(daemon: Daemon, command: list[str]) -> None:
    done = formctl(*command, "--socket", daemon.path, standard_input='{"email": x}')
    assert (done.returncode, done.stderr) == (2, "formctl: -:1:11: error: this is not JSON\n")


def test_a_transcript_of_an_unknown_form_ends_at_once(daemon: Daemon, folder: Path) -> None:
    steps = [
        {"at": 0, "dir": "->", "frame": OPEN},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "id": 1, "result": {"session": 1}}},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "method": "session/update", "params": {}}},
    ]
    (folder / "t").write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    done = formctl("play", "--socket", daemon.path, "--patience", "3600", folder / "t")
    message = 'the daemon refused session/open: Unknown form "logn" (1003); did you mean login?'
    assert (done.returncode, done.stderr) == (1, f"formctl: {folder}/t:2: {message}\n")


def test_a_transcript_ends_with_the_first_refusal_that_was_not_recorded(daemon: Daemon, folder: Path) -> None:
    change = {"jsonrpc": "2.0", "id": 2, "method": "field/change", "params": {"field": "emial", "value": "kim"}}
    steps = [
        {"at": 0, "dir": "->", "frame": {**OPEN, "params": {"form": "login"}}},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "id": 1, "result": {"session": 1}}},
        {"at": 0, "dir": "->", "frame": change},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "method": "session/update", "params": {"session": 1}}},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "id": 2, "result": {"revision": 1}}},
    ]
    (folder / "t").write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    done = formctl("play", "--socket", daemon.path, "--patience", "3600", folder / "t")
    message = 'the daemon refused field/change: Unknown field "emial" (1004); did you mean email?'
    assert (done.returncode, done.stderr) == (1, f"formctl: {folder}/t:4: {message}\n")


def test_a_refusal_that_was_recorded_is_no_difference(daemon: Daemon, folder: Path) -> None:
    error = {"code": 1003, "message": "Unknown form", "data": {"form": "logn", "closest": "login"}}
    steps = [
        {"at": 0, "dir": "->", "frame": OPEN},
        {"at": 0, "dir": "<-", "frame": {"jsonrpc": "2.0", "id": 1, "error": error}},
    ]
    (folder / "t").write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    assert formctl("play", "--socket", daemon.path, folder / "t").returncode == 0


@pytest.mark.parametrize(("text", "place"), [("", ""), ("{}\n", ":1"), ("# empty\n\n", ""), ("\n{\n  }\n", ":2:2")])
def test_a_file_that_is_no_transcript_is_told_what_one_is(daemon: Daemon, folder: Path, text: str, place: str) -> None:
    (folder / "t").write_text(text, encoding="utf-8")
    done = formctl("play", "--socket", daemon.path, folder / "t")
    assert done.returncode == 2 and done.stderr.startswith(f"formctl: {folder}/t{place}: "), done
    assert "a transcript has one JSON object per line" in done.stderr, done


@pytest.mark.parametrize(
    ("redirection", "status", "output", "words"),
    [
        ("<&-", 0, '"isValid"', ""),
        (">&-", 0, "", ""),
        (">/dev/full", 2, "", "standard output: No space left on device"),
        ("</", 2, '"isValid"', "-: Is a directory"),
    ],
)
def test_standard_streams_may_be_closed_or_of_no_use(
    daemon: Daemon, redirection: str, status: int, output: str, words: str
) -> None:
    script = f'"$@" {redirection}'
    command = [formctl_binary(), "run", "--socket", daemon.path, "login"]
    done = subprocess.run(
        ["sh", "-c", script, "sh", *map(str, command)], input="email=kim\n", capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == status and output in done.stdout and words in done.stderr, done
    assert (done.stderr == "") == (words == ""), done


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"], ["run"], ["ping", "--count", "0"], ["call", "server/ping", "--timeout", "nan"],
        ["play", "t", "--patience", "inf"], ["play", "t", "--speed", "1e-300"], ["check"],
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_trouble(arguments: list[str]) -> None:
    done = formctl(*arguments)
    assert (done.returncode, done.stdout) == (2, "") and "--help" in done.stderr, done


@pytest.mark.parametrize(("name", "hint"), [("pign", "did you mean ping? "), ("nothing-like-it", "")])
def test_an_unknown_command_is_named(name: str, hint: str) -> None:
    done = formctl(name, "--socket", "/nonexistent")
    words = f"formctl: there is no command {name}; {hint}formctl --help lists the commands\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", words)
