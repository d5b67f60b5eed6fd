"""The Python client and `formctl` come back to their sessions by themselves: the real daemon, and a proxy that cuts
connections."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from harness import PATIENCE_SECONDS, Backend, Daemon, Replica, configuration, eventually, formctl, formd
from proxy import Proxy, at_answer, at_event, at_request

GOOD = {"email": "kim@example.com", "password": "hunter2"}


@pytest.fixture
def proxy(folder: Path, daemon: Daemon) -> Iterator[Proxy]:
    proxy = Proxy(folder / "proxy", daemon.path)
    yield proxy
    proxy.end()


@pytest.fixture
def client(proxy: Proxy) -> Iterator[formd.Client]:
    with formd.Client(str(proxy.path)) as client:
        yield client


class Returns:
    """How often a client has come back, to be waited for."""

    def __init__(self, client: formd.Client) -> None:
        self._returned = threading.Semaphore(0)
        client.on_reconnect(self._returned.release)

    def wait(self) -> None:
        assert self._returned.acquire(timeout=PATIENCE_SECONDS), "the client did not come back"


def events_of(session: formd.Session) -> list[tuple[int, str]]:
    """A list that from now on gets the events of a session's taps as they arrive."""
    events: list[tuple[int, str]] = []
    session.on_event(lambda event: events.append((event.seq, event.kind)))
    return events


@pytest.mark.parametrize("point", [at_request, at_answer])
def test_a_change_whose_connection_is_cut_is_made(
    client: formd.Client, proxy: Proxy, daemon: Daemon, point: Any
) -> None:
    returns = Returns(client)
    session = client.open("login", locale="en", keep="10m")
    proxy.cut(point("field/change"))
    session.change(GOOD, commit=True)
    returns.wait()
    assert proxy.connections == 2 and session.is_valid
    with daemon.connect() as other:
        current = other.call("session/attach", {"key": session.key})
        assert current["values"] == {"email": GOOD["email"]}
        assert (current["document"], current["revision"]) == (session.document, session.revision)
        # It goes on like a connection that was never cut.
        other.call("field/change", {"field": "email", "value": "lee@example.com"})
        session.wait_until(lambda it: it.values.get("email") == "lee@example.com", PATIENCE_SECONDS)
    session.close()


@pytest.mark.parametrize(
    ("point", "heard"), [(at_request("action/tap"), []), (at_answer("action/tap"), [(1, "succeeded")]), (at_event, [(1, "succeeded")])]
)
def test_a_tap_is_never_made_twice(client: formd.Client, proxy: Proxy, point: Any, heard: list[Any]) -> None:
    session = client.open("login", locale="en", keep="10m")
    events = events_of(session)
    session.change(GOOD)
    proxy.cut(point)
    with pytest.raises(formd.OutcomeUnknown, match="^action/tap: the daemon may have executed it"):
        session.tap("login", wait=True)
    # The outcome of the tap, if it was executed, may be on its way.
    session.wait_until(lambda it: not it.action("login")["isLoading"], PATIENCE_SECONDS)
    if heard:
        session.wait_until(lambda it: it.last_event == 1, PATIENCE_SECONDS)
    assert events == heard
    again = session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
    assert again and again.seq == len(heard) + 1 and events == [*heard, (again.seq, "succeeded")]
    session.close()


@pytest.mark.parametrize(("point", "count"), [(at_request, 1), (at_answer, 2)])
def test_a_row_is_never_inserted_twice(client: formd.Client, proxy: Proxy, point: Any, count: int) -> None:
    session = client.open("invoice", locale="en", keep="10m")
    row = session.insert("items", {"sku": "A-1"})
    proxy.cut(point("field/insert"))
    with pytest.raises(formd.OutcomeUnknown):
        session.insert("items", {"sku": "A-2"})
    assert len(session.rows("items")) == count
    proxy.cut(point("field/change"))
    session.change(f"/items/#{row}/quantity", 4)
    proxy.cut(point("field/change"))
    with pytest.raises(formd.OutcomeUnknown):
        session.change("/items/0/quantity", 5)
    assert session.refresh() == session.values
    assert session.values["items"][0]["quantity"] == (4 if count == 1 else 5)
    session.close()


