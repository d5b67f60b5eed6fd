"""Forms and tests in YAML and in JSON with comments, from the files to the tools and to a running daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import harness
from harness import Daemon, formctl

Start = Callable[..., Daemon]

FORM = """\
# A note.
schema:
  properties:
    text: {type: string, maxLength: 9}
    count: {type: integer}
outputs:
  twice: >-
    values.count
    * 2
"""
TEST = """\
cases:
  - name: twice
    given: {count: 2}
    expect: {outputs: {twice: 4}}
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def test_the_tools_take_a_form_and_its_tests(folder: Path) -> None:
    write(folder, note_form_yaml=FORM, note_test_yaml=TEST)
    form = folder / "note.form.yaml"
    checked = formctl("check", form)
    assert (checked.returncode, checked.stdout) == (0, f"{form}: note: 2 fields, 0 actions, 1 output\n")
    tested = formctl("test", folder, "--coverage")
    assert tested.returncode == 0 and tested.stdout.splitlines()[-1] == "1 passed, 0 failed", tested.stdout
    values = folder / "values.json"
    values.write_text('{"count": "x"}', encoding="utf-8")
    assert formctl("validate", form, values).returncode == 1
    assert "values.count" in formctl("explain", form).stdout
    filled = formctl("fill", form, standard_input="text=hi\ncount=3\n")
    assert filled.returncode == 0, filled.stderr
    assert json.loads(filled.stdout.splitlines()[-1])["count"] == 3, filled.stdout


def test_an_error_has_its_line_in_check_and_in_test(folder: Path) -> None:
    write(folder, note_form_yaml=FORM.replace("* 2", "* tow"), note_test_yaml=TEST)
    form = folder / "note.form.yaml"
    for command, place in (("check", form), ("test", folder)):
        run = formctl(command, place)
        assert run.returncode == (1 if command == "check" else 2)
        assert f"{form}:9:7: error" in run.stdout.replace("    ", ""), run.stdout


def test_a_failed_case_has_its_line(folder: Path) -> None:
    write(folder, note_form_yaml=FORM, note_test_yaml=TEST.replace("4}", "5}"))
    run = formctl("test", folder)
    assert run.returncode == 1 and "note.test.yaml:4:31" in run.stdout, run.stdout


def test_two_files_of_one_name_are_an_error(folder: Path) -> None:
    write(folder, note_form_yaml=FORM, note_test_yaml=TEST)
    (folder / "note.form.json").write_text('{"schema": {"properties": {"text": {}}}}', encoding="utf-8")
    checked = formctl("check", folder)
    assert checked.returncode == 1
    assert "there is also note.form.json" in checked.stdout and "there is also note.form.yaml" in checked.stdout
    tested = formctl("test", folder)
    assert tested.returncode == 2 and "keep one of the two files" in tested.stdout, tested.stdout
    (folder / "note.form.json").unlink()
    (folder / "note.test.jsonc").write_text('{"cases": []}', encoding="utf-8")
    tested = formctl("test", folder)
    assert tested.returncode == 2 and "there is also note.test.jsonc" in tested.stdout, tested.stdout


def test_record_does_not_write_into_yaml(folder: Path) -> None:
    write(folder, note_form_yaml=FORM, note_test_yaml=TEST)
    run = formctl("record", folder / "note.form.yaml", "--case", "x", standard_input="count=1\n")
    assert run.returncode == 2 and "is YAML, and record writes JSON" in run.stderr, run.stderr
    (folder / "note.test.yaml").unlink()
    run = formctl("record", folder / "note.form.yaml", "--case", "x", standard_input="count=1\n")
    assert run.returncode == 0 and (folder / "note.test.json").exists(), run.stderr
    assert formctl("test", folder).returncode == 0


def test_a_daemon_serves_and_reloads_it(start: Start, folder: Path) -> None:
    forms = folder / "forms"
    forms.mkdir()
    write(forms, note_form_yaml=FORM)
    daemon = start({}, forms)
    with daemon.connect() as connection:
        assert connection.call("session/open", {"form": "note", "values": {"count": 4}})["document"]["outputs"] == {"twice": 8}
        write(forms, note_form_yaml=FORM.replace("* 2", "* 3"))
        assert harness.formctl("reload", "--socket", daemon.path).returncode == 0
        assert connection.call("session/open", {"form": "note", "values": {"count": 4}})["document"]["outputs"] == {"twice": 12}
        write(forms, note_form_yaml=FORM.replace("* 2", "* tow"))
        run = harness.formctl("reload", "--socket", daemon.path)
        assert "note.form.yaml:9:7" in run.stdout + run.stderr, run
        assert connection.call("session/open", {"form": "note", "values": {"count": 4}})["document"]["outputs"] == {"twice": 12}
