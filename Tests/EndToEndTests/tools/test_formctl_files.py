"""Many files in one run: `formctl schema validate`, `schema check`, `validate` and `check`, in every format of reports.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

from harness import EXAMPLES, Process, formctl, formctl_binary

SCHEMA = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "pin": {"type": "integer", "writeOnly": True}}}
LOGIN = EXAMPLES / "login" / "login.form.json"


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def run_in(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(formctl_binary()), *arguments], cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.fixture
def tree(folder: Path) -> Path:
    """A schema, and files of every language, half of them wrong."""
    write(folder / "s.schema.json", SCHEMA)
    write(folder / "data" / "good.json", {"name": "a"})
    write(folder / "data" / "bad.json", '{"name":\n  5}')
    write(folder / "data" / "good.yaml", "name: a\n---\nname: b\n")
    write(folder / "data" / "bad.yml", "name: a\n---\n# c\nname: 5\n")
    write(folder / "data" / "deep" / "bad.jsonl", '{"name": "a"}\n\n{"name": 5}\n[]\n')
    write(folder / "data" / "deep" / "good.jsonc", '{"name": "a", /* why */ }')
    write(folder / "data" / ".hidden" / "bad.json", {})
    return folder


WRONG = ["data/bad.json", "data/bad.yml", "data/deep/bad.jsonl"]


def test_a_folder_is_judged_in_the_order_of_its_files(tree: Path) -> None:
    run = run_in(tree, "schema", "validate", "s.schema.json", "data")
    assert run.stdout.splitlines() == [
        "data/bad.json:2:3: /name: This must be a text, not 5. [/properties/name/type]",
        "data/bad.yml:4:7: /name: This must be a text, not 5. [/properties/name/type]",
        "data/deep/bad.jsonl:3:10: /name: This must be a text, not 5. [/properties/name/type]",
        "data/deep/bad.jsonl:4:1: This must be an object, not a list. [/type]",
        "6 files: 3 valid, 3 invalid; 4 errors, 0 warnings",
    ], run
    assert (run.returncode, run.stderr) == (1, ""), run


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["data/*.json"], 2), (["**/*.yml", "**/*.yaml"], 2), (["data", "data/good.json"], 6),
        (["data/good.json", "./data/good.json", "data/deep"], 3), (["**"], 7),
    ],
)  # fmt: skip
def test_arguments_are_files_folders_and_patterns(tree: Path, arguments: list[str], files: int) -> None:
    run = run_in(tree, "schema", "validate", "--output", "json", "s.schema.json", *arguments)
    assert json.loads(run.stdout)["summary"]["files"] == files, run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.json"], "gone.json: No such file or directory"),
        (["*.xml"], "*.xml: no file matches"),
        (["empty"], "empty: no file in this folder ends with .json"),
        (["locked.json"], "locked.json: "),
    ],
)
@pytest.mark.parametrize("output", ["text", "json", "github", "gitlab", "sarif", "junit"])
def test_what_cannot_be_judged_is_told_and_the_rest_is_judged(
    tree: Path, arguments: list[str], words: str, output: str
) -> None:
    (tree / "empty").mkdir()
    (tree / "locked.json").symlink_to("locked.json")
    run = run_in(tree, "schema", "validate", "--output", output, "s.schema.json", *arguments, "data/bad.json")
    assert run.returncode == 2 and words in run.stderr and "formctl: " in run.stderr, run
    assert "must be a text" in run.stdout, run


def test_a_broken_file_is_invalid_and_told_with_its_place(tree: Path) -> None:
    write(tree / "broken.yaml", "a: [1\nb: 2\n")
    write(tree / "broken.json", '{"name": "a" "pin": x}')
    write(tree / "broken.jsonl", '{"name": "a"}\n{"name"\n')
    run = run_in(tree, "schema", "validate", "s.schema.json", "broken.yaml", "broken.json", "broken.jsonl")
    lines = run.stdout.splitlines()
    assert run.returncode == 1, run
    for start in ["broken.yaml:1:4: error: ", "broken.json:1:13: error: a comma", "broken.jsonl:2:8: error: "]:
        assert any(line.startswith(start) for line in lines), (start, run)
    assert lines[-1].startswith("3 files: 0 valid, 3 invalid; "), run


def test_standard_input_is_a_file_among_others(tree: Path) -> None:
    schema = tree / "s.schema.json"
    run = formctl("schema", "validate", "--language", "yaml", schema, "-", standard_input="name: 5\n")
    assert run.returncode == 1 and run.stdout.startswith("-:1:7: /name"), run
    run = formctl("schema", "validate", schema, tree / "data" / "good.json", "-", standard_input='{"name": 5}')
    assert run.returncode == 1 and run.stdout.splitlines()[-1] == "2 files: 1 valid, 1 invalid; 1 error, 0 warnings", run
    run = formctl("schema", "validate", "-", "-", standard_input="{}")
    assert run.returncode == 2 and "read once" in run.stderr, run
    run = formctl("schema", "validate", "-", tree / "data" / "bad.json", standard_input=json.dumps(SCHEMA))
    assert run.returncode == 1, run


def test_a_schema_that_cannot_be_used_ends_the_run_in_every_format(tree: Path) -> None:
    write(tree / "broken.schema.json", '{"type":\n "strng"}')
    for output in ["text", "json", "github", "gitlab", "sarif", "junit"]:
        run = run_in(tree, "schema", "validate", "--output", output, "broken.schema.json", "data")
        assert run.returncode == 2 and "the schema cannot be used" in run.stderr and "strng" in run.stdout, run
    run = run_in(tree, "schema", "validate", "gone.schema.json", "data")
    assert run.returncode == 2 and "gone.schema.json: No such file" in run.stderr, run
    write(tree / "broken.schema.json", "{")
    run = run_in(tree, "schema", "validate", "broken.schema.json", "data")
    assert run.returncode == 2 and run.stdout.startswith("broken.schema.json:1:2: error: "), run


# The schemas that files name


def test_a_file_names_its_schema(tree: Path) -> None:
    write(tree / "own" / "a.json", {"$schema": "../s.schema.json", "name": 5})
    write(tree / "own" / "b.yaml", "# yaml-language-server: $schema=../s.schema.json\nname: 5\n")
    write(tree / "own" / "c.json", {"$schema": "http://json-schema.org/draft-07/schema#", "type": "strng"})
    run = run_in(tree, "schema", "validate", "own")
    assert run.returncode == 1, run
    assert [line.split(": ")[0] for line in run.stdout.splitlines()[:3]] == ["own/a.json:1:41", "own/b.yaml:2:7", "own/c.json:1:64"]
    run = run_in(tree, "schema", "validate", "--own-schema", "own/a.json", "own/b.yaml")
    assert run.stdout.splitlines()[-1] == "2 files: 0 valid, 2 invalid; 2 errors, 0 warnings", run
    run = run_in(tree, "schema", "validate", "data/good.json")
    assert run.returncode == 2 and "the value has no $schema" in run.stderr, run
    write(tree / "own" / "a.json", {"$schema": "gone.json"})
    run = run_in(tree, "schema", "validate", "own/a.json")
    assert run.returncode == 2 and "there is no file" in run.stderr and "gone.json" in run.stderr, run


def test_addresses_lead_to_files(tree: Path) -> None:
    address = "https://example.com/schemas/"
    write(tree / "values.json", {"$schema": f"{address}s.schema.json", "name": 5})
    write(tree / "extended.json", {"$schema": f"{address}in/e", "name": 5})
    write(tree / "store" / "in" / "e.json", {"$ref": "../s.schema.json"})
    write(tree / "store" / "s.schema.json", {"$id": f"{address}s.schema.json", **SCHEMA})
    run = run_in(tree, "schema", "validate", "values.json")
    assert run.returncode == 2 and "--references" in run.stderr and address in run.stderr, run
    for place in [f"{address}=store", "store", "store/s.schema.json", f"{address}s.schema.json=s.schema.json"]:
        run = run_in(tree, "schema", "validate", "--references", place, "values.json")
        assert run.returncode == 1 and "/name" in run.stdout, (place, run)
    run = run_in(tree, "schema", "validate", "--references", f"{address}=store", "extended.json")
    assert run.returncode == 1 and "/name" in run.stdout, run
    run = run_in(tree, "schema", "validate", "--references", "gone", "values.json")
    assert run.returncode == 2 and "gone" in run.stderr, run


# Formats


def test_every_format_tells_the_same_findings(tree: Path) -> None:
    def told(output: str) -> str:
        run = run_in(tree, "schema", "validate", "--output", output, "s.schema.json", "data")
        assert (run.returncode, run.stderr) == (1, ""), run
        return run.stdout

    places = [("data/bad.json", 2, 3), ("data/bad.yml", 4, 7), ("data/deep/bad.jsonl", 3, 10), ("data/deep/bad.jsonl", 4, 1)]
    files = json.loads(told("json"))["files"]
    assert [(f["file"], f["line"], f["column"]) for file in files for f in file["findings"]] == places
    assert [file["file"] for file in files if not file["valid"]] == WRONG
    issues = json.loads(told("gitlab"))
    assert [(one["location"]["path"], one["location"]["lines"]["begin"]) for one in issues] == [place[:2] for place in places]
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    github = told("github").splitlines()
    assert [line.split(",endLine")[0] for line in github[:4]] == [f"::error file={f},line={l},col={c}" for f, l, c in places]
    suites = xml.fromstring(told("junit").encode()).findall("testsuite")
    assert [suite.get("name") for suite in suites if suite.get("failures") == "1"] == WRONG and len(suites) == 6


def test_sarif_keeps_what_the_standard_asks_for(tree: Path) -> None:
    write(tree / "data" / "ä b.json", '{"name": "😀",\n "pin": "hunter2"}')
    run = run_in(tree, "schema", "validate", "--output", "sarif", "s.schema.json", "data", "gone.json")
    assert "hunter2" not in run.stdout and run.returncode == 2, run
    log = json.loads(run.stdout)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    [sarif] = log["runs"]
    rules = [rule["id"] for rule in sarif["tool"]["driver"]["rules"]]
    assert sarif["tool"]["driver"]["name"] == "formctl" and len(rules) == len(set(rules))
    prints = [result["partialFingerprints"]["finding/v1"] for result in sarif["results"]]
    assert len(prints) == len(set(prints)) == 5
    for result in sarif["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"] and result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        [location] = result["locations"]
        region = location["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) >= (1, 1)
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii() and not any(sign in uri for sign in ' "<>\\^`{|}')
    assert "data/%C3%A4%20b.json" in run.stdout
    [invocation] = sarif["invocations"]
    assert invocation["executionSuccessful"] is False and invocation["exitCode"] == 2
    [notice] = invocation["toolExecutionNotifications"]
    assert notice["level"] == "error" and "No such file" in notice["message"]["text"]


def test_quiet_says_nothing_of_what_is_fine(tree: Path) -> None:
    assert run_in(tree, "schema", "validate", "-q", "s.schema.json", "data/good.json").stdout == ""
    run = run_in(tree, "schema", "validate", "--quiet", "s.schema.json", "data")
    assert run.returncode == 1 and len(run.stdout.splitlines()) == 4, run


def test_color_is_for_terminals_unless_no_color_says_otherwise(tree: Path) -> None:
    def on_a_terminal(**environment: str) -> bytes:
        ours, theirs = pty.openpty()
        command = [str(formctl_binary()), "schema", "validate", "s.schema.json", "data/bad.json"]
        subprocess.run(command, cwd=tree, stdout=theirs, env={**os.environ, "TERM": "xterm", **environment}, check=False)
        os.close(theirs)
        shown = os.read(ours, 1 << 16)
        os.close(ours)
        return shown

    assert b"\x1b[1mdata/bad.json:2:3:\x1b[0m" in on_a_terminal(NO_COLOR="")
    assert b"\x1b" not in on_a_terminal(NO_COLOR="1") and b"\x1b" not in on_a_terminal(TERM="dumb")
    assert "\x1b" not in run_in(tree, "schema", "validate", "s.schema.json", "data/bad.json").stdout


def test_many_files_are_told_in_their_order(folder: Path) -> None:
    write(folder / "s.json", {"type": "integer"})
    for number in range(1000):
        write(folder / "data" / f"{number:04}.json", "1" if number % 3 else '"x"')
    run = run_in(folder, "schema", "validate", "s.json", "data")
    lines = run.stdout.splitlines()
    assert lines[-1] == "1,000 files: 666 valid, 334 invalid; 334 errors, 0 warnings", lines[-1]
    assert [line.split(":")[0] for line in lines[:-1]] == [f"data/{number:04}.json" for number in range(0, 1000, 3)]


def test_a_list_that_is_cut_says_so_in_every_form(folder: Path) -> None:
    write(folder / "s.json", {"items": {"type": "string"}})
    write(folder / "a.jsonl", (json.dumps(list(range(60))) + "\n") * 3)
    run = run_in(folder, "schema", "validate", "s.json", "a.jsonl")
    assert run.stdout.splitlines()[100:] == ["a.jsonl: 80 more failures are not shown; --all shows all"], run
    [file] = json.loads(run_in(folder, "schema", "validate", "--output", "json", "s.json", "a.jsonl").stdout)["files"]
    assert (len(file["findings"]), file["untold"]) == (100, 80)


def test_giving_up_on_one_file_is_no_verdict_on_it_alone(folder: Path) -> None:
    write(folder / "s.json", {"items": {"$ref": "#"}})
    write(folder / "deep.json", "[" * 700 + "]" * 700)
    write(folder / "flat.json", "[]")
    run = run_in(folder, "schema", "validate", "--output", "json", "s.json", "deep.json", "flat.json")
    report = json.loads(run.stdout)
    assert run.returncode == 2 and [file["valid"] for file in report["files"]] == [None, True], run
    assert "Raise the limit with --depth-max." in report["files"][0]["error"] and "--depth-max" in run.stderr
    assert run_in(folder, "schema", "validate", "--depth-max", "2000", "s.json", "deep.json", "flat.json").returncode == 0


def test_the_standard_s_output_is_of_one_value(tree: Path) -> None:
    for files in (["data"], ["data/good.yaml"]):
        run = run_in(tree, "schema", "validate", "--output", "flag", "s.schema.json", *files)
        assert run.returncode == 2 and "--output json" in run.stderr, run
    run = run_in(tree, "schema", "validate", "--output", "basic", "data/good.json", "data/bad.yml")
    assert run.returncode == 2, run


def test_watching_judges_again_when_a_file_changes(tree: Path) -> None:
    file = tree / "data" / "good.json"
    process = Process([str(formctl_binary()), "schema", "validate", "--watch", str(tree / "s.schema.json"), str(tree / "data")])
    process.line_with("6 files: 3 valid, 3 invalid")
    file.write_text('{"name": 12345}', encoding="utf-8")
    process.line_with("6 files: 2 valid, 4 invalid")
    process.signal(2)
    assert process.wait() == -2
    run = formctl("schema", "validate", "--watch", tree / "s.schema.json", "-")
    assert run.returncode == 2 and "--watch" in run.stderr, run
    run = formctl("schema", "validate", "--watch", "--output", "json", tree / "s.schema.json", file)
    assert run.returncode == 2 and "--output" in run.stderr, run


# Further commands


def test_check_takes_folders_and_formats(folder: Path) -> None:
    write(folder / "f" / "good.form.json", {"schema": {"properties": {"a": {"type": "string"}}}})
    write(folder / "f" / "bad.form.json", {"schema": {}, "outputs": {"o": "values.x"}})
    write(folder / "f" / "other.json", "x")
    run = run_in(folder, "check", "f")
    assert run.returncode == 1 and run.stdout.splitlines()[-1].startswith("2 files: 1 valid, 1 invalid; "), run
    assert "good.form.json: good: 1 field, 0 actions, 0 output" in run.stdout, run
    run = run_in(folder, "check", "--output", "github", "f", "gone.form.json")
    assert run.returncode == 2 and "::error file=f/bad.form.json,line=1,col=" in run.stdout, run
    assert "::error file=gone.form.json::No such file" in run.stdout, run
    for arguments in (["--json", "--output", "sarif"], ["--cells", "--output", "json"], ["--watch", "--json"]):
        assert run_in(folder, "check", *arguments, "f").returncode == 2


def test_validate_takes_folders_and_formats(folder: Path) -> None:
    write(folder / "v" / "a.jsonl", '{"email": "kim@example.com", "password": "x"}\n{"email": "kim", "password": "x"}\n')
    write(folder / "v" / "b.yaml", "email: kim\npassword: hunter2\n")
    write(folder / "v" / "c.json", {"email": "kim@example.com", "password": "x"})
    run = run_in(folder, "validate", "--locale", "en", str(LOGIN), "v")
    assert run.returncode == 1 and run.stdout.splitlines() == [
        "v/a.jsonl:2:11: /email: That is not an email address. [email.shape]",
        "v/b.yaml:1:8: /email: That is not an email address. [email.shape]",
        "3 files: 1 valid, 2 invalid; 2 errors, 0 warnings",
    ], run
    run = run_in(folder, "validate", "--output", "junit", str(LOGIN), "v")
    assert [suite.get("failures") for suite in xml.fromstring(run.stdout.encode())] == ["1", "1", "0"], run
    assert "hunter2" not in run.stdout
    run = run_in(folder, "validate", "--json", str(LOGIN), "v")
    assert run.returncode == 2 and "--output json" in run.stderr, run


def test_schema_check_takes_folders(tree: Path) -> None:
    write(tree / "schemas" / "bad.json", {"type": "strng"})
    write(tree / "schemas" / "good.json", {"type": "string"})
    run = run_in(tree, "schema", "check", "schemas")
    assert run.returncode == 1 and run.stdout.splitlines()[-1].startswith("2 files: 1 valid, 1 invalid; "), run
    run = run_in(tree, "schema", "check", "--output", "gitlab", "schemas")
    assert [issue["location"]["path"] for issue in json.loads(run.stdout)] == ["schemas/bad.json"], run


def test_a_name_cannot_break_a_line(folder: Path) -> None:
    write(folder / "s.json", {"additionalProperties": {"type": "null"}})
    write(folder / "a.json", {"x\n::error::no\x1b[2J": 1})
    run = run_in(folder, "schema", "validate", "s.json", "a.json")
    assert len(run.stdout.splitlines()) == 1 and "\x1b" not in run.stdout, run
    run = run_in(folder, "schema", "validate", "--output", "github", "s.json", "a.json")
    assert len(run.stdout.splitlines()) == 2, run


# Files without an end


def put_endless(path: Path, kind: str) -> str:
    """Puts a file there that no program can read to its end: a pipe without a writer, a device, or a file of 200 GB."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.touch()
        os.truncate(path, 200_000_000_000)
    return str(path)


