"""What a browser's session says of a page, and what the back-end says of the post of the same page, over random inputs
for every example form.

The controls are those of the example pages, and for the other forms those of the page that `formd.web` draws.
`test_web_forms.py` shows that `client.js` and `formd.web` make the same values of the same texts.
"""

from __future__ import annotations

import http.server
import json
import random
import re
import shutil
import threading
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Union

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, ROOT, Backend, Daemon, configuration, formd
from formd import web
from formd.web.posted import name_of, pointer_of, tokens_of, value_of_text

JSON = Any
INPUTS = 1000
OWN_PAGES = ROOT / "protocol/clients/web/examples"
FORMS = ["account", *sorted(path.parent.name for path in EXAMPLES.glob("*/*.form.*"))]
CONTEXTS: dict[str, list[JSON]] = {"approval": [{"role": "clerk", "limit": 20}, {"role": "manager"}]}
# One field resets others there, so a user fills it in before them, as the page has them.
IN_ORDER = {"claim"}
# A check asks when the user leaves a field. In the other forms, users also press Enter in a field.
ASKS_ON_LEAVING = {"approval"}
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
    "amount": ["30", "0.5", "-1", "1,250.75", "12.3.4"], "share": ["50 %", "0", "150"], "distance": ["1,000.5", "7", "far"],
    "from": ["2027-03-01", "3/1/2027", "2027-02-30"], "day": ["2027-03-02", "3/2/27", "1999-01-01"], "what": ["Taxi", "  "],
    "project": ["a1", "B2", "c3", "none"], "reason": ["It rained."], "iban": ["CH93 0076 2011 6238 5295 7", "ch1", "no"],
    "currency": ["chf", "euro"], "phone": ["+41 44 123 45 67", "044"], "month": ["2027-01", "January"],
    "holder": ["Kim"], "number": ["4111 1111 1111 1111", "4111 1111 1111 1112", "12"], "expiry": ["08/29", "13/29"],
    "cvc": ["123", "12"], "nickname": ["닉네임 여덟 글자", "닉네임", "eight123"], "message": ["It works."], "term": ["map"],
    "page": ["2", "0", "1.5"], "tabSize": ["4", "0"], "rulers": ["80", "100", "0"], "width": ["800", "50"], "height": ["600", "x"],
    "to.street": ["Main St 2", "Main St 1"], "kilograms": ["2", "12", "31"], "worth": ["400", "0"],
}  # fmt: skip


CITIES = [{"value": "Seoul", "label": "Seoul"}, {"value": "Bonn", "label": "Bonn"}]


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
        self._answer(500 if number == 0 else 200, {"available": number > 2, "message": "Somebody has that.", "instead": "other", "cities": CITIES})

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
        # The times that a form waits for the user and for services change no result.
        text = json.dumps(without_waits(json.loads(path.read_text(encoding="utf-8"))))
        path.write_text(text, encoding="utf-8")
    (scratch / "parity").mkdir()
    daemon = Daemon(scratch / "parity", config, forms)
    with formd.Client(str(daemon.path)) as provider:
        provider.provider("projects", lambda arguments: arguments["project"] in ("A1", "B2"))
        for name in ("expenses", "members"):
            provider.provider(name, lambda _: True)
        yield daemon
    daemon.end()
    service.shutdown()


