"""`formctl test` and `formctl record`: cases of forms, from files to exit statuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from harness import ROOT, Process, formctl, formctl_binary

FORM = {
    "schema": {
        "type": "object",
        "required": ["email"],
        "properties": {"email": {"type": "string", "maxLength": 99}},
    },
    "rules": [{"id": "email.shape", "field": "email", "check": "self.contains('@')", "message": "No @."}],
    "actions": {
        "login": {
            "run": {"http": {"service": "accounts", "path": "/login", "json": {"email": "values.email"}}},
            "outcomes": [{"when": "response.status == 200", "success": "response.body"}, {"failure": "response.kind"}],
        }
    },
}
GOOD = {"name": "good", "steps": [{"change": "email", "value": "a@b", "expect": {"isValid": True}}]}
BAD = {"name": "bad", "given": {"email": "kim"}, "expect": {"messages": {"email": "No @."}}}


def write(folder: Path, name: str, *cases: Any, form: Any = FORM) -> Path:
    """A form with its cases."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.form.json").write_text(json.dumps(form), encoding="utf-8")
    file = folder / f"{name}.test.json"
    file.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    return file


def test_help_names_formats_and_statuses() -> None:
    run = formctl("test", "--help")
    assert run.returncode == 0
    words = " ".join(run.stdout.split())
    for word in ("--format", "junit", "--coverage", "--watch", "N passed, M failed", "Exit status: 0 all passed"):
        assert word in words, word
    assert "--case" in formctl("record", "--help").stdout


def test_the_examples_pass_and_reach_everything() -> None:
    run = formctl("test", "protocol/examples", "--coverage")
    assert run.returncode == 0, run.stdout
    assert re.fullmatch(r"[0-9]+ passed, 0 failed", run.stdout.splitlines()[-1])
    covered = re.findall(r"form\.(?:json|yaml): ([0-9]+) of ([0-9]+) reached", run.stdout)
    assert len(covered) > 11 and all(reached == count for reached, count in covered), run.stdout


def test_what_fails_is_told_with_place_difference_and_reason(folder: Path) -> None:
    file = write(folder, "t", GOOD, BAD)
    run = formctl("test", file)
    assert (run.returncode, run.stderr) == (1, ""), run
    lines = run.stdout.splitlines()
    assert lines[0] == f"{file}: 1 of 2 passed"
    assert lines[1] == "  FAILED: bad (when the session was opened)"
    assert lines[2].startswith(f"    {file}:1:") and lines[2].endswith(": messages email")
    assert [line.split() for line in lines[3:5]] == [["expected", '"No', '@."'], ["got", "nothing"]]
    assert "    the engine's explanation of field email:" in lines and "self.contains('@')" in run.stdout
    assert lines[-1] == "1 passed, 1 failed"


def test_the_case_of_the_readme_passes(folder: Path) -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (cases,) = [block for block in blocks if '"cases"' in block]
    file = folder / "login.test.json"
    file.write_text(cases, encoding="utf-8")
    form = ROOT / "protocol/examples/login/login.form.json"
    (folder / form.name).write_bytes(form.read_bytes())
    assert formctl("test", file).stdout == f"{file}: 1 of 1 passed\n1 passed, 0 failed\n"


def test_folders_are_searched_and_files_named(folder: Path) -> None:
    write(folder / "b", "two", GOOD)
    write(folder / "a" / "deep", "one", GOOD, {**GOOD, "name": "again"})
    run = formctl("test", folder)
    assert [line.split(": ")[1] for line in run.stdout.splitlines()[:-1]] == ["2 of 2 passed", "1 of 1 passed"], run
    assert run.stdout.endswith("\n3 passed, 0 failed\n") and run.returncode == 0
    here = subprocess.run([formctl_binary(), "test", "-v"], cwd=folder / "b", capture_output=True, text=True, check=False)
    assert here.stdout == "two.test.json: 1 of 1 passed\n  passed: good\n1 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"cases": [', "t.test.json:1:12: error: "),
        ('{"cases": [{"name": "a", "stepz": []}]}', 't.test.json:1:26: error: unknown member "stepz"'),
        ('{"form": "u.form.json", "cases": []}', "t.test.json:1:10: error: there is no form "),
    ],
)
def test_a_broken_file_is_told_and_the_others_run(folder: Path, text: str, told: str) -> None:
    write(folder, "s", GOOD)
    write(folder, "t").write_text(text, encoding="utf-8")
    run = formctl("test", folder)
    assert run.returncode == 2 and told in run.stdout, run
    assert run.stdout.endswith("\n1 passed, 1 failed\n")


