"""Writes protocol/transcripts anew: holds each conversation below with the built daemon and the real example backend.

    python3 Tests/EndToEndTests/record_transcripts.py [NAME ...]

What is written carries the virtual times of the scenarios, not those of the machine; timers of the forms run in real
time meanwhile, so the scenarios keep well away from their edges.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple, Optional

import harness
from harness import ROOT, Backend, Connection, Daemon, request

FOLDER = ROOT / "protocol" / "transcripts"


class Say(NamedTuple):
    """At `at` the client sends a request; what comes up to its answer is written down as of the same moment."""

    at: int
    method: str
    params: dict[str, Any]


class Hear(NamedTuple):
    """At `at` one update comes by itself: a timer's, or that of an effect, which `response` then says."""

    at: int
    response: Optional[dict[str, Any]] = None
    action: str = ""
    run: int = 0


def answered(status: int, body: Any) -> dict[str, Any]:
    return {"kind": "ok", "status": status, "headers": {}, "body": body}


def change(at: int, field: str, value: Any) -> Say:
    return Say(at, "field/change", {"field": field, "value": value})


GARBAGE = {"kind": "badBody", "status": 200, "headers": {}}
TEA = {"id": 13, "name": "Tea Timer", "developer": "Steep", "description": "Green, black, oolong.", "price": 0}


def tap(at: int, action: str) -> Say:
    return Say(at, "action/tap", {"action": action})


SCENARIOS: dict[str, tuple[str, list[Any]]] = {
    "login": (
        "The message at blur, the button, success, a dropped double tap, a wrong password, a tap while disabled.",
        [
            Say(0, "session/open", {"form": "login", "locale": "ko"}),
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
            Hear(1520, answered(500, {"error": "provoked", "status": 500}), "login", 3),
            change(1600, "email", "garbage@example.com"),
            tap(1700, "login"),
            Hear(1720, GARBAGE, "login", 4),
            change(1800, "password", ""),
            tap(1900, "login"),
            Say(2000, "session/get", {}),
            Say(2100, "session/close", {}),
        ],
    ),
    "join": (
        "Taps throttled to one second, the last one with the latest text; a failing server that ends nothing.",
        [
            Say(0, "session/open", {"form": "join", "locale": "ko"}),
            change(100, "email", "new@example.com"),
            tap(200, "check"),
            Hear(220, answered(200, {"available": True, "message": "사용할 수 있는 이메일입니다."}), "check", 1),
            change(400, "email", "kim"),
            tap(500, "check"),
            change(700, "email", "kim@example.com"),
            Hear(1200),
            Hear(1220, answered(200, {"available": False, "message": "이미 사용 중인 이메일입니다."}), "check", 2),
            change(2400, "email", "status-500@example.com"),
            tap(2500, "check"),
            Hear(2520, answered(500, {"error": "provoked", "status": 500}), "check", 3),
            change(3700, "email", "other@example.com"),
            tap(3800, "check"),
            Hear(3820, answered(200, {"available": True, "message": "사용할 수 있는 이메일입니다."}), "check", 4),
        ],
    ),
    "nickname": (
        "Characters as people count them; the tap as output.",
        [
            Say(0, "session/open", {"form": "nickname", "locale": "ko"}),
            change(100, "nickname", "닉"),
            change(200, "nickname", "일곱글자입니다"),
            change(300, "nickname", "여덟글자입니다요"),
            tap(400, "next"),
            tap(500, "next"),
            change(600, "nickname", "👨‍👩‍👧‍👦" * 7),
            tap(700, "next"),
            change(800, "nickname", "👨‍👩‍👧‍👦" * 8),
            tap(900, "next"),
        ],
    ),
    "search": (
        "Results, a stale search that is superseded, a failure, the next search.",
        [
            Say(0, "session/open", {"form": "search", "locale": "en"}),
            tap(100, "search"),
            change(200, "term", "slow-400"),
            tap(300, "search"),
            change(400, "term", "steep"),
            tap(500, "search"),
            Hear(
                530,
                answered(200, {"term": "steep", "page": 1, "total": 1, "hasMore": False, "apps": [TEA]}),
                "search",
                2,
            ),
            change(1000, "term", "status-500"),
            tap(1100, "search"),
            Hear(1120, answered(500, {"error": "provoked", "status": 500}), "search", 3),
            change(1200, "term", "zzz"),
            tap(1300, "search"),
            Hear(
                1320, answered(200, {"term": "zzz", "page": 1, "total": 0, "hasMore": False, "apps": []}), "search", 4
            ),
        ],
    ),
    "feedback": (
        "Three show policies, throttled texts, and the same success twice.",
        [
            Say(0, "session/open", {"form": "feedback", "locale": "ko"}),
            Say(100, "field/focus", {"field": "message"}),
            change(200, "message", "좋"),
            change(210, "message", ""),
            Hear(300),
            change(500, "message", "좋아요"),
            Say(700, "field/blur", {"field": "message"}),
            Say(800, "field/focus", {"field": "email"}),
            change(900, "email", "kim"),
            Say(1100, "field/blur", {"field": "email"}),
            Say(1200, "field/focus", {"field": "email"}),
            change(1300, "email", "kim@example.com"),
            change(1500, "email", "kim@"),
            Say(1700, "field/blur", {"field": "email"}),
            change(1800, "email", ""),
            change(2000, "type", "praise"),
            tap(2100, "send"),
            Hear(2120, answered(201, {"id": 1}), "send", 1),
            tap(2200, "send"),
            Hear(2220, answered(201, {"id": 2}), "send", 2),
        ],
    ),
}


def record(connection: Connection, steps: list[Any]) -> list[str]:
    """Holds one conversation; the transcript's lines."""
    lines: list[str] = []
    begin = time.monotonic()

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
        else:
            if step.response is not None:
                effect = {"session": 1, "action": step.action, "run": step.run, "response": step.response}
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
