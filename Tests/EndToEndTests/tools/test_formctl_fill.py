"""`formctl fill`: a form asked on a terminal, typed by these tests, and in a pipe."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import select
import shlex
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path
from typing import Callable, Iterator, Optional

import pytest

import harness
from harness import JSON, PATIENCE_SECONDS, Backend, Daemon, configuration, formctl, formctl_binary

ENTER, TAB, BACK, UP, DOWN = "\r", "\t", "\x1b[Z", "\x1b[A", "\x1b[B"
ERASE, ERASE_ALL, CTRL_C, CTRL_D, CTRL_Z = "\x7f", "\x15", "\x03", "\x04", "\x1a"
SEQUENCE = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")

DEPLOY = {
    "form": "deploy",
    "title": "Deployment",
    "schema": {
        "type": "object",
        "required": ["service", "region"],
        "properties": {
            "service": {"type": "string", "maxLength": 40, "pattern": "^[a-z-]+$"},
            "region": {"enum": ["eu", "us", "ap"], "default": "eu"},
            "replicas": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
            "canary": {"type": "boolean"},
            "share": {"type": "integer", "minimum": 1, "maximum": 50},
            "token": {"type": "string", "maxLength": 40, "minLength": 4, "writeOnly": True},
            "notes": {"type": "string", "maxLength": 400},
            "owner": {
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 40}, "team": {"type": "string", "maxLength": 40}},
            },
            "hosts": {
                "type": "array",
                "maxItems": 5,
                "items": {
                    "type": "object",
                    "required": ["host"],
                    "properties": {"host": {"type": "string", "maxLength": 40}, "port": {"type": "integer", "default": 80}},
                },
            },
            "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 10}},
        },
    },
    "fields": {
        "service": {
            "label": "Service",
            "help": "Lower case.",
            "show": "edit",
            "messages": {"pattern": "Lower case letters only."},
        },
        "region": {"label": "Region", "options": {"eu": "Europe", "us": "America", "ap": "Asia"}},
        "replicas": {"label": "Replicas", "messages": {"maximum": "Nine at most."}},
        "canary": {"label": "Canary"},
        "share": {"label": "Share", "visible": "values.canary == true", "required": "true"},
        "token": {"label": "Token"},
        "notes": {"label": "Notes", "widget": "textarea"},
        "owner": {"label": "Owner"},
        "/owner/name": {"label": "Name"},
        "/owner/team": {"label": "Team", "visible": "values.owner.name != ''"},
        "hosts": {"label": "Hosts", "key": "host"},
        "/hosts/*/host": {"label": "Host"},
        "/hosts/*/port": {"label": "Port"},
        "tags": {"label": "Tags"},
    },
    "actions": {
        "start": {
            "label": "Deploy",
            "outcomes": [
                {"when": "values.service == 'broken'", "failure": "'down'", "message": "It is down."},
                {"when": "values.service == 'taken'", "failure": "'taken'", "fieldErrors": "{'service': 'That one is taken.'}"},
                {"success": "true", "message": "It is on its way."},
            ],
        }
    },
}
"""A field of each kind."""

CONTACT = {
    "form": "contact",
    "schema": {
        "type": "object",
        "properties": {
            "email": {"type": "string", "maxLength": 40},
            "phone": {"type": "string", "maxLength": 40},
            "days": {
                "type": "array",
                "maxItems": 5,
                "items": {"type": "object", "properties": {"day": {"type": "string", "maxLength": 9}, "rate": {"type": "integer", "default": 20}}},
            },
        },
    },
    "fields": {"email": {"label": "Mail"}, "phone": {"label": "Phone"}, "days": {"label": "Days", "blankRows": "ignore"}},
    "rules": [{"id": "reachable", "exactlyOne": ["email", "phone"], "message": "How can we reach you?"}],
    "actions": {"send": {"label": "Send", "enabled": "values.days.size() == 0 ? 'Name a day.' : form.isValid"}},
}
"""A group of fields, a list that ignores blank rows, and an action with a reason."""

HOME = {
    "form": "home",
    "schema": {
        "type": "object",
        "required": ["consent"],
        "properties": {
            "rooms": {
                "type": "array",
                "maxItems": 5,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "maxLength": 9},
                        "kind": {"enum": ["b", "k"]},
                        "rent": {"type": "number", "maximum": 9999},
                    },
                },
            },
            "total": {"type": "number"},
            "consent": {"type": "boolean", "const": True},
        },
    },
    "fields": {
        "rooms": {"label": "Rooms"},
        "/rooms/*/kind": {"options": {"b": "Bath", "k": "Kitchen"}},
        "/rooms/*/rent": {"read": {"number": {"decimal": ",", "group": "."}}},
        "total": {"label": "Total", "computed": "values.rooms.filter(r, has(r.rent)).map(r, r.rent).sum()"},
        "consent": {"label": "Consent"},
    },
    "rules": [{"id": "cheap", "field": "total", "check": "self < 1000.0", "message": "Less than 1000."}],
    "actions": {
        "send": {
            "label": "Send",
            "outcomes": [
                {"when": "values.rooms.exists(r, r.name == 'bad')", "failure": "'bad'", "fieldErrors": "{'rooms.1.name': 'Not that one.'}"},
                {"success": "true", "message": "Thanks."},
            ],
        }
    },
}
"""Rows with choices and numbers as people read them, a computed total and a consent."""

ORDER = {
    "form": "order",
    "title": {"en": "Order", "de": "Bestellung", "ja": "注文"},
    "schema": {
        "type": "object",
        "required": ["extras", "pin"],
        "properties": {
            "extras": {"type": "array", "minItems": 1, "maxItems": 9, "items": {"type": "string", "maxLength": 9}},
            "colour": {"type": "string", "maxLength": 9},
            "pin": {"type": "string", "maxLength": 9, "writeOnly": True},
            "gift": {"type": "boolean"},
            "parts": {
                "type": "array",
                "maxItems": 5,
                "items": {
                    "type": "object",
                    "properties": {"count": {"type": "integer", "default": 1}, "name": {"type": "string", "maxLength": 9}},
                },
            },
        },
    },
    "fields": {
        "extras": {"label": {"en": "Extras", "de": "Extras", "ja": "追加"}},
        "/extras/*": {
            "options": [
                {"value": "wrap", "label": {"en": "Gift wrap", "de": "Geschenkpapier", "ja": "ギフト包装"}, "group": {"en": "Gifts", "de": "Geschenke", "ja": "贈り物"}},
                {"value": "card", "label": {"en": "Card", "de": "Karte", "ja": "カード"}, "group": {"en": "Gifts", "de": "Geschenke", "ja": "贈り物"}},
                {"value": "ice", "label": {"en": "Ice", "de": "Eis", "ja": "氷"}, "disabled": True, "help": {"en": "Again in May.", "de": "Wieder im Mai.", "ja": "5月に再開。"}},
            ],
            "other": True,
        },
        "colour": {
            "label": {"en": "Colour", "de": "Farbe", "ja": "色"},
            "options": [
                {"value": "red", "label": {"en": "Red", "de": "Rot", "ja": "赤"}},
                {"value": "blue", "label": {"en": "Blue", "de": "Blau", "ja": "青"}},
            ],
            "other": True,
        },
        "pin": {"label": {"en": "Pin", "de": "Pin", "ja": "暗証番号"}},
        "gift": {"label": {"en": "A gift", "de": "Ein Geschenk", "ja": "贈り物"}},
        "parts": {"label": {"en": "Parts", "de": "Teile", "ja": "部品"}, "key": "name"},
    },
    "steps": [
        {"id": "what", "label": {"en": "What", "de": "Was", "ja": "内容"}, "fields": ["extras", "colour", "pin", "gift", "parts"]},
        {"id": "sum", "label": {"en": "Summary", "de": "Übersicht", "ja": "概要"}, "fields": []},
    ],
    "outputs": {"price": "3.5 * double(size(values.extras))"},
    "actions": {"send": {"label": {"en": "Send", "de": "Senden", "ja": "送信"}, "outcomes": [{"success": "true"}]}},
}
"""A multiple choice, texts of one's own, and a step that is only read, in three languages."""

