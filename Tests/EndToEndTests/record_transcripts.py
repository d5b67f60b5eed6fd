"""Writes protocol/transcripts: holds each conversation below with the built daemon and the real example backend.

    python3 Tests/EndToEndTests/record_transcripts.py [NAME ...]

The written messages carry the virtual times of the scenarios, not the machine's times. Timers of the forms run in real
time, so the scenarios keep well away from their edges.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional, Union

import harness
from harness import ROOT, Backend, Connection, Daemon, example_backend, request

FOLDER = ROOT / "protocol" / "transcripts"


class Say(NamedTuple):
    """At `at` the client sends a request; all messages up to its answer are recorded with the same moment."""

    at: int
    method: str
    params: dict[str, Any]


class Hear(NamedTuple):
    """At `at` one update arrives by itself: from a timer, or from an effect that answers with `response`."""

    at: int
    response: Optional[dict[str, Any]] = None
    action: str = ""
    run: int = 0
    check: str = ""
    lookup: str = ""


Steps = list[Union[Say, Hear]]


def answered(status: int, body: Any) -> dict[str, Any]:
    return {"kind": "ok", "status": status, "headers": {}, "body": body}


def provoked(status: int) -> dict[str, Any]:
    return answered(status, {"error": "provoked", "status": status})


def change(at: int, field: str, value: Any) -> Say:
    return Say(at, "field/change", {"field": field, "value": value})


def tap(at: int, action: str) -> Say:
    return Say(at, "action/tap", {"action": action})


def in_both_languages(story: Callable[[str], Steps]) -> Steps:
    """The story in Korean, and behind it, in a session of its own, in English. The form is described first."""
    steps: Steps = []
    for locale in ("ko", "en"):
        begin = steps[-1].at + 1500 if steps else 0
        told = story(locale)
        told.append(Say(told[-1].at + 100, "session/close", {}))
        steps += [step._replace(at=begin + step.at) for step in told]
    return steps


def opening(form: str, locale: str) -> Steps:
    return [
        Say(0, "form/describe", {"form": form, "locale": locale}),
        Say(0, "session/open", {"form": form, "locale": locale}),
    ]


GARBAGE = {"kind": "badBody", "status": 200, "headers": {}}


def login(locale: str) -> Steps:
    return [
        *opening("login", locale),
        change(50, "email", ""),
        Say(100, "field/focus", {"field": "email"}),
        change(200, "email", "kim"),
        Say(300, "field/blur", {"field": "email"}),
        change(400, "email", "kim@example.com"),
        change(500, "password", "hunter2"),
        tap(600, "login"),
        Hear(680, answered(200, {"name": "Kim"}), "login", 1),
        change(800, "email", "slow-300@example.com"),
        tap(900, "login"),
        tap(950, "login"),
        Hear(1280, answered(400, {"error": "wrongCredentials"}), "login", 2),
        change(1400, "email", "status-500@example.com"),
        tap(1500, "login"),
        Hear(1520, provoked(500), "login", 3),
        change(1600, "email", "garbage@example.com"),
        tap(1700, "login"),
        Hear(1720, GARBAGE, "login", 4),
        change(1800, "email", "text@example.com"),
        tap(1900, "login"),
        Hear(1920, answered(200, "It works.\n"), "login", 5),
        change(2000, "email", "status-404@example.com"),
        tap(2100, "login"),
        Hear(2120, provoked(404), "login", 6),
        change(2200, "email", "status-503@example.com"),
        tap(2300, "login"),
        Hear(2320, provoked(503), "login", 7),
        change(2400, "password", ""),
        tap(2500, "login"),
        Say(2600, "session/get", {}),
    ]


def join(locale: str) -> Steps:
    korean = locale == "ko"
    free = "사용할 수 있는 이메일입니다." if korean else "That address is free."
    taken = "이미 사용 중인 이메일입니다." if korean else "That address is taken."
    return [
        *opening("join", locale),
        change(50, "email", ""),
        change(100, "email", "new@example.com"),
        tap(200, "check"),
        Hear(220, answered(200, {"available": True, "message": free}), "check", 1),
        change(400, "email", "kim"),
        # The throttle lets one tap through at the end of the second, and swallows the others.
        tap(500, "check"),
        tap(600, "check"),
        change(700, "email", "kim@example.com"),
        Hear(1200),
        Hear(1220, answered(200, {"available": False, "message": taken}), "check", 2),
        change(2400, "email", "brief@example.com"),
        tap(2500, "check"),
        Hear(2520, answered(200, {"message": free}), "check", 3),
        change(3700, "email", "status-500@example.com"),
        tap(3800, "check"),
        Hear(3820, provoked(500), "check", 4),
        change(5000, "email", "status-404@example.com"),
        tap(5100, "check"),
        Hear(5120, provoked(404), "check", 5),
        change(6300, "email", "status-503@example.com"),
        tap(6400, "check"),
        Hear(6420, provoked(503), "check", 6),
        # Longer than the form allows: the tap passes anyway.
        change(7600, "email", "x" * 255),
        change(7650, "email", "other@example.com"),
        tap(7700, "check"),
        Hear(7720, answered(200, {"available": True, "message": free}), "check", 7),
    ]


def nickname(locale: str) -> Steps:
    return [
        *opening("nickname", locale),
        change(50, "nickname", ""),
        change(100, "nickname", "닉"),
        change(200, "nickname", "일곱글자입니다"),
        change(300, "nickname", "여덟글자입니다요"),
        tap(400, "next"),
        tap(500, "next"),
        change(600, "nickname", "👨‍👩‍👧‍👦" * 7),
        tap(700, "next"),
        change(800, "nickname", "👨‍👩‍👧‍👦" * 8),
        tap(900, "next"),
        change(1000, "nickname", "1234567"),
        change(1100, "nickname", "1234567 "),
        tap(1200, "next"),
    ]


APPS = {
    number: {"id": number, "name": name, "developer": developer, "description": description, "price": price}
    for number, (name, developer, description, price) in enumerate(example_backend().APPS, start=1)
}


def found(term: str, page: int, total: int, *numbers: int) -> dict[str, Any]:
    apps = [APPS[number] for number in numbers]
    return answered(200, {"term": term, "page": page, "total": total, "hasMore": page * 5 < total, "apps": apps})


def search(locale: str) -> Steps:
    return [
        *opening("search", locale),
        change(50, "term", ""),
        tap(100, "search"),
        Hear(130, found("", 1, 16, 1, 2, 3, 4, 5), "search", 1),
        change(200, "term", "notes"),
        tap(250, "search"),
        Hear(280, found("notes", 1, 7, 1, 2, 3, 4, 5), "search", 2),
        change(350, "page", 2),
        tap(400, "search"),
        Hear(430, found("notes", 2, 7, 6, 7), "search", 3),
        # The same page again adds nothing, and another term begins with its own first page.
        tap(500, "search"),
        Hear(530, found("notes", 2, 7, 6, 7), "search", 4),
        change(600, "term", "tea"),
        tap(650, "search"),
        Hear(680, found("tea", 1, 2, 3, 13), "search", 5),
        change(800, "term", "slow-400"),
        tap(900, "search"),
        change(1000, "term", "steep"),
        tap(1100, "search"),
        Hear(1130, found("steep", 1, 1, 13), "search", 7),
        change(1600, "term", "status-500"),
        tap(1700, "search"),
        Hear(1720, provoked(500), "search", 8),
        change(1800, "term", "status-404"),
        tap(1900, "search"),
        Hear(1920, provoked(404), "search", 9),
        change(2000, "term", "status-503"),
        tap(2100, "search"),
        Hear(2120, provoked(503), "search", 10),
        change(2200, "term", "zzz"),
        tap(2300, "search"),
        Hear(2320, found("zzz", 1, 0), "search", 11),
    ]


def feedback(locale: str) -> Steps:
    # Rows are numbered over both sessions.
    row = 1 if locale == "ko" else 3
    return [
        *opening("feedback", locale),
        change(20, "type", ""),
        change(30, "message", ""),
        change(40, "email", ""),
        Say(50, "field/focus", {"field": "message"}),
        change(200, "message", "좋"),
        change(210, "message", ""),
        Hear(300),
        change(500, "message", "좋아요"),
        Say(700, "field/blur", {"field": "message"}),
        Say(800, "field/focus", {"field": "email"}),
        change(900, "email", "kim@x.y"),
        Say(1100, "field/blur", {"field": "email"}),
        Say(1200, "field/focus", {"field": "email"}),
        change(1300, "email", "kim@example.com"),
        change(1500, "email", "kim@example.c0m"),
        change(1650, "email", "a.b@c"),
        Say(1700, "field/blur", {"field": "email"}),
        change(1850, "email", "@."),
        change(1990, "email", ""),
        change(2000, "type", "praise"),
        tap(2100, "send"),
        Hear(2120, answered(201, {"id": row}), "send", 1),
        tap(2200, "send"),
        Hear(2220, answered(201, {"id": row + 1}), "send", 2),
        change(2400, "message", "status-404"),
        tap(2600, "send"),
        Hear(2620, provoked(404), "send", 3),
        change(2800, "message", "status-503"),
        tap(3000, "send"),
        Hear(3020, provoked(503), "send", 4),
    ]


def signup(locale: str) -> Steps:
    korean = locale == "ko"
    free = "사용할 수 있는 이메일입니다." if korean else "That address is free."
    taken = "이미 사용 중인 이메일입니다." if korean else "That address is taken."
    email = f"first-{locale}@example.com"
    # Users are numbered over both sessions, behind those that the backend begins with.
    user = 4 if korean else 5

    def asked(at: int, available: bool) -> Hear:
        message = free if available else taken
        return Hear(at, answered(200, {"available": available, "message": message}), check="email.free")

    return [
        *opening("signup", locale),
        tap(50, "toProfile"),
        change(100, "email", "kim@example.com"),
        change(200, "password", "short"),
        change(300, "password", "long enough 1"),
        asked(420, False),
        tap(600, "toProfile"),
        change(700, "email", email),
        # Held until the check has asked and has its answer.
        tap(800, "toProfile"),
        asked(1020, True),
        Say(1200, "step/show", {"step": "profile"}),
        change(1300, "country", "US"),
        tap(1400, "toNewsletter"),
        Say(1500, "field/change", {"values": {"name": "Kim", "/address/street": "Main St 1", "/address/city": "New York"}}),
        Say(1600, "field/change", {"values": {"/address/state": "ny", "/address/postalCode": "10001-1234"}}),
        tap(1700, "toNewsletter"),
        Say(1800, "step/show", {"step": "newsletter"}),
        change(1900, "/newsletter/isWanted", True),
        Say(2000, "step/show", {"step": "account"}),
        change(2100, "password", "short 1"),
        tap(2200, "signUp"),
        Say(2300, "field/change", {"values": {"password": "long enough 1", "/newsletter/frequency": "monthly"}}),
        Say(2350, "step/show", {"step": "nowhere"}),
        tap(2400, "signUp"),
        Hear(2500, answered(201, {"id": user}), "signUp", 1),
        tap(2700, "signUp"),
        Hear(2800, answered(409, {"error": "taken"}), "signUp", 2),
        Say(2900, "session/get", {}),
    ]


def invoice(locale: str) -> Steps:
    # Invoices are numbered over both sessions.
    number = 1 if locale == "ko" else 3

    def asked(at: int, *rows: Any) -> Hear:
        return Hear(at, {"kind": "ok", "rows": list(rows)}, check="sku.known")

    def insert(when: int, **params: Any) -> Say:
        return Say(when, "field/insert", {"field": "items", **params})

    def move(at: int, row: str, to: Any) -> Say:
        return Say(at, "field/move", {"field": row, "to": to})

    known = {"1": 1}
    return [
        *opening("invoice", locale),
        tap(50, "send"),
        change(100, "customer", "Kim"),
        insert(200, value={"sku": "A-1", "unitPrice": 12.5}),
        insert(300),
        change(400, "/items/#2/sku", "A-3"),
        asked(720, known),
        Say(800, "field/change", {"values": {"/items/#2/quantity": 7, "/items/#2/unitPrice": 20000}}),
        move(900, "/items/#2", 0),
        change(1000, "/items/0/unitPrice", 0.1),
        # The same article as an earlier row: the later row is the duplicate.
        insert(1100, at="#2", values=[{"sku": "A-3"}, {}]),
        Say(1200, "field/remove", {"field": "/items/0"}),
        Say(1250, "field/remove", {"field": "/items/#4"}),
        change(1300, "/items/#1/sku", "A-9"),
        Say(1400, "field/blur", {"field": "/items/#1/sku"}),
        asked(1620),
        change(1700, "/items/#1/sku", "A-1"),
        asked(2020, known),
        tap(2100, "send"),
        Hear(2120, answered(422, {"errors": {"items.0.quantity": "Only 3 are left."}}), "send", 1),
        # The row keeps its messages when it moves.
        move(2200, "/items/#2", 1),
        change(2300, "/items/#2/quantity", 3),
        tap(2400, "send"),
        Hear(2420, answered(201, {"id": number}), "send", 2),
        # The rows come whole: the one whose article is known stays who it is.
        change(2500, "items", [{"sku": "B-1", "quantity": 1, "unitPrice": 2}, {"sku": "A-1", "quantity": 2, "unitPrice": 3}]),
        Say(2600, "field/change", {"field": "/items/#2/quantity", "value": 1}),
        # The new row's article was not looked up yet: the tap asks, and is held until the answer is there.
        tap(2700, "send"),
        asked(3020, known),
        Hear(3040, answered(201, {"id": number + 1}), "send", 3),
        Say(3200, "field/fail", {"field": "/items/1/unitPrice", "message": "Ask the manager."}),
        Say(3300, "session/reset", {}),
        Say(3400, "session/get", {}),
    ]


def payment(locale: str) -> Steps:
    declined = "카드가 거절되었습니다." if locale == "ko" else "The card was declined."
    unknown = "없는 계좌입니다." if locale == "ko" else "There is no such account."
    # Payments are numbered over both sessions.
    number = 1 if locale == "ko" else 3

    def fill(at: int, **members: Any) -> Say:
        return Say(at, "field/change", {"values": {f"/method/{name}": value for name, value in members.items()}})

    return [
        *opening("payment", locale),
        tap(50, "pay"),
        change(100, "amount", 25),
        # From here on what is missing is missing at the card's own fields.
        change(200, "/method/kind", "card"),
        tap(300, "pay"),
        fill(400, holder="Kim", number="4242 4242 4242 4241", expiry="13/29", cvc="12"),
        fill(500, number="4000 0000 0000 0002", expiry="08/29", cvc="123"),
        tap(600, "pay"),
        Hear(620, answered(422, {"errors": {"method.number": declined}}), "pay", 1),
        change(700, "/method/number", "4242 4242 4242 4242"),
        tap(800, "pay"),
        Hear(820, answered(201, {"id": number}), "pay", 2),
        change(900, "/method/kind", "account"),
        fill(1000, iban="de89 3704 0044 0532 0130 01"),
        change(1100, "amount", 1000.01),
        tap(1200, "pay"),
        change(1300, "amount", 1000),
        tap(1400, "pay"),
        Hear(1420, answered(422, {"errors": {"method.iban": unknown}}), "pay", 3),
        fill(1500, iban="DE89 3704 0044 0532 0130 00"),
        tap(1600, "pay"),
        Hear(1620, answered(201, {"id": number + 1}), "pay", 4),
        # The typed card is still there, and the daemon sends its secrets to no client.
        change(1700, "/method/kind", "card"),
        change(1800, "/method/kind", "cash"),
        Say(1900, "session/get", {}),
    ]


def address(locale: str) -> Steps:
    korean = locale == "ko"
    names = {
        country: [{"value": city[0], "label": city[2 if korean else 1]} for city in cities]
        for country, cities in example_backend().CITIES.items()
    }

    def told(at: int, country: str) -> Hear:
        return Hear(at, answered(200, {"cities": names[country]}), lookup="cities")

    return [
        *opening("address", locale),
        tap(50, "save"),
        change(100, "country", "KR"),
        told(220, "KR"),
        change(300, "city", "atlantis"),
        Say(350, "field/blur", {"field": "city"}),
        change(400, "city", "busan"),
        Say(500, "field/change", {"values": {"street": "Haeundae-ro 1", "postalCode": "4809"}}),
        Say(600, "field/blur", {"field": "postalCode"}),
        change(700, "postalCode", "48094"),
        tap(800, "save"),
        # The city stays until the new list is there; a tap waits for the list.
        change(900, "country", "US"),
        tap(950, "save"),
        told(1020, "US"),
        Say(1100, "field/change", {"values": {"city": "chicago", "postalCode": "60601-1234"}}),
        tap(1200, "save"),
        # This list is known.
        change(1300, "country", "KR"),
        change(1400, "city", "jeju"),
        change(1500, "country", ""),
        Say(1600, "session/get", {"explain": True}),
    ]


def settings(locale: str) -> Steps:
    before = {"editing": {"default": {"tabSize": 8}, "[go]": {"insertSpaces": False}}, "x-vim": {"leader": " "}}
    return [
        Say(0, "form/describe", {"form": "settings", "locale": locale}),
        Say(0, "form/schema", {"form": "settings", "locale": locale}),
        Say(0, "session/open", {"form": "settings", "locale": locale, "values": before}),
        tap(50, "save"),
        change(100, "/editing/default/tabSize", 99),
        Say(200, "field/blur", {"field": "/editing/default/tabSize"}),
        change(300, "/editing/default/tabSize", 4),
        # A member by a pattern is a part of its field's value.
        change(400, "/editing/[python]/tabSize", 99),
        Say(500, "field/blur", {"field": "editing"}),
        change(600, "/editing/[python]/tabSize", 2),
        Say(700, "field/remove", {"field": "/editing/[go]"}),
        # Names that the schema admits nowhere.
        change(800, "/editing/Python", {}),
        change(900, "/editing/default/tabsize", 4),
        change(1000, "plugin", 1),
        change(1100, "x-vim", {"leader": ","}),
        change(1200, "/environment/lang", "ko"),
        change(1300, "environment", {"PATH": "/opt/bin", "LANG": "ko_KR.UTF-8"}),
        Say(1400, "field/blur", {"field": "environment"}),
        change(1500, "/environment/PATH", "/opt/bin:$PATH"),
        # An open object takes any member; with one in it the others are required.
        change(1600, "/window/monitor/name", "left"),
        Say(1700, "field/change", {"values": {"/window/width": 800, "/window/height": 600}}),
        Say(1800, "field/insert", {"field": "/editing/default/rulers", "values": [100, 80]}),
        tap(1900, "save"),
        Say(2000, "field/move", {"field": "/editing/default/rulers/1", "to": 0}),
        Say(2100, "session/reset", {"keepValues": True}),
        Say(2200, "session/get", {}),
    ]


SCENARIOS: dict[str, tuple[str, Steps]] = {
    "login": (
        "The message at blur, the button, the titles of both outcomes, a dropped double tap, every kind of failure.",
        in_both_languages(login),
    ),
    "join": (
        "Taps throttled to one second, the last one with the latest text; a message that stays until the next; colours.",
        in_both_languages(join),
    ),
    "nickname": (
        "Characters as people count them, a space among them; helper, colour, and the tap as output.",
        in_both_languages(nickname),
    ),
    "search": (
        "An empty term, pages that never mix, a stale search that is superseded, failures, the next search.",
        in_both_languages(search),
    ),
    "feedback": (
        "Three show policies, first empty texts that are no edit, throttled texts, the same success twice, failures.",
        in_both_languages(feedback),
    ),
    "signup": (
        "A wizard: a page's own next, held by its check alone; steps shown, also back; what depends on a country.",
        in_both_languages(signup),
    ),
    "invoice": (
        "Rows come, go and move; totals; a check in a row; a server's error that stays at its row; a list that comes whole.",
        in_both_languages(invoice),
    ),
    "payment": (
        "A card or an account: errors stand at the fields of the kind that was chosen; a server's refusals at theirs.",
        in_both_languages(payment),
    ),
    "address": (
        "Cities by country: an empty form, a city that is none, a tap that waits for the list, a list that is known, no country.",
        in_both_languages(address),
    ),
    "settings": (
        "A schema that was there before: members by patterns and of open objects, names that it does not admit.",
        in_both_languages(settings),
    ),
}


def record(connection: Connection, steps: Steps) -> list[str]:
    """Holds one conversation; the transcript's lines."""
    lines: list[str] = []
    begin = time.monotonic()
    session = 0

    def write(at: int, direction: str, frame: Any) -> None:
        lines.append(line({"at": at, "dir": direction, "frame": frame}))

    for number, step in enumerate(steps, start=1):
        if isinstance(step, Say):
            time.sleep(max(0.0, begin + step.at / 1000 - time.monotonic()))
            sent = request(number, step.method, step.params)
            connection.send(sent)
            write(step.at, "->", sent)
            answer, before = connection.read_until_answer(number)
            for frame in [*before, answer]:
                write(step.at, "<-", frame)
            session += step.method == "session/open"
        else:
            if step.response is not None:
                if step.check:
                    asked = {"check": step.check}
                elif step.lookup:
                    asked = {"lookup": step.lookup}
                else:
                    asked = {"action": step.action, "run": step.run}
                effect = {"session": session, **asked, "response": step.response}
                lines.append(line({"at": step.at, "effect": effect}))
            frame = connection.read()
            assert frame["method"] == "session/update", frame
            wanted = "timer" if step.response is None else "effect"
            assert frame["params"]["cause"] == wanted, f"{step} but {frame}"
            write(step.at, "<-", frame)
    return lines


def line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="formd-rec-", dir="/tmp") as scratch:
        for name in names or SCENARIOS:
            about, steps = SCENARIOS[name]
            folder = Path(scratch) / name
            folder.mkdir()
            # Fresh ones for each: numbers of sessions and of feedback rows begin at 1.
            backend = Backend(folder / "example.sqlite")
            daemon = Daemon(folder, harness.configuration(backend))
            try:
                with daemon.connect() as connection:
                    lines = record(connection, steps)
            finally:
                daemon.end()
                backend.end()
            text = "\n".join([f"# {name}: {about}", *lines]) + "\n"
            (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
            print(f"{name}: {len(lines)} lines")


if __name__ == "__main__":
    main(sys.argv[1:])
