"""Pages whose examples are run: the files that they show, and the commands with their output.

With FORMD_REWRITE=1, tests write what the programs say into the pages instead of failing.

A block that begins with ```json form:NAME is the file NAME.form.json; a block that begins with ```LANGUAGE file:NAME is
the file NAME. The blocks of ```console are typed one after the other in the folder of these files.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from harness import PATIENCE_SECONDS, ROOT, formctl_binary

REWRITES = os.environ.get("FORMD_REWRITE") == "1"
"""Whether pages get what the programs say."""

COLUMNS_MAX = 100


def agree(page: Path, shown: str, told: str) -> None:
    """Fails unless a text of a page is what the programs say. With FORMD_REWRITE=1, the page gets what they say."""
    if shown == told or not REWRITES:
        assert told == shown, f"{page.name} shows another text; FORMD_REWRITE=1 writes what the programs say"
        return
    text = page.read_text(encoding="utf-8")
    assert text.count(shown) == 1, f"{page.name} has this {text.count(shown)} times, so write it by hand:\n{shown}"
    page.write_text(text.replace(shown, told), encoding="utf-8")


def wrapped(message: str, first: str, more: str) -> str:
    """A message in lines that have room on a page. The first begins with `first`, each further line with `more`."""
    lines = [first]
    for part in re.split(r'(?<=,)(?=")', message):
        if len(lines[-1] + part) > COLUMNS_MAX and lines[-1] != first:
            lines.append(more)
        lines[-1] += part
    return "".join(line + "\n" for line in lines)


class Typed(NamedTuple):
    """A command of a page, and its output there."""

    command: str
    printed: str

    def __str__(self) -> str:
        return "$ " + self.command.replace("\n", "\n> ") + "\n" + self.printed


def commands(console: str) -> list[Typed]:
    """The commands of a block: each begins with `$ `, and goes on with `> ` as in a shell."""
    typed = []
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        more = next((index for index, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
        command = "\n".join([lines[0], *(line[2:] for line in lines[1:more])])
        typed.append(Typed(command, "".join(line + "\n" for line in lines[more:])))
    return typed


def name_of(console: str) -> str:
    """The name of a block of commands in the results of tests."""
    return commands(console)[0].command[:60]


class Page:
    """A page."""

    def __init__(self, name: str) -> None:
        self.path = ROOT / "protocol" / name
        self.text = self.path.read_text(encoding="utf-8")
        blocks = re.findall(r"^```\w+ (form|file):(\S+)\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)
        self.names = [name + (".form.json" if kind == "form" else "") for kind, name, _ in blocks]
        self.files = dict(zip(self.names, (text for _, _, text in blocks)))
        self.consoles: list[str] = re.findall(r"^```console\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)

    def write(self, folder: Path) -> None:
        """Puts the files of the page into a folder."""
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    def type_in(self, folder: Path, console: str, **environment: str) -> None:
        """Types the commands of a block, and compares their output with the block."""
        path = f"{formctl_binary().parent}:{os.environ['PATH']}"
        told = ""
        for command, _ in commands(console):
            done = subprocess.run(
                ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path, "TZ": "UTC", **environment},
                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=2 * PATIENCE_SECONDS, check=False,
            )  # fmt: skip
            told += str(Typed(command, done.stdout))
        agree(self.path, f"```console\n{console}```\n", f"```console\n{told}```\n")
