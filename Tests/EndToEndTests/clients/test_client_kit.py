"""`formctl client-kit`: what every client must do, against a scripted daemon."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Union

import pytest

from harness import ROOT, formctl_binary
from test_vim import HAS_FEATURES as HAS_VIM

FORMCTL = formctl_binary()
ADAPTERS = Path(__file__).parents[1] / "kit"
CLIENTS = ROOT / "protocol" / "clients"
EDITORS = {
    "Emacs": ["bash", "-c", 'trap "" PIPE; exec emacs --batch -Q -l "$0"', ADAPTERS / "emacs.el"],
    "Neovim": ["bash", "-c", 'exec nvim --headless -u NONE -c "luafile $0" 3<&0 </dev/null', ADAPTERS / "neovim.lua"],
    "Vim": ["bash", "-c", 'exec vim -u NONE -i NONE -N -es -S "$0" 3<&0 4>&1 </dev/null >/dev/null', ADAPTERS / "vim.vim"],
}
"""The commands of the adapters."""
INSTALLED = {"Emacs": shutil.which("emacs"), "Neovim": shutil.which("nvim"), "Vim": HAS_VIM}
OPENED_AGAIN = {"gone", "unkept"}
"""Where an editor opens the form again, with what the user typed."""

REFERENCE = [sys.executable, "-S", str(ADAPTERS / "reference.py")]


def client_kit(*arguments: Union[str, Path], state: Union[str, Path] = "/nonexistent") -> "subprocess.CompletedProcess[str]":
    """`state`: the folder in which editors note drafts."""
    environment = {**os.environ, "PYTHONPATH": str(CLIENTS / "python"), "XDG_STATE_HOME": str(state)}
    command = [FORMCTL, "client-kit", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def results(*arguments: Union[str, Path], state: Union[str, Path] = "/nonexistent") -> dict[str, Any]:
    """The result of each scenario, by name."""
    run = client_kit("--json", *arguments, state=state)
    assert run.stdout, run.stderr
    value = json.loads(run.stdout)
    failed = [scenario["name"] for scenario in value["scenarios"] if not scenario["passed"]]
    assert run.returncode == (1 if failed else 0)
    assert (value["passed"], value["failed"]) == (len(value["scenarios"]) - len(failed), len(failed))
    return {scenario["name"]: scenario for scenario in value["scenarios"]}


@pytest.fixture(scope="module")
def reference() -> dict[str, Any]:
    """The results of the reference client."""
    return results("--timeout", "30", "--", *REFERENCE)


def problems(of: dict[str, Any]) -> dict[str, str]:
    return {name: scenario["problem"] for name, scenario in of.items() if not scenario["passed"]}


def test_a_correct_client_passes_every_scenario(reference: dict[str, Any]) -> None:
    assert problems(reference) == {}


def test_the_python_client_passes_every_scenario() -> None:
    assert problems(results("--timeout", "30", "--", sys.executable, ADAPTERS / "python.py")) == {}


@pytest.mark.parametrize("editor", EDITORS)
def test_the_plugin_of_an_editor_passes_every_scenario_but_opens_lost_forms_again(editor: str, folder: Path) -> None:
    if not INSTALLED[editor]:
        pytest.skip(f"{editor} is not installed")
    found = problems(results("--timeout", "30", "--", *EDITORS[editor], state=folder))
    assert {name: problem for name, problem in found.items() if name not in OPENED_AGAIN} == {}
    assert set(found) == OPENED_AGAIN


def test_a_client_that_breaks_one_rule_fails_exactly_the_scenario_of_that_rule(reference: dict[str, Any]) -> None:
    def failed(name: str) -> list[str]:
        return list(problems(results("--timeout", "5", "--", *REFERENCE, name)))

    with ThreadPoolExecutor(8) as threads:
        found = dict(zip(reference, threads.map(failed, reference)))
    # A client that does not come back after the reason store does not do so again and again, either.
    assert found == {**{name: [name] for name in reference}, "store": ["store", "again"]}


def test_the_page_of_the_clients_has_every_scenario_and_every_result(reference: dict[str, Any]) -> None:
    # ClientKitTests runs the kit with the client for Swift, and test_typescript_client.py and test_go_client.py run it
    # with theirs. These tests fail unless all scenarios pass.
    rows = [
        f"| `{one['name']}` | {one['daemon']} | {one['client']} "
        f"| [{one['page'].partition('#')[0]}](../{one['page']}) | yes | yes | yes | yes "
        f"| {'again' if one['name'] in OPENED_AGAIN else 'yes'} |"
        for one in reference.values()
    ]
    text = (CLIENTS / "README.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if re.match(r"\| `[a-z]+` \| .* yes ", line)] == rows


def test_the_page_of_the_clients_shows_the_adapter_of_the_python_client() -> None:
    text = (CLIENTS / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert shown and (ADAPTERS / "python.py").read_text(encoding="utf-8").endswith("\n" + shown[1])


def anchor(heading: str) -> str:
    """The address of a section, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_each_scenario_names_the_section_that_states_its_rule(reference: dict[str, Any]) -> None:
    for scenario in reference.values():
        page, _, section = scenario["page"].partition("#")
        headings = re.findall(r"^#+ (.*)", (ROOT / "protocol" / page).read_text(encoding="utf-8"), re.MULTILINE)
        assert section in map(anchor, headings), scenario["page"]