NAMES = ["service", "region", "replicas", "canary", "token", "notes", "owner", "hosts", "tags"]


class Terminal:
    """A program with a terminal of its own: typed keys, the screen, and its standard output and error."""

    def __init__(self, *arguments: str | Path, size: tuple[int, int] = (24, 80), **environment: Optional[str]) -> None:
        self.master, slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        variables = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        for name in ("NO_COLOR", "FORMD_SOCKET"):
            variables.pop(name, None)
        for name, value in environment.items():
            variables.pop(name, None)
            if value is not None:
                variables[name] = value
        # setsid(1) makes the terminal the controlling terminal of a new session.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *map(str, arguments)], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables
        )  # fmt: skip
        self.seen = ""
        """All that was written to the terminal."""
        self._read = 0

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait_for(self, *texts: str) -> str:
        """Waits until each text is seen, in this order, behind the texts of earlier waits; returns the output of that
        time."""
        start = self._read
        for text in texts:
            end = time.monotonic() + PATIENCE_SECONDS
            while (place := self.plain.find(text, self._read)) < 0:
                assert self._more(end), f"{text!r} was not seen; there was:\n{self.plain}"
            self._read = place + len(text)
        return self.plain[start : self._read]

    @property
    def plain(self) -> str:
        return SEQUENCE.sub("", self.seen)

    def _more(self, end: float) -> bool:
        if not select.select([self.master], [], [], max(end - time.monotonic(), 0))[0]:
            return False
        data = os.read(self.master, 1 << 16)
        self.seen += data.decode(errors="replace")
        return bool(data)

    def answer(self, *pairs: str) -> None:
        """Waits for a question and types its answer with Enter; so for each pair."""
        for question, answer in zip(pairs[::2], pairs[1::2], strict=True):
            self.wait_for(question)
            self.type(answer + ENTER)

    def end(self) -> tuple[int, str, str]:
        """Exit status, standard output and standard error after the end; the terminal then has its first settings."""
        output, error = self.process.communicate(timeout=PATIENCE_SECONDS)
        while select.select([self.master], [], [], 0)[0]:
            self.seen += os.read(self.master, 1 << 16).decode(errors="replace")
        assert termios.tcgetattr(self.slave) == self.before
        return self.process.returncode, output.decode(), error.decode()

    def values(self) -> JSON:
        """The values that it prints when it succeeds."""
        status, output, error = self.end()
        assert (status, error) == (0, ""), (status, output, error, self.plain)
        assert output.count("\n") == 1
        return json.loads(output)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture(scope="module")
