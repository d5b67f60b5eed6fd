"""Plays a login with the built daemon and the example backend; called by scripts/quickstart."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Mapping

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "protocol" / "clients" / "python"))

import formd  # noqa: E402
from drawing import Screen  # noqa: E402
from stage import Audience, Reading, Stage, Watching  # noqa: E402

START_SECONDS_MAX = 60
END_SECONDS_MAX = 15


class Broken(Exception):
    """The daemon's answer breaks a promise of the form."""


def expect(condition: bool, promise: str, seen: Any) -> None:
    if not condition:
        raise Broken(f"expected: {promise}; got {json.dumps(seen, ensure_ascii=False, default=str)}")


class Process:
    """A program of the quickstart in the background. It has a process group of its own, so that Ctrl-C reaches only the
    quickstart, which ends its programs in order. The program's log goes to a file."""

    def __init__(self, name: str, command: list[str], log: Path, ready_on: str) -> None:
        self.name = name
        self.log = log
        self.ready_line = ""
        self._ready = threading.Event()
        stdout = subprocess.PIPE if ready_on == "stdout" else subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace",
            start_new_session=True,
        )  # fmt: skip
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                watched = stream is getattr(self.process, ready_on)
                threading.Thread(target=self._copy, args=(stream, watched), daemon=True).start()

    def _copy(self, stream: Any, watched: bool) -> None:
        with open(self.log, "a", encoding="utf-8") as log:
            for line in stream:
                log.write(line)
                log.flush()
                if watched and "listening" in line and not self._ready.is_set():
                    self.ready_line = line
                    self._ready.set()
        if watched:
            self._ready.set()

    def wait_until_ready(self) -> None:
        if not self._ready.wait(START_SECONDS_MAX):
            raise Broken(f"{self.name} did not start within {START_SECONDS_MAX} s; its log:\n{self.tail()}")
        if not self.ready_line:
            raise Broken(f"{self.name} ended before it was ready; its log:\n{self.tail()}")

    def tail(self) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8").splitlines()[-20:]) if self.log.exists() else ""

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(END_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise Broken(f"{self.name} did not end within {END_SECONDS_MAX} s of SIGTERM") from None


def typed(session: formd.Session, stage: Stage, field: str, text: str) -> None:
    """The user types `text` behind the field's text, key by key."""
    for key in text:
        session.change(field, stage.view.typed.get(field, "") + key)
        stage.answered()


def language_of(environment: Mapping[str, str]) -> str:
    """The language of the terminal's locale (POSIX, Base Definitions, section 8.2), or English if it has none."""
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    language = re.match("[a-z]{2,3}(?![^_.@])", locale)
    return language.group() if language else "en"


def conversation(path: str, audience: Audience) -> None:
    """Fills the login form, from the first key to the user's name, and checks every promise on the way."""
    with formd.Client(path) as client:
        with Stage(client, audience) as stage:
            stage.begin("The client asks for the form's description, and opens a session")
            language = language_of(os.environ)
            description = client.describe("login", locale=language)
            stage.answered()
            if description["locale"] != language:
                language = "en"
                client.describe("login", locale=language)
                stage.answered()
            session = client.open("login", locale=language)
            stage.answered()
            expect(not session.is_valid, "an empty login form is not valid", session.document)
            expect(session.action("login").get("isEnabled") is False, "its button is disabled", session.document)

            stage.begin("The user types: each key is sent, and its changes are pushed")
            typed(session, stage, "email", "kim")
            expect(stage.updates == 1, "only the first of three keys changed the document", stage.updates)
            expect("email" not in session.messages, "no message appears before editing ends", session.messages)

            stage.begin("The user leaves the field: its message appears")
            session.blur("email")
            stage.answered()
            expect(stage.updates == 1 and "email" in session.messages, "the message is pushed", session.messages)

            stage.begin("The user goes on: the message disappears as soon as the address is valid")
            typed(session, stage, "email", "@example.com")
            expect("email" not in session.messages, "the message is gone", session.messages)

            stage.begin("The user types a password: the form is valid, and the button enabled")
            typed(session, stage, "password", "hunter2")
            expect(session.is_valid, "the form is valid", session.document)
            expect(session.action("login").get("isEnabled") is True, "the button is enabled", session.document)
            expect(session.outputs.get("buttonColor") == "systemPink", "the button is coloured", session.outputs)

            stage.begin("The client asks for the whole session: the daemon sends all but the secret")
            client.call("session/get", {"session": session.id})
            stage.answered()

            stage.begin("The user taps the button: the daemon sends a request to the server")
            tap = session.tap("login")
            stage.answered()
            expect(tap.outcome == "started", "the tap starts the action", tap)
            expect(stage.view.document["actions"]["login"]["isLoading"], "the button is loading", stage.view.document)

            stage.begin("The server answers: the result is pushed")
            event = stage.outcome()
            expect(event["kind"] == "succeeded", "the login succeeds", event)
            expect(event["result"] == {"name": "Kim"}, "its result has the name", event)
            expect(stage.view.document["actions"]["login"]["result"] == {"name": "Kim"}, "the document has the result, too", stage.view.document)

            stage.begin("The user types a wrong password: the tap fails, and the form stays valid")
            session.change("password", "hunter3")
            stage.answered()
            session.tap("login")
            stage.answered()
            event = stage.outcome()
            expect(event["kind"] == "failed", "a wrong password fails", event)
            expect(event["error"] == "badRequest", "the error is badRequest", event)
            expect(session.is_valid, "a failure leaves the form valid", session.document)

            stage.begin("The password is empty: a tap on the disabled button is rejected, with the reason")
            session.change("password", "")
            stage.answered()
            tap = session.tap("login")
            stage.answered()
            expect(tap.outcome == "rejected", "a tap on a disabled button is rejected", tap)
            blocked = [blocker.get("field") for blocker in tap.blockers]
            expect(blocked == ["password"], "its blockers name the password", tap.blockers)
            expect(not any("hunter" in text for text in stage.heard), "the daemon sends no password", "the password")


def play(binary: str, once: bool, has_wire_alone: bool) -> int:
    # A short path, whatever TMPDIR says: the address of a Unix socket holds 108 bytes.
    scratch = Path(tempfile.mkdtemp(prefix="formd-quickstart-", dir="/tmp"))
    processes: list[Process] = []
    status = 0
    try:
        backend = Process(
            "the example backend",
            [sys.executable, str(ROOT / "scripts/example-backend"), "--port=0", f"--database={scratch}/example.sqlite"],
            scratch / "backend.log",
            "stdout",
        )
        processes.append(backend)
        backend.wait_until_ready()
        port = json.loads(backend.ready_line)["port"]
        print(f"example backend: http://127.0.0.1:{port}", flush=True)

        example = (ROOT / "protocol/examples/formd.example.json").read_text(encoding="utf-8")
        config, path = scratch / "formd.json", scratch / "run" / "formd.sock"
        config.write_text(example.replace("127.0.0.1:8080", f"127.0.0.1:{port}"), encoding="utf-8")
        forms = str(ROOT / "protocol/examples")
        command = [binary, "serve", "--config", str(config), "--socket", str(path), "--forms", forms]
        daemon = Process("formd", command, scratch / "formd.log", "stderr")
        processes.append(daemon)
        daemon.wait_until_ready()
        print(f"formd: {path}", flush=True)

        screen = Screen(sys.stdout, os.environ, is_live=not once)
        conversation(str(path), Reading(screen) if has_wire_alone else Watching(screen))
        print("The form kept all its promises.", flush=True)
        if not once:
            what_next(path, scratch)
            daemon.process.wait()
            raise Broken(f"formd ended by itself; its log:\n{daemon.tail()}")
    except KeyboardInterrupt:
        print("\nEnding.", flush=True)
    except (Broken, formd.FormdError, TimeoutError, OSError) as error:
        print(f"\nquickstart: {error}", file=sys.stderr)
        for process in processes:
            print(f"--- the end of {process.name}'s log\n{process.tail()}", file=sys.stderr)
        status = 1
    finally:
        # The daemon ends first: it finishes the accepted requests while its server still answers.
        for process in reversed(processes):
            try:
                process.end()
            except Broken as error:
                print(f"quickstart: {error}", file=sys.stderr)
                status = 1
        shutil.rmtree(scratch, ignore_errors=True)
    return status


def what_next(path: Path, scratch: Path) -> None:
    print(
        f"""
The daemon keeps running; Ctrl-C ends it. In another terminal:

  export FORMD_SOCKET={path}
  nc -U $FORMD_SOCKET              then type these lines:
    {{"jsonrpc":"2.0","id":1,"method":"session/open","params":{{"form":"login"}}}}
    {{"jsonrpc":"2.0","id":2,"method":"field/change","params":{{"field":"email","value":"kim@example.com"}}}}
  protocol/clients/shell/login.sh kim@example.com hunter2
  PYTHONPATH=protocol/clients/python python3 -m formd form/list

Logs: {scratch}/formd.log and {scratch}/backend.log""",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/quickstart", description=__doc__)
    parser.add_argument("--formd", required=True, metavar="BINARY", help="the built daemon")
    parser.add_argument("--once", action="store_true", help="end after the conversation")
    parser.add_argument("--wire", action="store_true", help="show only the lines, unchanged")
    options = parser.parse_args()
    if not os.access(options.formd, os.X_OK):
        print(f"quickstart: {options.formd} is not a program", file=sys.stderr)
        return 1
    # A supervisor or a closed terminal ends the programs as Ctrl-C does. A shell starts background jobs with SIGINT
    # ignored, so a handler is set. An ignored SIGHUP comes from nohup and stays ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    return play(options.formd, options.once, options.wire)


if __name__ == "__main__":
    sys.exit(main())
