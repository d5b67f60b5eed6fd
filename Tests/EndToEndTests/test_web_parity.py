"""What a browser's session says of a page, and what the back-end says of the post of the same page, over random inputs.

The controls are those of the example pages. `test_web_forms.py` shows that `client.js` and `formd.web` make the same
values of the same texts.
"""

from __future__ import annotations

import http.server
import json
import random
import re
import shutil
import threading
import urllib.parse
import zlib
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, ROOT, Backend, Daemon, configuration, formd
from formd import web
from formd.web.posted import Posted, name_of, pointer_of, tokens_of, value_of_text

JSON = Any
INPUTS = 1000
PAGES = {
    "signup": ("signUp", ROOT / "protocol/clients/web/examples/signup.html"),
    "booking": ("book", ROOT / "protocol/clients/web/examples/booking.html"),
    "invoice": ("send", ROOT / "protocol/clients/web/examples/invoice.html"),
    "account": ("signUp", ROOT / "protocol/clients/python/examples/flask_app.py"),
}
ANYTHING = ["", " ", "x", "  two  words ", "Kim", "é", "e\u0301", "닉네임", "1", "-1", "0.5", "1e3", "١", "true", "null", "\t9\u00a0",
            "a" * 300, "line\r\nline", "<b>&amp;", "2027-03-01", "x@y", "9" * 17, "\U0001f468\u200d\U0001f469"]  # fmt: skip
LIKELY = {
    "email": ["kim@example.com", " LEE@Example.com ", "new@example.com", "a@b", "no", "x@y.z", "t@t.t"],
    "password": ["correct horse 1", "short", "longenough", "longenough1", "Kim is my name 1"],
    "name": ["Kim", "Lee"], "country": ["KR", "US", "DE"], "street": ["Main St 1"], "city": ["Seoul"],
    "state": ["il", "CA", "ILL"], "postalCode": ["04524", "62701-1234", "6270"], "frequency": ["weekly", "monthly"],
    "title": ["A week in Seoul", "---", "Über uns"], "slug": ["a-week", "A-Week", "-", "my-spring", "other-week"],
    "arrival": ["2199-12-30", "2001-01-01", "2199-02-30"], "departure": ["2200-01-02", "2199-12-30", "2200-06-01"],
    "guests": ["2", "7", "2.5"], "born": ["1990-05-01", "2190-01-01"], "code": ["123 456", "12345", "519387"],
    "customer": ["Kim"], "sku": ["A-1", "B-2", "nope", " A-1 "], "description": ["Paper"], "quantity": ["1", "3", "0", "10000"],
    "unitPrice": ["9.5", "0.001", "-1", "99999"], "plan": ["free", "team"], "seats": ["2", "1", "many"],
}  # fmt: skip


class Service(http.server.BaseHTTPRequestHandler):
    """Answers each question in the same way each time: yes, no, or not at all."""

    protocol_version = "HTTP/1.1"
    # Head and body go together. Otherwise, the body waits 40 ms for the acknowledgement of the head (RFC 896).
    wbufsize = -1

    def _answer(self, status: int, body: JSON) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        number = zlib.crc32(self.path.encode()) % 5
        self._answer(500 if number == 0 else 200, {"available": number > 2, "message": "Somebody has that.", "instead": "other"})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(500, {})

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def daemon(scratch: Path, backend: Backend) -> Iterator[Daemon]:
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    config = configuration(backend)
    for one in config["services"].values():
        one["http"]["baseURL"] = f"http://127.0.0.1:{service.server_port}"
    forms = scratch / "parity-forms"
    shutil.copytree(EXAMPLES, forms, ignore=shutil.ignore_patterns("*.md", "formd.*"))
    shutil.copy(ROOT / "protocol/clients/python/examples/forms/account.form.json", forms)
    for path in forms.rglob("*.form.json"):
        # The time that a check waits for the user changes no result.
        path.write_text(path.read_text(encoding="utf-8").replace('"debounce": "300ms",', ""), encoding="utf-8")
    (scratch / "parity").mkdir()
    daemon = Daemon(scratch / "parity", config, forms)
    yield daemon
    daemon.end()
    service.shutdown()


def controls(form: str) -> list[tuple[str, str]]:
    """The names of the controls of a page, and their kinds."""
    text = PAGES[form][1].read_text(encoding="utf-8")
    if form == "account":
        return [("name", "input"), ("email", "input"), ("password", "input"), ("plan", "select"), ("seats", "input"), ("news", "checkbox")]
    found = re.findall(r'<(input|select|textarea)[^>]*? name="([^"]+)"([^>]*)', text)
    return [(name, "checkbox" if re.search(rf'type="checkbox" name="{re.escape(name)}"', text) else kind) for kind, name, _ in found]