def forms(scratch: Path) -> Path:
    folder = scratch / "fill-forms"
    folder.mkdir()
    for form in (DEPLOY, CONTACT, HOME, ORDER):
        (folder / f"{form['form']}.form.json").write_text(json.dumps(form), encoding="utf-8")
    for example in ("signup", "invoice", "nickname", "search"):
        source = harness.ROOT / "protocol" / "examples" / example / f"{example}.form.json"
        (folder / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


@pytest.fixture
def terminal(daemon: Daemon) -> Iterator[Callable[..., Terminal]]:
    """Starts `formctl fill` of a form of the daemon."""
    with contextlib.ExitStack() as stack:

        def start(
            form: str | Path, *arguments: str | Path, socket: Optional[Path] = daemon.path, **more: JSON
        ) -> Terminal:
            where = ["--socket", socket] if socket else []
            started = Terminal(formctl_binary(), "fill", form, *where, *arguments, **more)
            stack.callback(started.close)
            return started

        yield start


Start = Callable[..., Terminal]


def deploy(start: Start, *fields: str, **more: JSON) -> Terminal:
    return start("deploy", "--only", *fields, **more)


SERVICE = '{"service": "web"}'
"""The values that the form needs, for tests that ask for something else."""


# The fields


def test_a_form_is_asked_field_by_field(terminal: Start) -> None:
    asked = terminal("deploy")
    asked.wait_for("Deployment", "Lower case.", "Service *: ")
    asked.type("web" + ENTER)
    asked.wait_for("1) Europe", "2) America", "3) Asia", "Region * [Europe]: ")
    asked.type("2" + ENTER)
    asked.answer("Region: America", "", "Canary [y/n]: ", "y", "Share *: ", "10", "Token: ", "hunter2")
    asked.wait_for("Notes: (Ctrl-D ends the text) ")
    asked.type("two" + ENTER + "lines" + CTRL_D)
    asked.answer("Owner › Name: ", "Kim", "Owner › Team: ", "core", "Hosts [a add, Enter done]: ", "")
    asked.answer("Tags [a add, Enter done]: ", "")
    assert asked.values() == {
        "service": "web", "region": "us", "replicas": 2, "canary": True, "share": 10, "token": "hunter2",
        "notes": "two\nlines", "owner": {"name": "Kim", "team": "core"},
    }  # fmt: skip


def test_enter_takes_the_default_tab_edits_it_and_ctrl_u_takes_it_away(terminal: Start) -> None:
    values = ("--values", SERVICE)
    asked = deploy(terminal, "replicas", "--values", SERVICE)
    asked.answer("Replicas [2]: ", "")
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 2}
    asked = terminal("deploy", *values, "--only", "replicas")
    asked.answer("Replicas [2]: ", TAB + ERASE + "3")
    assert asked.values()["replicas"] == 3
    asked = terminal("deploy", *values, "--only", "replicas")
    asked.wait_for("Replicas [2]: ")
    asked.type(ERASE_ALL)
    asked.wait_for("Replicas [nothing]: ")
    asked.type(ENTER)
    assert "replicas" not in asked.values()


def test_messages_are_there_as_one_types(terminal: Start) -> None:
    asked = deploy(terminal, "service")
    asked.wait_for("Service *: ")
    asked.type("W")
    asked.wait_for("Lower case letters only.")
    asked.type(ENTER)
    asked.wait_for("Service *: W", "Lower case letters only.")
    start = len(asked.plain)
    asked.type(ERASE + "web")
    asked.wait_for("Service *: web")
    assert "only" not in asked.plain[start:].rpartition("Service")[2]
    asked.type(ENTER)
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 2}


def test_what_the_form_refuses_is_asked_again(terminal: Start) -> None:
    asked = deploy(terminal, "replicas", "canary", "--values", SERVICE)
    asked.answer("Replicas [2]: ", "12")
    asked.wait_for("Nine at most.")
    asked.type(ERASE + ERASE + "many" + ENTER)
    asked.wait_for("whole number")
    asked.type(ERASE_ALL + "9" + ENTER)
    asked.answer("Canary [y/n]: ", "maybe", "Answer y or n.", "n")
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 9, "canary": False}


def test_each_field_of_a_group_is_asked_before_its_error_holds(terminal: Start) -> None:
    asked = terminal("contact", "--only", "email", "phone")
    asked.answer("Mail: ", "", "Phone: ", "")
    asked.wait_for("Phone: ", "How can we reach you?")
    asked.type(BACK)
    asked.wait_for("Mail: ", "How can we reach you?")
    asked.answer("", "kim@example.org", "Phone: ", "")
    assert asked.values() == {"email": "kim@example.org"}


def test_blank_rows_are_not_printed_and_a_reason_is_told(terminal: Start) -> None:
    asked = terminal("contact", "--tap", "send", "--values", '{"email": "kim@example.org"}', "--only", "days")
    asked.answer("Days [a add, Enter done]: ", "")
    asked.wait_for("Send")
    asked.type(ENTER)
    asked.wait_for("Name a day.")
    asked.type(BACK)
    asked.answer("Days [a add, Enter done]: ", "a", "day: ", "", "rate [20]: ", "")
    asked.answer("Days", "a", "day: ", "Mon", "rate [20]: ", "", "Days", "")
    asked.wait_for("Send")
    asked.type(ENTER)
    assert asked.values() == {"email": "kim@example.org", "days": [{"day": "Mon", "rate": 20}]}


def test_choices_are_made_by_arrow_and_by_name(terminal: Start) -> None:
    asked = deploy(terminal, "region", "--values", SERVICE)
    asked.wait_for("> 1) Europe", "Region * [Europe]: ")
    asked.type(DOWN + DOWN)
    asked.wait_for("> 3) Asia")
    asked.type(UP)
    asked.wait_for("> 2) America")
    asked.type(ENTER)
    assert asked.values()["region"] == "us"
    asked = deploy(terminal, "region", "--values", SERVICE)
    asked.answer("Region * [Europe]: ", "africa", "Choose by a number (1-3), or by name.", "asia")
    assert asked.values()["region"] == "ap"


def test_a_multiple_choice_is_marked_by_space(terminal: Start) -> None:
    asked = terminal("order", "--only", "extras", "--values", '{"pin": "1234"}', "--locale", "en")
    asked.wait_for("Gifts", "> 1) [ ] Gift wrap", "3) [ ] Ice (not available)  Again in May.", "4)     Other…")
    asked.type(ENTER)
    asked.wait_for("Extras * [Space marks, Enter done]: ", "This must have at least 1 item.")
    asked.type(" ")
    asked.wait_for("> 1) [x] Gift wrap")
    asked.type(DOWN + " " + DOWN)
    asked.wait_for("2) [x] Card", "> 4)     Other…")
    asked.type("ribbon" + ENTER)
    asked.wait_for("4) [x] ribbon")
    asked.type(UP + UP + UP + " ")
    asked.wait_for("> 1) [ ] Gift wrap")
    asked.type(ENTER)
    asked.wait_for("Extras: Card, ribbon")
    assert asked.values()["extras"] == ["card", "ribbon"]


