"""Kept sessions in a store survive the end of their daemon, however sudden: the real daemon, in both framings."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Callable, Iterator

import pytest

from harness import Backend, Daemon, Replica, configuration, formctl, formd, request
from service import Service
from stored import STORE, UNKNOWN, Typist, asking, attach, kill, open_kept, refusal, stored

Start = Callable[..., Daemon]

GOOD = {"email": "kim@example.com", "password": "hunter2"}
CANARY = "kanarienvogel-7f3a91"
TEXT = {"type": "string", "maxLength": 100}

NOTE = {
    "form": "note",
    "schema": {"type": "object", "properties": {"text": TEXT, "pin": {**TEXT, "writeOnly": True}}},
    "outputs": {"length": "values.text.size()"},
}
"""A form that a client brings along."""

CHECKED = {
    "form": "checked",
    "schema": {"type": "object", "required": ["name"], "properties": {"name": TEXT}},
    "checks": [{
        "id": "name.free", "field": "name",
        "run": {"http": {"service": "accounts", "method": "GET", "path": "/names", "query": {"name": "self"}}},
        "outcomes": [{"when": "response.status == 200", "valid": True}, {"code": "name.taken", "message": "Taken."}],
    }],
}  # fmt: skip

ORDER = {
    "form": "order",
    "schema": {"type": "object", "properties": {"item": TEXT}},
    "actions": {
        "send": {
            "run": {"http": {"service": "accounts", "method": "POST", "path": "/orders", "json": {"item": "values.item"}}},
            "idempotency": True,
            "retry": {"times": 1, "delay": "10ms"},
        }
    },
}  # fmt: skip


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as service:
        yield service


@pytest.fixture
def new_forms(folder: Path) -> Path:
    """A folder with the forms of this module."""
    forms = folder / "forms"
    forms.mkdir()
    for form in (CHECKED, ORDER):
        (forms / f"{form['form']}.form.json").write_text(json.dumps(form), encoding="utf-8")
    return forms


# What survives


def test_a_draft_of_two_weeks(start: Start, folder: Path) -> None:
    config = stored({"limits": {"keepMax": 14 * 24 * 3600 * 1000}})
    daemon = start(config)
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "login", "keep": "336h", "values": {"email": "kim@example.com"}})
        assert connection.refused("session/open", {"form": "login", "keep": "337h"})["data"]["limit"] == "keepMax"
    kill(daemon)
    with start(config).connect() as connection:
        assert attach(connection, opened["key"])["values"] == {"email": "kim@example.com"}


@pytest.mark.parametrize(("first", "second"), [("lines", "headers"), ("headers", "lines")])
@pytest.mark.parametrize("durability", ["normal", "full"])
def test_what_was_answered_survives(start: Start, backend: Backend, first: str, second: str, durability: str) -> None:
    config = stored(configuration(backend), durability=durability)
    daemon = start(config)
    with daemon.connect(first) as connection:
        key, replica = open_kept(connection)
        for email in ("k", "kim", "kim@example.com"):
            replica.apply(connection.exchange("field/change", {"field": "email", "value": email})[1])
        replica.apply(connection.exchange("field/change", {"field": "password", "value": "hunter2", "commit": True})[1])
        tapped, before = connection.exchange("action/tap", {"action": "login", "await": True})
        replica.apply(before)
        kill(daemon)
        assert connection.read_to_end() == []
    daemon = start(config)
    with daemon.connect(second) as connection:
        attached = attach(connection, key, seq=0)
        assert attached["form"] == "login" and attached["values"] == {"email": "kim@example.com"}
        assert attached["revision"] >= replica.revision
        assert attached["events"] == [tapped["result"]["event"]] and attached["eventsLost"] == 0
        assert "isMigrated" not in attached
        document = attached["document"]
        assert document["actions"]["login"]["result"] == tapped["result"]["event"]["result"]
        assert document["fields"]["password"]["isEmpty"] and not document["isValid"], "a secret is on no disk"
        assert document["fields"]["email"]["isDirty"] and document["fields"]["email"]["isValid"]
        again = Replica(attached)
        again.apply(connection.exchange("field/change", {"values": {"password": "hunter3"}})[1])
        assert again.document == connection.call("session/get")["document"] and again.document["isValid"]
        assert attach(connection, key, seq=1)["events"] == []
        kill(daemon)
    with start(config).connect(first) as connection:
        attached = attach(connection, key, seq=0)
        assert attached["values"] == {"email": "kim@example.com"}, "and a second time"
        assert attached["events"] == [tapped["result"]["event"]]


@pytest.mark.parametrize("framing", ["lines", "headers"])
def test_every_opening_that_was_answered_is_there(start: Start, backend: Backend, framing: str) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect(framing) as connection:
        for number in range(40):
            connection.send(request(number, "session/open", {"form": "login", "keep": "1h", "values": {"email": f"{number}"}}))
        opened = [connection.read_until_answer(0)[0]]
        kill(daemon)
        opened += connection.read_to_end()
    daemon = start(config)
    with daemon.connect(framing) as connection:
        for answer in opened:
            attached = attach(connection, answer["result"]["key"])
            assert attached["values"] == {"email": str(answer["id"])}
        open_kept(connection)


def test_two_clients_come_back_to_one_session(start: Start, backend: Backend) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect("lines") as kim, daemon.connect("headers") as lee:
        key, _ = open_kept(kim)
        attach(lee, key)
        kim.call("field/change", {"field": "email", "value": "kim@example.com"})
        answer, _ = lee.exchange("field/change", {"field": "email", "value": "lee@example.com"})
        kill(daemon)
    daemon = start(config)
    with daemon.connect("headers") as kim, daemon.connect("lines") as lee:
        mine, theirs = Replica(attach(kim, key)), Replica(attach(lee, key))
        assert mine.session == theirs.session and mine.document == theirs.document
        assert mine.revision >= answer["result"]["revision"]
        answer, before = lee.exchange("field/change", {"values": GOOD})
        theirs.apply(before)
        told = kim.read()
        assert told["params"]["values"] == {"email": "kim@example.com"}
        mine.apply([told])
        assert mine.document == theirs.document and mine.document["isValid"]


def test_what_was_ended_stays_ended(start: Start, backend: Backend, folder: Path) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect() as connection:
        closed, replica = open_kept(connection)
        connection.call("session/close", {"session": replica.session})
        old, replica = open_kept(connection, values={"email": "rotated"})
        new = attach(connection, old, rotate=True)["key"]
        expired, _ = open_kept(connection, values={"email": "expired"})
        kill(daemon)
    database = sqlite3.connect(folder / STORE)
    # The store has nothing of the closed session. The newest session expires while no daemon runs.
    with database:
        assert database.execute("SELECT count(*) FROM sessions").fetchone() == (2,)
        database.execute("UPDATE sessions SET expiry = 1 WHERE number = (SELECT max(number) FROM sessions)")
    database.close()
    daemon = start(config)
    with daemon.connect() as connection:
        never_one = ["0" * 32, new.upper(), new[:-1], new + "0", "", "\u0000", "x" * 5_000]
        assert {refusal(connection, key) for key in [closed, old, expired, *never_one]} == {UNKNOWN}
        assert attach(connection, new)["values"] == {"email": "rotated"}
        last = attach(connection, new, rotate=True)["key"]
        assert {refusal(connection, key) for key in (old, new)} == {UNKNOWN}
        assert attach(connection, last)["values"] == {"email": "rotated"}


def test_sessions_outlive_a_daemon_that_ends_as_it_should(start: Start, backend: Backend) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect() as connection:
        key, _ = open_kept(connection)
        connection.call("field/change", {"values": GOOD})
        assert daemon.end() == 0
    daemon = start(config)
    with formd.Client(str(daemon.path)) as client:
        session = client.attach(key)
        assert session.values == {"email": "kim@example.com"}
        session.change("email", "lee@example.com")
    shown = formctl("run", "--attach", key, "--json", "--socket", daemon.path)
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout.splitlines()[0])["values"] == {"email": "lee@example.com"}


def test_a_definition_that_was_brought_along_survives(start: Start) -> None:
    config = stored({})
    daemon = start(config)
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"definition": NOTE, "keep": "1h", "values": {"text": "one"}})
        connection.call("field/change", {"values": {"text": "three", "pin": CANARY}})
        kill(daemon)
    with start(config).connect("headers") as connection:
        attached = attach(connection, opened["key"])
        assert attached["form"] == "note" and attached["values"] == {"text": "three"}
        assert attached["document"]["outputs"] == {"length": 5} and "isMigrated" not in attached
        _, before = connection.exchange("field/change", {"field": "text", "value": "seven"})
        assert connection.call("session/get")["values"] == {"text": "seven"}, before


def test_a_session_follows_its_form(start: Start, backend: Backend, own_forms: Path) -> None:
    config = stored(configuration(backend))
    daemon = start(config, own_forms)
    with daemon.connect() as connection:
        key, _ = open_kept(connection)
        connection.call("field/change", {"values": GOOD})
        kill(daemon)
    path = own_forms / "login" / "login.form.json"
    path.write_text(path.read_text(encoding="utf-8").replace("systemGray4", "systemTeal"), encoding="utf-8")
    daemon = start(config, own_forms)
    with daemon.connect() as connection:
        attached = attach(connection, key)
        assert attached["isMigrated"] is True and attached["values"] == {"email": "kim@example.com"}
        assert attached["document"]["outputs"]["buttonColor"] == "systemTeal"
        assert "isMigrated" not in attach(connection, key)
        kill(daemon)
    with start(config, own_forms).connect() as connection:
        attached = attach(connection, key)
        assert "isMigrated" not in attached and attached["document"]["outputs"]["buttonColor"] == "systemTeal"


def test_values_of_renamed_and_lost_fields_survive_versions_of_a_form_and_daemons(start: Start, folder: Path) -> None:
    forms = folder / "forms"
    forms.mkdir()

    def write(names: list[str], fields: dict[str, object]) -> None:
        schema = {"type": "object", "additionalProperties": False, "properties": {name: TEXT for name in names}}
        form = {"form": "person", "schema": schema, "fields": fields}
        (forms / "person.form.json").write_text(json.dumps(form), encoding="utf-8")

    write(["age", "town"], {})
    daemon = start(stored({}), forms)
    with daemon.connect() as connection:
        key = connection.call("session/open", {"form": "person", "keep": "10m"})["key"]
        connection.call("field/change", {"values": {"age": CANARY, "town": "Seoul"}})
        kill(daemon)
    write(["years"], {"years": {"renamedFrom": "age"}})
    daemon = start(stored({}), forms)
    with daemon.connect() as connection:
        attached = attach(connection, key)
        assert attached["isMigrated"] and attached["values"] == {"years": CANARY}
        daemon.line_with("warning", "set values aside", "fields=town", "form=person")
        assert "Seoul" not in daemon.output and CANARY not in daemon.output
        kill(daemon)
    write(["years", "city"], {"city": {"renamedFrom": "town"}})
    with start(stored({}), forms).connect() as connection:
        attached = attach(connection, key)
        assert attached["isMigrated"] and attached["values"] == {"years": CANARY, "city": "Seoul"}


# Effects


@pytest.mark.parametrize("framing", ["lines", "headers"])
def test_a_run_that_was_under_way_is_interrupted_and_not_sent_again(
    start: Start, service: Service, framing: str
) -> None:
    config = asking(service)
    daemon = start(config)
    with daemon.connect() as connection:
        key, _ = open_kept(connection)
        connection.call("field/change", {"values": GOOD})
        tapped = connection.call("action/tap", {"action": "login"})
        service.wait_for(1)
        kill(daemon)
    service.answer()
    daemon = start(config)
    with daemon.connect(framing) as connection:
        attached = attach(connection, key, seq=0)
        event = attached["events"][0]
        assert [(event["seq"], event["run"], event["kind"], event["error"]) for event in attached["events"]] == [
            (1, tapped["run"], "failed", "interrupted")
        ]
        login = attached["document"]["actions"]["login"]
        assert login["error"] == "interrupted" and not login["isLoading"]
        kill(daemon)
    with start(config).connect(framing) as connection:
        assert attach(connection, key, seq=0)["events"] == [event], "it happened once"
        connection.call("field/change", {"values": {"password": "hunter3"}})
        again = connection.call("action/tap", {"action": "login", "await": True})["event"]
        assert (again["seq"], again["kind"]) == (2, "succeeded")
    assert [asked.body["password"] for asked in service.requests] == ["hunter2", "hunter3"]


def test_a_check_that_was_under_way_runs_again(start: Start, service: Service, new_forms: Path) -> None:
    config = asking(service)
    daemon = start(config, new_forms)
    with daemon.connect() as connection:
        key, _ = open_kept(connection, "checked")
        connection.call("field/change", {"field": "name", "value": "kim", "commit": True})
        service.wait_for(1)
        kill(daemon)
    with start(config, new_forms).connect() as connection:
        replica = Replica(attach(connection, key))
        assert replica.document["isPending"]
        assert [asked.path for asked in service.wait_for(2)] == ["/names?name=kim"] * 2
        service.answer()
        while replica.document["isPending"]:
            replica.apply([connection.read()])
        assert replica.document["isValid"]


def test_each_tap_has_an_idempotency_key_of_its_own(start: Start, service: Service, new_forms: Path) -> None:
    config = asking(service)
    service.answer()

    def taps(connection: object, count: int) -> None:
        for _ in range(count):
            assert connection.call("action/tap", {"action": "send", "await": True})["event"]["kind"] == "succeeded"

    daemon = start(config, new_forms)
    with daemon.connect() as connection:
        key, _ = open_kept(connection, "order")
        taps(connection, 2)
        # It tries again, and says the same.
        service.statuses = [503, 200]
        taps(connection, 1)
        kill(daemon)
    daemon = start(config, new_forms)
    with daemon.connect() as connection, daemon.connect() as other:
        attach(connection, key)
        taps(connection, 2)
        open_kept(other, "order")
        taps(other, 2)
    keys = [asked.headers["idempotency-key"] for asked in service.requests]
    assert len(keys) == 8 and keys[2] == keys[3] and len(set(keys)) == 7, keys


# Secrets and keys


def test_keys_and_secrets_are_in_no_file_no_log_and_no_listing(start: Start, backend: Backend, folder: Path) -> None:
    config = stored(configuration(backend)) | {"log": {"level": "trace"}}
    daemon = start(config)
    keys: list[str] = []
    told = ""
    with daemon.connect() as connection:
        for number in range(3):
            key, replica = open_kept(connection, values={"email": f"visible-{number}@example.com", "password": CANARY})
            session = {"session": replica.session}
            connection.call("field/change", session | {"values": {"password": CANARY * 2}, "commit": True})
            connection.call("action/tap", session | {"action": "login", "await": True})
            keys += [key, attach(connection, key, rotate=True)["key"]]
            connection.refused("session/attach", {"key": key})
        opened = connection.call("session/open", {"definition": NOTE, "keep": "1h", "values": {"pin": CANARY}})
        keys.append(opened["key"])
        connection.call("field/change", {"session": opened["session"], "values": {"pin": CANARY + "2"}})
        told += json.dumps([connection.call("server/stats", {"top": 10, "kept": 10}), connection.call("session/list")])
    told += formctl("sessions", "--json", "--socket", daemon.path).stdout
    kill(daemon)
    told += daemon.output
    daemon = start(config)
    with daemon.connect() as connection:
        attach(connection, keys[-1])
    assert daemon.end() == 0
    told += daemon.output
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(b"visible-2" in content for content in files.values()), "the store has what is no secret"
    for place, content in {"what was told": told.encode(), **files}.items():
        for key in keys:
            assert key.encode() not in content and bytes.fromhex(key) not in content, f"a key stands in {place}"
        assert CANARY.encode() not in content and CANARY.encode("utf-16-le") not in content, f"a secret stands in {place}"


# A copy while it runs


def test_a_copy_of_the_store_has_what_was_acknowledged_and_is_made_while_the_daemon_writes(
    start: Start, backend: Backend, folder: Path
) -> None:
    daemon = start(stored(configuration(backend)))
    ended = threading.Event()
    with daemon.connect() as connection, daemon.connect() as other:
        key, _ = open_kept(connection, values={"email": "kim@example.com"})
        typist = Typist(other)

        def types() -> None:
            while not ended.is_set():
                assert typist.types()

        typing = threading.Thread(target=types)
        typing.start()
        copies = [folder / f"copy-{number}.sqlite" for number in range(5)]
        try:
            for copy in copies:
                before = typist.acknowledged
                done = formctl("backup", copy, "--socket", daemon.path)
                assert done.returncode == 0 and str(copy) in done.stdout, done
                assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
                with sqlite3.connect(copy) as database:
                    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                    assert database.execute("SELECT count(*) FROM sessions").fetchone() == (2,)
                database.close()
        finally:
            ended.set()
            typing.join()
        # An existing file stays as it is.
        content = copies[0].read_bytes()
        refused = formctl("backup", copies[0], "--socket", daemon.path)
        assert refused.returncode == 2 and str(copies[0]) in refused.stderr and copies[0].read_bytes() == content
        copies.append(folder / "copy.sqlite")
        assert connection.call("server/backup", {"file": str(copies[-1])}) == {"bytes": copies[-1].stat().st_size}
    assert daemon.end() == 0
    # As the page says: the copy in the place of the store.
    for path in folder.glob(f"{STORE}*"):
        path.unlink()
    copies[-1].rename(folder / STORE)
    with start(stored(configuration(backend))).connect() as connection:
        assert attach(connection, key)["values"] == {"email": "kim@example.com"}
        found = attach(connection, typist.key)["values"].get("email", "0@")
        assert int(found.split("@")[0]) >= int((before or "0@").split("@")[0])


def test_a_daemon_without_a_store_makes_no_copy(daemon: Daemon, folder: Path) -> None:
    refused = formctl("backup", folder / "copy.sqlite", "--socket", daemon.path)
    assert refused.returncode == 2 and "no store" in refused.stderr
    assert not (folder / "copy.sqlite").exists()