def test_what_others_did_meanwhile_is_told(client: formd.Client, proxy: Proxy, daemon: Daemon) -> None:
    returns = Returns(client)
    session, plain = client.open("login", locale="en", keep="10m"), client.open("login")
    events = events_of(session)
    session.change(GOOD)
    session.tap("login", wait=True, timeout=PATIENCE_SECONDS)
    with daemon.connect() as other:
        replica = Replica(other.call("session/attach", {"key": session.key}))
        with proxy.away():
            for _ in range(2):
                tapped, before = other.exchange("action/tap", {"action": "login", "await": True})
                replica.apply(before)
                assert tapped["result"]["event"]["kind"] == "succeeded"
            _, before = other.exchange("field/change", {"field": "email", "value": "no address", "commit": True})
            replica.apply(before)
            eventually(lambda: not client.is_connected, "the end of the connection")
            with pytest.raises(formd.SessionClosed, match="the daemon closed the connection; the session was not kept"):
                plain.change("email", "x")
            # The change is made without a connection, and is sent when the client has one again.
            changing = threading.Thread(target=session.change, args=("password", "hunter3"))
            changing.start()
        returns.wait()
        changing.join(PATIENCE_SECONDS)
        assert not changing.is_alive()
        assert events == [(1, "succeeded"), (2, "succeeded"), (3, "succeeded")] and session.events_lost == 0
        assert [event.seq for event in session.missed_events] == [2, 3]
        assert session.values == {"email": "no address"}
        assert session.messages == {"email": "That is not an email address."}
        assert session.document == other.call("session/get")["document"]
    session.close()


def test_a_session_that_expires_meanwhile_is_closed_and_says_so(
    client: formd.Client, proxy: Proxy, daemon: Daemon
) -> None:
    returns = Returns(client)
    with daemon.connect() as watcher:
        other = client.open("login", keep="10m")
        count = watcher.call("server/stats")["keptSessions"]
        session = client.open("login", keep="300ms")
        with proxy.away():
            eventually(lambda: watcher.call("server/stats")["keptSessions"] == count, "the end of the kept session")
    returns.wait()
    with pytest.raises(formd.SessionClosed, match="no longer has it: it was closed or has expired"):
        session.change("email", "x")
    assert other.change("email", "x") > 0
    other.close()


def test_a_provider_and_the_watch_of_the_forms_are_there_again(
    client: formd.Client, proxy: Proxy, daemon: Daemon
) -> None:
    returns = Returns(client)
    forms: list[Any] = []
    client.on_forms_changed(forms.append)
    client.provider("stock", lambda arguments: {"left": len(arguments["item"])})
    watched = client.watch_forms()
    with proxy.away():
        pass
    returns.wait()
    assert forms == [watched]
    with formd.Client(str(daemon.path)) as other:
        session = other.open("stock")
        session.change("item", "tea", commit=True)
        session.tap("look", wait=True, timeout=PATIENCE_SECONDS)
        assert session.action("look")["result"] == {"left": 3}


