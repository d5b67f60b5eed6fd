"""Plays a login with the built daemon and the example backend; called by scripts/quickstart."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "protocol" / "clients" / "python"))

import formd  # noqa: E402

START_SECONDS_MAX = 60
ANSWER_SECONDS_MAX = 30
END_SECONDS_MAX = 15


class Broken(Exception):
    """Something came back that the form does not promise."""


def expect(condition: bool, promise: str, seen: Any) -> None:
    if not condition:
        raise Broken(f"expected that {promise}; got {json.dumps(seen, ensure_ascii=False, default=str)}")


class Process:
    """A program of ours in the background. It has a process group of its own, so that Ctrl-C reaches us alone and we
    end things in order; what it logs goes to a file."""

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
            raise Broken(f"{self.name} ended before it listened; its log:\n{self.tail()}")

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


def heading(text: str) -> None:
    print(f"\n{text}", flush=True)


def show(label: str, value: Any) -> None:
    print(f"  {label}: {json.dumps(value, ensure_ascii=False)}", flush=True)


def printed_update(update: formd.Update) -> None:
    show(f"update {update.revision} ({update.cause})", update.patch)


def conversation(path: str) -> None:
    """The login form from the first key to the name; every promise on the way is checked."""
    with formd.Client(path) as client:
        session = client.open("login", locale="ko")
        heading('A new session of "login"')
        show("document", session.document)
        expect(not session.is_valid, "an empty login form is not valid", session.document)
        expect(session.action("login").get("isEnabled") is False, "its button is disabled", session.document)
        updates: list[formd.Update] = []
        session.on_update(updates.append)
        session.on_update(printed_update)

        heading('The email is typed: "kim", and the field is left')
        session.change("email", "kim")
        session.blur("email")
        expect(len(updates) == 2, "the change and the blur each pushed one update", [u.patch for u in updates])
        expect("email" in session.messages, "the message appears when editing ends", session.messages)

        heading("The same once more: nothing changes, so nothing is pushed")
        session.change("email", "kim")
        expect(len(updates) == 2, "a change that changes nothing pushes nothing", [u.patch for u in updates])

        heading("A real address, and a password")
        session.change("email", "kim@example.com")
        expect("email" not in session.messages, "the message goes as soon as the value is valid", session.messages)
        session.change("password", "hunter2")
        expect(session.is_valid, "the form is valid", session.document)
        expect(session.action("login").get("isEnabled") is True, "the button is enabled", session.document)
        expect(session.outputs.get("buttonColor") == "systemPink", "the button is coloured", session.outputs)
        show("button", {**session.action("login"), "color": session.outputs["buttonColor"]})
        everything = json.dumps(client.call("session/get", {"session": session.id}))
        expect("hunter2" not in everything, "the password stays out of document and values", "the password")

        heading("Tap: login")
        event = session.tap("login", wait=True, timeout=ANSWER_SECONDS_MAX).event
        expect(event is not None and event.kind == "succeeded", "the login succeeds", event)
        expect(event is not None and event.result == {"name": "Kim"}, "its result has the name", event)
        expect(session.get("/actions/login/result/name") == "Kim", "the document has it too", session.document)
        show("login", {"result": event.result, "message": event.message})

        heading("A wrong password")
        session.change("password", "hunter3")
        event = session.tap("login", wait=True, timeout=ANSWER_SECONDS_MAX).event
        expect(event is not None and event.kind == "failed", "a wrong password fails", event)
        expect(event is not None and event.error == "badRequest", "the failure says badRequest", event)
        expect(session.is_valid, "a failure leaves the form valid", session.document)
        show("login", {"error": event.error, "message": event.message})

        heading("A tap while the button is disabled")
        session.change("password", "")
        tap = session.tap("login")
        expect(tap.outcome == "rejected", "a tap on a disabled button is rejected", tap)
        blocked = [blocker.get("field") for blocker in tap.blockers]
        expect(blocked == ["password"], "its blockers name the password", tap.blockers)
        show("tap", {"outcome": tap.outcome, "blockers": list(tap.blockers)})
        session.close()


def play(binary: str, once: bool) -> int:
    # A short path, whatever TMPDIR says: the address of a Unix socket holds 108 bytes.
    scratch = Path(tempfile.mkdtemp(prefix="formd-", dir="/tmp"))
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

        conversation(str(path))
        print("\nAll as the form promises.", flush=True)
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
        # The daemon first: it finishes what it accepted while its server still answers.
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
  nc -U $FORMD_SOCKET              and type, a line each:
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
    options = parser.parse_args()
    if not os.access(options.formd, os.X_OK):
        print(f"quickstart: {options.formd} is not a program", file=sys.stderr)
        return 1
    # A supervisor, or a terminal that goes away, ends things as Ctrl-C does. Background jobs of a shell come with SIGINT ignored,
    # so it is asked for; an ignored SIGHUP is nohup's doing and stays.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    return play(options.formd, options.once)


if __name__ == "__main__":
    sys.exit(main())
