"""The Go client: its own tests with the race detector against a daemon, the kit, and the program of its README."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import ROOT, Daemon, formctl_binary

CLIENT = ROOT / "protocol" / "clients" / "go"
ADAPTER = Path(__file__).parents[1] / "kit" / "go"
GO = shutil.which("go")
pytestmark = pytest.mark.skipif(not GO, reason="there is no go; scripts/setup --tests installs it")


def go(folder: Path, *arguments: str, **environment: str) -> str:
    """Runs a command of go, and returns its output. It loads nothing from the network."""
    environment = {**os.environ, "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", **environment}
    command = [str(GO), *arguments]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize("folder", [CLIENT, ADAPTER], ids=["client", "adapter"])
def test_go_has_nothing_to_say_about_the_code(folder: Path) -> None:
    go(folder, "vet", "./...")
    files = [str(file) for file in folder.glob("*.go")]
    found = subprocess.run([Path(str(GO)).resolve().parent / "gofmt", "-l", *files], capture_output=True, text=True, check=True)
    assert found.stdout == ""


def test_the_client_s_own_tests_pass_with_the_race_detector(daemon: Daemon) -> None:
    output = go(CLIENT, "test", "-race", "-count=1", "-v", "./...", FORMD_SOCKET=str(daemon.path))
    assert "--- SKIP" not in output and "--- PASS: Example" in output


def test_the_client_passes_the_kit_with_the_race_detector(folder: Path) -> None:
    adapter = folder / "adapter"
    go(ADAPTER, "build", "-race", "-o", str(adapter), ".")
    command = [formctl_binary(), "client-kit", "--json", "--timeout", "30", "--", adapter]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    results = json.loads(run.stdout)
    assert {one["name"]: one["problem"] for one in results["scenarios"] if not one["passed"]} == {}
    assert "DATA RACE" not in run.stderr


def test_the_program_of_the_page_runs(daemon: Daemon, folder: Path) -> None:
    text = (CLIENT / "README.md").read_text(encoding="utf-8")
    program = re.search(r"^```go\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert program
    shutil.copytree(CLIENT, folder / "formd")
    (folder / "main.go").write_text(program[1], encoding="utf-8")
    (folder / "go.mod").write_text(
        "module example\n\ngo 1.19\n\nrequire formd v0.0.0\n\nreplace formd => ./formd\n", encoding="utf-8"
    )
    printed = go(folder, "run", ".", FORMD_SOCKET=str(daemon.path))
    assert printed == "map[email:That is not an email address.]\nevent: succeeded\nsucceeded\n"
