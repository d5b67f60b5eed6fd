"""The ways to PostgreSQL that operators have: a pooler, TLS with a chain of certificates, a server that hangs, and a
standby that takes over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

import harness
from harness import PATIENCE_SECONDS, Backend, Daemon, Process, eventually, formd_binary
from postgresql import NONE, PostgresServer, programs
from stored import attach, open_kept

Start = Callable[..., Daemon]

needs_postgresql = pytest.mark.skipif(programs() is None, reason=NONE)
LOGIN = {"values": {"email": "kim@example.com", "password": "hunter2"}}


@pytest.fixture(scope="module")
def server(scratch: Path) -> Iterator[PostgresServer]:
    server = PostgresServer(scratch / "ways")
    server.start()
    server.make_example()
    yield server
    server.end()


def tapped(daemon: Daemon, form: str = "login-sql") -> Any:
    """The event of a login."""
    with daemon.connect() as connection:
        connection.call("session/open", {"form": form})
        connection.call("field/change", LOGIN)
        return connection.call("action/tap", {"action": "login", "await": True})["event"]


# A pooler


def pgbouncer() -> Optional[str]:
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


needs_pgbouncer = pytest.mark.skipif(
    pgbouncer() is None, reason="there is no pgbouncer; apt-get install pgbouncer installs it"
)


class Pooler:
    """PgBouncer in front of a server, at a Unix socket in `folder`."""

    def __init__(self, folder: Path, server: PostgresServer, mode: str) -> None:
        self.folder = folder
        (folder / "users").write_text('"formd" ""\n', encoding="ascii")
        (folder / "settings").write_text(
            f"""[databases]
* = host={server.folder}
[pgbouncer]
listen_port = 6432
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = {mode}
default_pool_size = 4
""",
            encoding="ascii",
        )
        command = [str(pgbouncer()), str(folder / "settings")]
        if os.geteuid() == 0:
            # PgBouncer refuses to run as root.
            shutil.chown(folder, "postgres")
            command = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", *command]
        self.process = Process(command)
        self.process.line_with("process up")

    def configuration(self, database: str, **options: Any) -> Any:
        return {"postgres": {"url": f"postgresql://formd@/{database}?host={self.folder}&port=6432", **options}}


@pytest.fixture
def pooler(server: PostgresServer) -> Iterator[Callable[[str], Pooler]]:
    poolers: list[Pooler] = []

    def start(mode: str) -> Pooler:
        # The server's folder, because the pooler's user can enter it.
        poolers.append(Pooler(Path(tempfile.mkdtemp(dir=server.folder)), server, mode))
        return poolers[-1]

    yield start
    for one in poolers:
        one.process.signal(signal.SIGINT)
        one.process.wait()


@needs_postgresql
@needs_pgbouncer
def test_queries_go_through_a_pooler_in_transaction_mode(
    start: Start, server: PostgresServer, pooler: Callable[[str], Pooler]
) -> None:
    daemon = start({"databases": {"example": pooler("transaction").configuration("example", connections=8)}})
    # Each connection of the pooler sees statements of several connections of the daemon.
    for _ in range(12):
        assert tapped(daemon)["result"] == {"name": "Kim"}
    server.cut_connections("example")
    eventually(lambda: tapped(daemon)["kind"] == "succeeded", "the next connection")


@needs_postgresql
@needs_pgbouncer
def test_kept_sessions_go_through_a_pooler_in_transaction_mode_and_move_without_notifications(
    start: Start, server: PostgresServer, pooler: Callable[[str], Pooler], folder: Path, backend: Backend
) -> None:
    server.psql("CREATE DATABASE pooled", "postgres")
    config = {**harness.configuration(backend), "store": pooler("transaction").configuration("pooled", lease="3s")}
    for name in ("here", "there"):
        (folder / name).mkdir()
    here, there = (start(config, folder=folder / name) for name in ("here", "there"))
    with here.connect() as connection:
        key, _ = open_kept(connection)
        connection.call("field/change", {"field": "email", "value": "kim@example.com"})
    with there.connect() as connection:
        # The other daemon learns at its next renewal that the session is wanted.
        assert attach(connection, key)["values"] == {"email": "kim@example.com"}
        connection.call("field/change", {"field": "email", "value": "lee@example.com"})
    assert here.end() == 0 and there.end() == 0


@needs_postgresql
@needs_pgbouncer
def test_a_pooler_in_statement_mode_does_not_work_and_the_log_says_why(
    start: Start, pooler: Callable[[str], Pooler]
) -> None:
    daemon = start({"databases": {"example": pooler("statement").configuration("example")}})
    assert tapped(daemon)["kind"] == "failed"
    daemon.line_with("transaction blocks not allowed in statement pooling mode")


# TLS


needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")


class Chain:
    """A root, an authority below it, and certificates of servers, made by openssl in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._issue("root", None, "basicConstraints=critical,CA:true\nkeyUsage=keyCertSign,cRLSign")
        self._issue("middle", "root", "basicConstraints=critical,CA:true,pathlen:0\nkeyUsage=keyCertSign,cRLSign")
        self._issue("good", "middle", "subjectAltName=DNS:localhost")
        self._issue("other", "middle", "subjectAltName=DNS:db.example.com")
        self._issue("expired", "middle", "subjectAltName=DNS:localhost", days=-1)
        self._issue("stranger", None, "basicConstraints=critical,CA:true")

    def text(self, name: str, ending: str = "pem") -> str:
        return (self.folder / f"{name}.{ending}").read_text(encoding="ascii")

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def _issue(self, name: str, issuer: Optional[str], extensions: str, days: int = 30) -> None:
        (self.folder / f"{name}.ext").write_text(extensions + "\n", encoding="ascii")
        self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                      "-out", f"{name}.csr")  # fmt: skip
        signer = ["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-CAcreateserial"] if issuer else ["-signkey", f"{name}.key"]
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-extfile", f"{name}.ext", "-days", str(days), *signer,
                      "-out", f"{name}.pem")  # fmt: skip


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def chain(scratch: Path) -> Chain:
    return Chain(scratch / "chain")


