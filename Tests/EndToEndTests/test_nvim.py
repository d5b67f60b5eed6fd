"""The Neovim plugin: its own tests (protocol/clients/neovim/tests), run by the real editor, each as a test of this
file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

import harness
from harness import ROOT, Daemon

PLUGIN = ROOT / "protocol" / "clients" / "neovim"
SUITE_SECONDS_MAX = 600
"""The suite as a whole; each of its tests has deadlines of its own."""

pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed (Debian: neovim)")


def names() -> list[str]:
    """The names of the suite's tests: the names that its files give to `it`."""
    return [
        name
        for spec in sorted(PLUGIN.glob("tests/*_spec.lua"))
        for name in re.findall(r"^it\('([^']*)'", spec.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.fixture(scope="module")
def reports(daemon: Daemon, scratch: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """The results of one run of the suite, by test."""
    report = scratch / "neovim.jsonl"
    temporary = scratch / "neovim"
    temporary.mkdir()
    environment = {
        **os.environ,
        "FORMD_BIN": str(harness.formd_binary()),
        "FORMCTL_BIN": str(harness.formctl_binary()),
        "FORMD_SOCKET": str(daemon.path),
        "FORMD_TEST_REPORT": str(report),
        "TMPDIR": str(temporary),
        "XDG_CONFIG_HOME": "/nonexistent",
        "XDG_STATE_HOME": str(temporary),
        "XDG_DATA_HOME": str(temporary),
    }
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(PLUGIN / "tests" / "run.lua")]
    ended = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SUITE_SECONDS_MAX,
        check=False,
    )
    assert report.exists(), f"the suite did not begin:\n{ended.stdout}{ended.stderr}"
    lines = report.read_text(encoding="utf-8").splitlines()
    yield {line["name"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize("name", names())
def test_the_suite_of_the_plugin(name: str, reports: dict[str, dict[str, Any]]) -> None:
    assert name in reports, f"the suite ended before this test; it came to: {', '.join(reports)}"
    assert reports[name]["ok"], reports[name].get("fault")


def test_the_help_has_a_tag_for_every_command_and_setting(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"helptags {tmp_path}/doc", "-c", "qall!"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0 and not re.search(r"\bE\d+:", ended.stderr), ended.stderr
    tags = {line.split("\t")[0] for line in (tmp_path / "doc" / "tags").read_text(encoding="utf-8").splitlines()}
    sources = {path.name: path.read_text(encoding="utf-8") for path in PLUGIN.glob("**/*.lua")}
    commands = re.findall(r"define\('(Form\w*)'", sources["commands.lua"]) + ["Form"]
    settings = re.findall(r"^  (\w+) = ", sources["config.lua"].split("M.defaults = {")[1].split("\n}")[0], re.MULTILINE)
    wanted = {f":{command}" for command in commands} | {f"formd-setting-{setting}" for setting in settings}
    assert wanted <= tags, wanted - tags