class Page:
    """The controls of a page after a user has filled them in: their texts; None for a box that is not checked."""

    def __init__(self, form: str, chance: random.Random, fields: JSON) -> None:
        self.texts: dict[str, Optional[str]] = {}
        self.touched: set[str] = set()
        rows = chance.choice([0, 1, 1, 1, 2, 3]) if form == "invoice" else 0
        # Without some pages that are filled in well, all inputs would be wrong.
        is_good = chance.random() < 0.25
        for name, kind in controls(form):
            for row in range(rows) if "[]" in name else [None]:
                own = name.replace("[]", f"[{row}]")
                field = tokens_of(name)[-1]
                begins = "1" if field == "quantity" else ""
                if is_good and kind != "checkbox":
                    self.texts[own] = LIKELY[field][0].replace("@", f"{chance.randrange(100)}@")
                elif chance.random() < 0.1:
                    self.texts[own] = None if kind == "checkbox" else begins
                    continue
                elif kind == "checkbox":
                    self.texts[own] = "on"
                elif kind == "select" or field == "slug" or chance.random() < 0.9:
                    self.texts[own] = chance.choice(LIKELY[field] if chance.random() < 0.97 else [""])
                else:
                    self.texts[own] = chance.choice(ANYTHING)
                # A text that was typed and deleted again is not the same to both, as web.md says.
                if self.texts[own] or begins:
                    self.touched.add(own)
        self.rows = rows

    def post(self, action: str) -> list[tuple[str, str]]:
        return [*((name, text) for name, text in self.texts.items() if text is not None), ("action", action)]


def field_at(fields: JSON, name: str) -> JSON:
    field: JSON = {"fields": fields}
    for token in tokens_of(name):
        field = field["items"] if token.isdigit() else next(one for one in field["fields"] if one["name"] == token)
    return field


def errors_of(document: JSON) -> dict[str, str]:
    """The first error of each place, by the name of its control."""
    found: dict[str, str] = {}

    def walk(node: JSON, at: tuple[str, ...]) -> None:
        for error in node.get("errors", []):
            if error["severity"] == "error":
                found.setdefault(name_of((*at, *tokens_of(error.get("path", "")))), error["message"])
        for name, inner in node.get("fields", {}).items():
            walk(inner, (*at, name))
        for index, row in enumerate(node.get("order", [])):
            walk(node["rows"][row], (*at, str(index)))

    walk(document, ())
    return found


def shown(values: JSON, nodes: JSON) -> JSON:
    """The values without those of hidden fields."""
    told = {}
    for name, value in values.items():
        node = nodes.get(name, {})
        if not node.get("isVisible", True):
            continue
        if isinstance(value, dict):
            value = shown(value, node.get("fields", {}))
            if not value:
                continue
        elif "order" in node:
            value = [shown(one, node["rows"][row].get("fields", {})) for one, row in zip(value, node["order"])]
        told[name] = value
    return told


def in_a_browser(client: formd.Client, form: str, page: Page, fields: JSON, chance: random.Random) -> JSON:
    session = client.open(form, locale="en")
    for _ in range(page.rows):
        session.insert("items")
    names = list(page.touched)
    chance.shuffle(names)
    for name in names:
        text = page.texts[name]
        assert text is not None
        field = field_at(fields, name)
        value = True if text == "on" and field["type"] == "boolean" else value_of_text(text.replace("\r\n", "\n"), field)
        place = {"session": session.id, "field": pointer_of(tokens_of(name))}
        client.notify("field/change", {**place, "value": value})
        if chance.random() < 0.7:
            client.notify("field/blur", place)
    session.tap(PAGES[form][0], wait=True)
    session.wait_until(lambda one: not one.document["isPending"], timeout=PATIENCE_SECONDS)
    state = client.call("session/get", {"session": session.id})
    session.close()
    return state


@pytest.mark.parametrize("form", PAGES)
def test_a_browser_and_a_post_agree(form: str, daemon: Daemon) -> None:
    chance = random.Random(f"67 {form}")
    posting = web.Form(form, locale="en", socket=str(daemon.path))
    seen = {True: 0, False: 0}
    with formd.Client(str(daemon.path)) as client:
        fields = client.describe(form, "en")["fields"]
        secrets = {field["name"] for field in fields if field["isSecret"]}
        for number in range(INPUTS):
            page = Page(form, chance, fields)
            state = in_a_browser(client, form, page, fields, chance)
            result = posting.check(page.post(PAGES[form][0]))
            context = (number, page.texts, page.touched)
            errors = errors_of(state["document"])
            more = result.errors.keys() - errors.keys()
            # A tap that errors refuse does not start checks of fields in which the user never was, and a post does.
            assert more.isdisjoint(page.touched) and (not more or errors), context
            assert {name: text for name, text in result.errors.items() if name not in more} == errors, context
            assert result.is_valid == state["document"]["isValid"], context
            told = {name: value for name, value in result.values.items() if name not in secrets}
            assert told == shown(state["values"], state["document"]["fields"]), context
            seen[result.is_valid] += 1
    # Inputs of which all are wrong would show little.
    assert seen[True] >= 10 and seen[False] >= 100, seen
