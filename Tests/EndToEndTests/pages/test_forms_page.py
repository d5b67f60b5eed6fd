"""protocol/forms.md, the page for authors of forms: its forms are accepted, and its commands print the shown output.

page_examples.py says how examples are marked there; a daemon serves the page's forms.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Iterator

import pytest

from harness import ROOT, Daemon, formctl
from page_examples import Page, name_of

JSON = Any

PAGE = Page("forms.md")
FORMS = sorted(name for name in PAGE.files if name.endswith(".form.json"))


def table(section: str, *columns: str) -> list[list[str]]:
    """The rows of the tables with these columns in a section of the page, without backticks around the text of a cell.
    """
    text = re.split(r"^#+ ", PAGE.text.split(f"# {section}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows: list[list[str]] = []
    is_wanted = False
    for line in text.splitlines():
        # A bar within a cell has a backslash before it.
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if is_wanted and cells and not line.startswith("|---"):
            rows.append([re.sub(r"^`([^`]*)`$", r"\1", cell) for cell in cells])
        is_wanted = (is_wanted or cells == list(columns)) and bool(cells)
    return rows


@pytest.fixture(scope="module")
def page(scratch: Path) -> Path:
    """A folder with the files of the page."""
    folder = scratch / "page"
    folder.mkdir()
    PAGE.write(folder)
    return folder


@pytest.fixture(scope="module")
def served(page: Path, scratch: Path) -> Iterator[Daemon]:
    """A daemon that has the page's forms, with the page's configuration."""
    folder = scratch / "page-daemon"
    folder.mkdir()
    daemon = Daemon(folder, json.loads(PAGE.files["formd.json"]), page)
    yield daemon
    assert daemon.end() == 0, daemon.output


def test_no_file_of_the_page_is_told_twice() -> None:
    assert len(PAGE.names) == len(PAGE.files)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_the_page_is_accepted_without_a_warning(page: Path, name: str) -> None:
    done = formctl("check", "--strict", page / name)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_the_page_is_what_the_schema_of_forms_describes(page: Path, name: str) -> None:
    done = formctl("schema", "validate", ROOT / "protocol" / "schema" / "form.schema.json", page / name)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("console", PAGE.consoles, ids=name_of)
def test_a_command_of_the_page_prints_what_stands_there(console: str, page: Path, served: Daemon) -> None:
    PAGE.type_in(page, console, FORMD_SOCKET=str(served.path))


def members(schema: JSON) -> set[str]:
    """The names of all members that a definition has, those that it refers to left out."""
    if isinstance(schema, list):
        return set().union(*(members(element) for element in schema), set())
    if not isinstance(schema, dict):
        return set()
    inner = (value for name, value in schema.items() if name not in ("not", "examples", "default"))
    return set(schema.get("properties", {})).union(*(members(value) for value in inner), set())


@pytest.mark.parametrize(
    "section, definitions",
    [
        ("The definition", []), ("A field", ["field"]), ("Read", ["read", "separators"]), ("A rule", ["rule"]), ("A check", ["check", "checkOutcome"]),
        ("A lookup", ["lookup"]), ("An action", ["action", "actionOutcome"]), ("A step", ["step"]), ("Run", ["run"]),
        ("Retry", ["retry"]),
    ],
)  # fmt: skip
def test_a_table_of_keys_has_those_of_the_schema_of_forms(section: str, definitions: list[str]) -> None:
    schema = json.loads((ROOT / "protocol" / "schema" / "form.schema.json").read_text(encoding="utf-8"))
    described = [schema["$defs"][name] for name in definitions] or [{"properties": schema["properties"]}]
    expected = set().union(*(members(one) for one in described)) - {"$schema"}
    told = {key for row in table(section, "key", "is", "says") for key in row[0].replace("`", "").split(", ")}
    assert told == expected


TEST_SCHEMA = ROOT / "protocol" / "schema" / "test.schema.json"


@pytest.mark.parametrize("name", sorted(name for name in PAGE.files if name.endswith(".test.json")))
def test_a_test_of_the_page_is_what_the_schema_of_tests_describes(page: Path, name: str) -> None:
    done = formctl("schema", "validate", TEST_SCHEMA, page / name)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tables_of_tests_have_the_words_of_the_schema_of_tests() -> None:
    schema = json.loads(TEST_SCHEMA.read_text(encoding="utf-8"))["$defs"]
    expectations = {word for row in table("Testing a form", "member", "what it is") for word in row[0].replace("`", "").split(", ")}
    assert expectations == set(schema["expectations"]["properties"])
    steps = table("Testing a form", "step", "what happens")
    words = {word for row in steps for word in re.findall(r'"(\w+)"', row[0].replace("`", ""))}
    told = {word for row in steps for word in re.findall(r"`(\w+)`", row[1])}
    assert set(schema["step"]["properties"]) - words - told == {"description", "expect"}


def messages(definition: JSON, values: JSON, locale: str, folder: Path) -> list[JSON]:
    """The errors of values by a definition."""
    file = folder / "judged.form.json"
    file.write_text(json.dumps({"form": "judged", **definition}), encoding="utf-8")
    done = formctl("validate", file, "--json", "--locale", locale, standard_input=json.dumps(values))
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["errors"]


KEYWORDS = table("Error codes", "code", "a schema", "a value", "parameters", "English", "Korean")


def test_the_table_of_keywords_was_read() -> None:
    assert len(KEYWORDS) > 30


@pytest.mark.parametrize("row", KEYWORDS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_keyword_that_fails_has_the_code_the_parameters_and_the_texts_of_the_page(
    row: list[str], folder: Path
) -> None:
    code, schema, value, parameters, *texts = row
    definition = {"schema": {"required": ["it"], "properties": {"it": json.loads(schema)}}}
    values = {"it": json.loads(value)} if value else {}
    for locale, text in zip(["en", "ko"], texts):
        [error] = messages(definition, values, locale, folder)
        assert (error["code"], error["message"]) == (code, text)
        assert list(error.get("params", {})) == parameters.replace("`", "").replace(",", "").split()


TEXT = {"type": "string", "maxLength": 9}
PAIR = {"schema": {"properties": {"it": {"properties": {"a": TEXT, "b": TEXT}}}}}


def group(kind: str) -> JSON:
    """A rule about two members of `it`."""
    return {**PAIR, "rules": [{"id": "r", kind: ["/it/a", "/it/b"]}]}


OTHERS: list[tuple[str, JSON, JSON]] = [
    ("the id of a rule", {"schema": {"properties": {"it": TEXT}}, "rules": [{"id": "r", "field": "it", "check": "false"}]}, "x"),
    ("the id of a rule", group("exactlyOne"), {}),
    ("the id of a rule", group("atLeastOne"), {}),
    ("the id of a rule", group("atMostOne"), {"a": "x", "b": "y"}),
    ("the id of a rule", group("allOrNone"), {"a": "x"}),
    ("type", {"coerce": True, "schema": {"properties": {"it": {"type": "integer"}}}}, "x"),
    ("type", {"coerce": True, "schema": {"properties": {"it": {"type": "number"}}}}, "x"),
    ("type", {"coerce": True, "schema": {"properties": {"it": {"type": "boolean"}}}}, "x"),
    ("type", {"read": "number", "schema": {"properties": {"it": {"type": "integer"}}}}, "x"),
    ("type", {"read": "number", "schema": {"properties": {"it": {"type": "number"}}}}, "x"),
    ("type", {"read": "percent", "schema": {"properties": {"it": {"type": "number"}}}}, "x"),
    ("type", {"read": "currency", "schema": {"properties": {"it": {"type": "number"}}}}, "x"),
    ("type", {"read": "date", "schema": {"properties": {"it": {"type": "string", "format": "date"}}}}, "x"),
    ("type", {"read": "dateTime", "schema": {"properties": {"it": {"type": "string", "format": "local-date-time"}}}}, "x"),
    ("options", {"schema": {"properties": {"it": TEXT}}, "fields": {"it": {"options": "['a']"}}}, "x"),
    ("duplicate", {"schema": {"properties": {"it": {"items": TEXT}}}, "fields": {"/it/*": {"unique": True}}}, ["x", "x"]),
    (
        "the id of a rule or check, `options`",
        {"schema": {"properties": {"it": {"type": "integer"}}}, "rules": [{"id": "r", "field": "it", "check": "1 / self > 0"}]},
        0,
    ),
]


def test_the_other_errors_have_the_texts_of_the_page(folder: Path) -> None:
    rows = table("Error codes", "code", "stands where", "parameters", "English", "Korean")
    left = list(rows)
    for code, definition, value in OTHERS:
        row = next(row for row in left if row[0] == code)
        left.remove(row)
        for locale, text in zip(["en", "ko"], row[3:]):
            errors = messages(definition, {"it": value}, locale, folder)
            assert {error["message"] for error in errors} == {text}, code
            parameters = row[2].split(" in ")[0].replace("`", "").replace(",", "").split()
            assert code.startswith("the id") or list(errors[0].get("params", {})) == parameters
    assert {row[0] for row in left} == {"the id of a check", "more", "tooCostly", "tooDeep", "server"}


def test_the_last_of_many_errors_says_how_many_there_are(folder: Path) -> None:
    definition = {"schema": {"properties": {"it": {"prefixItems": [{"type": "integer"}] * 30}}}}
    rows = table("Error codes", "code", "stands where", "parameters", "English", "Korean")
    [row] = [row for row in rows if row[0] == "more"]
    for locale, text in zip(["en", "ko"], row[3:]):
        *_, error = messages(definition, {"it": ["x"] * 30}, locale, folder)
        assert error["code"] == "more" and error["message"] == text.replace("{total}", str(error["params"]["total"]))


def test_a_check_whose_service_failed_says_what_stands_on_the_page(daemon: Daemon) -> None:
    rows = table("Error codes", "code", "stands where", "parameters", "English", "Korean")
    [row] = [row for row in rows if row[0] == "the id of a check"]
    run = {"provider": {"name": "nobody", "arguments": {}}}
    definition = {
        "schema": {"properties": {"it": TEXT}},
        "checks": [{"id": "c", "field": "it", "run": run, "outcomes": [{"valid": True}]}],
    }
    with daemon.connect() as connection:
        for locale, text in zip(["en", "ko"], row[3:]):
            params = {"definition": definition, "values": {"it": "x"}, "locale": locale, "checks": True}
            judged = connection.call("form/validate", params)
            assert [error["message"] for error in judged["document"]["fields"]["it"]["errors"]] == [text]


def test_a_function_that_does_not_exist_is_refused_with_the_closest() -> None:
    done = formctl("functions", "roud")
    assert done.returncode == 2 and "round" in done.stderr, done