ENDLESS = ["pipe", "device", "sparse"]


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("a.form.json", ["check", "found"]), ("a.form.json", ["check", "found/*.json"]),
        ("a.form.json", ["check", "**"]),
        ("a.json", ["validate", str(LOGIN), "found"]), ("a.schema.json", ["schema", "check", "found"]),
        ("a.yaml", ["schema", "validate", "s.schema.json", "found"]),
        ("a.json", ["schema", "check", "s.schema.json", "--references", "found"]),
        ("a.json", ["schema", "check", "s.schema.json", "--references", "https://example.com/=found"]),
        ("a.json", ["expr", "self", "--input", "found"]), ("a.test.json", ["test", "found"]),
        ("a.json", ["schema", "check", "refers.json"]), ("a.json", ["schema", "validate", "refers.json", "value.json"]),
        ("a.json", ["expr", "self", "--input", "value.json", "--schema", "refers.json"]),
        ("a.json", ["test", "refers.test.json"]),
    ],
)  # fmt: skip
def test_a_file_that_is_found_or_referred_to_is_regular_and_bounded(
    folder: Path, kind: str, name: str, arguments: list[str]
) -> None:
    put_endless(folder / "found" / name, kind)
    write(folder / "s.schema.json", {"$ref": "https://example.com/a.json"} if "https" in arguments[-1] else {})
    write(folder / "refers.json", {"$ref": "found/a.json"})
    write(folder / "refers.test.json", {"form": "found/a.json", "cases": [{"name": "a", "steps": []}]})
    write(folder / "value.json", {})
    run = run_in(folder, *arguments)
    assert run.returncode in (1, 2), run
    words = "more than " if kind == "sparse" else "not a regular file"
    assert f"found/{name}" in run.stdout + run.stderr and words in run.stdout + run.stderr, run


