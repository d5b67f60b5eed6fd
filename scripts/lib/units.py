#!/usr/bin/env python3
"""Writes the units for systemd for a prefix: units.py PREFIX FROM TO [VERSION]. FROM and TO are folders with a folder
for each kind. VERSION is the version of systemd, by default the version of this machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

VERSION_WITH_NOTIFY_RELOAD = 253


def quoted(path: str) -> str:
    """A path without quotes and backslashes, which systemd refuses, inside of a quoted word (systemd.unit(5),
    "Specifiers")."""
    return path.replace("%", "%%")


def installed_version() -> int:
    """The version of systemd on this machine. Without systemd, the newest is expected."""
    try:
        text = subprocess.run(["systemctl", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return VERSION_WITH_NOTIFY_RELOAD
    found = re.match(r"systemd (\d+)", text)
    return int(found.group(1)) if found else VERSION_WITH_NOTIFY_RELOAD


def adapted(unit: str, version: int, socket: str) -> str:
    """A unit for that version of systemd: an older one cannot wait for the end of a reload by itself."""
    if version >= VERSION_WITH_NOTIFY_RELOAD:
        return unit
    reload = f'ExecReload="@PREFIX@/bin/formctl" reload --socket {socket}'
    return unit.replace("Type=notify-reload\n", f"Type=notify\n{reload}\n")


def write(prefix: Path, source: Path, target: Path, version: int) -> list[Path]:
    """Writes the units of one kind, and prints their folder."""
    listen = re.search(r"^ListenStream=(.*)$", (source / "formd.socket").read_text(encoding="utf-8"), re.MULTILINE)
    assert listen, f"{source}/formd.socket has no ListenStream="
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for unit in sorted(source.iterdir()):
        written.append(target / unit.name)
        text = adapted(unit.read_text(encoding="utf-8"), version, listen.group(1))
        written[-1].write_text(text.replace("@PREFIX@", quoted(str(prefix))), encoding="utf-8")
    return written


def main() -> None:
    prefix, source, target = map(Path, sys.argv[1:4])
    version = int(sys.argv[4]) if len(sys.argv) > 4 else installed_version()
    for kind in sorted(source.iterdir()):
        write(prefix, kind, target / kind.name, version)


if __name__ == "__main__":
    main()
