"""Checks that the simulations find every mutant of Tests/Mutants; called by `scripts/test --only mutants`.

The sources are copied into .build/mutants, and all mutants are put into the copy. The arguments of its program switch
one mutant on, so that one build is enough. Each mutant must be found by the simulation that its file is named after.
Without a mutant the simulation then lives as many lives as the last mutant needed, at least 100, and must find nothing.

    python3 scripts/lib/mutants.py [NAME...]    only these mutants, by names such as engine.keepToday, or parts of names
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Iterator, Optional

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "Tests/Mutants"
COPY = ROOT / ".build/mutants"
PLACEHOLDER = "MUTANT"
# The parts of Tests that the copy has. Files that import Testing stay behind: the program runs the simulations without.
TESTS = ("Mutants/Program", "Randomness", "ServerTests/Simulations", "ServerTests/Support", "SimulationTests")
# The file of a target that gets its switches.
PROGRAM_SWITCHES = "Tests/Mutants/Program/Mutants.swift"
# A mutant may make a loop endless.
RUN_SECONDS_MAX = 600
LIVES_WITHOUT_MUTANT_MIN = 100


@dataclass
class Hunk:
    """A change of one file: lines that stay (" "), go ("-") and come ("+")."""

    path: str
    place: str
    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def before(self) -> list[str]:
        return [line for kind, line in self.lines if kind != "+"]


@dataclass
class Mutant:
    simulation: str
    name: str
    place: str
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def title(self) -> str:
        return f"{self.simulation}.{self.name}"

    @property
    def switch(self) -> str:
        return f"{self.simulation}_{self.name}"


def parse(path: Path, problems: list[str]) -> Iterator[Mutant]:
    """The mutants of a file; Tests/Mutants/README.md describes the format."""
    mutant: Optional[Mutant] = None
    file = ""
    # An empty line ends a hunk.
    hunk: Optional[Hunk] = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.relative_to(ROOT)}:{number}"
        if line.startswith("#"):
            continue
        if not line.strip():
            hunk = None
        elif line.startswith("mutant "):
            name, _, about = line.removeprefix("mutant ").partition(":")
            if not name.isidentifier() or not about.strip():
                problems.append(f"{place}: a mutant is `mutant name: what goes wrong.`")
            mutant, file, hunk = Mutant(path.stem, name, place), "", None
            yield mutant
        elif line.startswith("file ") and mutant:
            file, hunk = line.removeprefix("file ").strip(), None
        elif line[0] in " -+" and mutant and file:
            if not hunk:
                hunk = Hunk(file, place)
                mutant.hunks.append(hunk)
            hunk.lines.append((line[0], line[1:]))
        else:
            problems.append(f"{place}: this is not a line of a mutant")


def read(problems: list[str]) -> list[Mutant]:
    mutants = [mutant for path in sorted(DATA.glob("*.txt")) for mutant in parse(path, problems)]
    known: set[str] = set()
    for mutant in mutants:
        if mutant.title in known:
            problems.append(f"{mutant.place}: there is another {mutant.title}")
        known.add(mutant.title)
        if not any(kind == "+" and PLACEHOLDER in line for hunk in mutant.hunks for kind, line in hunk.lines):
            problems.append(f"{mutant.place}: {mutant.title} has no new line with {PLACEHOLDER}")
    return mutants


def mutated(path: str, text: str, mutants: list[Mutant], problems: list[str]) -> str:
    """The text of a file with the changes of all its mutants. Spaces at the ends of a line do not count."""
    lines = text.splitlines()
    bare = [line.strip() for line in lines]
    gone: dict[int, str] = {}
    come: dict[int, list[str]] = {}
    for mutant in mutants:
        for hunk in mutant.hunks:
            if hunk.path != path:
                continue
            before = [line.strip() for line in hunk.before]
            found = [at for at in range(len(bare) - len(before) + 1) if bare[at : at + len(before)] == before]
            if not before or len(found) != 1:
                problems.append(f"{hunk.place}: {mutant.title}: {path} has these lines {len(found)} times, not once")
                continue
            at = found[0]
            for kind, line in hunk.lines:
                if kind == "+":
                    come.setdefault(at, []).append(line.replace(PLACEHOLDER, f"Mutants.{mutant.switch}"))
                    continue
                if kind == "-" and gone.setdefault(at, mutant.title) != mutant.title:
                    problems.append(f"{hunk.place}: {mutant.title} and {gone[at]} replace the same line")
                at += 1
    result: list[str] = []
    for at, line in enumerate([*lines, ""]):
        result += come.get(at, [])
        if at not in gone:
            result.append(line)
    return "\n".join(result)


def switches(mutants: list[Mutant]) -> str:
    names = ", ".join(f'"{mutant.title}"' for mutant in mutants)
    return "\n".join(
        [
            "/// Which mutant is active: the program's arguments name it.",
            "enum Mutants {",
            "  nonisolated(unsafe) static var arePaused = false",
            '  private static let argument = CommandLine.arguments.dropFirst().joined(separator: ".")',
            f"  private static let active = [{names}].firstIndex(of: argument) ?? -1",
            *(
                f"  static var {mutant.switch}: Bool {{ unsafe active == {number} && !arePaused }}"
                for number, mutant in enumerate(mutants)
            ),
            "}",
            "",
        ]
    )


def switch_file(path: str) -> str:
    """The file with the switches for the target of a source file."""
    parts = PurePosixPath(path).parts
    return f"Sources/{parts[1]}/Mutants.swift" if parts[0] == "Sources" else PROGRAM_SWITCHES


def contents(mutants: list[Mutant], problems: list[str]) -> dict[str, bytes]:
    """The files of the copy, by path."""
    files: dict[str, bytes] = {}
    for folder in ["Sources", *(f"Tests/{name}" for name in TESTS)]:
        for path in sorted((ROOT / folder).rglob("*")):
            if not path.is_file():
                continue
            content = path.read_bytes()
            if folder.startswith("Sources") or b"\nimport Testing\n" not in b"\n" + content:
                files[str(path.relative_to(ROOT))] = content
    for name in dict.fromkeys(hunk.path for mutant in mutants for hunk in mutant.hunks):
        if name in files:
            files[name] = mutated(name, files[name].decode(), mutants, problems).encode()
        else:
            problems += [
                f"{hunk.place}: {mutant.title}: there is no {name} in the copy"
                for mutant in mutants
                for hunk in mutant.hunks
                if hunk.path == name
            ]
    for name in {switch_file(hunk.path) for mutant in mutants for hunk in mutant.hunks}:
        own = [mutant for mutant in mutants if any(switch_file(hunk.path) == name for hunk in mutant.hunks)]
        files[name] = switches(own).encode()
    files["Package.swift"] = (ROOT / "Package.swift").read_bytes() + (DATA / "Package+Mutants.swift").read_bytes()
    return files


def write(files: dict[str, bytes]) -> int:
    """Brings the copy up to date; returns the number of files that have changed."""
    changes = 0
    for name, content in files.items():
        path = COPY / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            changes += 1
    for folder in ("Sources", "Tests"):
        for path in (COPY / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(COPY)) not in files:
                path.unlink()
                changes += 1
    return changes


def link_packages() -> None:
    """Gives the copy the packages of the repository's own build, so that nothing is loaded again."""
    build = ROOT / ".build"
    if not (build / "workspace-state.json").is_file() or not (ROOT / "Package.resolved").is_file():
        subprocess.run(["swift", "package", "resolve"], cwd=ROOT, check=True)
    (COPY / ".build").mkdir(parents=True, exist_ok=True)
    for source, target in [
        (build / "workspace-state.json", COPY / ".build/workspace-state.json"),
        (ROOT / "Package.resolved", COPY / "Package.resolved"),
    ]:
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.write_bytes(source.read_bytes())
    for name in ("checkouts", "repositories"):
        link = COPY / ".build" / name
        if not link.is_symlink():
            link.symlink_to(build / name)


