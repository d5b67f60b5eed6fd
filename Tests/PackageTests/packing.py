"""Makes packages for the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import harness  # noqa: E402

PACKAGE = harness.ROOT / "scripts" / "package"


def make(kind: str, programs: str, folder: Path, *options: str) -> Path:
    """Makes a package of the programs in a folder and returns it."""
    command = [str(PACKAGE), kind, "--programs", programs, "--to", str(folder), *options]
    return Path(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
