"""`formctl import`: the command, and whether a form means what its schema meant.

The differential: for each schema of Tests/FormImportTests/Inputs of which no part is unsupported, 1,000 generated
values are valid by formd exactly when the Python package jsonschema finds them valid by the schema. One process judges
all of them.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Iterator, Literal, Optional, Union

import pydantic
import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from harness import ROOT, formctl, formctl_binary
from schema_values import SchemaValues, as_form, checker, places
from test_formctl_fill import ENTER, Terminal

INPUTS = ROOT / "Tests" / "FormImportTests" / "Inputs"
VALUES = 1000


def imported(folder: Path, *arguments: str | Path) -> tuple[subprocess.CompletedProcess[str], Path]:
    form = folder / "made.form.json"
    return formctl("import", *arguments, "-o", form, "--force"), form


def test_a_form_is_written_and_its_losses_are_told(folder: Path) -> None:
    schema = folder / "user.json"
    schema.write_text('{"properties": {\n "name": {"type": "string"},\n "extra": {"type": "array"}}}', encoding="utf-8")
    run, form = imported(folder, "schema", schema)
    assert run.returncode == 1 and run.stdout == ""
    assert f"{schema}:3:2: unsupported: the schema does not describe the elements" in run.stderr
    assert "[/properties/extra]" in run.stderr
    assert json.loads(form.read_text(encoding="utf-8"))["form"] == "made"
    assert formctl("check", "--strict", form).returncode == 0


def test_without_losses_the_status_is_0_and_the_form_goes_to_standard_output(folder: Path) -> None:
    run = formctl("import", "schema", "-", standard_input='{"properties": {"pw": {"type": "string"}}}')
    assert (run.returncode, run.stderr) == (0, "")
    form = json.loads(run.stdout)
    assert form["schema"]["properties"]["pw"]["title"] == "Password"
    assert formctl("check", "-", standard_input=run.stdout).returncode == 0


def test_a_file_is_replaced_only_with_force(folder: Path) -> None:
    form = folder / "a.form.json"
    form.write_text("mine", encoding="utf-8")
    schema = INPUTS / "pydantic" / "Order.json"
    run = formctl("import", "schema", schema, "-o", form)
    assert run.returncode == 2 and "--force" in run.stderr and form.read_text(encoding="utf-8") == "mine"
    assert formctl("import", "schema", schema, "-o", form, "--force").returncode == 0


def test_what_cannot_be_read_is_2_and_writes_nothing(folder: Path) -> None:
    for kind, text in [("schema", "{"), ("rjsf", "[]"), ("html", "<p>"), ("schema", "")]:
        bad = folder / "bad.json"
        bad.write_text(text, encoding="utf-8")
        form = folder / "no.form.json"
        run = formctl("import", kind, bad, "-o", form)
        assert run.returncode == 2 and "error: " in run.stderr and not form.exists(), (kind, text, run)
    assert formctl("import", "schema", folder / "nowhere.json").returncode == 2
    assert formctl("import", "cobol", folder / "bad.json").returncode == 2


def test_an_error_names_what_is_wrong_and_not_a_file_of_its_own(folder: Path) -> None:
    schema = INPUTS / "pydantic" / "Order.json"
    run = formctl("import", "schema", schema, "-o", folder / "nowhere" / "a.form.json")
    message = f"{folder}/nowhere/a.form.json: no file can be made in this folder: No such file or directory"
    assert run.returncode == 2 and message in run.stderr and ".new" not in run.stderr, run
    run = formctl("import", "surveyjs", schema, "--component", "Order")
    assert run.returncode == 2 and "--component is for the kinds schema and html" in run.stderr, run


def test_the_report_is_json_for_programs(folder: Path) -> None:
    run, _ = imported(folder, "schema", INPUTS / "pydantic" / "Odds.json", "--report", "json")
    assert run.returncode == 1
    (file,) = json.loads(run.stderr)["files"]
    assert {finding["kind"] for finding in file["findings"]} == {"unsupported", "assumed"}
    for finding in file["findings"]:
        assert finding["code"] and finding["remedy"] and finding["line"] > 0 and "path" in finding


def merged(value: Any, patch: Any) -> Any:
    """A JSON Merge Patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for name, part in patch.items():
        if part is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), part)
    return result


