"""The Emacs package, protocol/clients/emacs, in the real editor: its own suite, how it compiles, and how it is
installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Optional

import pytest

from harness import ROOT, Daemon, formctl_binary, formd_binary

PACKAGE = ROOT / "protocol" / "clients" / "emacs"
SUITE = (PACKAGE / "formd-tests.el").read_text(encoding="utf-8")
TESTS = re.findall(r"^\(ert-deftest (\S+) \(\)", SUITE, re.MULTILINE)

SUITE_SECONDS = 600.0
"""For the whole suite, each of whose tests gives up by itself after `formd-tests-patience` seconds."""

EMACS = shutil.which("emacs")
pytestmark = pytest.mark.skipif(EMACS is None, reason="emacs is not installed (Debian: emacs-nox)")


def emacs(
    folder: Path, *arguments: str, environment: Optional[dict[str, str]] = None
) -> subprocess.CompletedProcess[str]:
    """Runs Emacs without a terminal to its end, with a home of its own, in `folder`."""
    return subprocess.run(
        [EMACS or "emacs", "-Q", "--batch", *arguments],
        cwd=folder,
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "", "HOME": str(folder), **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=SUITE_SECONDS,
        check=False,
        # Without a terminal, Emacs does not ignore SIGPIPE by itself, and a daemon that ends would end it.
        restore_signals=False,
    )


def copy_of_the_package(folder: Path) -> Path:
    """The package's files in `folder`, where what is compiled does not lie among the sources."""
    copy = folder / "formd"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.elc", "formd-tests.el"))
    return copy


@pytest.fixture(scope="module")
def report(scratch: Path, daemon: Daemon) -> str:
    """The output of the suite, run once."""
    folder = scratch / "emacs"
    folder.mkdir()
    return emacs(
        folder, "-L", str(PACKAGE), "-l", str(PACKAGE / "formd-tests.el"), "-f", "ert-run-tests-batch-and-exit",
        environment={
            "FORMD_SOCKET": str(daemon.path), "FORMD_BIN": str(formd_binary()), "FORMCTL_BIN": str(formctl_binary()),
        },
    ).stdout  # fmt: skip


@pytest.mark.parametrize("name", TESTS)
def test_suite(report: str, name: str) -> None:
    result = re.search(rf"^ +(passed|skipped|FAILED) +\d+/\d+ +{re.escape(name)}\b", report, re.MULTILINE)
    assert result, f"{name} did not run; Emacs wrote:\n{report}"
    if result[1] == "skipped":
        pytest.skip(said_of(report, name))
    assert result[1] == "passed", said_of(report, name)


def said_of(report: str, name: str) -> str:
    """The part of the suite's report on one test: its backtrace and why it did not pass."""
    begin = report.find(f"Test {name} backtrace:")
    end = report.find(f"  {name}", begin)
    return report[begin:end] if 0 <= begin < end else report


def test_the_suite_is_found() -> None:
    assert len(TESTS) > 40 and len(set(TESTS)) == len(TESTS)


def test_compiles_without_a_warning(folder: Path) -> None:
    copy = copy_of_the_package(folder)
    files = sorted(str(file.name) for file in copy.glob("formd*.el") if file.name != "formd-pkg.el")
    result = emacs(
        copy, "-L", ".", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", *files
    )
    assert result.returncode == 0, result.stdout
    assert "Warning" not in result.stdout, result.stdout
    assert {file.stem for file in copy.glob("*.elc")} == {file.removesuffix(".el") for file in files}


@pytest.mark.parametrize("file", sorted(file.name for file in PACKAGE.glob("formd*.el") if file.name != "formd-pkg.el"))
def test_documentation_is_in_order(folder: Path, file: str) -> None:
    result = emacs(folder, "--eval", f'(checkdoc-file "{PACKAGE / file}")')
    warnings = [line for line in result.stdout.splitlines() if re.search(r"\.el:\d+|Warning", line)]
    assert result.returncode == 0 and not warnings, result.stdout


def test_installs_as_a_package(folder: Path, start: Callable[..., Daemon]) -> None:
    """From its folder, as README.md says; afterwards `M-x formd` needs no `require`."""
    copy = copy_of_the_package(folder)
    packages = f'(setq package-user-dir "{folder / "elpa"}")'
    installed = emacs(folder, "--eval", packages, "-l", "package", "--eval", f'(package-install-file "{copy}")')
    assert installed.returncode == 0, installed.stdout
    daemon = start()
    used = emacs(
        folder, "--eval", packages, "-f", "package-initialize",
        "--eval", '(progn (formd "invoice" "en") (princ (buffer-string)))',
        "--eval", '(princ (list major-mode (assoc-default "x.form.json" auto-mode-alist #\'string-match)))',
        environment={"FORMD_SOCKET": str(daemon.path)},
    )  # fmt: skip
    assert used.returncode == 0, used.stdout
    assert "Customer" in used.stdout
    assert "(formd-mode formd-definition-mode)" in used.stdout
    # Eglot may be loaded before anything of this package is, and is another package on Emacs 28.
    entry = emacs(
        folder, "--eval", packages, "-f", "package-initialize",
        "--eval", "(progn (setq eglot-server-programs nil) (provide 'eglot) (princ eglot-server-programs))",
    )  # fmt: skip
    assert "((formd-definition-mode) . formd-definition-server)" in entry.stdout
