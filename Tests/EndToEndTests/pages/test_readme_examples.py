"""The examples of two READMEs: each example of the Python client's README runs, and the project's README shows the
programs' output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from harness import PATIENCE_SECONDS, ROOT, Daemon, Process, encode, eventually
from page_examples import Page, agree, name_of, wrapped

README = Page("../README.md")

FOLDER = ROOT / "protocol" / "clients" / "python"
EXAMPLES = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def environment(daemon: Daemon) -> dict[str, Any]:
    return {"FORMD_SOCKET": str(daemon.path), "PYTHONPATH": str(FOLDER), "PYTHONUNBUFFERED": "1"}


def run(daemon: Daemon, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **environment(daemon)}, capture_output=True, text=True,
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_three() -> None:
    assert len(EXAMPLES) == 3


def test_blocking(daemon: Daemon) -> None:
    lines = run(daemon, "-c", EXAMPLES[0]).splitlines()
    assert lines[0] == "{'email': '이메일 형식이 아닙니다.'}"
    assert lines[1] == "button: systemPink"
    assert "kind='succeeded'" in lines[2] and "Kim님 환영합니다." in lines[2]


def test_asyncio(daemon: Daemon) -> None:
    lines = run(daemon, "-c", EXAMPLES[1]).splitlines()
    assert "rejected ({'field': 'password', 'code': 'required'},)" in lines
    assert lines[-1] == "failed The email or the password is wrong."


def test_answering_for_the_daemon(daemon: Daemon) -> None:
    process = Process([sys.executable, "-c", EXAMPLES[2]], environment(daemon))
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "stock", "values": {"item": "tea"}})

        def event() -> Any:
            assert process.process.poll() is None, process.output
            return connection.call("action/tap", {"action": "look", "await": True})["event"]

        found = eventually(lambda: next((one for one in [event()] if one.get("error") != "noProvider"), None), "it")
        assert found["result"] == {"left": 3}
    process.process.kill()
    process.wait()


@pytest.mark.parametrize("arguments", [("server/ping",), ("form/describe", '{"form": "login"}')], ids=lambda one: one[0])
def test_by_hand(daemon: Daemon, arguments: tuple[str, ...]) -> None:
    assert run(daemon, "-m", "formd", *arguments).startswith("{")


def test_by_hand_a_refusal_is_told_with_what_is_closest(daemon: Daemon) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "formd", "form/describe", '{"form": "logni"}'],
        env={**os.environ, **environment(daemon)}, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert done.returncode == 1 and "1003" in done.stderr and "login" in done.stderr


@pytest.mark.parametrize(("language", "interpreter"), [("python", [sys.executable, "-c"]), ("sh", ["sh", "-c"])])
def test_the_ten_lines_of_the_project_s_readme_print_what_is_beside_them(
    daemon: Daemon, language: str, interpreter: list[str]
) -> None:
    (example,) = re.findall(rf"```{language}\n(.*?)```", README.text, re.DOTALL)
    assert len(example.splitlines()) == 10
    done = subprocess.run(
        [*interpreter, example], env={**os.environ, **environment(daemon)}, capture_output=True, text=True,
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    lines = iter(done.stdout.splitlines())
    told = re.sub(r"# .*", lambda _: f"# {next(lines, '')}", example)
    assert not done.stderr and not list(lines), done
    agree(README.path, example, told)


def test_the_session_by_hand_is_what_the_daemon_says(daemon: Daemon) -> None:
    typed, shown = re.findall(r"(?:^    (?:\$ nc|\{).*\n(?:^    .*\n)*)", README.text, re.MULTILINE)
    told = ""
    with daemon.connect() as connection:
        for request in map(json.loads, typed.splitlines()[1:]):
            connection.send(request)
            answer, before = connection.read_until_answer(request["id"])
            for message in [*before, answer] if request["method"] != "session/open" else []:
                if "method" in message:
                    message["params"]["session"] = 1
                told += wrapped(encode(message).decode(), "    ", "      ")
    agree(README.path, shown, told)


@pytest.mark.parametrize("console", README.consoles, ids=name_of)
def test_what_formctl_says_of_the_login_form_stands_there(console: str) -> None:
    README.type_in(ROOT, console)
