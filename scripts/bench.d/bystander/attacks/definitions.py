"""Definitions that are costly to compile."""

from __future__ import annotations

import json
import os
import time

from ..attack import JSON, Target, attack, form


def wide(count: int) -> JSON:
    """A definition with `count` fields, and as many outputs that read one field each."""
    return form({f"f{n}": {} for n in range(count)}, outputs={f"o{n}": f"values.f{n}" for n in range(count)})


def unknown_names(count: int) -> JSON:
    """A definition with `count` formulas that read missing fields."""
    return form({"known": {}}, outputs={f"o{n}": f"values.x{n}" for n in range(count)})


@attack("definitions", "Two connections send definitions of 2,000 fields and 2,000 outputs.", attackers=2)
def definitions(target: Target) -> None:
    target.connect().call("session/open", definition=wide(2_000))


@attack("unknown-names", "Two connections send definitions with 10,000 unknown names.", attackers=2, refusals=[-32602, 1011])
def unknown(target: Target) -> None:
    target.connect().call("session/open", definition=unknown_names(target.share(10_000)))


@attack(
    "kept-definitions", "Each of 16 connections keeps 16 definitions of 3,000 fields and 3,000 outputs.", attackers=4, refusals=[1011],
    peak_bytes_max=1 << 30,
)  # fmt: skip
def kept_definitions(target: Target) -> None:
    clients = [target.connect() for _ in range(target.share(4))]
    definition = wide(target.share(3_000))
    for client in clients:
        for _ in range(target.share(16)):
            client.call("session/open", definition=definition)
    target.hold(clients)


@attack("descriptions", "A client asks again and again for the description and the schema of a form in which 20 fields have 1,000 choices.")
def descriptions(target: Target) -> None:
    client = target.connect()
    choices = {"enum": [f"choice {n}" for n in range(1_000)]}
    definition = form({f"f{n}": {"$ref": "#/$defs/choices"} for n in range(20)})
    definition["schema"]["$defs"] = {"choices": choices}
    definition["fields"] = {f"f{n}": {"options": {"choice 1": f"The first of {n}"}} for n in range(20)}
    session = (client.call("session/open", definition=definition) or {}).get("session")
    for _ in range(target.share(5)):
        client.call("form/describe", session=session)
        client.call("form/schema", session=session)


@attack("mark-names", "Definitions have names with a run of 50,000 combining marks.", refusals=[-32602])
def mark_names(target: Target) -> None:
    client = target.connect()
    for _ in range(target.share(10)):
        client.call("session/open", definition=form({"e" + "\u0301\u0323" * 25_000: {}}))


@attack("reload", "The forms are reloaded again and again; each time, a form of 2,000 fields and 2,000 outputs has another name.")
def reload(target: Target) -> None:
    for old in target.forms.glob("wide-*.form.json"):
        old.unlink()
    read_anew_with(target, f"wide-{time.monotonic_ns()}", wide(2_000))


@attack("fifo", "A FIFO with the name of a form file is in the forms folder when the forms are reloaded.")
def fifo(target: Target) -> None:
    path = target.forms / "fifo.form.json"
    if not path.exists():
        os.mkfifo(path)
    read_anew_with(target, f"new-{len(os.listdir(target.forms))}", form({"x": {}}))


def read_anew_with(target: Target, name: str, definition: JSON) -> None:
    """Waits until the daemon has a new form."""
    (target.forms / f"{name}.form.json").write_text(json.dumps(definition), encoding="utf-8")
    target.reload()
    client = target.connect()
    while name not in (one["form"] for one in (client.call("form/list") or {"forms": []})["forms"]):
        time.sleep(0.02)
