"""Texts are judged where they stand: `text/validate`, and the tools that judge files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Callable

import pytest

from conversations import LEFT_OUT, conversations
from harness import EXAMPLES, JSON, ROOT, Daemon, formctl, formd


def written(text: str, encoding: str, stretch: JSON) -> str:
    """The text that a range has, found by nothing but its positions."""
    lines = re.split(r"\r\n|\n|\r", text)
    codec = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    start, end = stretch["start"], stretch["end"]
    assert start["line"] == end["line"], stretch
    line = lines[start["line"]].encode(codec[0])
    return line[start["character"] * codec[1] : end["character"] * codec[1]].decode(codec[0])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    ("language", "text", "name", "value"),
    [
        ("json", '{"😀": 1, "email": "é😀@",\r\n "password": "x"}', '"email"', '"é😀@"'),
        ("jsonc", '{ // é\r"😀": 1, "email": "é😀@", "password": "x",}', '"email"', '"é😀@"'),
        ("yaml", "😀: 1\r\nemail: é😀@ # why\npassword: x\n", "email", "é😀@"),
        ("env", "# 😀\nexport email='é😀@' # why\r\npassword=x\n", "email", "'é😀@'"),
    ],
)
def test_ranges_are_those_of_the_name_and_the_value(
    daemon: Daemon, encoding: str, language: str, text: str, name: str, value: str
) -> None:
    with formd.Client(str(daemon.path)) as client:
        judged = client.validate_text("login", text, language, encoding=encoding, locale="en")
    assert not judged["isValid"] and not judged["isTruncated"]
    [error] = [error for error in judged["errors"] if error["path"] == "/email"]
    assert error["code"] == "email.shape" and error["severity"] == "error"
    assert written(text, encoding, error["range"]) == value
    assert written(text, encoding, error["keyRange"]) == name


def test_the_page_shows_a_whole_answer() -> None:
    # test_protocol_pages.py compares it with the daemon's.
    [shown] = conversations(ROOT / "protocol" / "tools.md")
    [request, answer] = shown.messages
    assert "text/validate" in request.text and LEFT_OUT not in answer.text


def test_a_broken_text_is_judged_as_far_as_it_can_be_read(daemon: Daemon) -> None:
    text = '{"email": "kim", "pasword": }'
    with formd.Client(str(daemon.path)) as client:
        judged = client.validate_text("login", text, "json", locale="en")
        assert [error["code"] for error in judged["errors"]] == ["missingValue", "email.shape"]
        judged = client.validate_text("login", '{"email": "kim@example.com" "pasword": "x"}', "json")
        fix = judged["errors"][0]["fix"]
        assert (judged["errors"][0]["code"], fix["text"]) == ("missingComma", ",")
        assert fix["range"]["start"] == fix["range"]["end"] == {"line": 0, "character": 27}


def test_a_name_that_is_no_field_has_the_one_that_was_meant(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        judged = client.validate_text("login", '{"emial": "kim@example.com", "password": "x"}', "json")
        [warning] = [error for error in judged["errors"] if error["severity"] == "warning"]
        assert warning["fix"] == {"range": warning["keyRange"], "text": '"email"'}
        judged = client.validate_text("login", "", "yaml", errors_max=1)
        assert judged["isTruncated"] and len(judged["errors"]) == 1


def test_a_text_with_more_rows_than_allowed_is_refused_with_the_limit(
    start: Callable[..., Daemon], folder: Path
) -> None:
    rows = {"type": "array", "maxItems": 9000, "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
    form = {"form": "rows", "schema": {"type": "object", "properties": {"rows": rows}}}
    (folder / "rows.form.json").write_text(json.dumps(form), encoding="utf-8")
    text = json.dumps({"rows": [{"a": "x"}] * 4001})
    with formd.Client(str(start(forms=folder).path)) as client, pytest.raises(formd.QuotaExceeded) as refused:
        client.validate_text("rows", text, "json")
    assert refused.value.data == {"limit": "rowsMax", "value": 2500}


def test_checks_run_where_they_are_asked_for(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        judged = client.validate_text("order", "customer:\n  name: Kim\n  home: {street: a, city: Atlantis}\n", "yaml", checks=True)
        [error] = judged["errors"]
        assert (error["path"], error["code"], error["source"]) == ("/customer/home/city", "city.known", "rule")
        assert error["range"]["start"] == {"line": 2, "character": 26}


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"language": "toml"}, "/language"),
        ({"language": "json", "encoding": "utf-7"}, "/encoding"),
        ({"language": "json", "defaults": "some"}, "/defaults"),
        ({"language": "json", "errorsMax": 0}, "/errorsMax"),
        ({"language": "json", "errorsMax": 10_001}, "/errorsMax"),
        ({"language": "json", "locale": "x" * 300}, "/locale"),
        ({"language": "json", "text": {}}, "/text"),
        ({}, "/language"),
    ],
)
def test_params_that_are_wrong_are_refused(daemon: Daemon, params: dict[str, JSON], path: str) -> None:
    with daemon.connect() as connection:
        refused = connection.refused("text/validate", {"form": "login", "text": "{}", **params})
        assert refused["code"] == -32602 and [error["path"] for error in refused["data"]["errors"]] == [path]
        assert connection.refused("text/validate", {"form": "lgin", "text": "{}", "language": "json"})["code"] == 1003
        assert connection.call("server/ping")


def test_no_text_stops_the_daemon(daemon: Daemon) -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
    )
    texts = {
        "json": ["[" * 20_000, '{"a":' * 10_000, '"' * 1000, "{" + '"x" ' * 5_000, '"\\ud800"', "\u0000", "\ufeff{}", "[1" + ",1" * 10_000],
        "jsonc": ["/*" * 1000, "//" * 1000 + "\n{}"],
        "yaml": ["[" * 20_000, "? " * 5_000, bomb, "a: *a", "- " * 20_000, "!!x " * 1000, "\u0007", "%YAML 9.9\n---\n"],
        "env": ["=" * 100_000, "A='" * 10_000, 'A="' + "\\" * 10_000, "A=1\n" * 5_000],
    }
    with daemon.connect() as connection:
        for language, cases in texts.items():
            for text in cases:
                judged = connection.call("text/validate", {"form": "login", "text": text, "language": language})
                assert judged["isValid"] is False and judged["errors"], (language, text[:20])
        params = {"form": "login", "language": "json", "text": "x" * (5 << 20)}
        connection.send({"jsonrpc": "2.0", "id": 6, "method": "text/validate", "params": params})
        assert connection.read()["error"]["code"] == -32007
        for text, code in [(b'"\\ud800"', -32600), (b'"\xff"', -32700)]:
            connection.send_text(
                b'{"jsonrpc":"2.0","id":7,"method":"text/validate","params":{"form":"login","language":"json","text":' + text + b"}}"
            )
            assert connection.read()["error"]["code"] == code
        connection.send({"jsonrpc": "2.0", "method": "text/validate", "params": {"form": "login", "language": "json", "text": "{}"}})
        assert connection.call("server/ping")


def test_a_definition_may_be_brought_along(daemon: Daemon) -> None:
    definition = {"schema": {"properties": {"n": {"type": "integer", "default": 1, "maximum": 0}}}}
    long_text = '{"comment": "' + "é" * 100_000 + '", "n": "1"}'
    with daemon.connect() as connection:
        judged = connection.call("text/validate", {"definition": definition, "text": long_text, "language": "json"})
        [error] = judged["errors"]
        assert (error["path"], error["code"], written(long_text, "utf-16", error["range"])) == ("/n", "type", '"1"')
        for defaults, valid in [("apply", False), ("ignore", True)]:
            params = {"definition": definition, "text": "{}", "language": "json", "defaults": defaults}
            assert connection.call("text/validate", params)["isValid"] is valid


def test_validate_reads_the_language_of_a_file(tmp_path: Path, daemon: Daemon) -> None:
    form = EXAMPLES / "login" / "login.form.json"
    texts = {
        "values.yaml": ("email: kim\npassword: x\n", "1:8"),
        "values.jsonc": ('{ // why\n "email": "kim", "password": "x", }', "2:11"),
        "prod.env": ("# why\nemail=kim\npassword=x\n", "2:7"),
    }
    for name, (text, place) in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        for arguments in [[form], ["--socket", daemon.path, "login"]]:
            done = formctl("validate", *arguments, tmp_path / name, "--locale", "en")
            line = f"{tmp_path / name}:{place}: /email: That is not an email address. [email.shape]\n"
            assert (done.returncode, done.stdout, done.stderr) == (1, line, ""), done
    done = formctl("validate", form, "--language", "yaml", standard_input="email: kim@example.com\npassword: x\n")
    assert (done.returncode, done.stdout) == (0, "valid\n"), done


def test_validate_prints_ranges(tmp_path: Path) -> None:
    form = EXAMPLES / "login" / "login.form.json"
    for encoding, end in [("utf-8", 28), ("utf-16", 26), ("utf-32", 25)]:
        done = formctl("validate", form, "--json", "--encoding", encoding, standard_input='{"password": "😀", "email":"k"}')
        [error] = json.loads(done.stdout)["errors"]
        assert error["keyRange"]["end"] == {"line": 0, "character": end}, done


def test_validate_tells_slips_and_what_can_be_judged() -> None:
    form = EXAMPLES / "login" / "login.form.json"
    done = formctl("validate", form, "--locale", "en", standard_input='{"email": "kim" "password": x}')
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [
            "-:1:16: a comma is missing here; write , [missingComma]",
            '-:1:29: this is not a JSON value; write a text in quotes [unknownWord]',
            "-:1:11: /email: That is not an email address. [email.shape]",
        ],
    ), done


def test_check_prints_the_ranges_of_names_within_formulas(tmp_path: Path) -> None:
    definition = """{"form": "t", "schema": {"properties": {"email": {"type": "string"}}},
 "rules": [{"id": "r", "field": "email", "check": "'😀' != values.emial", "message": "No."}],
 "fields": {"email": {"lable": "E"},}}
