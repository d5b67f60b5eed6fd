"""The file that is installed as all three programs: it does what its name says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness import formd_binary

FILE = formd_binary().parent / "formd-programs"
PROGRAMS = ("formd", "formctl", "formd-web")


def usage(*command: str) -> str:
    """The name of the program in the first line of its help."""
    run = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    return run.stdout.split("USAGE: ")[1].split()[0]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_name_of_the_file_is_the_program(folder: Path, program: str) -> None:
    (folder / program).symlink_to(FILE)
    assert usage(str(folder / program)) == program


@pytest.mark.parametrize("program", ["formctl", "formd-web"])
def test_the_first_argument_stands_for_the_name(program: str) -> None:
    assert usage(str(FILE), program) == program


def test_every_other_name_is_the_daemon(folder: Path) -> None:
    (folder / "formd-0.1").symlink_to(FILE)
    assert usage(str(folder / "formd-0.1")) == "formd"
    # The arguments behind the name of a program are the program's own.
    run = subprocess.run([str(FILE), "formctl", "expr", "1 + 2"], capture_output=True, text=True, check=True)
    assert run.stdout == "3\n"
