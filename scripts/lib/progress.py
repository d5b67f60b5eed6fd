"""Runs `swift build` with the given arguments, and shows its progress; called by scripts/quickstart.

On a terminal, one line shows the current step and about how many minutes are left. Elsewhere, a line is printed for
each tenth of the build. The compiler's output goes to .build/quickstart-build.log. If the build fails, its errors are
printed.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Optional

BUILD = Path(__file__).resolve().parents[2] / ".build"
LOG = BUILD / "quickstart-build.log"
STEP = re.compile(r"^\[(\d+)/(\d+)\]")
# Before this time, an estimate is not reliable.
ESTIMATE_SECONDS_MIN = 10
ERROR_LINES_MAX = 40
# About how many steps a first build of formd has. SwiftPM finds its steps on the way, and knows a tenth at first.
FIRST_BUILD_STEPS = 1250


def left(done: int, total: int, seconds: float) -> Optional[str]:
    """About how long the build will take, if each step takes as long as the steps before; None if it is too early."""
    if not done or seconds < ESTIMATE_SECONDS_MIN:
        return None
    rest = seconds * (total - done) / done
    return "less than a minute left" if rest < 60 else f"about {round(rest / 60)} min left"


class Progress:
    """The part of the build that is shown."""

    def __init__(self, is_terminal: bool, steps_min: int) -> None:
        self._is_terminal = is_terminal
        self._steps_min = steps_min
        self._begin = time.monotonic()
        self._total = 0
        self._tenth = 0

    def step(self, done: int, total: int) -> None:
        total = max(total, self._steps_min)
        estimate = left(done, total, time.monotonic() - self._begin)
        text = f"step {done} of {total}" + (f", {estimate}" if estimate else "")
        if self._is_terminal:
            print(f"\r\033[K  {text}", end="", flush=True)
            return
        if total > self._total:
            # SwiftPM has found more steps, so tenths that were printed may be ahead of the build.
            self._tenth = min(self._tenth, self._total and self._tenth * self._total // total)
            self._total = total
        if total and done * 10 // total > self._tenth:
            self._tenth = done * 10 // total
            print(f"  {text}", flush=True)

    def end(self, status: int) -> None:
        if self._is_terminal:
            print("\r\033[K", end="")
        seconds = round(time.monotonic() - self._begin)
        if status == 0:
            print(f"  built in {seconds // 60} min {seconds % 60} s", flush=True)


def build() -> int:
    LOG.parent.mkdir(exist_ok=True)
    is_first = not (BUILD / "debug").exists()
    interrupted = False

    def interrupt(*_: object) -> None:
        # The compiler gets the signal, too: its output is read until it has ended.
        nonlocal interrupted
        interrupted = True

    signal.signal(signal.SIGINT, interrupt)
    progress = Progress(sys.stdout.isatty(), FIRST_BUILD_STEPS if is_first else 0)
    with subprocess.Popen(
        ["swift", "build", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as compiler, open(LOG, "w", encoding="utf-8") as log:
        for line in compiler.stdout or ():
            log.write(line)
            if step := STEP.match(line):
                progress.step(int(step[1]), int(step[2]))
    progress.end(compiler.returncode)
    if interrupted:
        return 130
    if compiler.returncode:
        lines = LOG.read_text(encoding="utf-8").splitlines()
        errors = [line for line in lines if "error:" in line] or lines
        print("\n".join(dict.fromkeys(errors[-ERROR_LINES_MAX:])), file=sys.stderr)
        print(f"quickstart: the build failed; the compiler's full output is in {LOG}", file=sys.stderr)
    return compiler.returncode


def main() -> int:
    try:
        return build()
    except BrokenPipeError:
        # The reader of the output has ended, as `head` does.
        return 141


if __name__ == "__main__":
    sys.exit(main())
