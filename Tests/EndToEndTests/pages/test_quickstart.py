"""scripts/quickstart, with the daemon that is built already."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Optional

import pytest

from harness import PATIENCE_SECONDS, ROOT, Process, formd, formd_binary
from drawing import columns_of
from progress import left
from quickstart import language_of

ENGLISH = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "en_US.UTF-8", "PYTHONUTF8": "1"}
KOREAN = {**ENGLISH, "LANG": "ko_KR.UTF-8"}


def quickstart(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Plays the conversation to its end, into a pipe."""
    given = {**os.environ, "COLUMNS": "80", **ENGLISH, **environment}
    return subprocess.run(
        [str(ROOT / "scripts/quickstart"), "--once", *options], env={"FORMD_BIN": str(formd_binary()), **given},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def in_order(text: str, *parts: str) -> None:
    position = -1
    for part in parts:
        found = text.find(part, position + 1)
        assert found >= 0, f"{part} is missing, or too early:\n{text}"
        position = found


def left_behind() -> set[Path]:
    return set(Path("/tmp").glob("formd-quickstart-*"))


def test_once_draws_the_conversation_in_order_and_leaves_nothing_behind() -> None:
    before = left_behind()
    run = quickstart()
    assert run.returncode == 0, run.stdout + run.stderr
    in_order(
        run.stdout, "1. ", "not valid ─┐", "(Enter your email)", "disabled", "2. ", "kim_", '"revision":1', "3. ",
        "! That is not an email address.", "4. ", "kim@example.com_", "5. ", " valid ─┐", "*******_", "enabled", "loading…",
        "✓ Kim님", '{"name":"Kim"}', "✗ The email or the password is wrong.", "! This is required.", "rejected",
        "blockers", "The form kept all its promises.",
    )  # fmt: skip
    assert "hunter" not in run.stdout and "\x1b" not in run.stdout and "\r" not in run.stdout
    assert left_behind() <= before


@pytest.mark.parametrize(("columns", "is_beside"), [("80", False), ("120", True)])
def test_the_lines_stand_where_there_is_room(columns: str, is_beside: bool) -> None:
    run = quickstart(COLUMNS=columns, **KOREAN)
    assert run.returncode == 0, run.stderr
    drawn = run.stdout[run.stdout.index("1. ") :].splitlines()
    assert max(map(columns_of, drawn)) <= int(columns)
    assert any(row.startswith("┌") and "→" in row for row in drawn) == is_beside
    assert any(row.startswith("→") for row in drawn) != is_beside
    assert "│             ! 이메일 형식이 아닙니다.        │" in "\n".join(drawn)


def test_a_language_that_the_form_lacks_becomes_english_and_signs_that_are_lacking_ascii() -> None:
    run = quickstart(LANG="de_DE.UTF-8", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert run.returncode == 0, run.stderr
    assert run.stdout.isascii()
    in_order(run.stdout, "+- login", "! That is not an email address.", "loading...", "+ Kim\\ub2d8")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "POSIX"}, "en"), ({"LANG": "nonsense"}, "en"), ({"LANG": "ko"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": ""}, "ko"), ({"LANG": "ko_KR", "LC_MESSAGES": "de_DE@euro"}, "de"),
        ({"LC_ALL": "fil.UTF-8", "LC_MESSAGES": "de_DE", "LANG": "ko_KR"}, "fil"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_the_locale(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_wire_shows_every_line_as_it_is() -> None:
    run = quickstart("--wire")
    assert run.returncode == 0, run.stderr
    rows = [row for row in run.stdout.splitlines() if row[:1] in "→←" and row]
    lines = [(row[0], json.loads(row[2:])) for row in rows]
    assert "login ─" not in run.stdout and "…" not in run.stdout
    assert all(message["jsonrpc"] == "2.0" for _, message in lines)
    requests = [message["id"] for sign, message in lines if sign == "→"]
    answers = [message["id"] for sign, message in lines if sign == "←" and "id" in message]
    assert requests == answers == list(range(1, len(requests) + 1))
    document = None
    for _, message in lines:
        if "document" in message.get("result", {}):
            assert document in (None, message["result"]["document"])
            document = message["result"]["document"]
        elif message.get("method") == "session/update":
            document = formd.merge_patch(document, message["params"]["patch"])
    assert document["messages"] == {"password": "This is required."} and not document["actions"]["login"]["isEnabled"]
    assert not any("hunter" in row for row in rows if row[0] == "←")


def test_on_a_terminal_it_can_be_watched_and_ctrl_c_ends_it_at_once() -> None:
    before = left_behind()
    master, slave = pty.openpty()
    environment = {**os.environ, **ENGLISH, "FORMD_BIN": str(formd_binary()), "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [str(ROOT / "scripts/quickstart")], env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    shown = b""

    def read() -> bool:
        nonlocal shown
        assert select.select([master], [], [], PATIENCE_SECONDS)[0], shown.decode()
        try:
            more = os.read(master, 65536)
        except OSError:  # The other side is closed (Linux says EIO).
            more = b""
        shown += more
        return more != b""

    while b"kim@_" not in shown:
        assert read(), shown.decode()
    process.send_signal(signal.SIGINT)
    while read():
        pass
    os.close(master)
    assert process.wait(PATIENCE_SECONDS) == 0, shown.decode()
    text = shown.decode()
    # The field with one, two and three letters, each drawn where the one before stood, and the message in red.
    in_order(text, "k_", "A\x1b[J", "ki_", "A\x1b[J", "kim_", "\x1b[31m! That is not an email address.", "Ending.")
    assert "The form kept all its promises." not in text and "Traceback" not in text
    assert text.endswith("Ending.\r\n")
    assert left_behind() <= before


@pytest.mark.parametrize("before", ["", "trap '' INT;"], ids=["started by a terminal", "started in the background"])
def test_without_once_it_stays_and_ctrl_c_ends_it_in_order(before: str) -> None:
    # A shell without job control starts its background jobs with SIGINT ignored, and so does many a runner of tests.
    command = ["bash", "-c", f'{before} exec "$0"', str(ROOT / "scripts/quickstart")]
    process = Process(command, {"FORMD_BIN": str(formd_binary())})
    socket_path = Path(process.line_with("export FORMD_SOCKET=").split("=", 1)[1])
    process.line_with("Logs:")
    run = subprocess.run(
        [str(ROOT / "protocol/clients/shell/login.sh")], env={**os.environ, "FORMD_SOCKET": str(socket_path)},
        capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert run.returncode == 0, run
    process.signal(signal.SIGINT)
    assert process.wait() == 0, process.output
    assert not socket_path.exists()


def test_a_daemon_that_does_not_start_fails_it() -> None:
    run = subprocess.run(
        [str(ROOT / "scripts/quickstart"), "--once"],
        env={**os.environ, "FORMD_BIN": "/bin/false"}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 1 and "formd" in run.stderr


# The build


def build(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Builds by a compiler that does what the script says."""
    swift = folder / "swift"
    swift.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    swift.chmod(0o755)
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts/lib/progress.py"), "--product", "formd"],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
    )  # fmt: skip


def test_the_build_says_how_far_it_is(folder: Path) -> None:
    run = build(folder, 'echo "$*" >&2; for step in $(seq 1 50); do echo "[$step/50] Compiling something"; done')
    assert run.returncode == 0
    told = run.stdout.splitlines()
    assert told[0] == "  step 5 of 50" and told[9] == "  step 50 of 50" and len(told) == 11
    assert told[10].startswith("  built in 0 min ")


def test_a_build_that_fails_shows_its_errors_once_and_where_the_rest_is(folder: Path) -> None:
    run = build(folder, 'echo "[1/2] x"; echo "a.swift:1:1: error: no"; echo "a.swift:1:1: error: no"; echo note; exit 3')
    assert run.returncode == 3
    assert run.stderr.splitlines()[0] == "a.swift:1:1: error: no"
    assert "note" not in run.stderr and "quickstart-build.log" in run.stderr.splitlines()[1]


def test_steps_that_are_found_on_the_way_do_not_end_the_progress(folder: Path) -> None:
    run = build(folder, 'echo "[1/1] Planning"; for step in $(seq 1 20); do echo "[$step/20] Compiling"; done')
    told = run.stdout.splitlines()
    assert told[0] == "  step 1 of 1" and told[1] == "  step 2 of 20" and told[-2] == "  step 20 of 20"


def test_an_interrupted_build_ends_with_its_compiler(folder: Path) -> None:
    # The compiler has more to say than a pipe holds, and ends at the signal.
    script = 'trap "yes | head -c 300000; exit 1" INT; echo "[1/2] x"; while :; do :; done'
    (folder / "swift").write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
    (folder / "swift").chmod(0o755)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
    process = Process([sys.executable, str(ROOT / "scripts/lib/progress.py")], environment)
    process.line_with("step 1 of 2")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait() == 130
    assert "Traceback" not in process.output


@pytest.mark.parametrize(
    ("done", "total", "seconds", "told"),
    [
        (0, 100, 60, None), (50, 100, 5, None), (50, 100, 40, "less than a minute left"),
        (25, 100, 60, "about 3 min left"),
    ],
)  # fmt: skip
def test_the_time_left_follows_from_the_time_so_far(done: int, total: int, seconds: float, told: Optional[str]) -> None:
    assert left(done, total, seconds) == told
