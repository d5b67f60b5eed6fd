"""Work outside of the daemon that hangs or is large, and the log."""

from __future__ import annotations

from ..attack import Target, asking, attack, http, request, sql

LONG_QUERY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT max(i) FROM n"


@attack(
    "http-hang", "64 taps wait for a service that never answers; the bystander's taps use the same service.",
    bystander="http", forms={"hang": asking(http("/hang"))},
)  # fmt: skip
def http_hang(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="hang")
    client.pump(*(request(number, "action/tap", action="ask") for number in range(64)))
    target.hold(client)


@attack(
    "sql-long", "A query that never ends runs; the bystander's queries use the same database.",
    bystander="sql", forms={"long": asking(sql(LONG_QUERY))},
)  # fmt: skip
def sql_long(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="long")
    client.call("action/tap", action="ask")
    target.hold(client)


@attack(
    "sql-blob", "A query makes a text of 800 MB.",
    forms={"blob": asking(sql("SELECT hex(zeroblob(400000000)) AS text"))},
)  # fmt: skip
def sql_blob(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="blob")
    client.pump(request(1, "action/tap", action="ask", await_=True))


@attack(
    "log", "Effects fail and cause log lines, and no process reads the daemon's stderr.", is_log_read=False,
    forms={"nobody": asking({"provider": {"name": "nobody", "arguments": {}}})},
)  # fmt: skip
def log(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="nobody")
    for _ in range(target.share(1_000)):
        client.pump(*(request(number, "action/tap", action="ask", await_=True) for number in range(32)))