def test_a_broken_form_is_told_with_its_own_place(folder: Path) -> None:
    write(folder, "t", GOOD, form={**FORM, "outputs": {"o": "values.mail"}})
    run = formctl("test", folder)
    assert run.returncode == 2 and re.search(r"t\.form\.json:1:[0-9]+: error: .*mail", run.stdout), run


@pytest.mark.parametrize("arguments", [["missing.test.json"], ["--format", "html"], ["--watch", "--format", "tap"]])
def test_a_wrong_command_is_2(arguments: list[str]) -> None:
    assert formctl("test", *arguments).returncode == 2


def test_a_folder_without_cases_is_2_and_says_what_to_write(folder: Path) -> None:
    run = formctl("test", folder)
    assert run.returncode == 2 and "NAME.test.json" in run.stdout and "formctl record" in run.stdout, run
    assert run.stdout.endswith("\n0 passed, 1 failed\n") and run.stderr == ""
    report = ElementTree.fromstring(formctl("test", folder, "--format", "junit").stdout)
    assert (report.get("errors"), report.find("testsuite").get("name")) == ("1", str(folder))  # type: ignore[union-attr]


def test_a_file_runs_once_however_it_is_reached(folder: Path) -> None:
    file = write(folder, "t", GOOD)
    (folder / "loop").symlink_to(".")
    run = formctl("test", folder, file, folder / "loop" / file.name)
    assert run.stdout == f"{file}: 1 of 1 passed\n1 passed, 0 failed\n"


def test_a_folder_that_is_too_deep_is_2_and_named(folder: Path) -> None:
    write(folder, "t", GOOD)
    deep = folder.joinpath("2", "3", "4", "5", "6", "7", "8", "9")
    write(deep, "u", BAD)
    run = formctl("test", folder)
    assert run.returncode == 2 and f"{deep}: error: is not searched" in run.stdout, run
    assert run.stdout.endswith("\n0 passed, 1 failed\n")


def test_tap(folder: Path) -> None:
    write(folder, "t", GOOD, BAD)
    run = formctl("test", folder, "--format", "tap")
    lines = run.stdout.splitlines()
    assert run.returncode == 1 and lines[:2] == ["TAP version 14", "1..2"]
    assert [line for line in lines if re.match("(not )?ok ", line)] == [
        f"ok 1 - {folder}/t.test.json: good", f"not ok 2 - {folder}/t.test.json: bad",
    ]  # fmt: skip
    begin, end = lines.index("  ---"), lines.index("  ...")
    assert all(json.loads(line.removeprefix("    - ")) for line in lines[begin + 3 : end])


def test_junit(folder: Path) -> None:
    write(folder, "t", GOOD, {**BAD, "name": 'a "bad" <one> & more'})
    run = formctl("test", folder, "--format", "junit")
    assert run.returncode == 1
    root = ElementTree.fromstring(run.stdout)
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "2", "1", "0")
    cases = root.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == ["good", 'a "bad" <one> & more']
    assert cases[0].find("failure") is None and "No @." in (cases[1].findtext("failure") or "")


def test_coverage_names_what_no_case_reaches(folder: Path) -> None:
    run = formctl("test", write(folder, "t", GOOD), "--coverage")
    assert run.returncode == 0
    gaps = [line.split(": ", 1)[1] for line in run.stdout.splitlines() if line.startswith(f"  {folder}/t.form.json:1:")]
    assert gaps == [
        "rules['email.shape'].check never fails: self.contains('@')",
        "action login: outcome 0 is never taken: response.status == 200",
        "action login: outcome 1 is never taken (for all other answers)",
    ]


def test_watch_runs_again_when_a_file_changes(folder: Path) -> None:
    file = write(folder, "t", BAD)
    watching = Process([str(formctl_binary()), "test", "--watch", str(folder)])
    watching.line_with("0 passed, 1 failed")
    file.write_text(json.dumps({"cases": [GOOD]}), encoding="utf-8")
    watching.line_with("1 passed, 0 failed")
    watching.signal(signal.SIGINT)
    assert watching.wait() == -signal.SIGINT


def record(form: Path, *arguments: str, lines: list[str]) -> subprocess.CompletedProcess[str]:
    return formctl("record", form, *arguments, standard_input="".join(f"{line}\n" for line in lines))