@pytest.mark.parametrize("kind", ["device", "sparse"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "a.json"], ["explain", "a.json"], ["validate", "a.json", "value.json"],
        ["validate", str(LOGIN), "a.json"], ["validate", str(LOGIN), "a.json", "--json"],
        ["schema", "check", "a.json"], ["schema", "validate", "a.json", "value.json"],
        ["schema", "validate", "value.json", "a.json"],
        ["schema", "validate", "value.json", "a.json", "--output", "flag"],
        ["schema", "check", "value.json", "--references", "a.json"], ["expr", "self", "--input", "a.json"],
        ["test", "a.json"],
    ],
)  # fmt: skip
def test_a_file_that_is_named_is_bounded(folder: Path, kind: str, arguments: list[str]) -> None:
    put_endless(folder / "a.json", kind)
    write(folder / "value.json", {})
    run = run_in(folder, *arguments)
    assert run.returncode == 2, run
    is_form = arguments[:2] in (["check", "a.json"], ["explain", "a.json"], ["validate", "a.json"])
    bound = "16 MiB" if is_form else "256 MiB"
    assert f"more than {bound}; use a smaller file" in run.stdout + run.stderr, run


def test_a_pipe_that_is_named_is_read(tree: Path) -> None:
    assert run_in(tree, "schema", "validate", "s.schema.json", "/dev/fd/0").returncode == 1
    for script in [
        "formctl check <(cat login.form.json)", "formctl check - < login.form.json",
        "formctl schema validate <(cat s.schema.json) data/good.json",
        "formctl schema validate s.schema.json <(cat data/good.json) --language json",
        "cat data/good.json | formctl schema validate s.schema.json -",
    ]:  # fmt: skip
        (tree / "login.form.json").write_bytes(LOGIN.read_bytes())
        run = subprocess.run(
            ["bash", "-c", script.replace("formctl", str(formctl_binary()))], cwd=tree, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
        assert run.returncode == 0, (script, run)


def test_standard_input_is_bounded(folder: Path) -> None:
    write(folder / "s.schema.json", {})
    with open("/dev/zero", "rb") as zeros:
        for arguments, bound in [(["check", "-"], "16 MiB"), (["schema", "validate", "s.schema.json", "-"], "256 MiB")]:
            run = subprocess.run(
                [str(formctl_binary()), *arguments], cwd=folder, stdin=zeros, capture_output=True, text=True,
                timeout=60, check=False,
            )  # fmt: skip
            assert run.returncode == 2 and f"more than {bound}; use a smaller file" in run.stderr, run


def test_check_compares_with_an_earlier_version(folder: Path) -> None:
    def write(path: Path, names: list[str], fields: dict[str, object]) -> Path:
        schema = {"type": "object", "additionalProperties": False, "properties": {name: {} for name in names}}
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"form": "t", "schema": schema, "fields": fields}), encoding="utf-8")
        return path

    old = write(folder / "old" / "t.form.json", ["age", "name"], {})
    new = write(folder / "new" / "t.form.json", ["years", "name"], {})
    for earlier in (old, old.parent):
        run = formctl("check", new, "--against", earlier)
        assert run.returncode == 0, run
        assert f'{new}: warning: the form no longer has the field "age"' in run.stdout + run.stderr, run
        assert '"renamedFrom"' in run.stdout + run.stderr
    assert formctl("check", new, "--against", old, "--strict").returncode == 1
    write(new, ["years", "name"], {"years": {"renamedFrom": "age"}})
    run = formctl("check", new, "--against", old, "--strict")
    assert run.returncode == 0 and "age" not in run.stdout + run.stderr, run
    run = formctl("check", new, "--against", folder / "none.form.json")
    assert run.returncode == 2 and "none.form.json" in run.stderr, run