def test_given_marks_that_are_refused_are_seen_at_once(terminal: Start) -> None:
    given = '{"pin": "1234", "extras": ["ice", "wrap"]}'
    asked = terminal("order", "--only", "extras", "--values", given, "--locale", "en")
    asked.wait_for("> 1) [x] Gift wrap", "3) [x] Ice (not available)")
    asked.type(DOWN + DOWN + " ")
    asked.wait_for("> 3) [ ] Ice (not available)")
    asked.type(ENTER)
    assert asked.values()["extras"] == ["wrap"]


def test_the_marked_choice_is_seen_on_a_low_terminal(terminal: Start) -> None:
    asked = terminal("order", "--only", "extras", "--values", '{"pin": "1234"}', "--locale", "en", size=(5, 24))
    asked.wait_for("> 1) [ ] Gift wrap")
    asked.type(UP)
    asked.wait_for("> 4)     Other…")
    asked.type(UP + UP + " ")
    asked.wait_for("> 1) [x] Gift wrap")
    asked.type(ENTER)
    assert asked.values()["extras"] == ["wrap"]


def test_a_secret_is_not_seen_and_is_among_the_values(terminal: Start) -> None:
    asked = deploy(terminal, "token", "--values", SERVICE)
    asked.wait_for("Token: ")
    asked.type("hun")
    asked.wait_for("***")
    asked.type(ENTER)
    asked.wait_for("4 characters")
    asked.type("ter2" + ENTER)
    assert asked.values()["token"] == "hunter2"
    assert "hun" not in asked.seen and "ter2" not in asked.seen


def test_hidden_fields_are_not_asked_and_not_printed(terminal: Start) -> None:
    asked = deploy(terminal, "canary", "share", "--values", SERVICE)
    asked.answer("Canary [y/n]: ", "y", "Share *: ", "5")
    assert asked.values()["share"] == 5
    asked = deploy(terminal, "canary", "share", "--values", SERVICE)
    asked.answer("Canary [y/n]: ", "y")
    asked.wait_for("Share *: ")
    asked.type("5" + BACK)
    asked.answer("Canary [Y/n]: ", "n")
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 2, "canary": False}


def test_known_values_are_asked_only_when_they_are_refused(terminal: Start) -> None:
    known = {"service": "Web", "region": "us", "replicas": 3, "token": "hunter2", "notes": "n", "owner": {"name": "Kim"}}
    asked = terminal("deploy", "--values", json.dumps(known))
    asked.answer("Canary [y/n]: ", "n", "Owner › Team: ", "core", "Hosts", "", "Tags", "")
    asked.wait_for("Service * [Web]: ", "Lower case letters only.")
    asked.type("web" + ENTER)
    assert asked.values() == {**known, "service": "web", "canary": False, "owner": {"name": "Kim", "team": "core"}}


# Rows


def test_rows_come_change_and_go(terminal: Start) -> None:
    asked = deploy(terminal, "hosts", "--values", SERVICE)
    menu = "Hosts [a add, Enter done]: "
    asked.answer(menu, "x", "Write a to add a row", "a", "Hosts 1 › Host *: ", "a.example", "Hosts 1 › Port [80]: ", "")
    menu = "Hosts [a add, 1 edit, r N remove, Enter done]: "
    asked.wait_for("1) a.example, 80")
    asked.answer(menu, "a", "Hosts 2 › Host *: ", "", "This is required.", "b.example", "Hosts 2 › Port [80]: ", "81")
    asked.answer("2) b.example, 81", "a", "Hosts 3 › Host", "c", "Hosts 3 › Port", "", "3) c, 80", "r 1")
    asked.answer("2) c, 80", "e 2", "Hosts 2 › Host * [c]: ", "c.example", "Port [80]: ", "", "2) c.example, 80", "")
    assert asked.values()["hosts"] == [{"host": "b.example", "port": 81}, {"host": "c.example", "port": 80}]


def test_rows_that_are_plain_texts(terminal: Start) -> None:
    asked = deploy(terminal, "tags", "--values", SERVICE)
    asked.answer("Tags [a add", "a", "Tags 1: ", "blue", "1) blue", "a", "Tags 2: ", "green", "2) green", "")
    assert asked.values()["tags"] == ["blue", "green"]


def test_a_row_that_a_later_one_makes_wrong_is_asked_again(terminal: Start) -> None:
    asked = deploy(terminal, "hosts", "--values", SERVICE)
    asked.answer("Hosts [a add", "a", "Host *: ", "same", "Port", "", "1) same", "a", "Hosts 2 › Host *: ", "same")
    asked.answer("in the list already", ERASE_ALL + "other", "Port", "", "2) other", "1", "Hosts 1 › Host * [same]: ", "other")
    asked.answer("Port [80]: ", "")
    # The first one is in order, and the second is now the one too many.
    asked.answer("2) other, 80  !", "", "Hosts 2 › Host * [other]: ", "third", "2) third, 80", "")
    assert [row["host"] for row in asked.values()["hosts"]] == ["other", "third"]


def test_a_servers_error_in_a_row_is_shown_at_its_field(terminal: Start) -> None:
    values = {"consent": True, "rooms": [{"name": "bath", "kind": "b", "rent": 1}, {"name": "bad", "kind": "k", "rent": 2}]}
    asked = terminal("home", "--tap", "send", "--values", json.dumps(values))
    asked.answer("Total: 3", "")
    asked.answer("Rooms 2 › name [bad]: ", ERASE_ALL + "good", "kind [Kitchen]: ", "", "rent [2]: ", "", "2) good, Kitchen, 2", "")
    asked.answer("[ Send ]", "")
    assert asked.values()["rooms"][1]["name"] == "good"
    assert "Not that one." in asked.seen


def test_what_formulas_compute_is_shown_before_the_button_and_its_errors_lead_back(terminal: Start) -> None:
    asked = terminal("home", "--tap", "send")
    asked.answer("Rooms [a add", "a", "Rooms 1 › name: ", "hall", "kind: ", "2", "rent: ", "1.234,5")
    asked.answer("1) hall, Kitchen, 1.234,5", "", "Consent * [y/n]: ", "y")
    asked.wait_for("Total: Less than 1000.", "1) Rooms: hall")
    asked.answer("[ Send ]", "1", "Rooms [a add, 1 edit", "1", "name [hall]: ", "", "kind", "", "rent [1.234,5]: ", "900")
    asked.answer("Rooms [a add", "", "Total: 900", "")
    assert asked.values()["total"] == 900


