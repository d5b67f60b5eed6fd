"""Checks the Markdown pages: the lengths of their lines, that each link leads to an existing file and heading, that the
page of the modules names only what Sources has, and that a type in the pages about the code has each member that is
named with it.

Prints one line for each problem, and a closing line with their number; called by `scripts/test`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
COLUMNS_MAX = 100
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")


def anchor(heading: str) -> str:
    """The name by which GitHub links a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a page that are not code, with their numbers."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("    "):
            yield number, line


def anchors(path: Path) -> set[str]:
    found: set[str] = set()
    for _, line in prose(path.read_text(encoding="utf-8")):
        if heading := re.match(r"#+ +(.*)", line):
            name = anchor(heading[1])
            number = 0
            while (numbered := name if number == 0 else f"{name}-{number}") in found:
                number += 1
            found.add(numbered)
    return found


def problems(path: Path) -> Iterator[str]:
    for number, line in prose(path.read_text(encoding="utf-8")):
        # Tables and links cannot be wrapped.
        if len(line) > COLUMNS_MAX and not line.startswith("|") and "](" not in line and "://" not in line:
            yield f"{number}: {len(line)} columns, at most {COLUMNS_MAX}"
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, heading = target.partition("#")
            place = (path.parent / file).resolve() if file else path
            if not place.exists():
                yield f"{number}: the file {file} does not exist"
            elif heading and place.suffix == ".md" and heading not in anchors(place):
                yield f"{number}: {place.name} has no heading for #{heading}"


@lru_cache
def sources() -> tuple[list[str], str]:
    """The names of the files of code, and the text of all Swift files."""
    command = ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard", "Sources", "Tests", "scripts"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    return files, "\n".join((ROOT / name).read_text(encoding="utf-8") for name in files if name.endswith(".swift"))


def members_of_types() -> dict[str, set[str]]:
    """For each type that Swift files declare or extend, the names that it declares."""
    members: dict[str, set[str]] = {}
    around: list[tuple[str, str]] = []
    for line in sources()[1].splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        while around and line.strip() and len(indent) <= len(around[-1][0]):
            around.pop()
        if re.match(r"\s*(//|$)", line):
            continue
        # Deeper lines declare what is local to a member.
        if around and len(indent) == len(around[-1][0]) + 2:
            if declared := re.search(r"\b(?:func|var|let|case) (.*)", line):
                members[around[-1][1]].update(re.findall(r"(?:^|, )`?(\w+)", declared[1]))
        if found := re.search(r"\b(?:class|struct|enum|protocol|actor|extension) (?:\w+\.)*([A-Z]\w*)", line):
            members.setdefault(found[1], set())
            if not line.rstrip().endswith("}"):
                around.append((indent, found[1]))
    return members


def unknown_members(page: Path) -> Iterator[str]:
    """The members that a page about the code names with a type (`Type.member`), and the type does not have."""
    members = members_of_types()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for type_name, member in re.findall(r"(?<![\w/+])([A-Z]\w*)\.([a-z]\w*)", line):
            if type_name in members and member not in members[type_name] | {"init", "swift"}:
                yield f"{number}: {type_name} has no {member}"


def unknown_names(page: Path) -> Iterator[str]:
    """What a page about the code shows in code or in a drawing, and Sources does not have: names, and lines of Swift
    without `…`."""
    files, swift = sources()
    words = set(re.findall(r"\w+", swift)) | set(re.findall(r"\w+", " ".join(files)))
    lines = {line.strip() for line in swift.splitlines()}
    fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
        elif fence == "swift":
            if line.strip() and "…" not in line and line.strip() not in lines:
                yield f"{number}: Sources has no line {line.strip()}"
        elif fence is None:
            for code in re.findall(r"`([^`]+)`", line):
                yield from (f"{number}: nothing is called {word}" for word in re.findall(r"\w+", code) if word not in words)
        else:
            # Of a drawing, only names with an upper-case letter inside are sure to be names.
            for word in re.findall(r"\b[A-Za-z][a-z]+[A-Z]\w*", line):
                if word not in words:
                    yield f"{number}: nothing is called {word}"


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    # DocC has links of its own.
    pages = [ROOT / name for name in listed.stdout.split("\0") if name and ".docc/" not in name]
    found = [f"{page.relative_to(ROOT)}:{problem}" for page in pages for problem in problems(page)]
    found += [f"Sources/README.md:{problem}" for problem in unknown_names(ROOT / "Sources" / "README.md")]
    for name in ("Sources/README.md", ".github/CONTRIBUTING.md"):
        found += [f"{name}:{problem}" for problem in unknown_members(ROOT / name)]
    print(*found, f"{len(pages)} pages, {len(found)} problems", sep="\n")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
