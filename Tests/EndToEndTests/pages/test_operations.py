"""protocol/operations.md: the commands of the page are typed, and their output is compared with the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import PATIENCE_SECONDS, ROOT, formctl_binary, formd_binary
from page_examples import Page, agree

PAGE = Page("operations.md")
METRICS = ROOT / "Sources" / "FormProtocol" / "Values" / "MetricsText.swift"
MARK = "=== the next command"


class Command(NamedTuple):
    """A command of the page."""

    typed: str
    told: str

    def __str__(self) -> str:
        return textwrap.indent(f"$ {self.typed}\n{self.told}", "    ")


def commands() -> list[Command]:
    """All commands, in order: from the indented blocks that begin with a command. The text between `<<'END'` and `END`
    belongs to its command."""
    found: list[Command] = []
    for block in re.findall(r"(?m)^    \$ .*\n(?:    .*\n)*", PAGE.text):
        lines = iter(textwrap.dedent(block).splitlines())
        for line in lines:
            if not line.startswith("$ "):
                typed, told = found[-1]
                found[-1] = Command(typed, f"{told}{line}\n")
                continue
            typed = line[2:]
            if "<<'END'" in typed:
                while (more := next(lines)) != "END":
                    typed += f"\n{more}"
                typed += "\nEND"
            found.append(Command(typed, ""))
    return found


@pytest.mark.skipif(not shutil.which("jq"), reason="there is no jq")
def test_each_command_tells_what_the_page_says(folder: Path) -> None:
    (folder / "bin").mkdir()
    for program in (formd_binary(), formctl_binary()):
        (folder / "bin" / program.name).symlink_to(program)
    place = folder / "place"
    place.mkdir()
    asked = commands()
    assert len(asked) > 10
    script = "".join(f"echo {MARK!r}\n{command.typed}\n" for command in asked)
    environment = {
        **os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "FORMD_SOCKET": str(folder / "formd.sock"),
        "XDG_CONFIG_HOME": "/nonexistent", "FORMD_CONFIG": "", "FORMD_FORMS": "",
        "PYTHONPATH": str(ROOT / "protocol" / "clients" / "python"),
    }  # fmt: skip
    run = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{script}"], cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, timeout=2 * PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    told = run.stdout.split(f"{MARK}\n")[1:]
    for command, now in zip(asked, told, strict=True):
        agree(PAGE.path, str(command), str(command._replace(told=now)))


def test_every_metric_that_the_page_names_is_one() -> None:
    statistics = (ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8")
    # These have labels, and are made from lists.
    labelled = set(re.findall(r'"formd_([a-z_]+)_total"', METRICS.read_text(encoding="utf-8")))
    for metric in set(re.findall(r"`formd_([a-z_]+)_total`", PAGE.text)):
        member = re.sub(r"_([a-z])", lambda found: found[1].upper(), metric)
        assert metric in labelled or f'"{member}"' in statistics, metric
