"""The programs of protocol/clients/other-languages.md, each run against a daemon where its language is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Optional

import pytest

from harness import ROOT, Daemon

PAGE = (ROOT / "protocol" / "clients" / "other-languages.md").read_text(encoding="utf-8")
PROGRAMS: dict[str, str] = dict(re.findall(r"^```\w+ file:(\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
INTERPRETERS = {"login.pl": "perl", "login.rb": "ruby", "login.php": "php", "Login.java": "java"}
COMPILERS = {
    "login.c": ["cc", "-Wall", "-Wextra", "-Werror", "login.c", "-ljansson", "-o", "login"],
    "login.rs": ["rustc", "-D", "warnings", "login.rs", "-o", "login"],
}


def command(folder: Path, name: str) -> list[str]:
    """Writes a program of the page, and returns the command that runs it."""
    tool = INTERPRETERS.get(name) or COMPILERS[name][0]
    if not shutil.which(tool):
        pytest.skip(f"there is no {tool}")
    (folder / name).write_text(PROGRAMS[name], encoding="utf-8")
    if name in INTERPRETERS:
        return [tool, name]
    subprocess.run(COMPILERS[name], cwd=folder, check=True)
    return ["./login"]


def test_the_page_has_the_programs_that_this_test_runs() -> None:
    assert set(PROGRAMS) == {*INTERPRETERS, *COMPILERS}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_the_page_logs_in_and_shows_messages(name: str, daemon: Daemon, folder: Path) -> None:
    program = command(folder, name)

    def run(*arguments: str, socket: Optional[Path] = daemon.path) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "FORMD_SOCKET": str(socket)}
        if socket is None:
            del environment["FORMD_SOCKET"]
        return subprocess.run(
            [*program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    good = run("kim@example.com", "hunter2")
    assert (good.stdout, good.returncode) == ("succeeded\n", 0), good.stderr
    bad = run("kim", "hunter2")
    assert (bad.stdout, bad.returncode) == ("email: That is not an email address.\nrejected\n", 0), bad.stderr
    assert run("kim", "hunter2", socket=folder / "nobody").returncode != 0
    lost = run("kim", "hunter2", socket=None)
    assert lost.returncode != 0 and "FORMD_SOCKET must name the daemon's socket" in lost.stderr
    assert (lost.stdout, lost.stderr.count("\n")) == ("", 1)
