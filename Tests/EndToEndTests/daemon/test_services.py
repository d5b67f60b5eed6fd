"""HTTP services as the daemon reaches them: TLS, proxies, Unix sockets, HTTP/2, and answers that would be too much."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import json
import socket
import sqlite3
import ssl
import subprocess
import threading
import zlib
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest
import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

from harness import PATIENCE_SECONDS, Daemon, formd_binary, peak_kilobytes

Serve = Callable[..., Daemon]

FORM = {
    "form": "ask",
    "schema": {"type": "object", "properties": {"note": {"type": "string"}}},
    "actions": {
        "ask": {
            "timeout": "20s",
            "run": {"http": {"service": "asked", "method": "GET", "path": "/name"}},
            "outcomes": [
                {
                    "when": "response.kind == 'ok'",
                    "success": "{'status': response.status, 'body': response.body, 'headers': response.headers}",
                },
                {"failure": "response.kind"},
            ],
        }
    },
}
ANSWER = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{"name":"Kim"}'


class Server:
    """Serves each connection on a thread of its own, while it is entered."""

    def __init__(
        self, serve: Callable[[Any], None], context: Optional[ssl.SSLContext] = None, path: Optional[Path] = None
    ) -> None:
        self.connections = 0
        self._serve = serve
        self._context = context
        self._listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self._listener.bind(str(path) if path else ("127.0.0.1", 0))
        self._listener.listen()

    def __enter__(self) -> Server:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection: socket.socket) -> None:
        with connection:
            try:
                if self._context:
                    with self._context.wrap_socket(connection, server_side=True) as secured:
                        self._serve(secured)
                else:
                    self._serve(connection)
            except OSError:
                # The daemon refused the certificate, or has had enough of the answer.
                pass


def read_request(connection: Any) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        data = connection.recv(65536)
        if not data:
            raise OSError("the connection has ended")
        request += data
    return request


def answer(connection: Any) -> None:
    read_request(connection)
    connection.sendall(ANSWER)


def tunnel(connection: Any) -> None:
    """A proxy that connects to the named port of this machine."""
    port = int(read_request(connection).split(b" ")[1].rpartition(b":")[2])
    with socket.create_connection(("127.0.0.1", port)) as target:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        def copy(source: Any, sink: Any) -> None:
            try:
                while data := source.recv(65536):
                    sink.sendall(data)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass

        thread = threading.Thread(target=copy, args=(target, connection), daemon=True)
        thread.start()
        copy(connection, target)
        thread.join()


@pytest.fixture
def serve(start: Callable[..., Daemon], folder: Path) -> Serve:
    """Starts daemons for which the service `asked` is configured so."""
    forms = folder / "asking"
    forms.mkdir()

    def serve(service: dict[str, Any], timeout: str = "20s", **options: Any) -> Daemon:
        form = json.dumps(FORM).replace('"20s"', json.dumps(timeout))
        (forms / "ask.form.json").write_text(form, encoding="utf-8")
        return start({"services": {"asked": {"http": service}}}, forms=forms, **options)

    return serve


def outcome(daemon: Daemon) -> Any:
    """The event with which the request ends."""
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "ask"})
        return connection.call("action/tap", {"action": "ask", "await": True})["event"]


def ask(serve: Serve, service: dict[str, Any], **options: Any) -> Any:
    """The outcome of one request of a daemon of its own."""
    daemon = serve(service, **options)
    event = outcome(daemon)
    assert daemon.end() == 0
    return event


# TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def context(authority: trustme.CA, name: str = "localhost", **options: Any) -> ssl.SSLContext:
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name, **options).configure_cert(result)
    return result


@pytest.fixture
def ca_file(authority: trustme.CA, folder: Path) -> str:
    path = folder / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


def test_a_certificate_of_a_configured_authority_is_trusted(serve: Serve, authority: trustme.CA, ca_file: str) -> None:
    with Server(answer, context(authority)) as server:
        event = ask(serve, {"baseURL": f"https://localhost:{server.port}", "tls": {"caFile": ca_file}})
    assert event["result"]["body"] == {"name": "Kim"}


def expired(authority: trustme.CA) -> ssl.SSLContext:
    past = datetime.datetime(2020, 1, 1)
    return context(authority, not_before=past - datetime.timedelta(days=1), not_after=past)


@pytest.mark.parametrize(
    ("make", "is_trusted", "reason"),
    [
        (context, False, "the server's certificate is from an unknown authority"),
        (expired, True, "the server's certificate has expired"),
        (lambda authority: context(authority, "example.com"), True, "the server's certificate is for another host name"),
    ],
    ids=["unknown authority", "expired", "another name"],
)
@pytest.mark.parametrize("proxied", [False, True], ids=["direct", "by a proxy"])
def test_a_certificate_that_is_not_accepted_is_tls_and_the_log_says_why(
    serve: Serve,
    authority: trustme.CA,
    ca_file: str,
    make: Callable[[trustme.CA], ssl.SSLContext],
    is_trusted: bool,
    reason: str,
    proxied: bool,
) -> None:
    with Server(answer, make(authority)) as server, Server(tunnel) as proxy:
        service: dict[str, Any] = {"baseURL": f"https://localhost:{server.port}"}
        if is_trusted:
            service["tls"] = {"caFile": ca_file}
        if proxied:
            service["proxy"] = f"http://user:S3CRET@127.0.0.1:{proxy.port}"
        daemon = serve(service)
        assert outcome(daemon)["error"] == "tls"
        daemon.line_with(reason)
        assert daemon.end() == 0
        assert "S3CRET" not in daemon.output


def test_a_version_of_tls_below_the_least_is_not_accepted(serve: Serve, authority: trustme.CA, ca_file: str) -> None:
    old = context(authority)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with Server(answer, old) as server:
        service = {"baseURL": f"https://localhost:{server.port}", "tls": {"caFile": ca_file}}
        assert ask(serve, service)["result"]["body"] == {"name": "Kim"}
        service["tls"] = {"caFile": ca_file, "minimumVersion": "1.3"}
        assert ask(serve, service)["error"] == "tls"


def test_a_service_may_ask_for_a_certificate(serve: Serve, authority: trustme.CA, ca_file: str, folder: Path) -> None:
    asking = context(authority)
    asking.verify_mode = ssl.CERT_REQUIRED
    authority.configure_trust(asking)
    own = authority.issue_cert("daemon@example.com")
    own.private_key_pem.write_to_path(folder / "key.pem")
    own.cert_chain_pems[0].write_to_path(folder / "certificate.pem")
    with Server(answer, asking) as server:
        url = f"https://localhost:{server.port}"
        # TLS 1.3 tells of a missing certificate when the request has been sent, and so at times as a broken connection.
        assert ask(serve, {"baseURL": url, "tls": {"caFile": ca_file}})["error"] in ("tls", "error")
        # The files are named relative to the configuration's folder.
        tls = {"caFile": ca_file, "certificateFile": "certificate.pem", "keyFile": "key.pem"}
        assert ask(serve, {"baseURL": url, "tls": tls})["result"]["body"] == {"name": "Kim"}


@pytest.mark.parametrize(
    ("make", "authorities", "reason"),
    [
        (context, "other.pem", "the server's certificate is from an unknown authority"),
        (expired, "ca.pem", "the server's certificate has expired"),
        (lambda authority: context(authority, "example.com"), "ca.pem", 'does not match host name "localhost"'),
    ],
    ids=["unknown authority", "expired", "another name"],
)
def test_a_certificate_of_a_postgresql_server_that_is_not_accepted_is_told_with_the_reason(
    authority: trustme.CA,
    ca_file: str,
    folder: Path,
    make: Callable[[trustme.CA], ssl.SSLContext],
    authorities: str,
    reason: str,
) -> None:
    trustme.CA().cert_pem.write_to_path(folder / "other.pem")
    received = []

    def serve_postgresql(connection: Any) -> None:
        # The client asks for TLS, and the server agrees (PostgreSQL's documentation, "SSL Session Encryption").
        assert len(connection.recv(8)) == 8
        connection.sendall(b"S")
        with make(authority).wrap_socket(connection, server_side=True) as secured:
            received.append(secured.recv(65536))

    with Server(serve_postgresql) as server:
        url = f"postgresql://formd@localhost:{server.port}/shop?sslmode=verify-full&sslrootcert={folder / authorities}"
        config = {"databases": {"shop": {"postgres": {"url": url, "password": "S3CRET"}}}}
        (folder / "formd.json").write_text(json.dumps(config), encoding="utf-8")
        check = [str(formd_binary()), "check-config", "--connect", str(folder / "formd.json")]
        output = subprocess.run(check, capture_output=True, text=True).stdout
    told = next(line for line in output.splitlines() if line.startswith("database shop: "))
    assert reason in told and "S3CRET" not in output
    assert not any(received), "something was sent to a server that is not trusted"


# HTTP/2


def serve_http2(connection: Any) -> None:
    assert connection.selected_alpn_protocol() == "h2"
    state = H2Connection(H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    while data := connection.recv(65536):
        for event in state.receive_data(data):
            if isinstance(event, RequestReceived):
                state.send_headers(event.stream_id, [(":status", "200"), ("content-type", "application/json")])
                state.send_data(event.stream_id, b'{"protocol":"h2"}', end_stream=True)
        connection.sendall(state.data_to_send())


def test_http_2_is_spoken_where_the_server_has_it(serve: Serve, authority: trustme.CA, ca_file: str) -> None:
    both = context(authority)
    both.set_alpn_protocols(["h2", "http/1.1"])
    with Server(serve_http2, both) as server:
        service = {"baseURL": f"https://localhost:{server.port}", "tls": {"caFile": ca_file}}
        daemon = serve(service)
        for _ in range(3):
            assert outcome(daemon)["result"]["body"] == {"protocol": "h2"}
        assert server.connections == 1
        assert daemon.end() == 0


# Proxies and sockets


def test_variables_for_proxies_count_only_if_the_configuration_says_so(serve: Serve) -> None:
    asked: list[bytes] = []

    def forward(connection: Any) -> None:
        asked.append(read_request(connection))
        connection.sendall(ANSWER.replace(b"Kim", b"Lee"))

    with Server(answer) as server, Server(forward) as proxy:
        url = f"http://127.0.0.1:{server.port}"
        environment = {"http_proxy": f"http://127.0.0.1:{proxy.port}", "no_proxy": ""}
        assert ask(serve, {"baseURL": url}, environment=environment)["result"]["body"] == {"name": "Kim"}
        assert not asked
        event = ask(serve, {"baseURL": url, "proxy": "environment"}, environment=environment)
        assert event["result"]["body"] == {"name": "Lee"}
        assert asked[0].startswith(f"GET {url}/name HTTP/1.1\r\n".encode())
        excepted = {**environment, "no_proxy": "127.0.0.1"}
        event = ask(serve, {"baseURL": url, "proxy": "environment"}, environment=excepted)
        assert event["result"]["body"] == {"name": "Kim"}
        event = ask(serve, {"baseURL": url, "proxy": f"http://127.0.0.1:{proxy.port}"}, environment=excepted)
        assert event["result"]["body"] == {"name": "Lee"}


def test_the_password_of_a_proxy_is_in_no_log(serve: Serve) -> None:
    environment = {"https_proxy": "foo://user:S3CRET@127.0.0.1:1", "http_proxy": "http://user:S3CRET@127.0.0.1:1"}
    for url in ("https://asked.invalid", "http://asked.invalid"):
        daemon = serve({"baseURL": url, "proxy": "environment"}, environment=environment)
        assert outcome(daemon)["error"] in ("refused", "error")
        assert daemon.end() == 0
        assert "S3CRET" not in daemon.output


def test_a_service_on_a_unix_socket(serve: Serve, folder: Path) -> None:
    with Server(answer, path=folder / "asked.sock"):
        # The socket is named relative to the configuration's folder.
        event = ask(serve, {"baseURL": "http://asked.example/api", "socket": "asked.sock"})
    assert event["result"]["body"] == {"name": "Kim"}


def test_a_socket_where_nobody_listens_is_refused(serve: Serve) -> None:
    assert ask(serve, {"baseURL": "http://asked.example", "socket": "nobody.sock"})["error"] == "refused"


# Answers


def test_a_compressed_body_is_read_as_what_it_unpacks_to(serve: Serve) -> None:
    body = gzip.compress(b'{"name":"Kim"}')

    def compressed(connection: Any) -> None:
        assert b"gzip" in read_request(connection).lower()
        types = "content-type: application/json\r\ncontent-encoding: gzip\r\n"
        head = f"HTTP/1.1 200 OK\r\n{types}content-length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)

    with Server(compressed) as server:
        assert ask(serve, {"baseURL": f"http://127.0.0.1:{server.port}"})["result"]["body"] == {"name": "Kim"}


@pytest.mark.parametrize("values, error", [(99_000, None), (101_000, "tooLarge")])
def test_json_of_too_many_values_is_too_large_though_it_is_valid(serve: Serve, values: int, error: str | None) -> None:
    body = ("[" + ",".join(["0"] * values) + "]").encode()

    def many(connection: Any) -> None:
        read_request(connection)
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)

    with Server(many) as server:
        assert ask(serve, {"baseURL": f"http://127.0.0.1:{server.port}"}).get("error") == error


def test_a_body_that_unpacks_to_a_gigabyte_is_too_large_and_costs_no_memory(serve: Serve) -> None:
    packing = zlib.compressobj(level=1, wbits=31)
    megabyte = bytes(1 << 20)
    body = b"".join(packing.compress(megabyte) for _ in range(1024)) + packing.flush()

    def bomb(connection: Any) -> None:
        read_request(connection)
        head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)

    with Server(bomb) as server:
        daemon = serve({"baseURL": f"http://127.0.0.1:{server.port}"})
        before = peak_kilobytes(daemon)
        assert outcome(daemon)["error"] == "tooLarge"
        assert peak_kilobytes(daemon) - before < 16 << 10
        assert daemon.end() == 0


def chained() -> bytes:
    """Empty blocks of deflate, packed twice: gigabytes between the codings, and not one byte at their end."""
    inner, outer = zlib.compressobj(level=9, wbits=31), zlib.compressobj(level=9, wbits=31)
    empty = b"\0\0\0\xff\xff" * (1 << 18)
    blocks = b"".join(outer.compress(inner.compress(empty)) for _ in range(64))
    return blocks + outer.compress(inner.flush()) + outer.flush()


@pytest.mark.parametrize(
    "head",
    [
        "content-encoding: gzip, gzip, gzip", "content-encoding: gzip\r\ncontent-encoding: gzip", "content-encoding: zstd",
        "content-encoding: br", "transfer-encoding: gzip, chunked", "content-encoding: utf-8",
    ],
)  # fmt: skip
def test_a_body_with_other_codings_is_not_unpacked_and_delays_no_other_request(serve: Serve, head: str) -> None:
    body = chained()

    def packed(connection: Any) -> None:
        read_request(connection)
        connection.sendall(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body)

    with Server(packed) as server:
        daemon = serve({"baseURL": f"http://127.0.0.1:{server.port}"})
        before = peak_kilobytes(daemon)
        for _ in range(3):
            assert outcome(daemon)["error"] == "badBody"
        assert peak_kilobytes(daemon) - before < 16 << 10
        assert daemon.end() == 0


@pytest.mark.parametrize("status", ["000", "001", "099", "101"])
def test_a_status_that_ends_no_request_is_an_error(serve: Serve, status: str) -> None:
    def odd(connection: Any) -> None:
        read_request(connection)
        connection.sendall(f"HTTP/1.1 {status} \r\ncontent-length: 0\r\n\r\n".encode())

    with Server(odd) as server:
        daemon = serve({"baseURL": f"http://127.0.0.1:{server.port}"})
        for _ in range(2):
            assert outcome(daemon)["error"] == "error"
        assert daemon.end() == 0


def test_a_redirect_is_an_answer(serve: Serve) -> None:
    def elsewhere(connection: Any) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n")

    with Server(elsewhere) as server:
        result = ask(serve, {"baseURL": f"http://127.0.0.1:{server.port}"})["result"]
    assert (result["status"], result["headers"]["location"]) == (302, "http://127.0.0.1:1/")
    assert server.connections == 1


def test_an_answer_that_no_request_asked_for_is_not_the_answer_to_the_next(serve: Serve) -> None:
    """As proxies do: a 408 on an idle connection, which is then closed."""
    idle = threading.Event()

    def late(connection: Any) -> None:
        answer(connection)
        connection.sendall(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n")
        idle.set()
        read_request(connection)
        connection.sendall(ANSWER.replace(b"Kim", b"Lee"))

    with Server(late) as server:
        daemon = serve({"baseURL": f"http://127.0.0.1:{server.port}"})
        for _ in range(3):
            assert outcome(daemon)["result"]["body"] == {"name": "Kim"}
            assert idle.wait(PATIENCE_SECONDS)
            idle.clear()
        assert server.connections == 3
        assert daemon.end() == 0


def test_a_connection_that_has_stopped_answering_is_not_used_again(
    serve: Serve, authority: trustme.CA, ca_file: str
) -> None:
    both = context(authority)
    both.set_alpn_protocols(["h2"])
    silent = True

    def once_silent(connection: Any) -> None:
        nonlocal silent
        if silent:
            silent = False
            while connection.recv(65536):
                pass
        else:
            serve_http2(connection)

    with Server(once_silent, both) as server:
        service = {"baseURL": f"https://localhost:{server.port}", "tls": {"caFile": ca_file}}
        daemon = serve(service, timeout="300ms")
        assert outcome(daemon)["error"] == "timeout"
        assert outcome(daemon)["result"]["body"] == {"protocol": "h2"}
        assert daemon.end() == 0


# A service that does not answer


def test_a_service_that_does_not_answer_is_passed_over_and_operators_see_it(serve: Serve) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        daemon = serve({"baseURL": url, "breaker": {"failures": 2, "pause": "1h"}})
        assert [outcome(daemon)["error"] for _ in range(3)] == ["refused"] * 3
        daemon.line_with("the service has failed too often; it is asked again in 3600 s")
        with daemon.connect() as connection:
            assert connection.call("server/stats")["servicesPassedOver"] == 1
        assert daemon.end() == 0


# The configuration


def test_check_config_connects_when_it_is_asked_to(authority: trustme.CA, ca_file: str, folder: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        database.execute("create table product (sku text)")
    with socket.socket() as closed, Server(answer) as plain, Server(answer, context(authority)) as secured:
        closed.bind(("127.0.0.1", 0))
        plain_url, secured_url = f"http://127.0.0.1:{plain.port}/api", f"https://localhost:{secured.port}"
        services = {
            "closed": {"http": {"baseURL": f"http://127.0.0.1:{closed.getsockname()[1]}"}},
            "fake": {"mock": []},
            "plain": {"http": {"baseURL": plain_url}},
            "secured": {"http": {"baseURL": secured_url, "tls": {"caFile": ca_file}}},
            "unknown": {"http": {"baseURL": secured_url}},
        }
        databases = {"missing": {"sqlite": {"path": "none.sqlite"}}, "shop": {"sqlite": {"path": "shop.sqlite"}}}
        config = folder / "formd.json"
        config.write_text(json.dumps({"services": services, "databases": databases}), encoding="utf-8")
        check = [str(formd_binary()), "check-config", str(config)]
        assert subprocess.run(check, capture_output=True).returncode == 0 and plain.connections == 0
        run = subprocess.run([*check, "--connect"], capture_output=True, text=True)
    lines = run.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [
        "service closed", "service fake", "service plain", "service secured", "service unknown", "database missing",
        "database shop",
    ]  # fmt: skip
    assert lines[0].startswith(f"service closed: no connection to {services['closed']['http']['baseURL']}: "), lines[0]
    assert lines[2] == f"service plain: connected to {plain_url}"
    assert lines[3] == f"service secured: connected to {secured_url}"
    assert "unknown authority" in lines[4] and "none.sqlite" in lines[5]
    assert lines[6:] == ["database shop: connected", "0 forms, 3 problems, 0 warnings"]
    assert run.returncode == 1


@pytest.mark.parametrize(
    ("service", "told"),
    [
        ({"tls": {"caFile": "missing.pem"}}, "/services/asked/http/tls/caFile"),
        ({"tls": {"keyFile": "missing.pem"}}, "certificateFile"),
        ({"socket": "x" * 200}, "at most 107 bytes"),
        ({"proxy": "proxy.example.com"}, "/services/asked/http/proxy"),
        ({"proxy": "http://user:S3CRET@proxy.invalid:99999"}, "not the URL of a proxy"),
        ({"proxy": "http://proxy.example.com", "socket": "/run/x.sock"}, "not both"),
        ({"baseURL": "http://asked.example", "tls": {"caFile": "/etc/hosts"}}, "certificates are for https"),
        ({"prxy": "environment"}, "proxy"),
    ],
)
def test_what_is_wrong_with_a_service_is_told_at_the_start(serve: Serve, service: dict[str, Any], told: str) -> None:
    daemon = serve({"baseURL": "https://asked.example", **service}, wait=False)
    assert daemon.wait() == 2
    assert told in daemon.output and "S3CRET" not in daemon.output
