"""Several daemons share the kept sessions of one database: two real daemons on one PostgreSQL, as on two machines."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Callable, ContextManager, Iterator, Optional

import pytest

import harness
from harness import JSON, PATIENCE_SECONDS, Backend, Connection, Daemon, Replica, eventually, formctl, formd, request
from postgresql import NONE, PostgresServer, programs
from service import Service
from stored import UNKNOWN, Typist, attach, kill, open_kept, refusal

pytestmark = pytest.mark.skipif(programs() is None, reason=NONE)

LEASE = "2s"
NEVER = "10m"
"""A lease whose end no test waits for: its tests get their results in other ways."""

GOOD = {"email": "kim@example.com", "password": "hunter2"}
SECRET = "kanarienvogel-5c27e0"

STAFF = {
    "form": "staff",
    "context": {
        "type": "object",
        "properties": {
            "role": {"enum": ["clerk", "chef"]},
            "token": {"type": "string", "maxLength": 100, "writeOnly": True},
        },
    },
    "schema": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 100}}},
    "outputs": {"role": "context.role", "hasToken": "context.token != ''"},
}
"""A form with a context that has a secret."""
DATABASES = count(1)


@pytest.fixture(scope="module")
def server(scratch: Path) -> Iterator[PostgresServer]:
    server = PostgresServer(scratch / "shared")
    server.start()
    yield server
    server.end()


class Machines:
    """Daemons that share a database of their own, each with its own folder, and so its own lock."""

    def __init__(
        self, server: PostgresServer, start: Callable[..., Daemon], folder: Path, config: dict[str, JSON]
    ) -> None:
        self.server = server
        self.database = f"kept_{next(DATABASES)}"
        self.lease = LEASE
        self.config = config
        self.daemons: list[Daemon] = []
        self.keys: list[str] = []
        """All that sessions were given here."""
        self._start = start
        self._folder = folder
        server.psql(f"CREATE DATABASE {self.database}", "postgres")

    def start(self, name: str, **options: Any) -> Daemon:
        """The daemon of the machine of that name; if it had one, a new one."""
        home = self._folder / name
        home.mkdir(exist_ok=True)
        store = self.server.configuration(self.database, lease=self.lease)
        daemon = self._start(self.config | {"store": store, "log": {"level": "trace"}}, folder=home, **options)
        self.daemons.append(daemon)
        return daemon

    def two(self) -> tuple[Daemon, Daemon]:
        return self.start("here"), self.start("there")

    def open(self, connection: Connection, form: str = "login", **others: Any) -> tuple[str, Replica]:
        key, replica = open_kept(connection, form, **others)
        self.keys.append(key)
        return key, replica

    def check_that_nothing_tells_a_key(self) -> None:
        """No log has a key or the secret, nor has the database."""
        logs = "\n".join(daemon.output for daemon in self.daemons)
        rows = "\n".join(self.server.texts(self.database))
        for text in [*self.keys, SECRET]:
            assert text not in logs, "it stands in a log"
            # PostgreSQL prints bytes in hexadecimal.
            assert text not in rows and text.encode().hex() not in rows, "it stands in the database"


@pytest.fixture
def machines(
    server: PostgresServer, start: Callable[..., Daemon], backend: Backend, folder: Path
) -> Iterator[Machines]:
    machines = Machines(server, start, folder, harness.configuration(backend))
    yield machines
    machines.check_that_nothing_tells_a_key()


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as service:
        yield service


def instance(daemon: Daemon) -> str:
    with daemon.connect() as connection:
        return str(connection.call("server/info")["instanceId"])


def elsewhere(daemon: Daemon) -> JSON:
    """The error of an attach at a daemon that does not have the session, while another daemon does not let go of it."""
    return {
        "code": 1014, "message": "The session is in use at another daemon", "data": {"instance": instance(daemon)},
    }  # fmt: skip


def attached_when_free(connection: Connection, key: str, **others: Any) -> JSON:
    """Attaches as soon as no other daemon has the session."""

    def attached() -> Optional[JSON]:
        answer, _ = connection.exchange("session/attach", {"key": key, **others})
        assert "result" in answer or answer["error"]["code"] == 1014, answer
        return answer.get("result")

    return eventually(attached, "that the session is free")


def closings(connection: Connection, wanted: int) -> list[JSON]:
    """The params of `session/closed`, so many of them; other messages are passed over."""
    found: list[JSON] = []
    while len(found) < wanted:
        message = connection.read()
        assert message is not None, f"the connection ended after {found}"
        if message.get("method") == "session/closed":
            found.append(message["params"])
    return found


# A session moves


@pytest.mark.parametrize(("first", "second"), [("lines", "headers"), ("headers", "lines")])
def test_a_session_moves_where_nobody_has_it(machines: Machines, first: str, second: str) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect(first) as mine, there.connect(second) as yours:
        key, replica = machines.open(mine)
        replica.apply(mine.exchange("field/change", {"values": GOOD, "commit": True})[1])
        tapped, before = mine.exchange("action/tap", {"action": "login", "await": True})
        replica.apply(before)
        mine.call("session/detach")
        found = attach(yours, key, seq=0)
        assert found["form"] == "login" and found["values"] == {"email": "kim@example.com"}
        assert found["revision"] >= replica.revision and "isMigrated" not in found
        assert found["events"] == [tapped["result"]["event"]] and found["eventsLost"] == 0
        assert found["document"]["actions"]["login"]["result"] == tapped["result"]["event"]["result"]
        assert found["document"]["fields"]["password"]["isEmpty"], "a secret does not move"
        moved = Replica(found)
        moved.apply(yours.exchange("field/change", {"values": {"password": "hunter3", "email": "lee@example.com"}})[1])
        assert moved.document == yours.call("session/get")["document"] and moved.document["isValid"]
        assert mine.call("session/list") == {"sessions": []}
        # And back.
        yours.call("session/detach")
        back = attach(mine, key, seq=1)
        assert back["values"] == {"email": "lee@example.com"} and back["events"] == []
        assert back["revision"] >= moved.revision


def test_a_session_moves_with_its_context_without_the_secrets_in_it(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        opening = {"definition": STAFF, "context": {"role": "clerk", "token": SECRET}}
        opened = mine.call("session/open", {"keep": "1h", "values": {"name": "Kim"}, **opening})
        machines.keys.append(opened["key"])
        assert opened["document"]["outputs"] == {"role": "clerk", "hasToken": True}
        replica = Replica(opened)
        replica.apply(mine.exchange("session/setContext", {"context": {"role": "chef", "token": SECRET}})[1])
        assert replica.document["outputs"] == {"role": "chef", "hasToken": True}
        mine.call("session/detach")
        found = attach(yours, opened["key"])
        assert found["values"] == {"name": "Kim"} and found["document"]["outputs"] == {"role": "chef", "hasToken": False}
        # The next context has a secret again, and it goes no further than this daemon.
        moved = Replica(found)
        moved.apply(yours.exchange("session/setContext", {"context": {"role": "clerk", "token": SECRET}})[1])
        assert moved.document["outputs"] == {"role": "clerk", "hasToken": True}
        yours.call("session/detach")
        assert attach(mine, opened["key"])["document"]["outputs"] == {"role": "clerk", "hasToken": False}


def test_a_connection_that_ends_leaves_its_sessions_to_the_others(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine:
        keys = [machines.open(mine, values={"email": f"{number}@example.com"})[0] for number in range(20)]
    with there.connect() as yours:
        for number, key in enumerate(keys):
            # The daemon may not have seen the end of the connection yet.
            assert attached_when_free(yours, key)["values"] == {"email": f"{number}@example.com"}


def test_who_attaches_where_somebody_has_it_is_told_where(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, here.connect() as beside, there.connect() as yours:
        key, replica = machines.open(mine, values={"email": "kim@example.com"})
        number = attach(beside, key)["session"]
        assert yours.refused("session/attach", {"key": key}) == elsewhere(here)
        # Nobody there has noticed.
        answer, before = mine.exchange("field/change", {"field": "email", "value": "lee@example.com"})
        assert "result" in answer and all(message["method"] == "session/update" for message in before)
        assert mine.call("session/list")["sessions"][0]["session"] == replica.session
        # It is taken.
        assert attach(yours, key, take=True)["values"] == {"email": "lee@example.com"}
        assert closings(mine, 1) == [{"session": replica.session, "reason": "moved"}]
        assert closings(beside, 1) == [{"session": number, "reason": "moved"}]
        assert mine.refused("field/change", {"session": replica.session, "field": "email", "value": "x"})["code"] == 1001
        assert mine.refused("session/attach", {"key": key}) == elsewhere(there)
        # And back again.
        yours.call("field/change", {"field": "email", "value": "pat@example.com"})
        assert attach(mine, key, take=True)["values"] == {"email": "pat@example.com"}
        assert [closed["reason"] for closed in closings(yours, 1)] == ["moved"]


def test_a_session_that_is_taken_back_and_forth_keeps_what_was_acknowledged(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, replica = machines.open(mine)
        number, text = replica.session, ""
        for turn in range(20):
            owner, taker = (mine, yours) if turn % 2 == 0 else (yours, mine)
            # All five changes are on their way when the session is taken.
            for index in range(5):
                change = {"session": number, "field": "email", "value": f"{turn}.{index}@example.com"}
                owner.send(request(f"{turn}.{index}", "field/change", change))
            found = attach(taker, key, take=True)
            said = messages_until_closing(owner)
            answered = [message["id"] for message in said if "result" in message]
            assert answered == [f"{turn}.{index}" for index in range(len(answered))], "in order, and none after one that was refused"
            if answered:
                text = f"{answered[-1]}@example.com"
            for index in range(len(answered), 5):
                if not any(message.get("id") == f"{turn}.{index}" for message in said):
                    refused, _ = owner.read_until_answer(f"{turn}.{index}")
                    assert refused["error"]["code"] in (1001, 1011, -32800), refused
            # No refused change was applied, whichever daemon refused it.
            assert found["values"].get("email", "") == text, (found["values"], said)
            number = found["session"]


def messages_until_closing(connection: Connection) -> list[JSON]:
    """The messages up to `session/closed`, which says that the session was moved."""
    found: list[JSON] = []
    while not found or found[-1].get("method") != "session/closed":
        found.append(connection.read())
        assert found[-1] is not None, found
    assert found[-1]["params"]["reason"] == "moved"
    return found


def test_of_two_who_want_a_session_at_once_one_has_it(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    third = machines.start("third")
    with here.connect() as mine, there.connect() as yours, third.connect() as theirs:
        for number in range(20):
            # Sometimes one of both has it, sometimes neither.
            opener = (mine, yours, theirs)[number % 3]
            key, _ = machines.open(opener, values={"email": f"{number}@example.com"})
            opener.call("session/detach")
            mine.send(request("attach", "session/attach", {"key": key}))
            yours.send(request("attach", "session/attach", {"key": key}))
            answers = [(mine, here, mine.read_until_answer("attach")[0]), (yours, there, yours.read_until_answer("attach")[0])]
            winners = [(connection, daemon, answer["result"]) for connection, daemon, answer in answers if "result" in answer]
            assert len(winners) == 1, answers
            connection, daemon, found = winners[0]
            assert found["values"] == {"email": f"{number}@example.com"}
            assert [answer["error"] for _, _, answer in answers if "error" in answer] == [elsewhere(daemon)]
            connection.call("session/close", {"session": found["session"]})


def test_taking_what_nobody_else_has_is_attaching(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, replica = machines.open(mine, values={"email": "kim@example.com"})
        assert attach(mine, key, take=True)["session"] == replica.session
        mine.call("session/detach")
        assert attach(yours, key, take=True)["values"] == {"email": "kim@example.com"}
        for connection in (mine, yours):
            for wrong in ("0" * 32, "", "x" * 200):
                assert refusal(connection, wrong) == UNKNOWN
            assert connection.refused("session/attach", {"key": "0" * 32, "take": True})["code"] == 1001


def test_a_session_that_is_closed_is_gone_everywhere(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, _ = machines.open(mine)
        mine.call("session/detach")
        attach(yours, key)
        fresh = attach(yours, key, rotate=True)["key"]
        machines.keys.append(fresh)
        assert refusal(mine, key) == UNKNOWN
        assert mine.refused("session/attach", {"key": fresh}) == elsewhere(there)
        yours.call("session/close")
        assert refusal(mine, fresh) == UNKNOWN and refusal(yours, fresh) == UNKNOWN


@pytest.mark.parametrize("take", [False, True])
def test_a_tap_under_way_holds_the_session(machines: Machines, service: Service, take: bool) -> None:
    machines.lease = NEVER
    machines.config["services"]["accounts"] = {"http": {"baseURL": service.url}}
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, _ = machines.open(mine)
        mine.call("field/change", {"values": GOOD})
        assert mine.call("action/tap", {"action": "login"})["outcome"] == "started"
        service.wait_for(1)
        mine.call("session/detach")
        assert yours.refused("session/attach", {"key": key}) == elsewhere(here)
        if take:
            found = attach(yours, key, take=True, seq=0)
            if not found["events"]:
                found["events"] = [event for update in updates_until_event(yours) for event in update.get("events", [])]
            assert [(event["kind"], event.get("error")) for event in found["events"]] == [("failed", "interrupted")]
        else:
            service.answer()
            found = attached_when_free(yours, key, seq=0)
            assert [event["run"] for event in found["events"]] == [1] and found["events"][0].get("error") != "interrupted"
        assert len(service.requests) == 1, "nobody has asked again"


def updates_until_event(connection: Connection) -> list[JSON]:
    """The params of updates up to the first one that has an event."""
    found: list[JSON] = []
    while not found or not found[-1].get("events"):
        message = connection.read()
        assert message is not None and message["method"] == "session/update", message
        found.append(message["params"])
    return found


def test_an_older_daemon_says_so_and_the_session_stays(machines: Machines, folder: Path) -> None:
    machines.lease = NEVER
    form: JSON = {"form": "note", "schema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 99}}}}
    for version in (1, 2):
        forms = folder / f"forms-{version}"
        forms.mkdir()
        (forms / "note.form.json").write_text(json.dumps({**form, "version": version}), encoding="utf-8")
    here = machines.start("here", forms=folder / "forms-2")
    there = machines.start("there", forms=folder / "forms-1")
    with here.connect() as mine, there.connect() as yours:
        key, _ = machines.open(mine, "note", values={"text": "a"})
        mine.call("session/detach")
        refused = yours.refused("session/attach", {"key": key})
        assert refused["code"] == 1003 and refused["data"]["reason"] == "older", refused
        assert attached_when_free(mine, key)["values"] == {"text": "a"}


# A daemon is gone


def test_a_killed_daemons_sessions_are_had_elsewhere_after_its_lease(machines: Machines) -> None:
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        keys = [machines.open(mine)[0] for _ in range(3)]
        for number, key in enumerate(keys):
            mine.call("field/change", {"session": attach(mine, key)["session"], "field": "email", "value": f"{number}@example.com"})
        kill(here)
        for number, key in enumerate(keys):
            assert attached_when_free(yours, key)["values"] == {"email": f"{number}@example.com"}
        here = machines.start("here")
        with here.connect() as back:
            assert back.refused("session/attach", {"key": keys[0]}) == elsewhere(there)
            yours.call("session/detach", {"session": attach(yours, keys[0])["session"]})
            assert attach(back, keys[0])["values"] == {"email": "0@example.com"}


def test_a_killed_daemon_that_is_back_has_its_sessions_at_once(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine:
        keys = [machines.open(mine, values={"email": f"{number}@example.com"})[0] for number in range(10)]
        kill(here)
    here = machines.start("here")
    with here.connect() as mine, there.connect() as yours:
        for number, key in enumerate(keys):
            assert attach(mine, key)["values"] == {"email": f"{number}@example.com"}
        assert yours.refused("session/attach", {"key": keys[0]}) == elsewhere(here)


def test_a_daemon_that_ends_hands_everything_over_at_once(machines: Machines) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        keys = [machines.open(mine, values={"email": f"{number}@example.com"})[0] for number in range(20)]
        for key in keys[::2]:
            mine.call("session/detach", {"session": attach(mine, key)["session"]})
        assert here.end() == 0
        for number, key in enumerate(keys):
            assert attach(yours, key)["values"] == {"email": f"{number}@example.com"}
        here = machines.start("here")
        with here.connect() as back:
            assert back.refused("session/attach", {"key": keys[0]}) == elsewhere(there)


def test_a_daemon_that_was_stopped_past_its_lease_says_nothing_for_what_others_took(machines: Machines) -> None:
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, taken = machines.open(mine)
        other_key, left = machines.open(mine)
        for session in (taken.session, left.session):
            mine.call("field/change", {"session": session, "field": "email", "value": "kim@example.com"})
        here.signal(signal.SIGSTOP)
        assert attached_when_free(yours, key)["values"] == {"email": "kim@example.com"}, "what was acknowledged is there"
        yours.call("field/change", {"field": "email", "value": "lee@example.com"})
        change = {"session": taken.session, "field": "email", "value": "nobody@example.com"}
        mine.send(request("change", "field/change", change))
        mine.send(request("get", "session/get", {"session": taken.session}))
        here.signal(signal.SIGCONT)
        answers: dict[str, JSON] = {}
        closed: list[JSON] = []
        while len(answers) < 2 or not closed:
            message = mine.read()
            assert message is not None, here.output
            if message.get("method") == "session/closed":
                closed.append(message["params"])
            elif "method" in message:
                assert message["params"]["session"] != taken.session, "nothing is told of it"
            else:
                answers[message["id"]] = message
        assert closed == [{"session": taken.session, "reason": "lost"}]
        for answer in answers.values():
            # The store is away, its session was closed while it waited, or before.
            assert "error" in answer and answer["error"]["code"] in (1011, -32800, 1001), answer
        assert mine.refused("session/attach", {"key": key}) == elsewhere(there)
        assert yours.call("session/get")["values"] == {"email": "lee@example.com"}
        # A session that no daemon has taken is still there.
        change = {"session": left.session, "field": "email", "value": "pat@example.com"}
        eventually(lambda: "result" in mine.exchange("field/change", change)[0], "that it has its lease again")
        assert attach(mine, other_key)["session"] == left.session


def test_the_client_for_python_comes_back_to_what_was_lost_and_not_to_what_was_taken(machines: Machines) -> None:
    here, there = machines.two()
    with formd.Client(str(here.path)) as client, there.connect() as yours:
        session, moved = client.open("login", keep="1h"), client.open("login", keep="1h")
        assert session.key and moved.key
        machines.keys += [session.key, moved.key]
        session.change("email", "kim@example.com")
        here.signal(signal.SIGSTOP)
        number = attached_when_free(yours, session.key)["session"]
        yours.call("field/change", {"session": number, "field": "email", "value": "lee@example.com"})
        yours.call("session/detach", {"session": number})
        here.signal(signal.SIGCONT)

        def is_back() -> bool:
            client.ping()
            return bool(session.is_open and session.values == {"email": "lee@example.com"})

        eventually(is_back, "that the lost session is back")
        session.change("email", "pat@example.com")
        assert session.refresh() and session.values == {"email": "pat@example.com"}
        attach(yours, moved.key, take=True)

        def is_moved() -> bool:
            client.ping()
            return not moved.is_open

        eventually(is_moved, "that the session is taken")
        assert moved.closed_reason == "moved"
        with pytest.raises(formd.AttachedElsewhere) as refused:
            client.attach(moved.key)
        assert refused.value.instance == instance(there)
        assert client.attach(moved.key, take=True).is_open


def test_formctl_says_where_a_session_is_and_takes_it(machines: Machines, folder: Path) -> None:
    machines.lease = NEVER
    here, there = machines.two()
    with here.connect() as mine:
        key, replica = machines.open(mine, values={"email": "kim@example.com"})
        (folder / "key").write_text(key, encoding="ascii")
        run = ("run", "--socket", there.path, "--attach", f"@{folder / 'key'}")
        refused = formctl(*run)
        assert refused.returncode == 2, refused
        said = f"the session is in use at another daemon (instance {instance(here)}): close it there, or take it with --take"
        assert said in refused.stderr, refused
        taken = formctl(*run, "--take", "--json")
        assert taken.returncode == 0, taken
        assert json.loads(taken.stdout.splitlines()[0])["values"] == {"email": "kim@example.com"}
        assert closings(mine, 1) == [{"session": replica.session, "reason": "moved"}]


# The database is away


class Load:
    """Clients of a daemon that type without a pause, each on a thread of its own, until this is left."""

    def __init__(self, machines: Machines, daemon: Daemon, clients: int = 3) -> None:
        self._more = threading.Condition()
        self._is_over = False
        self._failure: Optional[BaseException] = None
        self._acknowledged = [0] * clients
        self._refused = [0] * clients
        self._connections = [daemon.connect() for _ in range(clients)]
        self.typists = [Typist(connection) for connection in self._connections]
        machines.keys += [typist.key for typist in self.typists]
        self._threads = [threading.Thread(target=self._type, args=(number,), daemon=True) for number in range(clients)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        for thread in self._threads:
            thread.join(2 * PATIENCE_SECONDS)
        for connection in self._connections:
            connection.close()
        if self._failure:
            raise self._failure

    def _type(self, number: int) -> None:
        try:
            while not self._is_over:
                counts = self._acknowledged if self.typists[number].types() else self._refused
                with self._more:
                    counts[number] += 1
                    self._more.notify_all()
        except BaseException as error:
            with self._more:
                self._failure = error
                self._more.notify_all()

    def goes_on(self) -> None:
        """Waits until each client has been acknowledged ten inputs more."""
        self._wait_for_more(self._acknowledged, 10, "acknowledged")

    def is_refused(self) -> None:
        """Waits until each client has been refused an input more."""
        self._wait_for_more(self._refused, 1, "refused")

    def _wait_for_more(self, counts: list[int], more: int, what: str) -> None:
        with self._more:
            wanted = [count + more for count in counts]
            self._more.wait_for(
                lambda: self._failure is not None or all(has >= wants for has, wants in zip(counts, wanted)),
                PATIENCE_SECONDS,
            )
            if self._failure is None:
                assert all(has >= wants for has, wants in zip(counts, wanted)), f"{what} are {counts}, {wanted} are awaited"

    def is_found_at(self, daemon: Daemon) -> None:
        """At that daemon each client finds its acknowledged values."""
        with daemon.connect() as connection:
            for typist in self.typists:
                typist.finds(attached_when_free(connection, typist.key)["values"])


@contextmanager
def away(server: PostgresServer) -> Iterator[None]:
    """The server is stopped, and started again at the end."""
    server.stop()
    try:
        yield
    finally:
        server.start()


def test_a_daemon_that_is_cut_off_past_its_lease_answers_nothing_until_the_database_is_back(machines: Machines) -> None:
    here = machines.start("here")
    with here.connect() as mine:
        _, replica = machines.open(mine, values={"email": "kim@example.com"})
        unkept = mine.call("session/open", {"form": "login", "values": {"email": "lee@example.com"}})["session"]

        def asked() -> JSON:
            answer, before = mine.exchange("session/get", {"session": replica.session})
            assert before == [], "nothing is told of it"
            return answer

        with away(machines.server):
            answer = eventually(lambda: next((answer for answer in [asked()] if "error" in answer), None), "that the lease is over")
            assert answer["error"]["code"] == 1011 and answer["error"]["data"]["reason"] == "store", answer
            assert mine.refused("field/change", {"session": replica.session, "field": "email", "value": "x"})["code"] == 1011
            assert mine.call("session/get", {"session": unkept})["values"] == {"email": "lee@example.com"}
        answer = eventually(lambda: next((answer for answer in [asked()] if "result" in answer), None), "that it has its lease again")
        assert answer["result"]["values"] == {"email": "kim@example.com"}, "what was refused was not applied"


def test_a_database_that_restarts_loses_nothing_that_was_acknowledged(machines: Machines) -> None:
    here, there = machines.two()
    with Load(machines, here) as first, Load(machines, there) as second:
        for _ in range(3):
            first.goes_on()
            second.goes_on()
            with away(machines.server):
                first.is_refused()
                second.is_refused()
        first.goes_on()
        second.goes_on()
    kill(here)
    first.is_found_at(there)
    second.is_found_at(there)


def test_connections_that_are_cut_lose_nothing_that_was_acknowledged(machines: Machines) -> None:
    here, there = machines.two()
    with Load(machines, here) as first, Load(machines, there) as second:
        for _ in range(20):
            assert machines.server.cut_connections(machines.database) > 0
            first.goes_on()
            second.goes_on()
    kill(here)
    first.is_found_at(there)
    second.is_found_at(there)


def test_a_daemon_starts_while_the_database_is_away(machines: Machines) -> None:
    with away(machines.server):
        here = machines.start("here")
        with here.connect() as mine:
            refused = mine.refused("session/open", {"form": "login", "keep": "1h"})
            assert refused["code"] == 1011 and refused["data"]["reason"] == "store", refused
            assert "storeProblem" in mine.call("server/stats")
            mine.call("session/open", {"form": "login"})
    with here.connect() as mine:

        def opened() -> Optional[str]:
            answer, _ = mine.exchange("session/open", {"form": "login", "keep": "1h"})
            assert "result" in answer or answer["error"]["code"] == 1011, answer
            return answer.get("result", {}).get("key")

        key = eventually(opened, "that the database is found")
        machines.keys.append(key)
        assert "storeProblem" not in mine.call("server/stats")
        kill(here)
    there = machines.start("there")
    with there.connect() as yours:
        assert attached_when_free(yours, key)["form"] == "login"


# Operators see an outage


def frozen(server: PostgresServer) -> ContextManager[None]:
    """The server accepts connections, and answers nothing, as behind a path that loses everything."""
    return server.frozen()


class Watcher:
    """What operators see of a daemon, in all places."""

    def __init__(self, machines: Machines, folder: Path) -> None:
        machines.config["metrics"] = {"address": "127.0.0.1:0"}
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notices.bind(str(folder / "notify.sock"))
        self._notices.setblocking(False)
        self._status = ""
        self.daemon = machines.start("here", environment={"NOTIFY_SOCKET": str(folder / "notify.sock")})
        found = re.search(r"address=(127\.0\.0\.1:\d+)", self.daemon.line_with("metrics are served"))
        assert found
        self._url = f"http://{found[1]}"

    def _get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self._url + path, timeout=PATIENCE_SECONDS) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def status(self) -> str:
        """The last line for people that the service manager got."""
        with contextlib.suppress(BlockingIOError):
            while True:
                for line in self._notices.recv(65536).decode().splitlines():
                    if line.startswith("STATUS="):
                        self._status = line.removeprefix("STATUS=")
        return self._status

    def sees(self, is_up: bool) -> bool:
        """Whether all places say the same."""
        ping = formctl("ping", "--ready", "--socket", self.daemon.path)
        ready = self._get("/readyz")
        top = formctl("top", "--socket", self.daemon.path).stdout
        assert ping.returncode in (0, 1), ping
        assert "host=" not in ready[1] and "host=" not in self.status(), "all users of the machine can read it"
        if is_up:
            return (
                ping.stdout == "ready\n" and ready == (200, "ready\n") and "store: up, lease " in top
                and "\nformd_store_up 1\n" in self._get("/metrics")[1] and self.status() == "ready"
            )  # fmt: skip
        return (
            ping.stdout.startswith("not ready: the store of kept sessions does not answer") and ready[0] == 503
            and "the store of kept sessions does not answer" in ready[1] and "store: DOWN (" in top
            and "\nformd_store_up 0\n" in self._get("/metrics")[1] and self.status().startswith("not ready: the store")
        )  # fmt: skip


@pytest.mark.parametrize("outage", [away, frozen])
def test_an_outage_of_the_database_is_seen_at_an_idle_daemon(
    machines: Machines, folder: Path, outage: Callable[[PostgresServer], ContextManager[None]]
) -> None:
    machines.lease = "15s"
    watcher = Watcher(machines, folder)
    eventually(lambda: watcher.sees(True), "that all is well")
    assert "formd_store_lease_seconds 1" in watcher._get("/metrics")[1]
    with outage(machines.server):
        eventually(lambda: watcher.sees(False), "the outage, in all places")
        watcher.daemon.line_with("the lease on kept sessions cannot be renewed")
        if outage is away:
            watcher.daemon.line_with("a connection to the store is lost", "connection=lease")
            watcher.daemon.line_with("a connection to the store is lost", "connection=sessions")
    eventually(lambda: watcher.sees(True), "the end of the outage, in all places")
    watcher.daemon.line_with("the lease on kept sessions is renewed again")
    if outage is away:
        watcher.daemon.line_with("a connection to the store is back", "connection=lease")
        watcher.daemon.line_with("a connection to the store is back", "connection=sessions")


def test_the_end_of_a_lease_is_logged(machines: Machines) -> None:
    here = machines.start("here")
    with frozen(machines.server):
        here.line_with("the lease on kept sessions has ended")
    here.line_with("the lease on kept sessions is renewed again")


def test_an_input_under_way_is_answered_at_the_end_of_the_lease(machines: Machines) -> None:
    here = machines.start("here")
    with here.connect() as mine, here.connect() as stranger:
        key, replica = machines.open(mine, values={"email": "kim@example.com"})
        with frozen(machines.server):
            mine.send(request("input", "field/change", {"session": replica.session, "field": "email", "value": "lee@example.com"}))
            stranger.send(request("attach", "session/attach", {"key": "0" * 32}))
            answer, _ = mine.read_until_answer("input")
            assert answer["error"]["code"] == 1011 and answer["error"]["data"]["reason"] == "store", answer
            assert closings(mine, 1) == [{"session": replica.session, "reason": "store"}]
            assert stranger.read_until_answer("attach")[0]["error"]["code"] == 1011

        def attached() -> Optional[JSON]:
            answer, _ = mine.exchange("session/attach", {"key": key})
            assert "result" in answer or answer["error"]["code"] == 1011, answer
            return answer.get("result")

        # The client does not know whether the change was committed.
        found = eventually(attached, "that the session is served again")
        assert found["values"]["email"] in ("kim@example.com", "lee@example.com")


def test_the_end_of_a_daemon_answers_what_waits_for_a_frozen_database(machines: Machines) -> None:
    machines.lease = NEVER
    machines.config["limits"] = {"drainMs": 500}
    here = machines.start("here")
    with here.connect() as mine, here.connect() as watcher:
        _, replica = machines.open(mine)
        with frozen(machines.server):
            before, asked = watcher.call("server/stats")["requests"], itertools.count(1)
            mine.send(request("input", "field/change", {"session": replica.session, "field": "email", "value": "lee@example.com"}))
            # A daemon that ends reads no more than it has read.
            eventually(lambda: watcher.call("server/stats")["requests"] > before + next(asked), "that it has the change")
            here.signal(signal.SIGTERM)
            answer, before = mine.read_until_answer("input")
            assert answer["error"]["code"] == 1011, answer
            assert [message["method"] for message in before][0] == "server/draining", before
            mine.read_to_end()
            assert here.wait() == 0, here.output


# The database fails its requests


def check_that_the_store_is_away(daemon: Daemon, why: str) -> None:
    """It gives the reason to the client that asks, and has written it once to its log."""
    with daemon.connect() as connection:
        eventually(lambda: why in connection.call("server/stats").get("storeProblem", ""), "that the daemon knows it")
        refused = connection.refused("session/open", {"form": "login", "keep": "1h"})
        assert refused["code"] == 1011 and refused["data"]["reason"] == "store" and why in refused["message"], refused
        connection.call("session/open", {"form": "login"})

    def lines() -> list[str]:
        return [line for line in daemon.output.splitlines() if "kept sessions cannot be stored" in line]

    said = eventually(lines, "that the line of the log is read")
    assert len(said) == 1 and why in said[0], said


@pytest.mark.parametrize("tables", ["formd_session", "formd_part"])
def test_tables_that_somebody_has_locked_are_waited_for_briefly_and_taken_again_when_they_are_free(
    machines: Machines, tables: str
) -> None:
    here, there = machines.two()
    with Load(machines, here) as load:
        load.goes_on()
        with machines.server.transaction(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE", machines.database):
            load.is_refused()
            check_that_the_store_is_away(here, "is locked: a transaction holds its tables or rows")
        load.goes_on()
    kill(here)
    load.is_found_at(there)


@contextmanager
def small_disk(machines: Machines) -> Iterator[Path]:
    """The machines' database is on a small disk of its own, on which only a few megabytes stay free."""
    disk = machines.server.folder / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "formd-test", str(disk)], capture_output=True, text=True, check=False)
    if mount.returncode != 0:
        pytest.skip(f"nothing can be mounted here: {mount.stderr.strip()}")
    try:
        tables = disk / "tables"
        tables.mkdir()
        if os.geteuid() == 0:
            shutil.chown(tables, "postgres")
        machines.server.psql(f"CREATE TABLESPACE small LOCATION '{tables}'", "postgres")
        machines.server.psql(f"ALTER DATABASE {machines.database} SET TABLESPACE small", "postgres")
        yield disk
        machines.server.cut_connections(machines.database)
        machines.server.psql(f"ALTER DATABASE {machines.database} SET TABLESPACE pg_default", "postgres")
        machines.server.psql("DROP TABLESPACE small", "postgres")
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_of_the_database_loses_nothing_that_was_acknowledged(machines: Machines) -> None:
    with small_disk(machines) as disk:
        here = machines.start("here")
        with Load(machines, here) as load, here.connect() as other, open(disk / "ballast", "wb", buffering=0) as ballast:
            load.goes_on()
            try:
                while ballast.write(bytes(4096)) == 4096:
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC

            def refused() -> Optional[JSON]:
                # A new value of a field replaces the earlier value: it needs no room.
                return other.exchange("session/open", {"form": "login", "keep": "1h", "values": {"email": "x" * 1000}})[0].get("error")

            assert eventually(refused, "that the tables are full")["code"] == 1011
            load.is_refused()
            check_that_the_store_is_away(here, "is full: make room on its server's disk")
            ballast.truncate(0)
            load.goes_on()
        kill(here)
        here = machines.start("here")
        load.is_found_at(here)
        kill(here)


