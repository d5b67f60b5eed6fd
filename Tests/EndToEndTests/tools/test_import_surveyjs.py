"""`formctl import surveyjs`: the forms that it writes do what the surveys say."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness import ROOT, formctl, node

INPUTS = ROOT / "Tests" / "FormImportTests" / "Inputs" / "surveyjs"
SURVEYS = sorted(path for path in INPUTS.iterdir() if not path.name.endswith((".golden.json", ".md")))


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
        ({"tools": ["a text of one's own"]}, set()),
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


# --- The expressions, judged by SurveyJS itself ---

SURVEYJS = ROOT / ".build" / "surveyjs" / "survey.jquery.js"
PROGRAM = """
const { readFileSync } = require("node:fs");
const [library, folder] = process.argv.slice(2);
const found = { exports: {} };
// The library draws with jQuery, and nothing is drawn here.
new Function("module", "exports", "require", readFileSync(library, "utf8"))(found, found.exports, () => ({
  fn: { extend() {} },
}));
const { texts, values } = JSON.parse(readFileSync(`${folder}/input.json`, "utf8"));
const runners = texts.map((text) => new found.exports.ExpressionRunner(text));
// A survey takes only true itself for a condition that holds.
const held = values.map((value) => texts.flatMap((_, index) => (runners[index].run(value, {}) === true ? [`probe${index}`] : [])));
console.log(JSON.stringify(held));
"""

QUESTIONS: list[dict[str, Any]] = [
    {"type": "text", "name": "n", "inputType": "number"},
    {"type": "text", "name": "i", "inputType": "number", "validators": [{"type": "numeric"}]},
    {"type": "boolean", "name": "b"},
    {"type": "text", "name": "t"},
    {"type": "text", "name": "d", "inputType": "date"},
    {"type": "dropdown", "name": "e", "choices": ["Red", "blue"]},
    {"type": "dropdown", "name": "m", "choices": [1, "many"]},
    {"type": "checkbox", "name": "l", "choices": ["a", "b"]},
    {"type": "text", "name": "first-name"},
    {"type": "matrixdynamic", "name": "rows", "rowCount": 0, "columns": [{"name": "x", "cellType": "text"}]},
]
ANSWERS: dict[str, list[Any]] = {
    "n": [-1, 0, 1, 1.5, 2, 3, 5, 6, 100],
    "i": [0, 1, 2, 17, 18, 19],
    "b": [True, False],
    "t": ["Yes", " YES ", "x", "axb", "2026", "5", "7", "2000-01-01"],
    "d": ["1990-01-01", "2000-01-01", "2020-06-30", "2090-01-01"],
    "e": ["Red", "blue"],
    "m": [1, "many"],
    "l": [["a"], ["b"], ["a", "b"], ["b", "a"]],
    "first-name": ["Kim"],
    "rows": [[{"x": "1"}], [{"x": "2"}, {"x": "3"}]],
}


OTHERWISE = {"{l} noneof ['a']", "{d} <= today()"}
"""The conditions that SurveyJS 1.9.84 never finds true, because it has no noneof, and compares no date in a text with a
date. By the source of SurveyJS 2, both hold there when they hold in the form."""


def expressions() -> list[str]:
    """The conditions of the unit tests that have formulas, as far as one survey can have them."""
    tests = ROOT / "Tests" / "FormImportTests" / "SurveyJS" / "SurveyFormulaTests.swift"
    blocks = tests.read_text(encoding="utf-8").split("@Test(arguments: [")
    found = re.findall(r'^    [( ]*"((?:[^"\\])*)",? ?"?', blocks[1], re.MULTILINE)
    found += re.findall(r'\("([^"]*)", "', blocks[3])
    inner = re.compile(r"\{(?:o|row|panel|rowIndex|rows\[0\])[.}]|isContainerReady|dateDiff")
    return [text for text in dict.fromkeys(found) if "{" in text and not inner.search(text)]


def test_conditions_hold_exactly_when_they_hold_in_surveyjs(folder: Path) -> None:
    if not SURVEYJS.exists():
        pytest.skip("there is no SurveyJS: scripts/setup --tests could not install it")
    texts = expressions()
    assert len(texts) > 40
    probes = [{"type": "text", "name": f"probe{index}", "requiredIf": text} for index, text in enumerate(texts)]
    survey = folder / "survey.json"
    survey.write_text(json.dumps({"elements": QUESTIONS + probes}), encoding="utf-8")
    chance = random.Random(70)
    values = [{}] + [
        {name: chance.choice(answers) for name, answers in ANSWERS.items() if chance.random() < 0.7} for _ in range(60)
    ]
    (folder / "input.json").write_text(json.dumps({"texts": texts, "values": values}), encoding="utf-8")
    (folder / "main.cjs").write_text(PROGRAM, encoding="utf-8")
    run = subprocess.run(
        [node(), "main.cjs", SURVEYJS, folder], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    expected = [set(names) for names in json.loads(run.stdout)]

    form, losses = imported(folder, survey)
    assert not [loss for loss in losses if loss["kind"] == "unsupported"], losses
    lines = "".join(json.dumps(value) + "\n" for value in values)
    judged = formctl("validate", form, "-", "--language", "jsonl", "--output", "json", standard_input=lines)
    (file,) = json.loads(judged.stdout)["files"]
    required: list[set[str]] = [set() for _ in values]
    for finding in file["findings"]:
        assert finding["code"] == "required", finding
        required[finding["line"] - 1].add(finding["path"].removeprefix("/"))
    different = {
        texts[int(name.removeprefix("probe"))]: (value, name in asked)
        for value, asked, found in zip(values, expected, required)
        for name in asked ^ found
    }
    assert set(different) == OTHERWISE, different
    both = [text for index, text in enumerate(texts) if 0 < sum(f"probe{index}" in held for held in expected) < len(values)]
    assert len(both) > 35, set(texts) - set(both)