# Steps, checks, actions


def test_steps_are_pages_and_there_is_a_way_back(terminal: Start) -> None:
    asked = terminal("signup", "--locale", "en")
    asked.answer("Account (1 of 3)", "", "This is required.", "new@example.com", "Password *: ", "hunter2hunter2")
    asked.answer("Profile (2 of 3)", "Kim", "Name: Kim", "1")
    asked.wait_for("Address › Street *: ")
    asked.type(BACK)
    asked.wait_for("Country * [South Korea]: ")
    asked.type(BACK)
    asked.wait_for("Name * [Kim]: ")
    asked.type(BACK)
    asked.wait_for("Account (1 of 3)", "Password * [unchanged]: ")
    asked.type(ENTER)
    asked.answer("Profile (2 of 3)", "", "Country * [South Korea]: ", "2", "Street *: ", "Main", "City *: ", "Berlin")
    asked.answer("State *: ", "ny", "Postal code *: ", "1234", "five digits", ERASE_ALL + "12345")
    asked.answer("Newsletter (3 of 3)", "y", "How often *: ", "1")
    assert asked.values() == {
        "email": "new@example.com", "password": "hunter2hunter2", "name": "Kim", "country": "US",
        "address": {"street": "Main", "city": "Berlin", "state": "NY", "postalCode": "12345"},
        "newsletter": {"isWanted": True, "frequency": "weekly"},
    }  # fmt: skip


def test_an_answer_waits_for_its_check_and_what_is_typed_meanwhile_counts(terminal: Start) -> None:
    asked = terminal("signup", "--locale", "en", "--only", "email", "name")
    asked.wait_for("Email *: ")
    asked.type("kim@example.com" + ENTER)
    asked.wait_for("taken")
    asked.type(ERASE_ALL + "slow-300@example.com" + ENTER + "Kim" + ENTER)
    asked.wait_for("checking …", "Name: Kim")
    status, output, error = asked.end()
    assert (status, output) == (1, "")
    assert "/password: This is required. [required]" in error.splitlines()


def test_an_action_is_tapped_by_its_button(terminal: Start) -> None:
    asked = deploy(terminal, "service", "--tap", "start")
    asked.answer("Service *: ", "web")
    asked.wait_for("[ Deploy ] Enter; Shift-Tab goes back ")
    asked.type(BACK)
    asked.answer("Service * [web]: ", "api", "[ Deploy ]", "")
    assert asked.values() == {"service": "api", "region": "eu", "replicas": 2}
    assert "It is on its way." in asked.plain


def test_the_answers_are_reviewed_before_the_tap(terminal: Start) -> None:
    values = {"extras": ["card"], "parts": [{"name": "lid", "count": 2}, {"count": 3}]}
    asked = terminal("order", "--tap", "send", "--values", json.dumps(values), "--locale", "en")
    asked.answer("Colour: ", "pink", "Pin *: ", "1234", "A gift [y/n]: ", "y")
    asked.wait_for("Summary (2 of 2)", "price: 3.5", "Enter goes on; Shift-Tab goes back ")
    asked.type(ENTER)
    asked.wait_for("Your answers", "1) Extras: Card", "2) Colour: pink", "3) Pin: ****", "4) A gift: yes", "5) Parts: lid, 3")
    asked.wait_for("[ Send ] Enter; Shift-Tab goes back ", "change an answer")
    asked.type("2" + ENTER)
    asked.answer("> 3) Other…", "1", "2) Colour: Red", UP)
    asked.answer("1) lid, 2", "m 2 1", "2) lid, 2", "", "5) Parts: 3, lid", "")
    assert asked.values() == {
        "extras": ["card"], "colour": "red", "pin": "1234", "gift": True, "parts": [{"count": 3}, {"name": "lid", "count": 2}],
    }  # fmt: skip
    assert "1234" not in asked.seen


def test_a_tap_that_fails_can_be_tried_again_or_given_up(terminal: Start) -> None:
    asked = deploy(terminal, "service", "--tap", "start")
    asked.answer("Service *: ", "taken", "[ Deploy ]", "", "Service * [taken]: ", "broken", "[ Deploy ]", "")
    asked.wait_for("It is down.", "[ Deploy ]")
    assert "That one is taken." in asked.plain
    asked.type(CTRL_D)
    status, output, _ = asked.end()
    assert (status, output) == (1, "")


def test_ctrl_d_asks_nothing_more(terminal: Start) -> None:
    asked = terminal("deploy", "--values", SERVICE)
    asked.wait_for("Region * [Europe]: ")
    asked.type(CTRL_D)
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 2}
    asked = terminal("deploy")
    asked.wait_for("Service *: ")
    asked.type(CTRL_D)
    assert asked.end() == (1, "", "/service: This is required. [required]\n")


# The terminal


def test_german_words(terminal: Start) -> None:
    asked = terminal("order", "--tap", "send", LC_ALL="de_CH.UTF-8")
    asked.wait_for("Bestellung", "Was (1 von 2)", "Wieder im Mai.", "4)     Andere …", "[Leertaste markiert, Enter fertig]: ")
    asked.type(" " + ENTER)
    asked.answer("Farbe: ", "2", "Pin *: ", "1234", "Ein Geschenk [j/n]: ", "vielleicht", "Antworten Sie mit j oder n.", "j")
    asked.answer("Teile [a hinzufügen, Enter fertig]: ", "", "Weiter mit Enter; Zurück mit Umschalt-Tab", "")
    asked.answer("Ihre Angaben", "9", "Wählen Sie mit einer Nummer von 1 bis 5", "4", "Ein Geschenk [J/n]: ", "nein", "4) Ein Geschenk: nein", "")
    assert asked.values() == {"extras": ["wrap"], "colour": "blue", "pin": "1234", "gift": False}


