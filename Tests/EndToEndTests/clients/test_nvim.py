"""The Neovim plugin: its own tests (protocol/clients/neovim/tests), run by each real editor that is here, each as a
test of this file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import ROOT, Daemon

PLUGIN = ROOT / "protocol" / "clients" / "neovim"
SUITE_SECONDS_MAX = 600
"""The suite as a whole; each of its tests has deadlines of its own."""

NEOVIMS = harness.neovims()
pytestmark = pytest.mark.skipif(not NEOVIMS, reason="Neovim is not installed (Debian: neovim)")


def names() -> list[str]:
    """The names of the suite's tests: the names that its files give to `it`."""
    return [
        name
        for spec in sorted(PLUGIN.glob("tests/*_spec.lua"))
        for name in re.findall(r"^it\('([^']*)'", spec.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.fixture(scope="module")
def reports(daemon: Daemon, scratch: Path) -> dict[str, tuple[dict[str, dict[str, Any]], str]]:
    """The results of one run of the suite, by editor and test, and how the editor ended.

    All editors run it at the same time: it mostly waits."""
    with ThreadPoolExecutor() as pool:
        runs = {name: pool.submit(report, nvim, daemon, scratch / name) for name, nvim in NEOVIMS.items()}
    return {name: run.result() for name, run in runs.items()}


def report(nvim: str, daemon: Daemon, folder: Path) -> tuple[dict[str, dict[str, Any]], str]:
    """The results of a run of the suite in `folder`, by test, and how the editor ended."""
    folder.mkdir()
    report = folder / "report.jsonl"
    environment = {
        **os.environ,
        "FORMD_BIN": str(harness.formd_binary()),
        "FORMCTL_BIN": str(harness.formctl_binary()),
        "FORMD_SOCKET": str(daemon.path),
        "FORMD_TEST_REPORT": str(report),
        "TMPDIR": str(folder),
        "XDG_CONFIG_HOME": "/nonexistent",
        "XDG_STATE_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    ended = subprocess.run(
        [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(PLUGIN / "tests" / "run.lua")],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SUITE_SECONDS_MAX,
        check=False,
    )
    assert report.exists(), f"the suite did not begin:\n{ended.stdout}{ended.stderr}"
    lines = report.read_text(encoding="utf-8").splitlines()
    ending = f"exit status {ended.returncode}\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}"
    return {line["name"]: line for line in map(json.loads, lines)}, ending


@pytest.mark.parametrize("editor", NEOVIMS)
@pytest.mark.parametrize("name", names())
def test_the_suite_of_the_plugin(
    name: str, editor: str, reports: dict[str, tuple[dict[str, dict[str, Any]], str]]
) -> None:
    results, ending = reports[editor]
    assert name in results, f"the suite ended before this test, after {list(results)[-1:]}: {ending}"
    assert results[name]["ok"], results[name].get("fault")


def test_the_help_has_a_tag_for_every_command_and_setting(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    nvim = next(iter(NEOVIMS.values()))
    command = [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"helptags {tmp_path}/doc", "-c", "qall!"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0 and not re.search(r"\bE\d+:", ended.stderr), ended.stderr
    tags = {line.split("\t")[0] for line in (tmp_path / "doc" / "tags").read_text(encoding="utf-8").splitlines()}
    sources = {path.name: path.read_text(encoding="utf-8") for path in PLUGIN.glob("**/*.lua")}
    commands = re.findall(r"define\('(Form\w*)'", sources["commands.lua"]) + ["Form"]
    settings = re.findall(r"^  (\w+) = ", sources["config.lua"].split("M.defaults = {")[1].split("\n}")[0], re.MULTILINE)
    wanted = {f":{command}" for command in commands} | {f"formd-setting-{setting}" for setting in settings}
    assert wanted <= tags, wanted - tags
