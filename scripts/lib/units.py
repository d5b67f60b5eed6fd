#!/usr/bin/env python3
"""Writes the units for systemd for a prefix: units.py PREFIX FROM TO. FROM and TO are folders with a folder for each
kind."""

from __future__ import annotations

import sys
from pathlib import Path


def quoted(path: str) -> str:
    """A path without quotes and backslashes, which systemd refuses, inside of a quoted word (systemd.unit(5),
    "Specifiers")."""
    return path.replace("%", "%%")


def write(prefix: Path, source: Path, target: Path) -> list[Path]:
    """Writes the units of one kind, and prints their folder."""
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for unit in sorted(source.iterdir()):
        written.append(target / unit.name)
        written[-1].write_text(unit.read_text(encoding="utf-8").replace("@PREFIX@", quoted(str(prefix))), encoding="utf-8")
    return written


def main() -> None:
    prefix, source, target = map(Path, sys.argv[1:])
    for kind in sorted(source.iterdir()):
        write(prefix, kind, target / kind.name)


if __name__ == "__main__":
    main()