def build() -> Optional[Path]:
    """Builds the program of the copy, and returns its path; None: it does not build."""
    command = ["swift", "build", "--package-path", str(COPY), "--disable-automatic-resolution", "--product", "mutants"]
    if subprocess.run(command).returncode:
        return None
    folder = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(folder.stdout.strip()) / "mutants"


@dataclass
class Outcome:
    title: str
    is_good: bool
    said: str
    seconds: float

    def __str__(self) -> str:
        said = self.said[:99] + "…" if self.is_good and len(self.said) > 100 else self.said
        return f"{'ok' if self.is_good else 'FAILED'} {self.title}, {self.seconds:.1f} s: {said}"


def run(program: Path, simulation: str, argument: str, title: str, expected: int) -> Outcome:
    """Runs a simulation. A crash is not a find: no check of the simulation made it."""
    begin = time.monotonic()
    try:
        process = subprocess.run(
            [program, simulation, argument],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=RUN_SECONDS_MAX,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
        )
        lines, status = process.stdout.strip().splitlines(), process.returncode
        is_good = status == expected
        said = (lines or [""])[0] if status in (0, 1) else f"crashed with {status}: {' '.join(lines[-3:])}"
    except subprocess.TimeoutExpired:
        is_good, said = False, f"no end after {RUN_SECONDS_MAX} s"
    return Outcome(title, is_good, said, time.monotonic() - begin)


def outcomes(program: Path, mutants: list[Mutant]) -> Iterator[Outcome]:
    """Runs the simulations with each mutant, and then without."""
    lives = {mutant.simulation: LIVES_WITHOUT_MUTANT_MIN for mutant in mutants}
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        runs = {
            pool.submit(run, program, mutant.simulation, mutant.name, mutant.title, 1): mutant for mutant in mutants
        }
        for done in as_completed(runs):
            outcome = done.result()
            if found := re.match(r"life (\d+):", outcome.said):
                simulation = runs[done].simulation
                lives[simulation] = max(lives[simulation], int(found[1]))
            yield outcome
        for done in as_completed(
            pool.submit(run, program, simulation, str(count), f"{simulation} without a mutant", 0)
            for simulation, count in lives.items()
        ):
            yield done.result()


def main(names: list[str]) -> int:
    if "-h" in names or "--help" in names:
        print((__doc__ or "").strip())
        return 0
    problems: list[str] = []
    mutants = read(problems)
    files = contents(mutants, problems)
    if problems or not mutants:
        print(*problems, f"0 passed, {len(problems) or 1} failed", sep="\n")
        return 1
    wanted = [mutant for mutant in mutants if not names or any(name in mutant.title for name in names)]
    if not wanted:
        print(f"mutants: no mutant has a name with {' or '.join(names)}", file=sys.stderr)
        return 2
    begin = time.monotonic()
    changes = write(files)
    link_packages()
    print(f"{len(mutants)} mutants, {changes} files of the copy have changed", flush=True)
    program = build()
    if not program:
        print("the copy does not build", "0 passed, 1 failed", sep="\n")
        return 1
    print(f"built in {time.monotonic() - begin:.0f} s", flush=True)

    failures: list[Outcome] = []
    count = len(wanted) + len({mutant.simulation for mutant in wanted})
    for number, outcome in enumerate(outcomes(program, wanted), 1):
        print(f"{number}/{count} {outcome}", flush=True)
        if not outcome.is_good:
            failures.append(outcome)
    for failure in failures:
        print(f"error: {failure.title}: {failure.said}")
    print(f"all in {time.monotonic() - begin:.0f} s")
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