def test_japanese_words_are_as_wide_as_they_are_drawn(terminal: Start) -> None:
    asked = terminal("order", "--only", "extras", "--values", '{"pin": "1234"}', "--locale", "ja", size=(12, 60))
    prompt = "追加 * [Space 選択、Enter 完了]: "
    asked.wait_for("贈り物", "> 1) [ ] ギフト包装", "3) [ ] 氷 (選択不可)  5月に再開。", prompt)
    columns = sum(1 if ord(c) < 0x1100 else 2 for c in prompt)
    assert f"\x1b[{columns}C" in asked.seen
    asked.type(" " + ENTER)
    assert asked.values()["extras"] == ["wrap"]


def test_korean_texts(terminal: Start) -> None:
    asked = terminal("nickname", LC_ALL="ko_KR.UTF-8")
    asked.wait_for("닉네임 * [예: 닉네임을 입력해주세요]: ")
    asked.type("홍길동")
    asked.wait_for("닉네임 * ", "홍길동", "8자 이상 입력해주세요.")
    # Behind three wide characters the cursor is where it belongs: a syllable more is drawn there, not over them.
    prompt = "닉네임 * [예: 닉네임을 입력해주세요]: "
    columns = sum(2 if "가" <= c <= "힣" else 1 for c in prompt)
    assert f"\x1b[{columns + 6}C" in asked.seen
    asked.type("과\u1109\u1161람" + ERASE + ENTER)
    asked.wait_for("홍길동과", "8자 이상")
    asked.type("람들이다" + ENTER)
    assert asked.values() == {"nickname": "홍길동과사람들이다"}


