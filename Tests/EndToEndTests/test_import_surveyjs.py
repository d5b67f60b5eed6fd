"""`formctl import surveyjs`: the forms that it writes do what the surveys say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import ROOT, formctl

INPUTS = ROOT / "Tests" / "FormImportTests" / "Inputs" / "surveyjs"
SURVEYS = sorted(path for path in INPUTS.iterdir() if not path.name.endswith(".golden.json"))


def imported(folder: Path, survey: Path) -> tuple[Path, list[dict[str, Any]]]:
    form = folder / "survey.form.json"
    run = formctl("import", "surveyjs", survey, "-o", form, "--report", "json")
    assert run.returncode in (0, 1), run
    [file] = json.loads(run.stderr)["files"]
    assert bool(file["findings"]) == (run.returncode == 1)
    return form, file["findings"]


def errors(form: Path, values: Any) -> set[tuple[str, str]]:
    run = formctl("validate", form, "-", "--json", "--now", "2026-11-28T12:00:00Z", standard_input=json.dumps(values))
    assert run.returncode in (0, 1), run
    return {(error["path"], error["code"]) for error in json.loads(run.stdout)["errors"] if error["severity"] == "error"}


@pytest.mark.parametrize("survey", SURVEYS, ids=lambda path: path.name)
def test_check_finds_no_error_in_the_form(folder: Path, survey: Path) -> None:
    form, _ = imported(folder, survey)
    checked = formctl("check", form)
    assert checked.returncode == 0, checked.stdout


PERSON = {"full-name": "Kim", "email": "kim@example.com"}
ABSTRACT = "A workshop about the shortest of all forms."


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (PERSON, set()),
        ({}, {("/full-name", "required"), ("/email", "required")}),
        ({**PERSON, "speaker": True}, {("/abstract", "required")}),
        ({**PERSON, "speaker": True, "abstract": "short"}, {("/abstract", "minLength")}),
        ({**PERSON, "speaker": True, "abstract": ABSTRACT, "length": 45}, {("/reason", "required")}),
        ({**PERSON, "speaker": True, "abstract": ABSTRACT, "length": 30}, set()),
        ({**PERSON, "length": 45}, set()),
        ({**PERSON, "by": "plane"}, {("/by", "options")}),
        ({**PERSON, "speaker": True, "abstract": ABSTRACT, "by": "plane"}, set()),
        ({**PERSON, "born": "1899-12-31"}, {("/born", "born.min")}),
        ({**PERSON, "born": "2026-11-29"}, {("/born", "born.max")}),
    ],
)
def test_conditions_hold_as_in_the_survey(folder: Path, values: Any, expected: set[tuple[str, str]]) -> None:
    form, _ = imported(folder, INPUTS / "registration.json")
    assert errors(form, values) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, {("/tools", "minItems"), *((f"/{name}", "required") for name in ("service/food", "service/room", "size/width"))}),
        ({"tools": ["saw", "drill", "plane", "none"]}, {("/tools", "maxItems"), ("/tools", "tools.none")}),
        ({"tools": ["other"]}, {("/tools-Comment", "required")}),
        ({"tools": ["saw", "saw"]}, {("/tools", "uniqueItems")}),
        ({"tools": ["saw"], "favourite": "drill"}, {("/favourite", "options")}),
        ({"tools": ["saw"], "member": "yes"}, {("/number", "required")}),
        ({"tools": ["saw"], "stars": 9}, {("/number", "required")}),
        ({"tools": ["saw"], "stars": 11}, {("/stars", "maximum"), ("/number", "required")}),
        ({"tools": ["saw"], "size": {"height": 2}}, {("/size/width", "required")}),
    ],
)
def test_choices_are_limited_as_in_the_survey(folder: Path, values: Any, expected: set[tuple[str, str]]) -> None:
    form, _ = imported(folder, INPUTS / "choices.json")
    whole = {"service": {"food": "good", "room": "good"}, "size": {"width": 1}, **values} if values else {}
    assert errors(form, whole) == expected


def test_rows_have_a_key_and_totals(folder: Path) -> None:
    form, _ = imported(folder, INPUTS / "rows.json")
    rows = [{"sku": "a", "count": 2, "price": 3.5}, {"sku": "a", "count": 1}]
    assert ("/items/1/sku", "duplicate") in errors(form, {"items": rows})
    guests = [{"name": "Kim", "born": "2020-01-01"}, {"born": "2020-01-01"}]
    assert errors(form, {"items": rows[:1], "guests": guests}) == {("/guests/1/name", "required")}
    baby = [{"name": "Lee", "born": "2026-01-01"}]
    assert errors(form, {"items": rows[:1], "guests": baby}) == {("/guests/0/chair", "required")}
    many = [{"sku": "a", "count": 20, "price": 100}]
    assert errors(form, {"items": many}) == set()


def test_the_report_names_the_service_of_choices(folder: Path) -> None:
    _, losses = imported(folder, INPUTS / "services.json")
    told = [loss for loss in losses if loss["code"] == "service"]
    assert [loss["path"] for loss in told] == ["/elements/0/choicesByUrl/url", "/elements/1/choicesByUrl/url"]
    assert all("https://places.example.com" in loss["remedy"] and loss["kind"] == "assumed" for loss in told)


def test_a_file_that_is_no_survey_is_refused(folder: Path) -> None:
    (folder / "x.json").write_text('{"title": "x"}', encoding="utf-8")
    run = formctl("import", "surveyjs", folder / "x.json", "-o", folder / "x.form.json")
    assert run.returncode == 2 and "neither a list of pages nor a list of elements" in run.stderr, run
    assert not (folder / "x.form.json").exists()
