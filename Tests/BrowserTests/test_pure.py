"""The pure functions of client.js, in Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def test_pure_functions_in_node() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node: install it (apt-get install nodejs)")
    run = subprocess.run([node, "--test", str(Path(__file__).with_name("pure.test.mjs"))],
                         capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
