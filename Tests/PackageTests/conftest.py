from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

import pytest

from packing import harness

NEEDED_COMMANDS = ("dpkg-deb", "dpkg-shlibdeps", "git", "patchelf")


@pytest.fixture(scope="session")
def programs() -> str:
    """The folder of the program, built as it is released; or the folder of FORMD_BIN."""
    missing = [command for command in NEEDED_COMMANDS if not shutil.which(command)]
    if missing:
        pytest.skip(f"missing commands: {' '.join(missing)}; run scripts/setup --packages")
    if os.environ.get("FORMD_BIN"):
        return str(harness.formd_binary().parent)
    command = [str(harness.ROOT / "scripts" / "lib" / "build-release"), "formd-programs"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="formd-package-") as folder:
        yield Path(folder)