class SecuredServer(PostgresServer):
    """A server at a port, with TLS. The test writes its certificate before it starts it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = free_port()


@pytest.fixture(scope="module")
def secured(scratch: Path) -> Iterator[SecuredServer]:
    server = SecuredServer(scratch / "secured")
    for name in ("server.crt", "server.key"):
        (server.data / name).touch(mode=0o600)
        if os.geteuid() == 0:
            shutil.chown(server.data / name, "postgres")
    with open(server.data / "postgresql.auto.conf", "a", encoding="ascii") as settings:
        settings.write(f"ssl = on\nlisten_addresses = '127.0.0.1'\nport = {server.port}\n")
    (server.data / "pg_hba.conf").write_text("hostssl all all 127.0.0.1/32 trust\nlocal all all trust\n", encoding="ascii")
    yield server
    server.end()


@needs_postgresql
@needs_openssl
@pytest.mark.parametrize(
    ("leaf", "sent", "trusted", "why"),
    [
        ("good", ["good", "middle"], "root", None),
        ("good", ["good"], "root", "unknown authority"),
        ("good", ["good", "middle"], "stranger", "unknown authority"),
        ("expired", ["expired", "middle"], "root", "has expired"),
        ("other", ["other", "middle"], "root", "does not match host name"),
    ],
    ids=["good", "without the authority between", "unknown root", "expired", "another host"],
)
def test_a_chain_of_certificates_is_checked_to_its_root(
    secured: SecuredServer, chain: Chain, folder: Path, leaf: str, sent: list[str], trusted: str, why: Optional[str]
) -> None:
    (secured.data / "server.crt").write_text("".join(map(chain.text, sent)), encoding="ascii")
    (secured.data / "server.key").write_text(chain.text(leaf, "key"), encoding="ascii")
    secured.start()
    try:
        url = (
            f"postgresql://formd@localhost:{secured.port}/postgres?sslmode=verify-full"
            f"&sslrootcert={chain.folder}/{trusted}.pem&hostaddr=127.0.0.1"
        )
        config = folder / "formd.json"
        config.write_text(json.dumps({"databases": {"example": {"postgres": {"url": url}}}}), encoding="utf-8")
        process = Process([str(formd_binary()), "check-config", "--connect", str(config)])
        status = process.wait()
        if why is None:
            assert status == 0 and "database example: connected" in process.output, process.output
        else:
            assert status == 1 and why in process.output, process.output
    finally:
        secured.stop()


# A server that hangs


def start_with_timeout(start: Start, server: PostgresServer, forms: Path, backend: Backend, timeout: str) -> Daemon:
    """A daemon with a connection to the server, and a form whose query may take so long."""
    path = forms / "login-sql" / "login-sql.form.json"
    definition = json.loads(path.read_text(encoding="utf-8"))
    definition["actions"]["login"]["timeout"] = timeout
    path.write_text(json.dumps(definition), encoding="utf-8")
    daemon = start({**harness.configuration(backend), "databases": {"example": server.configuration()}}, forms)
    assert tapped(daemon)["kind"] == "succeeded"
    return daemon


@needs_postgresql
def test_a_query_of_a_server_that_is_stopped_ends_in_time(
    start: Start, server: PostgresServer, own_forms: Path, backend: Backend
) -> None:
    daemon = start_with_timeout(start, server, own_forms, backend, "300ms")
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login-sql"})
        connection.call("field/change", LOGIN)
        with server.frozen():
            answer, _ = connection.exchange("action/tap", {"action": "login", "await": True})
            assert answer["result"]["event"]["kind"] == "failed", answer
        eventually(lambda: tapped(daemon)["kind"] == "succeeded", "an answer of the server that goes on")


@needs_postgresql
def test_a_query_of_a_server_that_is_stopped_delays_no_other_client(
    start: Start, server: PostgresServer, own_forms: Path, backend: Backend
) -> None:
    daemon = start_with_timeout(start, server, own_forms, backend, f"{10 * PATIENCE_SECONDS}s")
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login-sql"})
        connection.call("field/change", LOGIN)
        with server.frozen():
            connection.send(harness.request("tap", "action/tap", {"action": "login", "await": True}))
            # The query is under way.
            assert connection.read()["method"] == "session/update"
            with daemon.connect() as other:
                other.call("session/open", {"form": "feedback"})
                other.call("server/ping")
        # Only the server can have answered the query, and it was stopped until now.
        answer, _ = connection.read_until_answer("tap")
        assert answer["result"]["event"]["kind"] == "succeeded", answer


# A standby


@needs_postgresql
def test_a_standby_that_is_promoted_has_everything_that_was_acknowledged(
    start: Start, scratch: Path, backend: Backend
) -> None:
    folder = Path(tempfile.mkdtemp(dir=scratch))
    primary = PostgresServer(folder / "first")
    standby: Optional[PostgresServer] = None
    try:
        primary.start()
        primary.psql("CREATE DATABASE kept", "postgres")
        standby = PostgresServer(folder / "second", primary=primary)
        standby.start()
        primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'", "postgres")
        primary.psql("SELECT pg_reload_conf()", "postgres")
        replication = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        eventually(lambda: primary.psql(replication, "postgres").strip() == "1", "the standby that commits wait for")

        url = f"postgresql://formd@/kept?host={primary.folder},{standby.folder}&target_session_attrs=read-write"
        config = {**harness.configuration(backend), "store": {"postgres": {"url": url, "lease": "2s"}}}
        daemon = start(config)
        with daemon.connect() as connection:
            key, replica = open_kept(connection)
            acknowledged = connection.call("field/change", {"field": "email", "value": "kim@example.com"})
            assert acknowledged["revision"] == 1
            primary.crash()
            # The standby does not take writes yet.
            refused = connection.refused("field/change", {"field": "email", "value": "lost@example.com"})
            assert refused["code"] == 1011 and refused["data"]["reason"] == "store", refused
            daemon.line_with("store")
            standby.promote()

        def again() -> Any:
            with daemon.connect() as later:
                answer, _ = later.exchange("session/attach", {"key": key})
                return answer.get("result")

        attached = eventually(again, "the session on the promoted standby")
        assert attached["values"] in ({"email": "kim@example.com"}, {"email": "lost@example.com"})
        with daemon.connect() as later:
            attach(later, key)
            later.call("field/change", {"field": "email", "value": "lee@example.com"})
        assert daemon.end() == 0
    finally:
        for one in (standby, primary):
            if one is not None:
                one.end()
