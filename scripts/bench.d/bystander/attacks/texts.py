"""Long texts and many values."""

from __future__ import annotations

from ..attack import Target, asking, attack, form, http, request


def marks(pairs: int) -> str:
    """A run of combining marks that normalization must sort, 4 bytes a pair."""
    return "e" + "\u0301\u0323" * pairs


@attack("marks", "A run of combining marks, 256 KB, goes into a field of the login form that is normalized (NFC).")
def marks_into_field(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="login")
    client.call("field/change", field="email", value=marks(64_000))


@attack("marks-4m", "A run of combining marks, 4 MB, goes into a field of the login form that is normalized (NFC).")
def marks_4m(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="login")
    client.call("field/change", field="email", value=marks(target.share(1_000_000)))


@attack("marks-many", "Sixteen fields get runs of combining marks, 240 KB each, in one request.")
def marks_many(target: Target) -> None:
    client = target.connect()
    names = [f"f{number}" for number in range(16)]
    definition = form({name: {"type": "string"} for name in names}, fields={name: {"normalize": ["nfc"]} for name in names})
    client.call("session/open", definition=definition)
    client.call("field/change", values={name: marks(target.share(60_000)) for name in names})


@attack("marks-cel", "A formula normalizes a run of combining marks, 256 KB, with nfc().")
def marks_cel(target: Target) -> None:
    client = target.connect()
    definition = form({"text": {"type": "string", "maxLength": 200_000}}, outputs={"size": "size(nfc(values.text))"})
    client.call("session/open", definition=definition)
    client.call("field/change", field="text", value=marks(64_000))


@attack("nodes", "A value is an array of 1.3 million empty objects in 4 MB.", refusals=[-32600])
def nodes(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="login")
    head = b'{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"field":"email","value":['
    client.pump(head + b"{}," * 1_300_000 + b"{}]}}\n")


@attack(
    "nodes-body", "A service answers with an array of 300,000 empty objects in 0.9 MB.", forms={"nodes": asking(http("/nodes"))}
)
def nodes_body(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="nodes")
    client.pump(*(request(number, "action/tap", action="ask", await_=True) for number in range(8)))


@attack("locale", "Sessions are opened with a locale of 4 MB.", attackers=2, refusals=[-32602])
def locale(target: Target) -> None:
    client = target.connect()
    line = request(1, "session/open", form="login", locale="x" * 4_100_000)
    for _ in range(target.share(500)):
        client.pump(line)
    target.hold(client)


@attack(
    "ids", "Requests that wait have ids of 4 MB.", attackers=4, refusals=[-32600], forms={"hang": asking(http("/hang"))}
)
def ids(target: Target) -> None:
    client = target.connect()
    client.call("session/open", form="hang")
    for number in range(target.share(64)):
        client.send(request(f"{number}" + "x" * 4_000_000, "action/tap", action="ask", await_=True))
        client.call("server/ping")
    target.hold(client)


@attack("names", "Providers are registered under names of 4 MB.", attackers=4, refusals=[-32602])
def names(target: Target) -> None:
    client = target.connect()
    for number in range(target.share(64)):
        client.pump(request(number, "provider/register", name=f"{target.index}.{number}" + "x" * 4_000_000))
    target.hold(client)
