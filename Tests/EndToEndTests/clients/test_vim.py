"""The Vim plugin, by its own suite: `protocol/clients/vim/test` runs in a real Vim, against a real daemon.

One Vim runs all tests and reports each; a case here is one of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Iterator

import pytest

import harness
from harness import Backend, Daemon, Process

SUITE = harness.ROOT / "protocol" / "clients" / "vim" / "test"
TEST_SECONDS = 4 * harness.PATIENCE_SECONDS
"""A test waits for several things, each as long as that is usual. After this long, it is taken to hang."""

NAMES = sorted(
    name for file in SUITE.glob("test_*.vim") for name in re.findall(r"^def g:(Test_\w+)", file.read_text(encoding="utf-8"), re.M)
)

vim = shutil.which("vim")
HAS_FEATURES = vim is not None and all(
    f"+{name}" in subprocess.run([vim, "--version"], capture_output=True, text=True, check=False).stdout
    for name in ("channel", "terminal", "textprop", "vim9script")
)
pytestmark = pytest.mark.skipif(not HAS_FEATURES, reason="there is no vim with +vim9script and +terminal here (Debian: vim-nox)")


class Suite(Process):
    """The Vim that runs the tests. It writes each test's outcome to a pipe."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        assert vim
        pipe = folder / "report"
        os.mkfifo(pipe)
        # Open for writing, too, so that it does not end whenever Vim has written a line.
        self._report = os.fdopen(os.open(pipe, os.O_RDWR), encoding="utf-8")
        self._outcomes: dict[str, list[str]] = {}
        self._skipped: set[str] = set()
        self._told = threading.Condition()
        super().__init__(
            [vim, "-Nu", "NONE", "-i", "NONE", "--not-a-term", "-T", "dumb", "-S", str(SUITE / "run.vim")],
            {**environment, "FORMD_TEST_REPORT": str(pipe)},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        why: list[str] = []
        for line in self._report:
            with self._told:
                if line.startswith("#"):
                    why.append(line[2:].rstrip("\n"))
                    continue
                outcome, _, name = line.strip().rpartition(" ")
                why = self._outcomes[name] = [] if outcome == "ok" else [f"{name} failed"]
                if outcome == "done":
                    self._outcomes[name] = []
                if outcome == "skip":
                    why.clear()
                    self._skipped.add(name)
                self._told.notify_all()

    def outcome(self, name: str) -> list[str]:
        """The outcome of a test, read once the next test has reported: [] if it passed, else the lines that say why it
        failed."""
        with self._told:
            following = [*NAMES, "all"][NAMES.index(name) + 1]
            assert self._told.wait_for(lambda: {following, "all"} & {*self._outcomes}, TEST_SECONDS), f"the suite hangs; it came to {[*self._outcomes]}"
            if name in self._skipped:
                pytest.skip("\n".join(self._outcomes[name]))
            return self._outcomes.get(name, ["the suite did not run it"])


@pytest.fixture(scope="module")
def suite(scratch: Path, daemon: Daemon, backend: Backend, forms: Path) -> Iterator[Suite]:
    folder = scratch / "vim"
    (folder / "config" / "formd").mkdir(parents=True)
    # The configuration of the daemons that tests have started for themselves.
    own = {**harness.configuration(backend), "forms": [str(forms)]}
    (folder / "config" / "formd" / "formd.json").write_text(json.dumps(own), encoding="utf-8")
    environment = {
        "FORMD_SOCKET": str(daemon.path),
        "FORMD_TEST_FOLDER": str(folder),
        "FORMD_BIN": str(harness.formd_binary()),
        "FORMCTL_BIN": str(harness.formctl_binary()),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
        "HOME": str(folder),
    }
    suite = Suite(folder, environment)
    yield suite
    if suite.process.poll() is None:
        suite.process.kill()
    suite.wait()


@pytest.mark.parametrize("name", NAMES)
def test_suite(suite: Suite, name: str) -> None:
    why = suite.outcome(name)
    assert not why, "\n".join(why)