# Secrets


def test_neither_a_log_nor_the_database_has_keys_and_secrets(machines: Machines) -> None:
    here, there = machines.two()
    with here.connect() as mine, there.connect() as yours:
        key, _ = machines.open(mine, values={"email": "kim@example.com"})
        mine.call("field/change", {"field": "password", "value": SECRET, "commit": True})
        assert yours.refused("session/attach", {"key": key})["code"] == 1014
        attach(yours, key, take=True)
        yours.call("field/change", {"field": "password", "value": SECRET, "commit": True})
        rows = "\n".join(machines.server.texts(machines.database))
        assert "kim@example.com" in rows or b"kim@example.com".hex() in rows, "what is looked at is what is stored"
        assert refusal(mine, "0" * 32) == UNKNOWN
        kill(here)
        kill(there)
    machines.check_that_nothing_tells_a_key()


# Clients that know several sockets


def test_a_client_with_two_sockets_goes_on_at_the_other_daemon(machines: Machines, folder: Path) -> None:
    here, there = machines.two()
    sockets = [str(folder / "nobody"), str(here.path), str(there.path)]
    with formd.Client(sockets) as client:
        assert client.path == str(here.path)
        session = client.open("login", keep="1h")
        machines.keys.append(str(session.key))
        session.change("email", "kim@example.com")
        kill(here)
        session.change("password", "hunter2")
        assert client.path == str(there.path)
        assert session.document["isValid"] and session.values["email"] == "kim@example.com"


