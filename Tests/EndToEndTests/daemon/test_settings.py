"""The settings form: a schema that was there before the form, with members that it names by patterns or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import EXAMPLES, Daemon, formctl, formd

FOLDER = EXAMPLES / "settings"
BEFORE = {
    "editing": {"default": {"tabSize": 8}, "[go]": {"insertSpaces": False}},
    "environment": {"LANG": "ko_KR.UTF-8"},
    "window": {"width": 800, "height": 600, "monitor": {"name": "left"}},
    "x-vim": {"leader": " "},
}


def values(session: Any) -> Any:
    return session.client.call("session/get", {"session": session.id})["values"]


def errors(session: Any, field: str) -> list[tuple[str, str]]:
    return [(error["code"], error.get("path", "")) for error in session.field(field)["errors"]]


def test_settings_that_no_field_names_are_kept(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE) as session:
        assert session.is_valid and not session.is_dirty
        assert values(session) == {"theme": "system", **BEFORE}
        session.change("theme", "dark")
        assert values(session) == {**BEFORE, "theme": "dark"}


@pytest.mark.parametrize(
    ("address", "value", "where"),
    [
        ("/editing/[python]/tabSize", 2, ["editing", "[python]", "tabSize"]),
        ("/editing/[c++]", {"insertSpaces": True}, ["editing", "[c++]"]),
        ("/editing/[python]/rulers/-", 80, ["editing", "[python]", "rulers", 0]),
        ("/environment/LANG", "en_GB.UTF-8", ["environment", "LANG"]),
        ("/window/monitor/name", "right", ["window", "monitor", "name"]),
        ("/window/a/b/c", [1], ["window", "a", "b", "c"]),
        ("x-vim", 3, ["x-vim"]),
        ("/x-vim/leader", ",", ["x-vim", "leader"]),
    ],
)
def test_open_members_are_addressed(daemon: Daemon, address: str, value: Any, where: list[Any]) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE) as session:
        session.change(address, value)
        found = values(session)
        for step in where:
            found = found[step]
        assert found == value
        assert session.is_valid and session.is_dirty and session.action("save")["isEnabled"]


def test_an_open_member_is_removed(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE) as session:
        for address in ("/editing/[go]", "/environment/LANG", "/window/monitor", "x-vim"):
            session.remove(address)
        # An object that was given as a whole is there, even when it is empty.
        assert values(session) == {
            "theme": "system", "editing": {"default": {"tabSize": 8}}, "environment": {}, "window": {"width": 800, "height": 600},
        }  # fmt: skip
        assert session.is_valid and session.outputs["languages"] == []


@pytest.mark.parametrize(
    ("address", "closest"),
    [
        ("/editing/Python", None),
        ("/editing/default/tabsize", "/editing/default/tabSize"),
        ("edting", "editing"),
        ("plugin", None),
    ],
)
def test_names_that_the_schema_does_not_admit_are_refused(daemon: Daemon, address: str, closest: Any) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE) as session:
        with pytest.raises(formd.UnknownField) as refused:
            session.change(address, 1)
        assert refused.value.data == {"field": address, **({"closest": closest} if closest else {})}
        assert session.revision == 0 and values(session) == {"theme": "system", **BEFORE}


@pytest.mark.parametrize(
    ("address", "value", "field", "error"),
    [
        ("/editing/default/tabSize", 99, "/editing/default/tabSize", ("maximum", "")),
        ("/editing/[python]/tabSize", 99, "editing", ("maximum", "/[python]/tabSize")),
        ("/editing/[python]/tabsize", 2, "editing", ("additionalProperties", "/[python]/tabsize")),
        ("/environment/lang", "ko", "environment", ("propertyNames", "")),
        ("/environment/LANG", 5, "environment", ("type", "/LANG")),
        ("/environment/PATH", "/opt/bin", "environment", ("path.kept", "")),
        ("/window/width", 99, "/window/width", ("minimum", "")),
    ],
)
def test_what_is_wrong_stands_at_the_nearest_field(
    daemon: Daemon, address: str, value: Any, field: str, error: Any
) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE) as session:
        session.change(address, value)
        assert errors(session, field) == [error] and not session.is_valid
        assert not session.action("save")["isEnabled"]


def test_a_warning_blocks_nothing_and_what_was_saved_is_clean(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("settings", values=BEFORE, locale="en") as session:
        assert session.tap("save").outcome == "rejected", "there is nothing to save"
        session.insert_all("/editing/default/rulers", [100, 80])
        assert errors(session, "/editing/default/rulers") == [("rulers.sorted", "")] and session.is_valid
        session.change("/editing/[python]/tabSize", 2)
        assert session.outputs["languages"] == ["[go]", "[python]"]
        assert session.tap("save", wait=True).event.message == "Saved."
        session.reset(keep_values=True)
        assert not session.is_dirty and values(session)["editing"]["[python]"] == {"tabSize": 2}
        session.reset()
        assert values(session)["editing"]["default"] == {"tabSize": 8, "rulers": [100, 80]}


def test_it_is_described_by_what_the_schema_names(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        described = {field["name"]: field for field in client.describe("settings", "en")["fields"]}
        assert list(described) == ["theme", "editing", "environment", "window"]
        assert described["theme"]["initial"] == "system"
        assert described["theme"]["options"][1] == {"value": "dark", "label": "Dark"}
        [default] = described["editing"]["fields"]
        assert [(one["address"], one["label"]) for one in default["fields"]] == [
            ("/editing/default/tabSize", "Tab size"), ("/editing/default/insertSpaces", "Spaces for tabs"),
            ("/editing/default/rulers", "Rulers"),
        ]  # fmt: skip
        assert (default["fields"][0]["minimum"], default["fields"][0]["maximum"]) == (1, 16)
        assert "fields" not in described["environment"]


def test_its_schema_has_the_labels_and_is_otherwise_the_one_that_was_there(daemon: Daemon) -> None:
    plain = json.loads((FOLDER / "settings.schema.json").read_text(encoding="utf-8"))
    with formd.Client(str(daemon.path)) as client:
        schema = client.schema("settings", "en")
    definitions = schema["definitions"]
    assert {name: definitions[name] for name in plain["definitions"]} == plain["definitions"]
    assert schema["properties"]["editing"]["patternProperties"] == plain["properties"]["editing"]["patternProperties"]
    assert (schema["patternProperties"], schema["additionalProperties"]) == ({"^x-": True}, False)
    # Nothing counts beside a $ref in draft-07, so the labels are in a copy of what it leads to.
    copy = schema["properties"]["editing"]["properties"]["default"]["$ref"].rsplit("/", 1)[1]
    assert copy not in plain["definitions"]
    assert definitions[copy]["title"] == "All languages"
    assert definitions[copy]["properties"]["insertSpaces"]["title"] == "Spaces for tabs"


def test_only_a_form_of_the_daemon_refers_to_files(daemon: Daemon) -> None:
    definition = json.loads((FOLDER / "settings.form.json").read_text(encoding="utf-8"))
    with formd.Client(str(daemon.path)) as client:
        with pytest.raises(formd.InvalidParams) as refused:
            client.call("form/describe", {"definition": definition})
    assert [(error["path"], error["expected"]) for error in refused.value.data["errors"]] == [
        (
            "/definition/schema/$ref",
            'only the daemon\'s own forms may refer to files beside them; here, put that schema into "$defs"',
        )
    ]


def test_a_fault_in_the_file_is_told_with_its_place(folder: Path) -> None:
    (folder / "a.form.json").write_text('{"schema": {"properties": {"a": {"$ref": "a.schema.json"}}}}', encoding="utf-8")
    (folder / "a.schema.json").write_text('{\n  "type": "strng"}', encoding="utf-8")
    check = formctl("check", folder / "a.form.json")
    assert check.returncode == 1 and check.stdout.startswith(f"{folder}/a.schema.json:2:11: error: ")


def test_the_session_of_its_readme_goes_as_it_says(daemon: Daemon) -> None:
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    lines = [line.strip() for line in lines if line.startswith("    ") and not line.startswith("    $")]
    run = formctl("run", "settings", "--locale", "en", "--socket", daemon.path, standard_input="\n".join(lines) + "\n")
    assert run.returncode == 0, run.stdout + run.stderr
    for words in (
        '"This must be at most 16."', "rulers.sorted (warning)", '"PATH has to keep $PATH."', "* save succeeded: Saved.",
    ):  # fmt: skip
        assert words in run.stdout, words


def test_formctl_changes_a_member_that_is_no_field(daemon: Daemon) -> None:
    run = formctl("run", "settings", "--socket", daemon.path, "--locale", "en", standard_input="x-vim=1\n")
    assert run.returncode == 0 and run.stderr == "", run.stdout + run.stderr


def test_settings_that_are_absent_or_of_a_wrong_type_cause_no_fault(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        with client.open("settings") as session:
            assert session.outputs["languages"] == []
        with client.open("settings", values={"environment": {"PATH": 1}}) as session:
            assert errors(session, "environment") == [("type", "/PATH")]
