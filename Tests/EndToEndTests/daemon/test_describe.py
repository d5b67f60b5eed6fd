"""Questions about forms themselves: descriptions to draw by, JSON Schemas with texts, and news of a reload."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import EXAMPLES, Daemon, Process, formctl, formd

Start = Callable[..., Daemon]


def definition(form: str) -> dict[str, Any]:
    """The part of an example that a client may bring along: without the parts that ask services."""
    whole = json.loads((EXAMPLES / form / f"{form}.form.json").read_text(encoding="utf-8"))
    beside = EXAMPLES / form / f"{form}.schema.json"
    if beside.exists():
        assert whole["schema"] == {"$ref": beside.name}
        whole["schema"] = json.loads(beside.read_text(encoding="utf-8"))
    return {name: whole[name] for name in ("form", "title", "locale", "schema", "fields") if name in whole}


def test_a_form_is_described_by_its_name_by_a_definition_and_by_a_session(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("feedback", locale="ko") as session:
        described = client.describe("feedback", "ko")
        assert (described["requestedLocale"], described["locale"]) == ("ko", "ko")
        assert client.describe(definition=definition("feedback"), locale="ko")["fields"] == described["fields"]
        assert session.describe() == described
        kind = next(field for field in session.describe("en-GB")["fields"] if field.get("options"))
        assert kind["options"][0] == {"value": "bug", "label": "Something is broken"}
        assert session.describe("en-GB")["locale"] == "en"
        with pytest.raises(formd.InvalidParams, match="one of form, definition and session"):
            client.call("form/describe")


def test_bounds_of_rows_are_told(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        items = next(field for field in client.describe("invoice")["fields"] if field["name"] == "items")
        assert items["maxItems"] == 50 and items["minItems"] == 1
        quantity = next(field for field in items["items"]["fields"] if field["name"] == "quantity")
        assert quantity["type"] == "integer" and quantity["minimum"] == 1


@pytest.mark.parametrize(
    "form", ["login", "join", "nickname", "search", "feedback", "signup", "invoice", "payment", "booking", "settings"]
)
def test_a_schema_with_texts_is_a_form_that_judges_alike(daemon: Daemon, form: str) -> None:
    with formd.Client(str(daemon.path)) as client:
        schema = client.schema(form, "en")
        plain = definition(form)["schema"]
        texts = str(client.describe(form, "en"))
        assert all(part["title"] in texts for part in schema["properties"].values() if "title" in part)
        for values in ({}, {"email": "kim"}, {"email": "kim@example.com", "items": [{"quantity": 0}], "kind": "x"}):
            verdicts = [
                client.call("form/validate", {"definition": {"schema": one}, "values": values})["isValid"]
                for one in (plain, schema)
            ]  # fmt: skip
            assert verdicts[0] == verdicts[1]
        with client.open(form) as session:
            assert session.schema("en") == schema == client.schema(definition=definition(form), locale="en")


def test_a_schema_names_fields_rows_and_choices(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        kinds = [part["oneOf"] for part in client.schema("feedback", "ko")["properties"].values() if "oneOf" in part]
        assert {"const": "bug", "title": "문제 신고"} in kinds[0]
        row = client.schema("invoice", "en")["properties"]["items"]["items"]
        labels = {
            field["name"]: field.get("label")
            for field in next(one for one in client.describe("invoice", "en")["fields"] if one["name"] == "items")["items"]["fields"]
        }
        assert {name: part.get("title") for name, part in row["properties"].items()} == labels


def test_formctl_prints_a_schema_with_texts(daemon: Daemon) -> None:
    printed = formctl("forms", "--socket", daemon.path, "feedback", "--schema", "--locale", "en")
    assert printed.returncode == 0
    with formd.Client(str(daemon.path)) as client:
        assert json.loads(printed.stdout) == client.schema("feedback", "en")
    for arguments in (["--schema"], ["--watch", "login"]):
        assert formctl("forms", "--socket", daemon.path, *arguments).returncode == 2


def test_who_watches_is_told_of_each_reload(start: Start, folder: Path, forms: Path) -> None:
    own = folder / "forms"
    shutil.copytree(forms, own)
    daemon = start(forms=own)
    path = own / "login" / "login.form.json"
    good = path.read_text(encoding="utf-8")
    heard: list[Any] = []
    watching = Process([str(harness.formctl_binary()), "forms", "--watch", "--socket", str(daemon.path)])
    watching.line_with("forms: ")
    with formd.Client(str(daemon.path)) as client:
        client.on_forms_changed(heard.append)
        now = client.watch_forms()
        assert "login" in now["forms"] and not [one for one in now["problems"] if one["severity"] == "error"]
        path.write_text(good.replace("self.contains('@')", "self.contans('@')"), encoding="utf-8")
        daemon.signal(signal.SIGHUP)
        harness.eventually(lambda: len(heard) == 1, "the first news")
        problem = next(one for one in heard[0]["problems"] if one["severity"] == "error")
        assert "login" in heard[0]["forms"] and problem["file"] == str(path)
        assert good.splitlines()[problem["line"] - 1].strip().find("contains") > 0 and problem["path"] and problem["remedy"]
        watching.line_with("login.form.json")
        path.unlink()
        daemon.signal(signal.SIGHUP)
        harness.eventually(lambda: len(heard) == 2, "the second news")
        assert "login" not in heard[1]["forms"]
    watching.process.kill()
    watching.process.wait()


def test_an_action_about_one_step_says_which(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        described = connection.call("form/describe", {"form": "signup"})
        assert {action["name"]: action.get("step") for action in described["actions"]} == {
            "toProfile": "account", "toNewsletter": "profile", "signUp": None,
        }  # fmt: skip
        assert "step" not in connection.call("form/describe", {"form": "login"})["actions"][0]


CHOICES = {
    "form": "parcel", "locale": "en",
    "schema": {"type": "object", "properties": {
        "delivery": {"enum": ["post", "air"]},
        "extras": {"type": "array", "maxItems": 5, "items": {"enum": ["gift", "safe"]}},
        "colour": {"type": "string", "maxLength": 9},
        "names": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 9}},
    }},
    "fields": {
        "delivery": {"options": [
            {"value": "air", "label": {"en": "By air", "de": "Luft"}, "group": "Express", "help": "Again in May.",
             "disabled": True, "icon": {"name": "plane"}},
        ]},
        "colour": {"options": [{"value": "red"}], "other": True},
    },
}  # fmt: skip


def test_choices_are_described_with_all_their_members_and_a_multiple_choice_is_toggled(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open(definition=CHOICES) as session:
        fields = {field["name"]: field for field in session.describe("de")["fields"]}
        assert fields["delivery"]["options"] == [
            {"value": "post"},
            {"value": "air", "label": "Luft", "group": "Express", "help": "Again in May.", "disabled": True,
             "icon": {"name": "plane"}},
        ]  # fmt: skip
        assert fields["colour"]["admitsOther"] is True and fields["colour"]["options"] == [{"value": "red"}]
        assert fields["extras"]["isMultipleChoice"] is True and "isMultipleChoice" not in fields["names"]
        for toggled, values in (("gift", ["gift"]), ("safe", ["gift", "safe"]), ("gift", ["safe"]), ("safe", [])):
            session.toggle("extras", toggled)
            session.refresh()
            assert session.values["extras"] == values
        session.change("extras", ["gift", "safe", "gift"])
        session.toggle("extras", "gift")
        session.refresh()
        assert session.values["extras"] == ["safe"]
        for field, value in (("names", "a"), ("colour", "red"), ("extras", None)):
            with pytest.raises(formd.InvalidParams):
                session.toggle(field, value)
