"""Work of many clients."""

from __future__ import annotations

import json

from ..attack import Target, attack, form, request

def busy_formula() -> str:
    """A formula over the field `number` that costs some milliseconds."""
    many, few = json.dumps(list(range(60))), json.dumps(list(range(10)))
    return f"{many}.all(x, {many}.all(y, {few}.all(z, x * y * z + values.number >= 0)))"


BUSY = form(
    {"text": {"type": "string", "maxLength": 200_000}, "number": {"type": "integer"}},
    outputs={f"is{number}": busy_formula() for number in range(3)},
)


@attack(
    "busy-clients", "64 clients send texts of 80 KB, each with a turn of about 14 ms.", attackers=4, forms={"busy": BUSY}
)
def busy_clients(target: Target) -> None:
    send_texts(target, 80_000)


@attack(
    "busy-readers", "64 clients send texts of 150 KB, which another thread parses, each with a turn of about 14 ms.",
    attackers=4, forms={"busy": BUSY},
)  # fmt: skip
def busy_readers(target: Target) -> None:
    send_texts(target, 150_000)


def send_texts(target: Target, length: int) -> None:
    """Each client sends three texts, and reads the answers after that."""
    clients = [target.connect() for _ in range(target.share(16))]
    for client in clients:
        client.call("session/open", form="busy", watch=["/isValid"])
    for number in range(3):
        for client in clients:
            values = {"text": f"{number}" * length, "number": number}
            client.send(request(number + 100, "field/change", values=values))
    for _ in range(3):
        for client in clients:
            while b'"method":' in client.read()[:80]:
                pass
