"""`formctl lsp`: the process, as an editor has it."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, Daemon, formctl, formctl_binary


class Editor:
    """An editor's side of the pipes. A thread reads the server's messages; every wait has a bound."""

    def __init__(self, *arguments: str | Path) -> None:
        self.process = subprocess.Popen(
            [str(formctl_binary()), "lsp", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._said: list[dict[str, Any]] = []
        self._more = threading.Condition()
        self._is_over = False
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while line := self.process.stdout.readline():
            name, _, value = line.partition(b":")
            assert name == b"Content-Length", line
            assert self.process.stdout.readline() == b"\r\n"
            message = json.loads(self.process.stdout.read(int(value)))
            with self._more:
                self._said.append(message)
                self._more.notify_all()
        with self._more:
            self._is_over = True
            self._more.notify_all()

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method: str, params: Any = None, identifier: Optional[int] = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if identifier is not None:
            message["id"] = identifier
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def wait_for(self, wanted: Any) -> dict[str, Any]:
        """The first message that fits; waits for it."""

        def found() -> Optional[dict[str, Any]]:
            return next((message for message in self._said if wanted(message)), None)

        with self._more:
            self._more.wait_for(lambda: found() is not None or self._is_over, PATIENCE_SECONDS)
            message = found()
        assert message is not None, f"it did not come; there were: {self._said}"
        return message

    def said(self) -> list[dict[str, Any]]:
        """All messages until now."""
        with self._more:
            return list(self._said)

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        self._last += 1
        number = self._last
        self.send(method, params, number)
        return self.wait_for(lambda message: message.get("id") == number and "method" not in message)

    def diagnostics(self, version: int) -> list[dict[str, Any]]:
        pushed = self.wait_for(
            lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version
        )
        return pushed["params"]["diagnostics"]

    def status(self) -> int:
        return self.process.wait(PATIENCE_SECONDS)


    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


@pytest.fixture
def editor() -> Iterator[Editor]:
    editor = Editor()
    yield editor
    editor.end()


URI = (EXAMPLES / "login" / "login.form.json").as_uri()


def open_login(editor: Editor) -> str:
    text = Path(EXAMPLES / "login" / "login.form.json").read_text(encoding="utf-8")
    assert "capabilities" in editor.request("initialize", {"capabilities": {}, "rootUri": EXAMPLES.as_uri()})["result"]
    editor.send("initialized", {})
    editor.send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "json", "version": 1, "text": text}})
    return text


def change(editor: Editor, version: int, text: str) -> None:
    editor.send("textDocument/didChange", {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"text": text}]})


def test_a_day_of_an_editor(editor: Editor) -> None:
    text = open_login(editor)
    change(editor, 2, text.replace('"label"', '"lable"', 1))
    faults = editor.diagnostics(2)
    assert [fault["code"] for fault in faults] == ["unknownKey"]
    change(editor, 3, text)
    assert editor.diagnostics(3) == []
    assert editor.request("workspace/symbol", {"query": "email"})["result"]
    assert editor.request("shutdown")["result"] is None
    assert editor.request("shutdown")["error"]["code"] == -32600
    editor.send("exit")
    assert editor.status() == 0


def test_an_exit_without_shutdown_is_a_failure(editor: Editor) -> None:
    open_login(editor)
    editor.send("exit")
    assert editor.status() == 1


def test_the_end_of_the_input_is_the_end(editor: Editor) -> None:
    open_login(editor)
    # Earlier requests are answered.
    editor.send("shutdown", None, 99)
    editor.process.stdin.close()
    assert editor.wait_for(lambda message: message.get("id") == 99)["result"] is None
    assert editor.status() == 0


def test_the_end_of_the_input_without_a_word(editor: Editor) -> None:
    editor.process.stdin.close()
    assert editor.status() == 1


def test_an_editor_that_is_gone_is_noticed(editor: Editor) -> None:
    open_login(editor)
    editor.process.stdin.write(b"Content-Length: 50000\r\n\r\n{")
    editor.process.stdin.close()
    assert editor.status() == 1


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\xfe" * 5000, b"Content-Length: -1\r\n\r\n", b"Content-Length: 9999999999999999999999\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{[}]x", b"Content-Length: 4\r\n\r\nnullContent-Length: 2\r\n\r\n{}", b"{}" * 9000,
    ],
)  # fmt: skip
def test_garbage_does_not_end_it(editor: Editor, garbage: bytes) -> None:
    editor.write(garbage)
    open_login(editor)
    change(editor, 2, "{")
    assert editor.diagnostics(2)
    assert editor.process.poll() is None


def test_an_editor_that_does_not_read_is_not_waited_for(editor: Editor) -> None:
    """The editor asks far more than the pipes hold, and writes all questions before anything has to be read."""
    open_login(editor)
    count = 100
    for number in range(1000, 1000 + count):
        editor.send("workspace/symbol", {"query": ""}, number)
    last = editor.wait_for(lambda message: message.get("id") == 1000 + count - 1)
    assert len(last["result"]) > 100


def test_help_says_how_editors_start_it() -> None:
    run = formctl("lsp", "--help")
    assert run.returncode == 0
    for word in ("Neovim", "eglot", "Helix", "protocol/editors.md", "Exit status"):
        assert word in run.stdout, word


def open_signup(editor: Editor, folder: Path) -> str:
    """Opens data of the example `signup` whose address has an account already. Returns its URI."""
    uri = (folder / "who.yaml").as_uri()
    workspace = [{"uri": (EXAMPLES / "signup").as_uri(), "name": "signup"}]
    params = {"capabilities": {}, "workspaceFolders": workspace, "initializationOptions": {"checks": True, "locale": "en"}}
    assert "capabilities" in editor.request("initialize", params)["result"]
    editor.send("initialized", {})
    text = "# formd: signup\nemail: kim@example.com\n"
    editor.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
    return uri


def test_checks_are_run_by_the_daemon_where_the_settings_want_them(daemon: Daemon, folder: Path) -> None:
    editor = Editor("--socket", daemon.path)
    try:
        open_signup(editor, folder)

        def found(message: dict[str, Any]) -> bool:
            diagnostics = message.get("params", {}).get("diagnostics", []) if "method" in message else []
            return any(each["code"] == "email.taken" for each in diagnostics)

        fault = next(each for each in editor.wait_for(found)["params"]["diagnostics"] if each["code"] == "email.taken")
        assert fault["range"] == {"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 22}}
    finally:
        editor.end()


def test_where_no_daemon_is_the_user_is_told_once(start: Callable[..., Daemon], folder: Path) -> None:
    daemon = start()
    assert daemon.end() == 0
    editor = Editor("--socket", daemon.path)
    try:
        uri = open_signup(editor, folder)
        told = editor.wait_for(lambda message: message.get("method") == "window/showMessage")["params"]
        assert told["type"] == 2
        assert str(daemon.path) in told["message"] and "not run" in told["message"], told
        editor.send("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert editor.request("shutdown")["result"] is None
        assert sum(message.get("method") == "window/showMessage" for message in editor.said()) == 1
    finally:
        editor.end()


def test_a_daemon_that_goes_away_is_connected_to_again(start: Callable[..., Daemon], folder: Path) -> None:
    first = start()
    editor = Editor("--socket", first.path)
    try:
        uri = open_signup(editor, folder)

        def found(version: int) -> Callable[[dict[str, Any]], bool]:
            return lambda message: "email.taken" in json.dumps(message) and message["params"]["version"] == version

        editor.wait_for(found(1))
        first.process.kill()
        first.process.wait()
        start()
        text = "# formd: signup\nemail:   kim@example.com\n"
        editor.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        editor.send("textDocument/didSave", {"textDocument": {"uri": uri}})
        editor.wait_for(found(2))
    finally:
        editor.end()


def test_a_daemon_that_does_not_read_keeps_nothing_waiting(tmp_path: Path, folder: Path) -> None:
    """A peer that accepts the connection and reads far less than it is sent; the editor is answered anyway."""
    path = folder / "mute.sock"
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(path))
        mute.listen()
        editor = Editor("--socket", path)
        try:
            uri = open_signup(editor, tmp_path)
            connection, _ = mute.accept()
            text = "# formd: signup\nemail: kim@example.com\n" + "# " + "x" * (3 << 20) + "\n"
            editor.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
            editor.send("textDocument/didSave", {"textDocument": {"uri": uri}})
            # The server asks the daemon only when it has nothing else to do: so the editor asks twice.
            for _ in range(2):
                assert "result" in editor.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            connection.close()
        finally:
            editor.end()