def test_a_recorded_case_passes(folder: Path) -> None:
    write(folder, "t").unlink()
    form = folder / "t.form.json"
    played = ["# a remark", "email=kim", "blur email", "email=kim@x", "tap login", "advance 2s", 'answer 200 {"points": 7}']
    run = record(form, "--case", "logs in", lines=played)
    assert run.returncode == 0 and run.stdout.endswith('t.test.json: "logs in", 6 steps\n'), run
    assert 'waits for an answer: {"http":{"service":"accounts"' in run.stdout
    case = json.loads((folder / "t.test.json").read_text(encoding="utf-8"))["cases"][0]
    assert case["steps"][1] == {"blur": "email", "expect": {"messages": {"email": "No @."}}}
    assert case["steps"][-1]["expect"]["events"] == [{"action": "login", "kind": "succeeded", "result": {"points": 7}}]
    assert formctl("test", folder).stdout.endswith("\n1 passed, 0 failed\n")


def test_a_case_of_a_form_of_another_name_names_it(folder: Path) -> None:
    form = folder / "x.json"
    form.write_text(json.dumps(FORM), encoding="utf-8")
    run = record(form, "--case", "a", lines=["email=a@b"])
    assert run.returncode == 0 and run.stdout.endswith('x.test.json: "a", 1 step\n'), run
    assert json.loads((folder / "x.test.json").read_text(encoding="utf-8"))["form"] == "x.json"
    assert record(form, "--case", "b", lines=["email=a@b"]).returncode == 0
    assert formctl("test", folder).stdout.endswith("\n2 passed, 0 failed\n")


def test_a_case_does_not_come_to_those_of_another_form(folder: Path) -> None:
    file = write(folder, "m")
    write(folder, "other").unlink()
    text = '{"form": "other.form.json", "cases": []}'
    file.write_text(text, encoding="utf-8")
    run = record(folder / "m.form.json", "--case", "a", lines=["email=a@b"])
    assert run.returncode == 2 and "has cases of another form" in run.stderr and "other.form.json" in run.stderr, run
    assert file.read_text(encoding="utf-8") == text


def test_a_link_stays_one_and_files_beside_it_stay_as_they_are(folder: Path) -> None:
    file = write(folder, "t", GOOD)
    real = folder / "elsewhere" / "cases.json"
    real.parent.mkdir()
    file.rename(real)
    file.symlink_to("elsewhere/cases.json")
    for name in (f"{file}.new", f"{real}.new"):
        Path(name).write_text("mine", encoding="utf-8")
    assert record(folder / "t.form.json", "--case", "a", lines=["email=a@b"]).returncode == 0
    assert file.is_symlink() and len(json.loads(real.read_text(encoding="utf-8"))["cases"]) == 2
    assert [Path(name).read_text(encoding="utf-8") for name in (f"{file}.new", f"{real}.new")] == ["mine", "mine"]
    assert sorted(path.name for path in real.parent.iterdir()) == ["cases.json", "cases.json.new"]


def test_a_recorded_case_replaces_another_only_when_told(folder: Path) -> None:
    file = write(folder, "t", GOOD)
    before = file.read_text(encoding="utf-8")
    form = folder / "t.form.json"
    run = record(form, "--case", "good", lines=["email=x@y"])
    assert run.returncode == 2 and "--force" in run.stderr and file.read_text(encoding="utf-8") == before, run
    assert record(form, "--case", "good", "--force", lines=["email=x@y"]).returncode == 0
    assert record(form, "--case", "other", "--given", '{"email": "a@b"}', lines=["tap login", "answer refused"]).returncode == 0
    cases = json.loads(file.read_text(encoding="utf-8"))["cases"]
    assert [case["name"] for case in cases] == ["good", "other"]
    assert cases[0]["steps"][0]["value"] == "x@y" and cases[1]["answers"][0]["response"] == {"kind": "refused"}
    assert formctl("test", folder).stdout.endswith("\n2 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("mail=x", 'did you mean "email"?'),
        ("wait", "advance"),
        ("answer 200", "no request waits"),
        ("answer 99", "100 to 599"),
        ("answer soon", "write answer 200"),
        ("advance soon", "advance needs a duration"),
        ("hello", "is not a known command"),
    ],
)
def test_a_line_that_is_not_understood_writes_nothing(folder: Path, line: str, told: str) -> None:
    write(folder, "t").unlink()
    run = record(folder / "t.form.json", "--case", "a", lines=["email=x", line])
    assert run.returncode == 2 and told in run.stderr, run
    assert not (folder / "t.test.json").exists()
