"""Forms that ask a database: the same forms on SQLite and on PostgreSQL, and a server that is away."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import harness
from harness import PATIENCE_SECONDS, Backend, Daemon, Process, eventually, formd_binary, live, peak_kilobytes
from postgresql import NONE, PostgresServer, programs

needs_postgresql = pytest.mark.skipif(programs() is None, reason=NONE)

TABLES = "CREATE TABLE subscriber (id INTEGER PRIMARY KEY{identity}, email TEXT NOT NULL UNIQUE, age INTEGER CHECK (age > 17))"

SUBSCRIBE = {
    "form": "subscribe",
    "schema": {
        "type": "object",
        "properties": {"email": {"type": "string"}, "age": {"type": "integer"}},
    },
    "actions": {
        "subscribe": {
            "run": {
                "sql": {
                    "database": "letters",
                    "query": "INSERT INTO subscriber (email, age) VALUES (:email, :age) RETURNING id",
                    "parameters": {"email": "values.email", "age": "values.age"},
                }
            },
            "outcomes": [
                {"when": "response.kind == 'ok'", "success": "response.rows[0].id"},
                {
                    "when": "response.sqlState == '23505' && response.constraint.contains('email')",
                    "failure": "'taken'",
                    "fieldErrors": {"email": "'You have subscribed already.'"},
                },
                {"when": "response.sqlState == '23514'", "failure": "'young'"},
                {"when": "response.sqlState == '23502'", "failure": "'nobody'"},
                {"failure": "response.kind + response.sqlState"},
            ],
        },
        "sleep": {
            "enabled": "true",
            "scope": "none",
            "timeout": "1h",
            "run": {"sql": {"database": "letters", "query": "SELECT pg_sleep(3600)"}},
            "outcomes": [{"success": "true"}],
        },
    },
}


@pytest.fixture(scope="module")
def server(scratch: Path) -> Iterator[PostgresServer]:
    server = PostgresServer(scratch / "postgresql")
    server.start()
    server.make_example()
    yield server
    server.end()


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=needs_postgresql)])
def daemon_of_either(request: pytest.FixtureRequest, scratch: Path, backend: Backend, forms: Path) -> Iterator[Daemon]:
    """A daemon whose database is of that kind; the forms are the same."""
    config = harness.configuration(backend)
    own_forms = Path(tempfile.mkdtemp(dir=scratch))
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("server")
        server.psql(TABLES.format(identity=" GENERATED ALWAYS AS IDENTITY"))
        config["databases"] = {"example": server.configuration(), "letters": server.configuration(writable=True)}
    else:
        letters = own_forms / "letters.sqlite"
        with closing(sqlite3.connect(letters)) as database:
            database.execute(TABLES.format(identity=""))
        config["databases"]["letters"] = {"sqlite": {"path": str(letters), "writable": True}}
    (own_forms / "subscribe.form.json").write_text(json.dumps(SUBSCRIBE), encoding="utf-8")
    daemon = Daemon(Path(tempfile.mkdtemp(dir=scratch)), config, forms, arguments=("--forms", str(own_forms)))
    yield daemon
    assert daemon.end() == 0, daemon.output


@pytest.mark.parametrize(
    ("email", "password", "kind", "says"),
    [
        ("kim@example.com", "hunter2", "succeeded", {"name": "Kim"}),
        ("lee@example.com", "비밀번호 486", "succeeded", {"name": "이서연"}),
        ("KIM@example.com", "hunter2", "succeeded", {"name": "Kim"}),
        ("kim@example.com", "hunter3", "failed", "badRequest"),
        ("nobody@example.com", "hunter2", "failed", "badRequest"),
        ("' OR 1=1 --@x.y", "' OR 1=1 --", "failed", "badRequest"),
    ],
)
def test_login_verifies_the_stored_hash(
    daemon_of_either: Daemon, email: str, password: str, kind: str, says: Any
) -> None:
    async def story(session: Any) -> None:
        await session.change({"email": email, "password": password})
        event = (await session.tap("login", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.result or event.error) == (kind, says)
        assert "scrypt" not in str(session.document) and "$2a$" not in str(session.document)

    live(daemon_of_either, "login-sql", story)


@pytest.mark.parametrize(
    ("email", "available", "message"),
    [
        ("kim@example.com", False, "이미 사용 중인 이메일입니다."), ("KIM@example.com", False, "이미 사용 중인 이메일입니다."),
        ("new@example.com", True, "사용할 수 있는 이메일입니다."), ("kim", False, "이메일 형식이 아닙니다."),
    ],
)  # fmt: skip
def test_join_answers_as_the_server_does(daemon_of_either: Daemon, email: str, available: bool, message: str) -> None:
    async def story(session: Any) -> None:
        await session.change("email", email)
        event = (await session.tap("check", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.result, event.message) == ({"available": available}, message)

    for form in ("join-sql", "join"):
        live(daemon_of_either, form, story, locale="ko")


def test_a_value_that_is_there_already_has_an_outcome_of_its_own(daemon_of_either: Daemon) -> None:
    async def story(session: Any) -> None:
        async def subscribe(email: str, age: int) -> Any:
            await session.change({"email": email, "age": age})
            return (await session.tap("subscribe", wait=True, timeout=PATIENCE_SECONDS)).event

        assert (await subscribe("kim@example.com", 40)).result == 1
        assert (await subscribe("kim@example.com", 41)).error == "taken"
        assert [error["message"] for error in session.field("email")["errors"]] == ["You have subscribed already."]
        assert (await subscribe("lee@example.com", 17)).error == "young"
        assert (await subscribe("", 40)).error == "nobody"
        assert isinstance((await subscribe("pyo@example.com", 40)).result, int)

    live(daemon_of_either, "subscribe", story)


# PostgreSQL alone


@needs_postgresql
def test_a_server_that_is_away_keeps_no_daemon_from_starting_and_is_asked_as_soon_as_it_is_there(
    start: Callable[..., Daemon], folder: Path
) -> None:
    server = PostgresServer(folder / "pg")
    daemon = start({"databases": {"example": server.configuration()}})
    daemon.line_with('the database "example" cannot be opened', "Is the server running")

    async def story(session: Any) -> None:
        async def login() -> Any:
            return (await session.tap("login", wait=True, timeout=PATIENCE_SECONDS)).event

        await session.change({"email": "kim@example.com", "password": "hunter2"})
        event = await login()
        assert (event.error, event.message) == ("refused", "데이터베이스가 응답하지 않습니다.")
        daemon.line_with("an effect failed", "kind=refused", "Is the server running")
        server.start()
        server.make_example()
        assert (await login()).result == {"name": "Kim"}
        # Another server process: no client notices.
        server.stop()
        server.start()
        assert (await login()).result == {"name": "Kim"}
        server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'formd'", "postgres")
        assert (await login()).result == {"name": "Kim"}
        server.stop()
        assert (await login()).error == "refused"

    try:
        live(daemon, "login-sql", story, locale="ko")
    finally:
        server.end()
    assert daemon.end() == 0
    assert "hunter2" not in daemon.output


@needs_postgresql
def test_a_query_is_cancelled_when_its_session_ends(
    start: Callable[..., Daemon], server: PostgresServer, folder: Path
) -> None:
    forms = folder / "own"
    forms.mkdir()
    (forms / "subscribe.form.json").write_text(json.dumps(SUBSCRIBE), encoding="utf-8")
    daemon = start({"databases": {"letters": server.configuration()}}, forms=forms)

    def sleeping() -> int:
        return int(server.psql("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(3600)'"))

    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "subscribe"})["session"]
        assert connection.call("action/tap", {"session": session, "action": "sleep"})["outcome"] == "started"
        eventually(lambda: sleeping() == 1, "the query has begun")
        connection.call("session/close", {"session": session})
        eventually(lambda: sleeping() == 0, "the query has ended")


@needs_postgresql
def test_cells_that_are_too_large_are_refused(
    start: Callable[..., Daemon], server: PostgresServer, folder: Path
) -> None:
    forms = folder / "own"
    forms.mkdir()
    large = {
        "run": {"sql": {"database": "letters", "query": "SELECT repeat('x', 300000000) AS a FROM generate_series(1, 4)"}},
        "scope": "none",
        "timeout": "1h",
        "outcomes": [{"failure": "response.kind"}],
    }
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}
    form = {"form": "large", "schema": schema, "actions": {"ask": large}}
    (forms / "large.form.json").write_text(json.dumps(form), encoding="utf-8")
    daemon = start({"databases": {"letters": server.configuration()}}, forms=forms)
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "large"})["session"]
        before = peak_kilobytes(daemon)
        tapped = connection.call("action/tap", {"session": session, "action": "ask", "await": True})
        # A row may have 16 MiB, and the daemon reads no more of one, however fast the server is.
        assert tapped["event"]["error"] == "tooLarge"
        assert peak_kilobytes(daemon) - before < 32 << 10


@needs_postgresql
def test_no_password_is_in_the_log(start: Callable[..., Daemon], server: PostgresServer, folder: Path) -> None:
    server.psql("DROP OWNED BY guarded; DROP ROLE guarded" if server.psql("SELECT 1 FROM pg_roles WHERE rolname = 'guarded'") else "")
    server.psql("CREATE ROLE guarded LOGIN PASSWORD 'canary-7c1'; GRANT SELECT ON users TO guarded")
    (folder / "password").touch(mode=0o600)
    (folder / "password").write_text("canary-7c2\n", encoding="ascii")
    config = {
        "databases": {"example": server.configuration(user="guarded", password={"file": "password"})},
        "log": {"level": "trace"},
    }
    daemon = start(config)
    daemon.line_with("cannot be opened", "password authentication failed")

    async def story(session: Any) -> None:
        await session.change({"email": "kim@example.com", "password": "hunter2"})
        assert (await session.tap("login", wait=True, timeout=PATIENCE_SECONDS)).event.error == "error"
        # The next connection is made with the password that is there then.
        (folder / "password").write_text("canary-7c1\n", encoding="ascii")
        assert (await session.tap("login", wait=True, timeout=PATIENCE_SECONDS)).event.result == {"name": "Kim"}

    live(daemon, "login-sql", story)
    assert daemon.end() == 0
    assert "canary" not in daemon.output


@needs_postgresql
def test_check_config_asks_the_server_about_queries(server: PostgresServer, folder: Path) -> None:
    def check(config: harness.JSON, query: str) -> str:
        (folder / "formd.json").write_text(json.dumps(config | {"forms": ["."]}), encoding="utf-8")
        form = {
            "form": "shop",
            "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
            "actions": {"go": {"run": {"sql": {"database": "example", "query": query, "parameters": {"a": "values.a"}}}}},
        }
        (folder / "shop.form.json").write_text(json.dumps(form), encoding="utf-8")
        process = Process([str(formd_binary()), "check-config", str(folder / "formd.json")])
        process.wait()
        return process.output

    config = {"databases": {"example": server.configuration()}}
    assert "1 form, 0 problems, 0 warnings" in check(config, "SELECT name FROM articles WHERE sku = :a")
    said = check(config, "SELECT nam FROM articles WHERE sku = :a")
    assert 'the database "example" does not accept this query: SQLSTATE 42703: column "nam" does not exist' in said
    assert "does not make it \"writable\"" in check(config, "DELETE FROM articles WHERE sku = :a")
    assert "a form's query must begin with one of" in check(config, "DROP TABLE articles -- :a")
    said = check({"databases": {"example": {"postgres": {"url": "postgresql://formd:canary-7c1@/x"}}}}, "SELECT 1")
    assert "it contains a password" in said and "canary" not in said


@needs_postgresql
def test_check_config_connects_to_databases_and_to_the_store(server: PostgresServer, folder: Path) -> None:
    away = {"postgres": {"url": f"postgresql:///x?host={folder}"}}
    config = {"databases": {"away": away, "example": server.configuration()}, "store": server.configuration()}
    for part in (config["databases"]["example"], config["store"]):
        part["postgres"].pop("writable", None)
    (folder / "formd.json").write_text(json.dumps(config), encoding="utf-8")
    process = Process([str(formd_binary()), "check-config", "--connect", str(folder / "formd.json")])
    assert process.wait() == 1
    lines = process.output.splitlines()
    assert lines[0].startswith("database away: ") and str(folder) in lines[0]
    assert lines[1:] == ["database example: connected", "store: connected", "0 forms, 1 problem, 0 warnings"]