def test_people_read_what_went_wrong_and_where_the_rule_is() -> None:
    run = client_kit("--only", "tap", "--only", "merge", "--", *REFERENCE, "tap")
    assert run.returncode == 1
    lines = run.stdout.splitlines()
    assert lines[0] == "merge  passed"
    assert re.fullmatch(r"tap    failed: the client sent action/tap .*, and must not", lines[1])
    assert lines[2:] == [
        "  the daemon ends the connection before it has answered action/tap",
        "  the client does not send the tap again, and reports the error unknown"
        " (protocol/kept-sessions.md#coming-back)",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (["true"], "the adapter has ended"),
        (["echo", "hello"], "the adapter wrote a line that is not a JSON object: hello"),
        (["echo", "[]"], "the adapter wrote a line that is not a JSON object: []"),
        (["echo", "{}"], "the adapter reported before the client sent session/open"),
        (["sleep", "60"], "nothing came for 0.5 seconds; expected: session/open"),
    ],
)
def test_an_adapter_that_does_not_answer_fails_and_says_why(command: list[str], problem: str) -> None:
    assert problems(results("--only", "merge", "--timeout", "0.5", "--", *command)) == {"merge": problem}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "/no/such/adapter"], "formctl: /no/such/adapter: No such file or directory"),
        (["--only", "tpa", "--", "true"], "There is no scenario tpa. Did you mean tap?"),
        (["--only", "merge"], "The adapter and its arguments, behind \"--\"."),
    ],
)
def test_what_cannot_be_played_says_what_to_do(arguments: list[str], message: str) -> None:
    run = client_kit(*arguments)
    assert run.returncode == 2 and message in run.stderr and run.stdout == ""


def test_a_client_may_write_headers(reference: dict[str, Any], folder: Path) -> None:
    text = (ADAPTERS / "reference.py").read_text(encoding="utf-8")
    line = 'self.socket.sendall(json.dumps(message).encode() + b"\\n")'
    reads = 'line, _, self.buffer = self.buffer.partition(b"\\n")'
    waits = 'while b"\\n" not in self.buffer:'
    assert text.count(line) == text.count(reads) == text.count(waits) == 1
    text = text.replace(
        line, 'text = json.dumps(message).encode(); self.socket.sendall(b"Content-Length: %d\\r\\n\\r\\n" % len(text) + text)'
    )
    text = text.replace(waits, "while not self.has_text():")
    # Until the client has sent a byte, the daemon writes lines.
    text = text.replace(
        reads,
        'if self.buffer[:1] == b"{":\n            ' + reads + '\n        else:\n            head, _, rest = self.buffer.partition(b"\\r\\n\\r\\n")\n'
        "            size = int(head.split()[1]); line, self.buffer = rest[:size], rest[size:]",
    )
    text = text.replace(
        "    def push(",
        '    def has_text(self):\n        if self.buffer[:1] == b"{":\n            return b"\\n" in self.buffer\n        head, _, rest = self.buffer.partition(b"\\r\\n\\r\\n")\n'
        '        return b"\\r\\n\\r\\n" in self.buffer and len(rest) >= int(head.split()[1])\n\n    def push(',
    )
    adapter = folder / "headers.py"
    adapter.write_text(text, encoding="utf-8")
    assert problems(results("--timeout", "30", "--", sys.executable, "-S", adapter)) == {}