def without_waits(node: JSON) -> JSON:
    if isinstance(node, list):
        return [without_waits(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {name: without_waits(one) for name, one in node.items() if name not in ("debounce", "throttle", "retry")}


class Control(NamedTuple):
    kind: str
    """`input`, `select`, `checkbox` (one box) or `checkboxes` (of a list)."""
    choices: list[str]


class Controls(HTMLParser):
    """The controls of a page, by their names. Those of rows have the names of the template: `items[].sku`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, Control] = {}
        self._name = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        has = dict(attrs)
        name = has.get("name") or ""
        if tag == "option":
            self.found[self._name].choices.append(has.get("value") or "")
        elif tag in ("input", "select", "textarea") and not re.search(r"\[\d", name):
            self._name = name
            kind = "select" if tag == "select" or has.get("type") == "radio" else "input"
            if has.get("type") == "checkbox":
                kind = "checkboxes" if "value" in has else "checkbox"
            control = self.found.setdefault(name, Control(kind, []))
            if has.get("type") in ("checkbox", "radio"):
                control.choices.append(has.get("value") or "on")


def page_of(form: str, posting: web.Form) -> str:
    own = OWN_PAGES / f"{form}.html"
    return own.read_text(encoding="utf-8") if own.exists() else posting.render()


class Page:
    """The controls of a page after a user has filled them in: their texts; for boxes, those that are checked."""

    def __init__(self, controls: dict[str, Control], chance: random.Random, fields: JSON) -> None:
        self.texts: dict[str, Union[str, list[str]]] = {}
        self.touched: set[str] = set()
        lists = sorted({name.partition("[]")[0] for name in controls if "[]" in name})
        self.rows = {name: chance.choice([0, 1, 1, 1, 2, 3]) for name in lists}
        # Without some pages that are filled in well, all inputs would be wrong.
        is_good = chance.random() < 0.25
        for name, control in controls.items():
            for row in range(self.rows[name.partition("[]")[0]]) if "[]" in name else [None]:
                own = name.replace("[]", f"[{row}]")
                begins = beginning(field_at(fields, own), control)
                is_left = chance.random() < 0.1 and not is_good
                self.texts[own] = begins if is_left else entered(name, control, field_at(fields, own), chance, is_good)
                # A text that was typed and deleted again is not the same to both, as web.md says.
                if self.texts[own] != begins:
                    self.touched.add(own)

    def post(self, action: str) -> list[tuple[str, str]]:
        lists = {name: [texts] if isinstance(texts, str) else texts for name, texts in self.texts.items()}
        return [*((name, text) for name, texts in lists.items() for text in texts), ("action", action)]

    def value(self, name: str, field: JSON) -> JSON:
        """What `client.js` tells of a control."""
        texts = self.texts[name]
        if isinstance(texts, str):
            return value_of_text(texts.replace("\r\n", "\n"), field)
        return [value_of_text(text, field["items"]) for text in texts] if field["type"] == "array" else bool(texts)


def beginning(field: JSON, control: Control) -> Union[str, list[str]]:
    initial = field.get("initialText", field.get("initial"))
    if control.kind.startswith("checkbox"):
        return [text for text in control.choices if initial is True or (isinstance(initial, list) and text in initial)]
    return "" if initial is None else str(initial)


def entered(
    name: str, control: Control, described: JSON, chance: random.Random, is_good: bool
) -> Union[str, list[str]]:
    known = LIKELY.get(name) or LIKELY.get(tokens_of(name)[-1])
    likely = known or ["Kim", "x"]
    if control.kind == "checkboxes":
        return [text for text in control.choices if chance.random() < 0.5]
    if control.kind == "checkbox":
        return chance.choice([["on"], []])
    if control.kind == "select":
        choices = [text for text in control.choices if text and (not is_good or known is None or text == known[0])]
        return chance.choice(choices)
    if is_good:
        # Elements of a list may have to differ.
        return str(chance.randrange(1, 1000)) if name.endswith("[]") else likely[0].replace("@", f"{chance.randrange(100)}@")
    # A text of spaces is no value in a post, so a suggestion replaces it there.
    return chance.choice(likely if chance.random() < 0.9 or described.get("suggested") else ANYTHING)


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


def shown(values: JSON, nodes: JSON, computed: Optional[set[str]]) -> JSON:
    """The values without those of hidden fields. If blank rows are ignored, `computed` are their fields with values."""
    told = {}
    for name, value in values.items():
        node = nodes.get(name, {})
        if not node.get("isVisible", True):
            continue
        if isinstance(value, dict):
            value = shown(value, node.get("fields", {}), computed)
            if not value:
                continue
        elif "order" in node:
            rows = [(one, node["rows"][row]) for one, row in zip(value, node["order"])]
            value = [
                shown(one, row["fields"], computed) if "fields" in row else one
                for one, row in rows
                if row.get("isVisible", True)
            ]
            value = [one for one in value if computed is None or one.keys() - computed]
        told[name] = value
    return told


def without_secrets(values: JSON, fields: JSON) -> JSON:
    """The values that a session tells, too. An object of secrets alone is none there."""
    told = {}
    for field in fields:
        value = values.get(field["name"])
        if field["name"] not in values or field["isSecret"]:
            continue
        if isinstance(value, dict) and field.get("fields"):
            value = without_secrets(value, field["fields"])
            if not value:
                continue
        told[field["name"]] = value
    return {**{name: value for name, value in values.items() if name not in {field["name"] for field in fields}}, **told}


def in_a_browser(
    client: formd.Client,
    form: str,
    context: JSON,
    page: Page,
    action: Optional[str],
    fields: JSON,
    chance: random.Random,
) -> JSON:
    session = client.open(form, locale="en", context=context)
    for name, count in page.rows.items():
        for _ in range(count):
            client.notify("field/insert", {"session": session.id, "field": pointer_of(tokens_of(name))})
    names = [name for name in page.texts if name in page.touched]
    if form not in IN_ORDER:
        chance.shuffle(names)
    for name in names:
        place = {"session": session.id, "field": pointer_of(tokens_of(name))}
        client.notify("field/change", {**place, "value": page.value(name, field_at(fields, name))})
        if form in ASKS_ON_LEAVING or chance.random() < 0.7:
            client.notify("field/blur", place)
    if action:
        session.tap(action, wait=True)
    client.ping()
    session.wait_until(
        lambda one: not one.document["isPending"] and not any(lookup["isLoading"] for lookup in one.document.get("lookups", {}).values()),
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    state = client.call("session/get", {"session": session.id})
    session.close()
    return state


@pytest.mark.parametrize("form", FORMS)
def test_a_browser_and_a_post_agree(form: str, daemon: Daemon) -> None:
    chance = random.Random(f"67 {form}")
    posting = web.Form(form, locale="en", socket=str(daemon.path))
    seen = {True: 0, False: 0}
    with formd.Client(str(daemon.path)) as client:
        description = client.describe(form, "en")
        fields = description["fields"]
        action = description["actions"][-1]["name"]
        controls = Controls(page_of(form, posting)).found
        lists = [field["items"]["fields"] for field in fields if field.get("ignoresBlankRows")]
        computed = {one["name"] for row in lists for one in row if one.get("computed")} if lists else None
        has_checks = any('"checks"' in path.read_text(encoding="utf-8") for path in EXAMPLES.glob(f"{form}/*.form.json"))
        for number in range(INPUTS):
            page = Page(controls, chance, fields)
            context = chance.choice(CONTEXTS.get(form, [None]))
            # Only checks wait for a tap, and an action costs time.
            state = in_a_browser(client, form, context, page, action if has_checks else None, fields, chance)
            result = posting.check(page.post(action), context=context)
            about = (number, page.texts, page.touched, context)
            errors = errors_of(state["document"])
            more = result.errors.keys() - errors.keys()
            # A tap that errors refuse does not start checks of fields in which the user never was, and a post does.
            assert more.isdisjoint(page.touched) and (not more or errors), about
            assert {name: text for name, text in result.errors.items() if name not in more} == errors, about
            assert result.is_valid == state["document"]["isValid"], about
            told = (state["values"], state["document"]["fields"])
            assert without_secrets(result.values, fields) == shown(*told, computed), about
            seen[result.is_valid] += 1
    # Inputs of which all are wrong would show little. A form without conditions takes every input.
    assert seen[True] >= 10 and (seen[False] >= 20 or form in ("join", "join-sql")), seen