def test_a_client_outlives_a_daemon_that_is_killed(start: Callable[..., Daemon]) -> None:
    daemon = start()
    with formd.Client(str(daemon.path)) as client:
        returns = Returns(client)
        client.provider("stock", lambda _: {"left": 3})
        session = client.open("login", keep="10m")
        session.change(GOOD)
        daemon.signal(signal.SIGKILL)
        daemon.wait()
        start()
        returns.wait()
        assert session.closed_reason and "kept in the memory of a daemon that has ended" in session.closed_reason
        again = client.open("login", keep="10m")
        again.change(GOOD)
        assert again.is_valid and client.call("provider/unregister", {"name": "stock"}) == {"name": "stock"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_outlives_its_daemon_where_that_has_a_store(
    start: Callable[..., Daemon], folder: Path, backend: Backend, number: signal.Signals
) -> None:
    config = configuration(backend) | {"store": {"sqlite": {"path": str(folder / "sessions.sqlite")}}}
    daemon = start(config)
    with formd.Client(str(daemon.path)) as client:
        returns = Returns(client)
        # A new daemon begins to count: this session takes the first number.
        client.open("login")
        session = client.open("login", locale="en", keep="10m")
        before = session.id
        events = events_of(session)
        session.change(GOOD, commit=True)
        assert session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        daemon.signal(number)
        daemon.wait()
        start(config)
        returns.wait()
        assert session.is_open and session.id != before and session.values == {"email": GOOD["email"]}
        assert not session.is_valid, "the secret is gone"
        session.change("password", GOOD["password"])
        assert session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        assert events == [(1, "succeeded"), (2, "succeeded")]


def test_what_was_on_its_way_to_a_daemon_that_is_killed(
    start: Callable[..., Daemon], folder: Path, backend: Backend
) -> None:
    config = configuration(backend) | {"store": {"sqlite": {"path": str(folder / "sessions.sqlite")}}}
    daemon = start(config)
    with formd.Client(str(daemon.path)) as client, ThreadPoolExecutor() as pool:
        session = client.open("login", locale="en", keep="10m")
        session.change(GOOD, commit=True)
        sent = threading.Semaphore(0)
        client.on_line(lambda direction, _: sent.release() if direction == "sent" else None)
        daemon.signal(signal.SIGSTOP)
        changing = pool.submit(session.change, "email", "lee@example.com")
        tapping = pool.submit(session.tap, "login")
        assert sent.acquire(timeout=PATIENCE_SECONDS) and sent.acquire(timeout=PATIENCE_SECONDS)
        daemon.signal(signal.SIGKILL)
        daemon.wait()
        start(config)
        assert changing.result(PATIENCE_SECONDS) > 0
        with pytest.raises(formd.OutcomeUnknown):
            tapping.result(PATIENCE_SECONDS)
        session.refresh()
        assert session.values == {"email": "lee@example.com"} and session.last_event == 0


def test_patience_ends(folder: Path, daemon: Daemon) -> None:
    proxy = Proxy(folder / "proxy", daemon.path)
    with formd.Client(str(proxy.path), patience=0.2) as client:
        session = client.open("login", keep="10m")
        ended = threading.Event()
        client.on_closed(ended.set)
        proxy.end()
        assert ended.wait(PATIENCE_SECONDS)
        with pytest.raises(formd.SessionClosed, match=r"tried for 0\.2 s; the last error: no daemon at"):
            session.change("email", "x")
        with pytest.raises(formd.ConnectionLost):
            client.ping()
    # The daemon has the session anyway.
    with formd.Client(str(daemon.path)) as client:
        client.attach(session.key).close()


def test_a_script_goes_on_where_its_connection_was_lost(proxy: Proxy, daemon: Daemon) -> None:
    proxy.cut(at_answer("field/change"))
    script = "email=kim@example.com\npassword=hunter2\ntap login\n"
    ran = formctl("run", "login", "--locale", "en", "--keep", "10m", "--socket", proxy.path, standard_input=script)
    assert ran.returncode == 0, ran.stderr
    assert proxy.connections == 2 and "! the connection was lost and restored" in ran.stdout
    assert ran.stdout.count("* login succeeded") == 1


def test_a_tap_of_a_script_is_never_made_twice(proxy: Proxy, daemon: Daemon) -> None:
    proxy.cut(at_answer("action/tap"))
    script = "email=kim@example.com\npassword=hunter2\ntap login\nwait\n"
    ran = formctl("run", "login", "--locale", "en", "--keep", "10m", "--socket", proxy.path, standard_input=script)
    assert ran.returncode == 2, ran.stdout
    assert "action/tap: the daemon may have executed it" in ran.stderr
    assert proxy.connections == 2 and ran.stdout.count("* login succeeded") == 1


@pytest.mark.parametrize("options", [("--keep", "10m", "--json"), ()])
def test_a_script_without_a_kept_session_ends_with_its_connection(proxy: Proxy, daemon: Daemon, options: Any) -> None:
    proxy.cut(at_answer("field/change"))
    ran = formctl("run", "login", *options, "--socket", proxy.path, standard_input="email=kim@example.com\n")
    assert ran.returncode == 2 and f"the connection to {proxy.path} ended" in ran.stderr
    assert proxy.connections == 1
