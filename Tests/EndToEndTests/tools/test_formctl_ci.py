"""`formctl ci`, `formctl validate --own-form` and `--coverage-min`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from harness import formctl_binary

FORM = {
    "schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 5}}},
    "rules": [{"id": "capital", "field": "name", "check": "self.matches('^[A-Z]')", "message": "A capital."}],
}
TEST = {"cases": [{"name": "small", "given": {"name": "kim"}, "expect": {"isValid": False}}]}


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(formctl_binary()), *arguments], cwd=folder, env=os.environ, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.fixture
def tree(folder: Path) -> Path:
    (folder / "forms").mkdir()
    (folder / "data").mkdir()
    (folder / "forms" / "person.form.json").write_text(json.dumps(FORM), encoding="utf-8")
    (folder / "forms" / "person.test.json").write_text(json.dumps(TEST), encoding="utf-8")
    (folder / "data" / "own.json").write_text('{"$form": "person",\n "name": "Kimberly"}', encoding="utf-8")
    (folder / "data" / "comment.yaml").write_text("# formd: person\nname: kim\n", encoding="utf-8")
    (folder / "data" / "path.yaml").write_text("$form: ../forms/person.form.json\nname: Kim\n", encoding="utf-8")
    (folder / "data" / "listed.env").write_text("name=Longname\n", encoding="utf-8")
    (folder / "data" / "other.json").write_text('{"name": 5}', encoding="utf-8")
    (folder / ".formd-files.json").write_text('{"data/*.env": "person"}', encoding="utf-8")
    return folder


def test_each_file_is_judged_by_the_form_that_it_names(tree: Path) -> None:
    run = run_in(tree, "validate", "--own-form", "data/own.json", "data/comment.yaml", "data/path.yaml", "data/listed.env")
    assert run.returncode == 1, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    assert [line.split(": ")[0] for line in lines[:-1]] == ["data/own.json:2:10", "data/comment.yaml:2:7", "data/listed.env:1:6"]
    assert lines[-1].startswith("4 files: 1 valid, 3 invalid"), lines


def test_a_file_without_a_form_cannot_be_judged(tree: Path) -> None:
    run = run_in(tree, "validate", "--own-form", "data/other.json")
    assert run.returncode == 2 and "names no form" in run.stderr, run.stderr
    (tree / "data" / "typo.yaml").write_text("# formd: persn\nname: Kim\n", encoding="utf-8")
    run = run_in(tree, "validate", "--own-form", "data/typo.yaml")
    assert run.returncode == 1 and 'data/typo.yaml:1:10: error: there is no form "persn"' in run.stdout, run.stdout
    run = run_in(tree, "validate", "--own-form", "--json", "data/own.json")
    assert run.returncode == 2 and "--own-form has no --json" in run.stderr


def test_coverage_has_a_threshold(tree: Path) -> None:
    enough = run_in(tree, "test", "--coverage-min", "50")
    assert enough.returncode == 0, enough.stdout
    (tree / "forms" / "person.test.json").write_text('{"cases": [{"name": "no", "given": {"name": "Kim"}}]}', encoding="utf-8")
    low = run_in(tree, "test", "--coverage-min", "90")
    assert low.returncode == 1 and "less than 90 %" in low.stdout and "1 passed, 0 failed" in low.stdout, low.stdout
    assert run_in(tree, "test", "--coverage-min", "0").returncode == 2


def test_ci_has_one_report(tree: Path) -> None:
    run = run_in(tree, "ci")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "data/other.json" not in run.stdout
    assert run.stdout.splitlines()[-1].startswith("6 files: 3 valid, 3 invalid; 3 errors"), run.stdout
    for name in ("own.json", "comment.yaml", "listed.env"):
        (tree / "data" / name).unlink()
    run = run_in(tree, "ci", "--coverage-min", "100")
    assert run.returncode == 0, run.stdout + run.stderr


def test_ci_tells_a_failed_case_a_broken_form_and_a_form_without_a_test(tree: Path) -> None:
    failing = {"cases": [{"name": "small", "given": {"name": "kim"}, "expect": {"isValid": True}}]}
    (tree / "forms" / "person.test.json").write_text(json.dumps(failing), encoding="utf-8")
    (tree / "forms" / "untested.form.yaml").write_text("schema: {properties: {a: {type: string}}}\n", encoding="utf-8")
    (tree / "forms" / "wrong.form.yaml").write_text("schema: {properties: {}}\nruels: []\n", encoding="utf-8")
    run = run_in(tree, "ci", "forms", "--coverage-min", "50", "--output", "json")
    assert run.returncode == 1
    found = run.stdout
    for code in ("test", "coverage", "unknownKey"):
        assert f'"code":"{code}"' in found.replace(" ", ""), (code, found)
    text = run_in(tree, "ci", "forms", "--coverage-min", "50").stdout
    assert 'the case "small" fails, when the session was opened: isValid; expected true; got false' in text, text
    assert "forms/untested.form.yaml: error: no test file is about this form" in text, text