"""
    file = tmp_path / "t.form.json"
    file.write_text(definition, encoding="utf-8")
    for encoding in ["utf-8", "utf-16", "utf-32"]:
        done = formctl("check", "--json", "--encoding", encoding, file)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 1 and [(one["code"], written(definition, encoding, one["range"])) for one in told] == [
            ("trailingComma", ","), ("unknownKey", '"lable"'), ("expression", "values.emial"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("json", '{"email": "kim@example.com", "password": hunter2}'), ("json", '{"password": my hunter2: 1}'),
        ("json", '{"password": \'hunter2\'}'), ("yaml", "password: *hunter2\n"),
        ("yaml", "password: a\nhunter2: 1\nhunter2: 2\n"), ("env", "password=a\nhunter2=1\nhunter2=2\n"),
    ],
)  # fmt: skip
def test_faults_of_a_text_with_a_secret_have_no_text_of_the_input(
    daemon: Daemon, folder: Path, language: str, text: str
) -> None:
    with formd.Client(str(daemon.path)) as client:
        judged = client.validate_text("login", text, language, locale="en")
    assert not judged["isValid"] and judged["errors"] and "hunter2" not in json.dumps(judged)
    form = str(EXAMPLES / "login" / "login.form.json")
    schema = folder / "s.json"
    schema.write_text('{"properties": {"password": {"type": "string", "writeOnly": true}}}', encoding="utf-8")
    values = folder / f"values.{language}"
    values.write_text(text, encoding="utf-8")
    outputs = [["--output", output] for output in ("text", "json", "github", "gitlab", "sarif", "junit")]
    runs = [formctl("validate", form, values, *output) for output in [*outputs, ["--json"]]]
    runs += [formctl("schema", "validate", schema, values, *output) for output in [*outputs, ["--output", "basic"]]]
    for run in runs:
        assert run.returncode != 0 and "hunter2" not in run.stdout + run.stderr, run