PERSON = {"type": "object", "required": ["who"], "properties": {"who": {"type": "string"}}}
UNTAGGED = {"oneOf": [PERSON, {"type": "object", "required": ["firm"], "properties": {"firm": {"type": "string"}}}]}
TAGGED = {
    "oneOf": [
        {**PERSON, "required": ["kind", "who"], "properties": {"kind": {"const": "person"}, "who": {"type": "string"}}},
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "firm"}, "firm": {"type": "string"}}},
    ]
}
TAGS_NOT_REQUIRED = {
    "discriminator": {"propertyName": "kind"},
    "oneOf": [{"type": "object", "properties": {"kind": {"const": kind}, name: {"type": "string"}}} for kind, name in ("ax", "by")],
}


@pytest.mark.parametrize(
    "code, schema, better",
    [
        ("reference", {"$ref": "a.json"}, {"$ref": "#/$defs/A"}),
        ("openObject", {"type": "object"}, PERSON),
        ("untypedList", {"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ("tuple", {"type": "array", "prefixItems": [{"type": "string"}]}, PERSON),
        ("untaggedUnion", UNTAGGED, TAGGED),
        ("severalTypes", {"type": ["string", "integer"]}, {"type": "integer"}),
        ("severalTypes", {}, {"type": "string"}),
        ("unknownKey", {"type": "string", "maxLenght": 5}, {"type": "string", "maxLength": 5}),
        ("pattern", {"type": "string", "pattern": "(?i)x"}, {"type": "string", "pattern": "[xX]"}),
        ("wrongType", 5, {"type": "integer"}),
        ("tagRequired", TAGS_NOT_REQUIRED, merged(TAGS_NOT_REQUIRED, {"oneOf": [
            {**alternative, "required": ["kind"]} for alternative in TAGS_NOT_REQUIRED["oneOf"]
        ]})),
        ("content", {"type": "string", "contentMediaType": "application/json"}, PERSON),
        ("unknownFormat", {"type": "string", "format": "hex"}, {"type": "string", "pattern": "^[0-9a-f]*$"}),
    ],
)  # fmt: skip
def test_the_remedy_in_the_schema_ends_the_loss(folder: Path, code: str, schema: Any, better: Any) -> None:
    source = folder / "schema.json"
    for member, is_lost in ((schema, True), (better, False)):
        whole = {"type": "object", "properties": {"m": member, "o": {"type": "string"}}, "$defs": {"A": {"type": "string"}}}
        source.write_text(json.dumps(whole), encoding="utf-8")
        run, _ = imported(folder, "schema", source, "--report", "json")
        found = json.loads(run.stderr)["files"][0]["findings"] if run.stderr else []
        assert (code in {finding["code"] for finding in found}) == is_lost and (is_lost or not found), found


QUESTIONS = [{"type": "boolean", "name": "o"}, {"type": "checkbox", "name": "m", "choices": ["x", "y"]}]
DECIMAL = {"anyOf": [{"type": "number"}, {"type": "string"}]}
SETTINGS = {"type": "object", "properties": {"size": {"type": "integer", "default": 1}}}
CONDITION_OF_A_LENGTH = {
    "properties": {"o": {"type": "string"}},
    "if": {"properties": {"o": {"minLength": 3}}},
    "then": {"properties": {"x": {"type": "string"}}},
}
LANGUAGES = [{"value": "r", "text": {"de": "Rot", "en": "Red"}, "visibleIf": "{o} = true"}]


@pytest.mark.parametrize(
    "code, kind, source, patch",
    [
        ("deprecated", "schema", {"properties": {"m": {"type": "string", "deprecated": True}}},
         {"fields": {"m": {"visible": "false"}}}),
        ("decimalAsNumber", "schema", {"properties": {"m": DECIMAL}},
         {"schema": {"properties": {"m": {"type": "string"}}}, "fields": {"m": {"coerce": None}}}),
        ("pattern", "schema", {"properties": {"m": {"type": "string", "maxLength": 9, "pattern": "(?i)x"}}},
         {"rules": [{"id": "m.x", "field": "m", "check": "self.matches('(?i)x')"}]}),
        ("optionalObject", "schema", {"properties": {"m": SETTINGS}},
         {"schema": {"properties": {"m": {"properties": {"size": {"default": None}}}}}}),
        ("condition", "schema", CONDITION_OF_A_LENGTH, {"fields": {"x": {"visible": "size(values.o) >= 3"}}}),
        ("uiOption", "rjsf", {"schema": {"properties": {"m": {"type": "string"}}}, "uiSchema": {"m": {"ui:options": {"rows": 6}}}},
         {"schema": {"properties": {"m": {"x-rows": 6}}}}),
        ("behavior", "surveyjs", {"elements": [{"type": "panel", "name": "p", "isRequired": True, "elements": QUESTIONS}]},
         {"rules": [{"id": "p", "atLeastOne": ["o", "m"]}]}),
        ("behavior", "surveyjs", {"elements": [QUESTIONS[0], {**QUESTIONS[1], "isRequired": True, "enableIf": "{o} = true"}]},
         {"rules": [{"id": "m.required", "field": "m", "when": "values.o", "check": "size(self) > 0"}]}),
        ("language", "surveyjs", {"elements": [QUESTIONS[0], {"type": "dropdown", "name": "m", "choices": LANGUAGES}]},
         {"texts": {"red": {"de": "Rot", "en": "Red"}}, "fields": {"m": {"options": "[{'value': 'r', 'label': text('red')}]"}}}),
        ("suggestions", "html", "<form><input name=m type=number list=l><datalist id=l><option value=1></datalist></form>",
         {"schema": {"properties": {"m": {"enum": [1]}}}}),
        ("disabledControl", "html", "<form><input name=m disabled></form>", {"fields": {"m": {"visible": "false"}}}),
        ("severalAddresses", "html", "<form><input name=m type=email multiple></form>",
         {"schema": {"properties": {"m": {"type": "array", "format": None, "items": {"type": "string", "format": "email"}}}}}),
    ],
)  # fmt: skip
def test_formd_accepts_the_remedy_in_the_form(folder: Path, code: str, kind: str, source: Any, patch: Any) -> None:
    file = folder / "source.json"
    file.write_text(source if isinstance(source, str) else json.dumps(source), encoding="utf-8")
    run, form = imported(folder, kind, file, "--report", "json")
    (report,) = json.loads(run.stderr)["files"]
    assert code in {finding["code"] for finding in report["findings"]}, report
    form.write_text(json.dumps(merged(json.loads(form.read_text(encoding="utf-8")), patch)), encoding="utf-8")
    checked = formctl("check", "--strict", form)
    assert checked.returncode == 0, checked.stdout


PAGE = (ROOT / "protocol" / "import.md").read_text(encoding="utf-8")


@pytest.fixture
def stranger(folder: Path) -> dict[str, str]:
    """The environment of somebody who has formctl and pydantic, and the files that the page names."""
    (folder / "user.py").write_text(PAGE.split("```python\n")[1].split("```")[0], encoding="utf-8")
    for name, source in {
        "schema.json": "rjsf/person.schema.json",
        "uischema.json": "rjsf/person.ui.json",
        "both.json": "rjsf/dependencies.json",
        "survey.json": "surveyjs/registration.json",
    }.items():
        (folder / name).write_text((INPUTS / source).read_text(encoding="utf-8"), encoding="utf-8")
    path = [str(formctl_binary().parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {**os.environ, "PATH": ":".join(path)}


def test_a_stranger_follows_the_page_from_the_model_to_values(folder: Path, stranger: dict[str, str]) -> None:
    """All commands of the page, in its order. The questions of `formctl fill` are answered on a terminal."""
    commands = re.findall(r"^    ((?:python|formctl) [^\[\n]+)$", PAGE, re.MULTILINE)
    assert [command.split()[:3] for command in commands[:4]] == [
        ["python", "-c", "'import"],
        ["formctl", "import", "schema"],
        ["formctl", "check", "user.form.json"],
        ["formctl", "fill", "user.form.json"],
    ]
    assert len(commands) == 10
    block = PAGE.split("prints the values in one line:\n\n")[1].split("\n\n")[0]
    questions, _, printed = block.partition("    {")
    printed = "{" + printed
    asked = re.findall(r"^    (\w.*?: ?)(.*)$", questions, re.MULTILINE)
    assert len(asked) == 6
    for command in commands:
        if command.startswith("formctl fill"):
            terminal = Terminal("env", "-C", folder, *command.split(), PATH=stranger["PATH"])
            try:
                for question, answer in asked:
                    terminal.wait_for(question)
                    terminal.type(re.sub(r"^\*+$", "correct horse", answer) + ENTER)
                values = terminal.values()
                assert values == json.loads(printed)
            finally:
                terminal.close()
            continue
        run = subprocess.run(["bash", "-c", command], cwd=folder, env=stranger, capture_output=True, text=True, check=False)
        has_losses = command.startswith("formctl") and run.returncode == 1 and "error: " not in run.stderr
        assert run.returncode == 0 or has_losses, (command, run)
        if "-o " in command:
            assert (folder / command.split()[-1]).stat().st_size > 0, command
    check = f"import user; print(repr(user.User.model_validate({values!r})))"
    run = subprocess.run([sys.executable, "-c", check], cwd=folder, capture_output=True, text=True, check=False)
    assert "payment=Transfer(by='transfer', iban='CH" in run.stdout, run


def judged(form: Path, *values: Any) -> list[bool]:
    """Whether each value is valid by a form."""
    lines = "".join(json.dumps(value) + "\n" for value in values)
    run = formctl("validate", form, "-", "--language", "jsonl", "--output", "json", standard_input=lines)
    (file,) = json.loads(run.stdout)["files"]
    invalid = {finding["line"] for finding in file["findings"] if finding["severity"] == "error"}
    return [line not in invalid for line in range(1, len(values) + 1)]


class Node(pydantic.BaseModel):
    value: int
    note: Optional[str] = None
    next: Optional["Node"] = None
    others: dict[str, Optional["Node"]] = {}


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    name: str
    lives: int = 9


class Dog(pydantic.BaseModel):
    kind: Literal["dog"] = "dog"
    name: str
    bark: Optional[str] = None


class Home(pydantic.BaseModel):
    town: str
    cat: Optional[Cat] = None
    pet: Optional[Annotated[Union[Cat, Dog], pydantic.Field(discriminator="kind")]] = None
    first: Annotated[Union[Cat, Dog], pydantic.Field(discriminator="kind")]


def form_of(model: type[pydantic.BaseModel], folder: Path) -> Path:
    schema = folder / f"{model.__name__}.json"
    schema.write_text(json.dumps(model.model_json_schema()), encoding="utf-8")
    _, form = imported(folder, "schema", schema)
    return form


def test_what_pydantic_dumps_is_valid_in_open_and_recursive_objects(folder: Path) -> None:
    leaf = Node(value=3)
    whole = Node(value=1, next=Node(value=2, next=leaf, others={"x": leaf, "y": None}), others={"z": None, "w": leaf})
    assert judged(form_of(Node, folder), json.loads(whole.model_dump_json()), {"value": 1, "next": {"value": "x"}}) == [
        True,
        False,
    ]


def submitted(form: Path, *lines: str) -> tuple[int, Any]:
    """The status of `formctl fill`, and the values that it prints."""
    run = formctl("fill", form, standard_input="".join(line + "\n" for line in lines))
    return run.returncode, json.loads(run.stdout) if run.stdout else None


@pytest.mark.parametrize(
    "given",
    [
        ["/first/kind=dog", "/first/name=Rex"],
        ["/first/kind=cat", "/first/name=Tom"],
        ["/first/kind=cat", "/first/name=Tom", "/cat/name=Kit"],
        ["/first/kind=dog", "/first/name=Rex", "/pet/kind=dog", "/pet/name=Ben"],
        ["/first/kind=dog", "/first/name=Rex", "/first/bark=wow", "/first/kind=cat"],
        ["/first/kind=dog", "/first/name=Rex", "/pet/kind=dog", "/pet/bark=wow", "/pet/kind=cat", "/pet/name=Ben"],
        ["/first/kind=dog", "/first/name=Rex", "/pet/kind=dog", "/pet/bark=wow", "/pet/kind="],
    ],
    ids=lambda given: " ".join(given),
)
def test_what_a_form_sends_is_what_the_model_takes(folder: Path, given: list[str]) -> None:
    status, values = submitted(form_of(Home, folder), "town=Bern", *given)
    assert status == 0, (status, values)
    home = Home.model_validate(values)
    assert (home.cat is None) == (not any(line.startswith("/cat") for line in given))


UNION = {
    "type": "object",
    "required": ["p"],
    "properties": {
        "p": {
            "oneOf": [
                {
                    "type": "object",
                    "required": ["m", name],
                    "properties": {"m": {"const": tag}, name: {"type": "string"}},
                    "additionalProperties": False,
                }
                for tag, name in [("t", "i"), ("c", "n")]
            ]
        }
    },
}
CONDITION = {
    "type": "object",
    "required": ["m"],
    "properties": {"m": {"enum": ["a", "b"]}},
    "if": {"properties": {"m": {"const": "a"}}},
    "then": {"properties": {"x": {"type": "string"}}},
    "else": {"properties": {"x": False}},
}


@pytest.mark.parametrize(
    "schema, value, without",
    [
        (UNION, {"p": {"m": "t", "i": "x", "n": "y"}}, {"p": {"m": "t", "i": "x"}}),
        (CONDITION, {"m": "b", "x": "y"}, {"m": "b"}),
    ],
    ids=["union", "condition"],
)
def test_the_value_of_a_hidden_field_is_absent(folder: Path, schema: Any, value: Any, without: Any) -> None:
    """An exception that the page lists: the schema refuses the value, and takes it without the hidden member."""
    source = folder / "schema.json"
    source.write_text(json.dumps(schema), encoding="utf-8")
    run, form = imported(folder, "schema", source)
    assert (run.returncode, run.stderr) == (0, "")
    validator = Draft202012Validator(schema)
    assert [validator.is_valid(value), validator.is_valid(without)] == [False, True]
    assert judged(form, value, without) == [True, True]


# --- The places of losses, and inputs that nobody wrote ---

GOLDEN: list[tuple[str, list[str], list[str]]] = [
    *(("schema", [f"pydantic/{name}.json"], []) for name in ("SignUp", "User", "Order", "Odds", "Node")),
    *(("schema", [f"zod/{name}.json"], []) for name in ("Booking", "Odds")),
    ("schema", ["typebox/Shirt.json"], []),
    ("schema", ["openapi/shop.json"], ["--component", "Customer"]),
    ("schema", ["openapi/shop.json"], ["--component", "POST /items"]),
    ("schema", ["ninja/library.json"], []),
    ("rjsf", ["rjsf/person.schema.json", "rjsf/person.ui.json"], []),
    ("rjsf", ["rjsf/dependencies.json"], []),
    ("rjsf", ["rjsf/playground.json"], []),
    ("html", ["html/signup.html"], ["--component", "signup"]),
    ("html", ["html/login.html"], []),
    *(
        ("surveyjs", [f"surveyjs/{path.name}"], [])
        for path in sorted((INPUTS / "surveyjs").glob("*.json"))
        if ".golden." not in path.name
    ),
    ("surveyjs", ["surveyjs/nested.yaml"], []),
]


def expect_report(kind: str, files: list[Path], options: list[str]) -> int:
    """Imports files: the status is 0, 1 or 2, each loss is at a place of its file, and the form is one."""
    run = formctl("import", kind, *files, *options, "--report", "json")
    assert run.returncode in (0, 1, 2), run
    told = json.loads(run.stderr)["files"] if run.stderr else []
    findings = [finding for file in told for finding in file["findings"]]
    assert bool(findings) == (run.returncode != 0), run
    for finding in findings:
        text = Path(finding["file"]).read_text(encoding="utf-8")
        lines = text.split("\n")
        assert finding["message"], finding
        if run.returncode == 2 and "line" not in finding:
            continue
        assert finding["line"] <= len(lines) and finding["column"] <= len(lines[finding["line"] - 1]) + 1, finding
        if kind != "html" and finding["file"].endswith(".json") and run.returncode == 1:
            value = json.loads(text)
            for token in finding["path"].split("/")[1:]:
                token = token.replace("~1", "/").replace("~0", "~")
                value = value[int(token)] if isinstance(value, list) else value[token]
    if run.returncode != 2:
        assert formctl("check", "-", standard_input=run.stdout).returncode == 0, run.stdout
    return run.returncode


@pytest.mark.parametrize("kind, names, options", GOLDEN, ids=lambda part: " ".join(part) if isinstance(part, list) else part)
def test_each_loss_has_a_place_and_a_changed_input_never_fails_otherwise(
    folder: Path, kind: str, names: list[str], options: list[str]
) -> None:
    files = [INPUTS / name for name in names]
    assert expect_report(kind, files, options) in (0, 1)
    chance = random.Random(" ".join(names))
    seen = set()
    for _ in range(6):
        changed = []
        for number, file in enumerate(files):
            text = file.read_text(encoding="utf-8")
            if file.suffix == ".json":
                whole = [json.loads(text)]
                for _ in range(chance.randrange(3) + 1):
                    holder, key = chance.choice(list(places(whole)))
                    if holder is not whole and chance.random() < 0.5:
                        del holder[key]
                    else:
                        holder[key] = chance.choice([None, True, 7, -0.5, "x", "", [], {}, ["a"], {"type": "string"}])
                text = json.dumps(whole[0], indent=1)
            else:
                start = chance.randrange(len(text))
                text = text[:start] + chance.choice(["", "<", "'", "- x", ">"]) + text[start + chance.randrange(30) :]
            copy = folder / f"{number}{file.suffix}"
            copy.write_text(text, encoding="utf-8")
            changed.append(copy)
        seen.add(expect_report(kind, changed, options))
    # A text in YAML with a cut is seldom YAML.
    assert seen & {0, 1} or files[0].suffix == ".yaml"


# --- The differential ---


def cases() -> Iterator[Any]:
    for path, kind, options in [
        ("pydantic/SignUp.json", "schema", []),
        ("pydantic/User.json", "schema", []),
        ("pydantic/Order.json", "schema", []),
        ("zod/Booking.json", "schema", []),
        ("typebox/Shirt.json", "schema", []),
        ("ninja/library.json", "schema", ["--component", "BookIn"]),
        ("openapi/shop.json", "schema", ["--component", "Customer"]),
        ("rjsf/dependencies.json", "rjsf", []),
        ("rjsf/person.schema.json", "rjsf", []),
    ]:
        yield pytest.param(path, kind, options, id=path)


@pytest.mark.parametrize("path, kind, options", cases())
def test_formd_and_jsonschema_agree_on_generated_values(folder: Path, path: str, kind: str, options: list[str]) -> None:
    document = json.loads((INPUTS / path).read_text(encoding="utf-8"))
    root = document.get("schema", document)
    schema = root["components"]["schemas"][options[1]] if options else root
    expect_agreement(folder, INPUTS / path, kind, options, root, schema)


class Place(pydantic.BaseModel):
    street: str = pydantic.Field(max_length=9)
    zip: Optional[str] = pydantic.Field(None, pattern="^[0-9]{4,5}$")


class Lists(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    items: Optional[list[str]] = None
    matrix: list[list[int]] = []
    maybe: list[Optional[str]] = []
    tags: set[str] = set()
    limited: list[int] = pydantic.Field(min_length=1, max_length=3)
    nested: list[Place]
    colors: list[Literal["red", "green"]] = []


class Kinds(pydantic.BaseModel):
    choice: Literal[1, 2, "x"]
    share: float = pydantic.Field(gt=0, lt=1)
    dozen: int = pydantic.Field(multiple_of=12)
    flag: bool
    maybe: Optional[bool] = None
    nullable: Optional[str]
    place: Place = Place(street="x")


@pytest.mark.parametrize("model", [Lists, Kinds])
def test_formd_and_jsonschema_agree_for_a_model(folder: Path, model: type[pydantic.BaseModel]) -> None:
    schema = model.model_json_schema()
    source = folder / "schema.json"
    source.write_text(json.dumps(schema), encoding="utf-8")
    expect_agreement(folder, source, "schema", [], schema, schema)


def expect_agreement(folder: Path, source: Path, kind: str, options: list[str], root: Any, schema: Any) -> None:
    """A third of the values is valid, a third differs from a valid one in one place, and a third is random. jsonschema
    judges what the form reads in a value by the rules of the page, which change few values."""
    run, form = imported(folder, kind, source, *options)
    assert "unsupported: " not in run.stderr, run.stderr
    validator_of = Draft7Validator if kind == "rjsf" else Draft202012Validator
    whole = {**schema, "components": root["components"]} if options else schema
    validator = validator_of(whole, format_checker=checker())
    made = list(itertools.islice(SchemaValues(root, schema, validator, seed=7).values(), VALUES))
    values = [value for _, value in made]
    read = [as_form(value, schema, root) for value in values]
    expected = [validator.is_valid(value) for value in read]
    for way, least, most in (("valid", 1, 1), ("changed", 0.1, 0.9), ("random", 0, 0.5)):
        valid = [is_valid for (how, _), is_valid in zip(made, expected) if how == way]
        assert least <= sum(valid) / len(valid) <= most, (way, sum(valid), len(valid))
    assert sum(validator.is_valid(value) != is_valid for value, is_valid in zip(values, expected)) < VALUES * 0.02
    lines = folder / "values.jsonl"
    lines.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    judged = formctl("validate", form, lines, "--defaults", "ignore", "--output", "json")
    (file,) = json.loads(judged.stdout)["files"]
    assert file.get("untold", 0) == 0, judged.stderr
    invalid = {finding["line"] for finding in file["findings"] if finding["severity"] == "error"}
    wrong = [
        (value, is_valid, [finding for finding in file["findings"] if finding["line"] == number])
        for number, (value, is_valid) in enumerate(zip(values, expected), start=1)
        if is_valid == (number in invalid)
    ]
    assert wrong[:2] == []
