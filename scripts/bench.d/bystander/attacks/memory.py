"""Attacks in which a client makes the daemon keep or queue data."""

from __future__ import annotations

from ..attack import JSON, Client, Target, asking, attack, form, http, request

NARROW = ["/isValid"]
"""A session with this `watch` gets no large updates."""

AT_A_LIMIT = [1011, 1012]

LARGE = asking(http("/large"), success="response.body")
"""A form whose action has a text of 900 KB as its result."""


def multiplying(outputs: int) -> JSON:
    """A definition that shows the text of a field many times."""
    return form(
        {"text": {"type": "string", "maxLength": 100_000}}, outputs={f"o{n}": f"values.text + '{n}'" for n in range(outputs)}
    )


@attack(
    "outputs", "Outputs show a text of 50 KB 300 times, in 16 sessions on each of 8 connections.", attackers=8, refusals=AT_A_LIMIT
)
def outputs(target: Target) -> None:
    client = target.connect()
    definition = multiplying(300)
    for _ in range(target.share(16)):
        if opened := client.call("session/open", definition=definition, watch=NARROW):
            client.call("field/change", session=opened["session"], field="text", value="x" * 50_000)
    target.hold(client)


@attack(
    "small-values", "Each of 1,000 fields gets a wrong value of 900 bytes, in 15 sessions on each of many connections.",
    attackers=4, refusals=AT_A_LIMIT, forms={"wide": form({f"f{n}": {"type": "string", "maxLength": 10} for n in range(1_000)})},
)  # fmt: skip
def small_values(target: Target) -> None:
    clients: list[Client] = []
    for _ in range(target.share(20)):
        clients.append(target.connect())
        for _ in range(15):
            if opened := clients[-1].call("session/open", form="wide", watch=NARROW):
                clients[-1].call("field/change", session=opened["session"], values={f"f{n}": "?" * 900 for n in range(1_000)})
    target.hold(clients)


@attack(
    "results", "An action's result of 900 KB stays in each of 1,000 sessions.", attackers=2, refusals=AT_A_LIMIT,
    forms={"large": LARGE},
)  # fmt: skip
def results(target: Target) -> None:
    client = target.connect()
    for number in range(target.share(500)):
        if opened := client.call("session/open", form="large", watch=NARROW):
            client.pump(request(number, "action/tap", session=opened["session"], action="ask", await_=True))
    target.hold(client)


@attack(
    "check-cache", "A check keeps 1,000 answers of 900 KB.", refusals=AT_A_LIMIT,
    forms={"cached": form({"text": {"type": "string", "maxLength": 20}}, checks=[{
        "id": "asked", "field": "text", "cache": 1_000, "outcomes": [{"valid": False, "messageExpression": "response.body"}],
        "run": {"http": {"service": "bench", "path": "/large", "query": {"text": "values.text"}}}}])},
)  # fmt: skip
def check_cache(target: Target) -> None:
    clients = [target.connect() for _ in range(8)]
    for client in clients:
        client.call("session/open", form="cached")
    for number in range(target.share(1_000)):
        for client in clients:
            client.call("field/change", field="text", value=f"{number}")
        for client in clients:
            pending_check_ended(client)
    target.hold(clients)


def pending_check_ended(client: Client) -> None:
    while b'"isPending":false' not in client.read():
        pass


@attack(
    "events", "Events with results of 900 KB wait for a client that reads nothing, in 250 sessions.", attackers=2,
    forms={"large": LARGE},
)  # fmt: skip
def events(target: Target) -> None:
    client = target.connect()
    sessions = [opened["session"] for _ in range(target.share(250)) if (opened := client.call("session/open", form="large"))]
    client.send(*(request(0, "action/tap", session=session, action="ask") for _ in range(4) for session in sessions))
    target.hold(client)


ECHO = form(
    {"text": {"type": "string", "maxLength": 100_000}},
    actions={"go": {"scope": "none", "outcomes": [{"success": "values.text"}]}},
)
"""A form whose action has the text as its result."""


@attack(
    "kept-events", "A client leaves 261 kept sessions, each with 255 events that share a result of 16 KB.",
    forms={"echo": ECHO}, refusals=AT_A_LIMIT,
)  # fmt: skip
def kept_events(target: Target) -> None:
    client = target.connect()
    for _ in range(target.share(261)):
        opened = client.call("session/open", form="echo", keep="1m", values={"text": "x" * 16_000}, watch=NARROW)
        if opened:
            client.pump(*(request(n, "action/tap", session=opened["session"], action="go") for n in range(255)))
    client.close()
    target.hold()


@attack(
    "kept-idle", "Kept sessions of 20 KB are left by their clients, more than have room in the memory.", attackers=4,
    forms={"echo": ECHO},
)  # fmt: skip
def kept_idle(target: Target) -> None:
    for _ in range(target.share(10)):
        client = target.connect()
        for _ in range(target.share(500)):
            client.call("session/open", form="echo", keep="2s", values={"text": "x" * 20_000}, watch=NARROW)
        client.close()


@attack(
    "questions", "Questions of 100 KB queue at a provider that reads nothing.", attackers=4, refusals=AT_A_LIMIT,
    forms={"ask": form({"text": {"type": "string", "maxLength": 200_000}}, actions={"ask": {
        "scope": "none", "flight": "merge", "outcomes": [{"success": "true"}],
        "run": {"provider": {"name": "slow", "arguments": {"text": "values.text"}}}}})},
)  # fmt: skip
def questions(target: Target) -> None:
    provider = target.connect()
    provider.call("provider/register", name="slow")
    client = target.connect()
    for _ in range(target.share(150)):
        if opened := client.call("session/open", form="ask", values={"text": "x" * 100_000}, watch=NARROW):
            client.pump(*(request(number, "action/tap", session=opened["session"], action="ask") for number in range(38)))
    target.hold(client, provider)


@attack("batch-get", "A batch of 50 session/get requests, 3 KB in all, asks for a session of 30 MB.")
def batch_get(target: Target) -> None:
    client = target.connect()
    fields = {f"f{n}": {"type": "string", "maxLength": 4_000_000} for n in range(4)}
    definition = multiplying(300)
    definition["schema"]["properties"] |= fields
    client.call("session/open", definition=definition, watch=NARROW)
    for name in fields:
        client.call("field/change", field=name, value="x" * 3_900_000)
    client.call("field/change", field="text", value="x" * 50_000)
    client.send(b"[" + b",".join(request(number, "session/get").strip() for number in range(target.share(50))) + b"]\n")
    client.skip()