def relay_that_closes(daemon: Daemon, path: Path) -> None:
    """Takes one client to a daemon, and adds to the answer of `session/open`, in one piece with it, that the session is
    over."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(1)
    listener.settimeout(PATIENCE_SECONDS)

    def forward() -> None:
        client, _ = listener.accept()
        with listener, client, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.connect(str(daemon.path))
            with client.makefile("rb") as requests, server.makefile("rb") as answers:
                for request in requests:
                    server.sendall(request)
                    answer = answers.readline()
                    if json.loads(request)["method"] == "session/open":
                        over = {"session": json.loads(answer)["result"]["session"], "reason": "closed"}
                        answer += json.dumps({"jsonrpc": "2.0", "method": "session/closed", "params": over}).encode() + b"\n"
                    client.sendall(answer)

    threading.Thread(target=forward, daemon=True).start()


def test_a_session_that_is_closed_at_once_ends_it(daemon: Daemon, terminal: Start, folder: Path) -> None:
    relay_that_closes(daemon, folder / "relay.sock")
    status, output, error = terminal("deploy", socket=folder / "relay.sock").end()
    assert (status, output) == (2, "")
    assert "the daemon closed the session" in error


def test_a_resize_draws_anew(terminal: Start) -> None:
    asked = deploy(terminal, "service")
    asked.wait_for("Service *: ")
    asked.type("a-name-that-is-long")
    asked.wait_for("a-name-that-is-long")
    asked.resize(24, 20)
    asked.wait_for("Service *: a-name-th\r\nat-is-long")
    asked.resize(24, 80)
    asked.wait_for("Service *: a-name-that-is-long")
    asked.type(ENTER)
    assert asked.values()["service"] == "a-name-that-is-long"


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_ctrl_c_ends_and_leaves_the_terminal_as_it_was(terminal: Start, kind: str) -> None:
    asked = deploy(terminal, "token", TERM=kind)
    asked.wait_for("Token: ")
    asked.type("hun" + CTRL_C)
    assert asked.end() == (130, "", "")
    # The text that follows begins on a line of its own.
    assert kind == "dumb" or asked.seen.endswith("\r\n\x1b[J")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_leaves_the_terminal_as_it_was(terminal: Start, number: int) -> None:
    asked = deploy(terminal, "service")
    asked.wait_for("Service *: ")
    asked.process.send_signal(number)
    assert asked.end() == (128 + number, "", "")


def test_it_stops_and_goes_on(terminal: Start) -> None:
    asked = deploy(terminal, "service")
    asked.wait_for("Service *: ")
    asked.type("we")
    asked.wait_for("Service *: we")
    asked.process.send_signal(signal.SIGTSTP)
    assert os.WIFSTOPPED(os.waitpid(asked.process.pid, os.WUNTRACED)[1])
    assert termios.tcgetattr(asked.slave) == asked.before
    start = len(asked.plain)
    asked.process.send_signal(signal.SIGCONT)
    # The question is drawn again before a key comes, because the shell has written over it.
    asked.wait_for("Lower case.", "Service *: we")
    assert asked.plain.find("Service *: we", start) > 0
    asked.type("b" + ENTER)
    assert asked.values()["service"] == "web"


def test_a_terminal_that_cannot_move_its_cursor_shows_the_question_again_after_a_stop(terminal: Start) -> None:
    asked = deploy(terminal, "service", TERM="dumb")
    asked.wait_for("Service *: ")
    asked.process.send_signal(signal.SIGTSTP)
    assert os.WIFSTOPPED(os.waitpid(asked.process.pid, os.WUNTRACED)[1])
    asked.process.send_signal(signal.SIGCONT)
    asked.wait_for("Service *: ")
    asked.type("web\n")
    assert asked.values()["service"] == "web"


def test_colors_are_for_terminals_that_have_them(terminal: Start) -> None:
    for environment, hasColor in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
        asked = deploy(terminal, "service", **environment)
        asked.answer("Service *: ", "web")
        asked.values()
        assert (re.search(r"\x1b\[[0-9]+m", asked.seen) is not None) is hasColor


def test_a_terminal_that_cannot_move_its_cursor_is_asked_line_by_line(terminal: Start) -> None:
    asked = terminal("deploy", "--values", '{"replicas": 1, "owner": {"name": "Kim", "team": "core"}}', TERM="dumb")
    asked.answer("Service *: ", "WEB", "Lower case letters only.", "web", "3) Asia", "2", "Canary [y/n]: ", "<")
    asked.answer("Region * [America]: ", "", "Canary [y/n]: ", "n")
    asked.wait_for("Token: ")
    asked.type("hunter2\n")
    asked.wait_for("Notes: ")
    asked.type("two\nlines\n" + CTRL_D)
    asked.answer("Hosts", "a", "Host *: ", "h", "Port", "", "1) h, 80", "", "Tags", "")
    assert asked.values() == {
        "service": "web", "region": "us", "replicas": 1, "canary": False, "token": "hunter2", "notes": "two\nlines",
        "owner": {"name": "Kim", "team": "core"}, "hosts": [{"host": "h", "port": 80}],
    }  # fmt: skip
    assert "\x1b" not in asked.seen and "hunter2" not in asked.seen


def test_what_a_value_holds_does_not_command_the_terminal(terminal: Start) -> None:
    asked = deploy(terminal, "notes", "replicas", "owner", "--values", '{"service": "web", "owner": {"name": "\\u001b]0;x\\u0007"}}')
    asked.answer("Replicas", "")
    asked.wait_for("Notes")
    asked.type(BACK + ENTER)
    asked.wait_for("Notes")
    asked.type(CTRL_D)
    asked.answer("Owner › Team", "")
    assert asked.values()["owner"] == {"name": "\x1b]0;x\x07"}
    assert "\x1b]" not in asked.seen


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_daemon_that_dies_leaves_the_answers_so_far(
    start: Callable[..., Daemon], terminal: Start, forms: Path, folder: Path, number: int
) -> None:
    mortal = start(forms=forms)
    asked = terminal("deploy", socket=mortal.path, XDG_RUNTIME_DIR=str(folder))
    asked.answer("Service *: ", "web", "Region", "2", "Replicas", "3", "Canary", "", "Token: ", "hunter2")
    asked.wait_for("Notes")
    mortal.signal(number)
    status, output, error = asked.end()
    assert (status, output) == (2, "")
    assert error.startswith("formctl: the connection to") or error.startswith("formctl: the daemon closed the session")
    kept = re.search(r"--values (\S+)", error)
    assert kept
    assert os.stat(kept[1]).st_mode & 0o777 == 0o600
    assert json.loads(Path(kept[1]).read_text(encoding="utf-8")) == {"service": "web", "region": "us", "replicas": 3}
    again = terminal("deploy", "--values", kept[1])
    again.wait_for("Canary")
    assert "Service" not in again.plain


def test_the_hint_after_a_daemon_s_death_has_all_options(
    start: Callable[..., Daemon], terminal: Start, forms: Path, folder: Path
) -> None:
    mortal = start(forms=forms)
    options = ["--only", "service", "region", "--tap", "start", "--locale", "en", "--zone", "Asia/Seoul"]
    asked = terminal("deploy", *options, socket=mortal.path, XDG_RUNTIME_DIR=str(folder))
    asked.answer("Service *: ", "web")
    asked.wait_for("Region")
    mortal.signal(signal.SIGKILL)
    status, _, error = asked.end()
    assert status == 2
    hint = re.search(r"to go on:  (.*)", error)
    assert hint
    words = shlex.split(hint[1])
    assert words[:3] == ["formctl", "fill", "deploy"]
    kept = re.search(r"without secrets: (.*)", error)
    assert kept
    given = {"--socket": str(mortal.path), "--tap": "start", "--locale": "en", "--zone": "Asia/Seoul", "--values": kept[1]}
    assert {option: words[words.index(option) + 1] for option in given} == given
    only = words.index("--only")
    assert words[only + 1 : only + 3] == ["service", "region"]


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_a_secret_that_is_being_typed_does_not_reach_the_shell_when_the_daemon_dies(
    start: Callable[..., Daemon], terminal: Start, forms: Path, folder: Path, kind: str
) -> None:
    mortal = start(forms=forms)
    asked = deploy(terminal, "token", socket=mortal.path, XDG_RUNTIME_DIR=str(folder), TERM=kind)
    asked.wait_for("Token: ")
    asked.type("hun")
    mortal.signal(signal.SIGKILL)
    asked.wait_for("press Enter to go on")
    asked.type("ter2" + ("\n" if kind == "dumb" else ENTER))
    status, _, error = asked.end()
    assert status == 2 and "--values" in error
    assert "hun" not in asked.seen and "ter2" not in asked.seen
    # A shell would read nothing of it.
    os.set_blocking(asked.slave, False)
    with pytest.raises(BlockingIOError):
        os.read(asked.slave, 100)


# In scripts


def fill(daemon: Daemon, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return formctl("fill", "--socket", daemon.path, *arguments, standard_input=text)


def test_a_script_takes_the_values_from_standard_output(daemon: Daemon, folder: Path) -> None:
    script = folder / "deploy.sh"
    script.write_text(
        f"""values="$({formctl_binary()} fill deploy --socket {daemon.path} --only service)" || exit
        printf 'got %s\\n' "$values"
        """,
        encoding="utf-8",
    )
    with contextlib.closing(Terminal("sh", script)) as asked:
        asked.answer("Service *: ", "web")
        assert asked.end() == (0, 'got {"service":"web","region":"eu","replicas":2}\n', "")


def test_lines_are_read_where_there_is_no_terminal(daemon: Daemon) -> None:
    lines = "# the service\nservice=web\nreplicas=3\ncanary=yes\nshare=5\ntoken=hunter2\n/owner/name=Kim\nhosts+={\"host\": \"a\"}\n/hosts/0/port=81\n"
    done = fill(daemon, lines, "deploy")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "service": "web", "region": "eu", "replicas": 3, "canary": True, "share": 5, "token": "hunter2",
        "owner": {"name": "Kim"}, "hosts": [{"host": "a", "port": 81}],
    }  # fmt: skip


def test_a_json_object_is_read_where_there_is_no_terminal(daemon: Daemon) -> None:
    done = fill(daemon, ' {"service": "web", "token": "hunter2"}', "deploy", "--values", '{"service": "x", "replicas": 4}')
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"service": "web", "region": "eu", "replicas": 4, "token": "hunter2"}


def test_what_is_refused_is_a_line_for_each_error(daemon: Daemon) -> None:
    done = fill(daemon, "replicas=12\n", "deploy", "--locale", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == ["/service: This is required. [required]", "/replicas: Nine at most. [maximum]"]


def test_checks_are_run_in_a_pipe_too(daemon: Daemon) -> None:
    done = fill(daemon, '{"email": "kim@example.com"}', "signup", "--locale", "en")
    assert done.returncode == 1
    assert any(line.endswith("[email.taken]") for line in done.stderr.splitlines()), done.stderr


@pytest.mark.parametrize(
    "service, status, error", [("web", 0, "It is on its way.\n"), ("broken", 1, "It is down.\nformctl: start: down\n")]
)
def test_an_action_is_tapped_in_a_pipe(daemon: Daemon, service: str, status: int, error: str) -> None:
    done = fill(daemon, f"service={service}\n", "deploy", "--tap", "start")
    assert (done.returncode, done.stderr) == (status, error)
    assert bool(done.stdout) is (status == 0)


@pytest.mark.parametrize(
    "text, arguments, error",
    [
        ("service\n", ["deploy"], "-:1: "),
        ("service=web\ntap start\n", ["deploy"], "-:2: only values can be filled in"),
        ("servce=web\n", ["deploy"], "did you mean"),
        ("{", ["deploy"], "-:1:"),
        ("", ["deploi"], "deploi"),
        ("", ["deploy", "--only", "servce"], "--only servce"),
        ("", ["deploy", "--tap", "stop"], "its actions are start"),
        ("", ["deploy", "--values", "-"], "standard input"),
    ],
)
def test_trouble_has_a_status_of_its_own(daemon: Daemon, text: str, arguments: list[str], error: str) -> None:
    done = fill(daemon, text, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert error in done.stderr


# Without a daemon


@pytest.fixture
def alone(folder: Path) -> dict[str, str]:
    """The environment of a user without a running daemon and without a configuration."""
    return {"XDG_RUNTIME_DIR": str(folder), "XDG_CONFIG_HOME": str(folder / "none"), "HOME": str(folder)}


def fill_alone(alone: dict[str, str], text: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "FORMD_SOCKET"}
    return subprocess.run(
        [str(formctl_binary()), "fill", *map(str, arguments)], input=text, capture_output=True, text=True, check=False,
        timeout=2 * PATIENCE_SECONDS, env={**environment, **alone},
    )  # fmt: skip


def test_a_form_s_file_needs_no_daemon(forms: Path, alone: dict[str, str], terminal: Start) -> None:
    done = fill_alone(alone, "service=web\n", forms / "deploy.form.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"service": "web", "region": "eu", "replicas": 2}
    asked = terminal(forms / "deploy.form.json", "--only", "service", socket=None, **alone)
    asked.answer("Service *: ", "web")
    assert asked.values() == {"service": "web", "region": "eu", "replicas": 2}


def test_a_file_whose_schema_lies_beside_it_is_served_with_its_folder(alone: dict[str, str]) -> None:
    settings = harness.ROOT / "protocol" / "examples" / "settings" / "settings.form.json"
    done = fill_alone(alone, "theme=dark\n", settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["theme"] == "dark"


def test_a_file_that_asks_services_finds_those_of_the_configuration(
    forms: Path, alone: dict[str, str], backend: Backend, folder: Path
) -> None:
    config = folder / "formd.json"
    config.write_text(json.dumps(configuration(backend)), encoding="utf-8")
    done = fill_alone(
        {**alone, "FORMD_CONFIG": str(config)}, '{"email": "kim@example.com"}', forms / "signup.form.json", "--locale", "en"
    )
    assert done.returncode == 1
    assert "/email: That address is taken. [email.taken]" in done.stderr.splitlines()


def test_a_folder_of_forms_needs_no_daemon(forms: Path, alone: dict[str, str]) -> None:
    done = fill_alone(alone, "service=web\n", "deploy", "--forms", forms)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_nobody_serves_is_trouble(alone: dict[str, str], folder: Path) -> None:
    done = fill_alone(alone, "service=web\n", "deploy")
    assert (done.returncode, done.stdout) == (2, "") and "deploy" in done.stderr
    done = fill_alone(alone, "", "deploy", "--socket", folder / "none.sock")
    assert done.returncode == 2 and "no daemon answers at" in done.stderr


def test_a_broken_file_is_told_with_its_place(alone: dict[str, str], folder: Path) -> None:
    broken = folder / "broken.form.json"
    broken.write_text('{"form": "broken", "schema": {"type": "object"}, "outputs": {"o": "values.x"}}', encoding="utf-8")
    done = fill_alone(alone, "", broken)
    assert done.returncode == 2 and f"{broken}:1:" in done.stderr


def test_the_daemon_that_it_started_ends_with_it(forms: Path, alone: dict[str, str], terminal: Start) -> None:
    asked = terminal(forms / "deploy.form.json", socket=None, **alone)
    asked.wait_for("Service *: ")
    children = Path(f"/proc/{asked.process.pid}/task/{asked.process.pid}/children").read_text(encoding="ascii").split()
    assert len(children) == 1
    ended = os.pidfd_open(int(children[0]))
    asked.type(CTRL_C)
    assert asked.end() == (130, "", "")
    with contextlib.closing(os.fdopen(ended)):
        assert select.select([ended], [], [], PATIENCE_SECONDS)[0]


def test_a_daemon_that_it_started_and_that_dies_is_told_of(forms: Path, alone: dict[str, str], terminal: Start) -> None:
    asked = terminal("deploy", "--forms", forms, socket=None, **alone)
    asked.answer("Service *: ", "web")
    asked.wait_for("Region")
    children = Path(f"/proc/{asked.process.pid}/task/{asked.process.pid}/children").read_text(encoding="ascii").split()
    os.kill(int(children[0]), signal.SIGKILL)
    status, output, error = asked.end()
    assert (status, output) == (2, "")
    assert "ended" in error and f"--values {alone['XDG_RUNTIME_DIR']}/formctl-fill-" in error
