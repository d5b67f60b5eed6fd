"""Fields inside of objects, by their addresses, from the wire to the tools."""

from __future__ import annotations

from typing import Any

import pytest

from harness import Daemon, formctl, formd

CARD = {"kind": "card", "number": "4111111111111111"}



def test_fields_of_objects_are_addressed_by_pointers(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("order") as session:
        session.change("/customer/name", "  Kim ")
        assert session.outputs["greeting"] == "Hello Kim"
        assert session.field("customer")["isDirty"] and session.field("/customer/name")["isDirty"]
        session.change({"/customer/home/city": "Atlantis", "payment": CARD})
        session.blur("customer")
        assert session.messages == {"/customer/home/city": "There is no such place."}
        assert [error["code"] for error in session.field("/customer/home/street")["errors"]] == ["required"]
        tap = session.tap("send")
        assert [(blocker["field"], blocker["code"]) for blocker in tap.blockers] == [
            ("/customer/home/street", "required"), ("/customer/home/city", "city.known"),
        ]  # fmt: skip
        session.change("/customer/home", None)
        assert session.is_valid and session.tap("send", wait=True).event.kind == "succeeded"


def test_a_union_shows_the_errors_of_the_branch_that_its_constant_picks(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("order", values={"customer": {"name": "Kim"}}) as session:
        assert session.is_valid
        session.change("/payment/kind", "bank")
        assert [error["code"] for error in session.field("/payment/iban")["errors"]] == ["required"]
        assert session.field("payment")["errors"] == [] and not session.field("/payment/number")["isVisible"]
        session.change("/payment/iban", "DE89370400440532013000")
        assert session.is_valid


def test_a_hidden_object_counts_for_nothing(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("order", values={"customer": {"name": "Kim"}}) as session:
        session.change("/delivery/city", "Bonn")
        assert session.is_valid and not session.field("/delivery/city")["isVisible"]
        session.change("differs", True)
        assert not session.is_valid
        assert [error["code"] for error in session.field("/delivery/street")["errors"]] == ["required"]


@pytest.mark.parametrize(
    ("address", "value", "code", "closest"),
    [
        ("/customer/nmae", "x", 1004, "/customer/name"),
        ("/custmoer/name", "x", 1004, "/customer/name"),
        ("/delivery/zip", "x", 1004, None),
        ("/more/y", 1, 1004, None),
        ("/~x", "x", -32602, None),
        ("/customer/name/deep", "x", -32602, None),
        ("/", "x", 1004, None),
    ],
)
def test_a_wrong_address_has_one_clear_answer(
    daemon: Daemon, address: str, value: Any, code: int, closest: str | None
) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("order") as session:
        for change in ({"field": address, "value": value}, {"values": {"/customer/name": "Kim", address: value}}):
            with pytest.raises(formd.RpcError) as refused:
                client.call("field/change", {"session": session.id, **change})
            assert refused.value.code == code
            if closest:
                assert refused.value.data["closest"] == closest
        assert client.call("session/get", {"session": session.id})["values"] == {}, "a part of it was done"


def test_members_that_are_no_fields_are_kept_and_judged(daemon: Daemon) -> None:
    values = {"customer": {"name": "Kim"}, "more": {"x-a": 1, "z": 2}, "other": 3}
    with formd.Client(str(daemon.path)) as client, client.open("order", values=values) as session:
        assert client.call("session/get", {"session": session.id})["values"] == values
        session.change("/more/x-a", "one")
        [error] = session.field("more")["errors"]
        assert (error["code"], error["path"]) == ("type", "/x-a")
        session.change("customer", "Kim")
        assert [error["code"] for error in session.field("customer")["errors"]] == ["type"]
        with pytest.raises(formd.InvalidParams):
            session.change("/customer/name", "Kim")


def test_a_form_with_objects_is_described_and_validated(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        fields = {field["name"]: field for field in client.describe("order")["fields"]}
        assert fields["customer"]["type"] == "object"
        name, home = fields["customer"]["fields"]
        assert (name["address"], name["label"], home["fields"][1]["address"]) == (
            "/customer/name", "Name", "/customer/home/city",
        )  # fmt: skip
    told = formctl("validate", "--socket", daemon.path, "order", standard_input='{"customer": {"home": {"city": 7}}}')
    assert told.returncode == 1
    assert told.stdout.splitlines() == [
        "-:1:14: /customer/name: Who are you? [required]",
        "-:1:23: /customer/home/street: This is required. [required]",
        "-:1:32: /customer/home/city: This must be a text. [type]",
    ]


def test_formctl_runs_and_explains_fields_of_objects(daemon: Daemon) -> None:
    told = formctl(
        "run", "--socket", daemon.path, "--json", "order", standard_input="/customer/name=Kim\nblur /customer/name\nshow\n"
    )
    assert told.returncode == 0, told.stderr
    assert '"greeting":"Hello Kim"' in told.stdout
    explained = formctl("explain", "Tests/EndToEndTests/forms/order.form.json", "--cell", "fields['/customer/home/city']")
    assert explained.returncode == 0, explained.stderr
    assert "rule city.known" in explained.stdout
