"""The Python client as its users see it: types, texts, limits of time, forgotten clients, forks."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import subprocess
import sys
import textwrap
import weakref
from pathlib import Path
from typing import Any, Optional

import pytest

import blocking_client
from fake import Fake, play
from harness import PATIENCE_SECONDS, ROOT, Backend, Daemon, configuration, formd

FOLDER = ROOT / "protocol" / "clients" / "python"


def tool(name: str) -> Optional[str]:
    """A program beside Python's, or in PATH; None if it is not installed."""
    return shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def run(daemon: Daemon, code: str, *options: str) -> str:
    """The output of a program, both streams, which shows every warning."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "always", *options, "-c", textwrap.dedent(code)],
        env={**os.environ, "FORMD_SOCKET": str(daemon.path), "PYTHONPATH": str(FOLDER)}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


# Types


def test_the_package_says_that_it_is_typed() -> None:
    assert (FOLDER / "formd" / "py.typed").read_text(encoding="utf-8") == ""


USER = '''
from typing_extensions import assert_type

import formd
from formd.types import Document, FieldState

with formd.Client(timeout=5) as client:
    info = client.info()
    print(info["version"].upper(), info["limits"]["sessionsMax"] + 1)
    for form in client.forms()["forms"]:
        print(form["form"].upper(), form.get("locale"))
    description = client.describe("login")
    for field in description["fields"]:
        print(field["address"].upper(), field.get("maxLength", 0) + 1, [option["value"] for option in field.get("options", [])])
    for action in description["actions"]:
        print(action.get("leadsTo"))
    session = client.open("login", keep="10m")
    assert_type(session.document, Document)
    assert_type(session.document["fields"]["email"], FieldState)
    print(session.document["actions"]["login"].get("attempts", 0) + 1)
    print(session.field("email").get("isValid"), session.action("login").get("attempts", 0) + 1)
    for error in session.errors():
        print(error.address.upper(), error.code, error.params)
    print(client.reload()["problems"], client.backup("/tmp/kept.sqlite")["bytes"] + 1)
    client.on_draining(lambda params: print(params["withinMs"] + 1))
    row = session.rows("items")[0]
    print(row.field("sku").get("isValid"), row.lookup("price").get("isLoading"))
    print(session.refresh().get("email"), session.rows("items")[0].address.upper())
    try:
        session.tap("login", wait=True)
    except formd.OutcomeUnknown as unknown:
        print(unknown.method)


async def main() -> None:
    async with formd.AsyncClient(timeout=None) as client:
        session = await client.attach("key", seq=0)
        print((await session.describe())["form"], (await client.ping())["instanceId"].upper())
        for error in (await client.validate_text("login", "{}", "json"))["errors"]:
            print(error["range"]["start"]["line"] + 1)
'''


@pytest.mark.skipif(tool("mypy") is None, reason="there is no mypy here (PyPI: mypy)")
def test_mypy_finds_nothing_in_the_client_and_in_a_program_that_uses_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(USER, encoding="utf-8")
    environment = {**os.environ, "MYPYPATH": str(FOLDER), "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    for arguments in (["-p", "formd"], [str(program)]):
        done = subprocess.run(
            [tool("mypy") or "mypy", "--strict", "--warn-unreachable", *arguments], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


def type_checkers() -> list[str]:
    return [path for path in map(tool, ("pyright", "basedpyright")) if path]


@pytest.mark.skipif(not type_checkers(), reason="there is no pyright here (PyPI: basedpyright)")
@pytest.mark.parametrize("checker", type_checkers())
def test_pyright_finds_nothing_in_the_client_and_in_a_program_that_uses_it(checker: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(USER, encoding="utf-8")
    for folder, mode in ((FOLDER / "formd", "standard"), (tmp_path, "strict")):
        settings = {"include": [str(folder)], "typeCheckingMode": mode, "extraPaths": [str(FOLDER)]}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        done = subprocess.run([checker, "-p", str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_the_blocking_half_is_made_from_the_asynchronous_half(capsys: pytest.CaptureFixture[str]) -> None:
    assert blocking_client.main(["--check"]) == 0, capsys.readouterr().out


def test_a_change_of_the_asynchronous_half_changes_the_blocking_half() -> None:
    sources = [source.read_text(encoding="utf-8") for source in blocking_client.SOURCES]
    ping, other = "    async def ping(self) -> Pong:", "    async def ping(self, times: int = 1) -> Pong:"
    changed = [source.replace(ping, other) for source in sources]
    assert changed != sources
    text = blocking_client.blocking(changed)
    assert "    def ping(self, times: int = 1) -> Pong:\n        return self._run(self._client.ping(times))\n" in text


@pytest.mark.parametrize(
    ("blocking", "asynchronous", "missing"),
    [(formd.Client, formd.AsyncClient, {"connect"}), (formd.Session, formd.AsyncSession, set())],
)
def test_both_halves_have_the_same_methods(blocking: type, asynchronous: type, missing: set[str]) -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(asynchronous) - public(blocking) == missing


def test_a_daemon_reloads_and_reports_problems(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        outcome = client.reload()
        assert outcome["reloaded"] and outcome["problems"] == [] and outcome["forms"] == len(client.forms()["forms"])


def test_a_store_is_copied(backend: Backend, folder: Path) -> None:
    store = {"sqlite": {"path": str(folder / "kept.sqlite")}}
    daemon = Daemon(folder, {**configuration(backend), "store": store})
    try:
        with formd.Client(str(daemon.path)) as client:
            copied = client.backup(str(folder / "copy.sqlite"))
            assert copied["bytes"] == (folder / "copy.sqlite").stat().st_size
            with pytest.raises(formd.Overloaded):
                client.backup(str(folder / "copy.sqlite"))
            with pytest.raises(formd.InvalidParams):
                client.backup("copy.sqlite")
    finally:
        daemon.end()


def test_texts_of_objects_say_what_they_are_and_hold_no_key(daemon: Daemon) -> None:
    client = formd.Client(str(daemon.path))
    with client:
        session = client.open("login", keep="1m")
        assert repr(client) == f"<formd.Client {str(daemon.path)!r} connected, 1 session>"
        assert repr(session) == f"<formd.Session {session.id} of 'login', revision 0, not valid, kept>"
        assert session.key and session.key not in repr(session)
        session.close()
        assert repr(session) == f"<formd.Session {session.id} of 'login', closed>"
    assert repr(client) == f"<formd.Client {str(daemon.path)!r} not connected, 0 sessions>"
    assert repr(formd.AsyncClient("/s")) == "<formd.AsyncClient '/s' not connected, 0 sessions>"


def test_errors_are_listed_in_the_order_of_the_form(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("invoice", locale="en") as session:
        row = session.insert("items", {"quantity": 0})
        found = [(error.address, error.code, error.severity) for error in session.errors()]
        assert found[:3] == [
            ("customer", "required", "error"), (f"/items/#{row}/sku", "required", "error"), (f"/items/#{row}/quantity", "minimum", "error"),
        ]  # fmt: skip
        # They are there whether they show or not.
        assert session.errors()[0].message == "This is required." and "customer" not in session.messages


def test_refresh_returns_the_values(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("login") as session:
        session.change({"email": "kim@example.com", "password": "hunter2"})
        assert session.refresh() == {"email": "kim@example.com"} == session.values


# Limits of time


def test_a_call_does_not_wait_for_ever(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        assert (await fake.read())["method"] == "server/ping"
        assert (await fake.read())["method"] == "$/cancelRequest"
        assert (await fake.read())["method"] == "server/ping"
        assert (await fake.read())["method"] == "$/cancelRequest"

    async def client(client: Any) -> None:
        assert formd.AsyncClient("/s").timeout == 60
        with pytest.raises(TimeoutError, match="no answer to server/ping within 0.01 s"):
            await client.ping()
        # A call's own limit comes first.
        with pytest.raises(TimeoutError, match="within 0.001 s"):
            await client.call("server/ping", timeout=0.001)

    play(folder / "s", server, client, timeout=0.01)


def test_a_tap_that_waits_for_its_end_has_no_limit_of_its_own(folder: Path) -> None:
    waiting = asyncio.Event()

    async def server(fake: Fake) -> None:
        await fake.open()
        tap = await fake.read()
        # This call runs out of time. The tap before it does not.
        assert (await fake.read())["method"] == "server/ping"
        assert (await fake.read())["method"] == "$/cancelRequest"
        fake.answer(tap, {"revision": 1, "event": {"seq": 1, "action": "login", "kind": "succeeded"}})

    async def client(client: Any) -> None:
        session = await client.open("login")
        tap = asyncio.ensure_future(session.tap("login", wait=True))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await client.ping()
        assert (await tap).event.kind == "succeeded"

    play(folder / "s", server, client, timeout=0.05)


# More requests than the daemon accepts


def test_more_requests_than_the_limit_wait_in_the_client(daemon: Daemon) -> None:
    """64 taps wait for their ends, and so do the 200 calls behind them, in order."""

    async def story() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            limit = (await client.info())["limits"]["requestsInFlightMax"]
            answers = await asyncio.gather(*(client.validate("login", {"email": str(number)}) for number in range(3 * limit + 8)))
            assert len(answers) == 3 * limit + 8
            session = await client.open("login")
            revisions = await asyncio.gather(*(session.change("email", "k" * (1 + number % 9)) for number in range(3 * limit)))
            assert revisions == sorted(revisions)

    asyncio.run(story())


def test_requests_wait_for_answers_in_order_and_a_lower_limit_is_learnt(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        first = [await fake.read() for _ in range(64)]
        # The daemon's limit is lower: it refuses the requests over it.
        for request in first[:2]:
            fake.answer(request, request["params"])
        for request in first[2:]:
            fake.refuse(request, 1012, limit="requestsInFlightMax", value=2)
        rest = []
        for _ in range(34):
            pair = [await fake.read(), await fake.read()]
            for request in pair:
                rest.append(request["params"]["number"])
                fake.answer(request, request["params"])
        assert sorted(rest) == list(range(2, 70))

    async def client(client: Any) -> None:
        calls = [client.call("server/ping", {"number": number}) for number in range(70)]
        assert [answer["number"] for answer in await asyncio.gather(*calls)] == list(range(70))

    play(folder / "s", server, client)


# Taps whose outcome is unknown


@pytest.mark.parametrize("keep", [None, "1m"])
def test_a_tap_that_was_sent_may_have_been_executed_whether_kept_or_not(folder: Path, keep: Any) -> None:
    async def server(fake: Fake) -> None:
        await fake.open(**({"key": "K"} if keep else {}))
        assert (await fake.read())["method"] == "action/tap"

    async def client(client: Any) -> None:
        session = await client.open("login", **({"keep": keep} if keep else {}))
        with pytest.raises(formd.OutcomeUnknown) as unknown:
            await session.tap("login")
        assert str(unknown.value).count("may have executed") == 1, str(unknown.value)
        # One that was not sent was not executed.
        with pytest.raises((formd.SessionClosed, formd.ConnectionLost)):
            await session.tap("login")

    play(folder / "s", server, client, patience=0)


def test_an_unknown_outcome_is_said_once(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        assert (await fake.read())["method"] == "action/tap"

    async def second(fake: Fake) -> None:
        await fake.attach(0)
        fake.answer(await fake.read(), "pong")

    async def client(client: Any) -> None:
        session = await client.open("login", keep="1m")
        with pytest.raises(formd.OutcomeUnknown) as unknown:
            await session.tap("login")
        assert str(unknown.value).count("may have executed") == 1, str(unknown.value)
        await client.ping()

    play(folder / "s", [first, second], client)


# Forgotten clients, and forks


def test_a_forgotten_client_is_closed_without_a_noise(daemon: Daemon) -> None:
    before = len(login_sessions(daemon))
    client = formd.Client(str(daemon.path))
    session = client.open("login")
    there = weakref.ref(client)
    del client
    gc.collect()
    assert there() is not None and session.refresh() == {}, "a session holds its client"
    del session
    gc.collect()
    assert there() is None
    assert len(login_sessions(daemon)) == before


def login_sessions(daemon: Daemon) -> list[Any]:
    with formd.Client(str(daemon.path)) as client:
        sessions = client.call("session/list")["sessions"]
        return [one for one in sessions if one["form"] == "login"]


@pytest.mark.parametrize(
    "code",
    [
        "client = formd.Client(); session = client.open('login'); print('end')",
        "client = formd.Client(); session = client.open('login', keep='1m'); print('end')",
        "formd.Client().provider('stock', lambda arguments: {'left': 1}); print('end')",
        "def f():\n  session = formd.Client().open('login')\n  session.change('email', 'kim')\nf(); gc.collect(); print('end')",
        "async def f():\n  c = formd.AsyncClient(); await c.connect(); await c.open('login', keep='1m')\nasyncio.run(f()); print('end')",
        "async def f():\n  c = formd.AsyncClient(); await c.connect(); await c.watch_forms()\nasyncio.run(f()); print('end')",
    ],
)
def test_a_program_that_closes_nothing_ends_without_a_noise(daemon: Daemon, code: str) -> None:
    assert run(daemon, f"import asyncio, formd, gc\n{code}") == "end\n"


def test_a_client_says_so_after_a_fork(daemon: Daemon) -> None:
    said = run(
        daemon,
        """
        import formd, os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        client = formd.Client()
        session = client.open("login")
        if os.fork() == 0:
            for call in (client.ping, lambda: session.change("email", "kim"), session.close):
                try:
                    call()
                except formd.ConnectionLost as error:
                    print("after a fork, open another client" in str(error))
            client.close()
            print(formd.Client().open("login").id > 0)
            sys.exit()
        os.wait()
        print(session.change("email", "kim"), repr(client.is_connected))
        """,
    )
    assert said.splitlines() == ["True", "True", "True", "True", "1 True"]