def test_a_client_says_at_which_sockets_it_looked(folder: Path) -> None:
    sockets = [str(folder / "a"), str(folder / "b")]
    with pytest.raises(formd.ConnectionLost) as caught:
        formd.Client(sockets)
    assert all(f"no daemon at {path} (No such file or directory)" in str(caught.value) for path in sockets)


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node; scripts/setup --tests installs it")
def test_a_node_client_with_two_sockets_goes_on_at_the_other_daemon(machines: Machines, folder: Path) -> None:
    here, there = machines.two()
    program = f"""
        import {{ connect }} from "{harness.ROOT}/protocol/clients/typescript/client.js";
        import {{ createInterface }} from "node:readline";
        const client = await connect({{ socket: {json.dumps([str(folder / "nobody"), str(here.path), str(there.path)])} }});
        const session = await client.open("login", {{ keep: "1h" }});
        await session.set("email", "kim@example.com");
        console.log("opened");
        for await (const line of createInterface({{ input: process.stdin }})) {{
          await session.set("password", "hunter2");
          console.log(session.document.isValid, (await session.call("session/get")).values.email);
          break;
        }}
        client.close();"""
    (folder / "program.mjs").write_text(program, encoding="utf-8")
    with subprocess.Popen(["node", str(folder / "program.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin and node.stdout
        assert node.stdout.readline() == "opened\n"
        kill(here)
        node.stdin.write("\n")
        node.stdin.flush()
        assert node.stdout.readline() == "true kim@example.com\n"
