"""What the makers of packages share: running commands, writing files, versions and the list of what is inside."""

from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = "formd-programs"
"""The product of the package with all programs: it does what its name says."""


def output(*command: str | Path, **options: Any) -> str:
    """What a command prints. The script ends with its message when it fails."""
    try:
        run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    except OSError as error:
        sys.exit(f"scripts/package: {command[0]} cannot be run: {error.strerror}")
    if run.returncode:
        sys.exit(f"scripts/package: {command[0]} failed:\n{run.stderr or run.stdout}")
    return run.stdout.strip()


def commit_time() -> int:
    """Seconds since 1970 that stand for now: all files of a package have this time (SOURCE_DATE_EPOCH)."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct"))


def is_release(version: str) -> bool:
    """Whether the current commit has the tag of the version."""
    return f"v{version}" in output("git", "-C", ROOT, "tag", "--points-at", "HEAD").split()


def commit_name() -> str:
    """The first digits of the current commit's hash."""
    return output("git", "-C", ROOT, "rev-parse", "--short=8", "HEAD")


def utc(time: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc)


def write(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Writes a file, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)


def move(source: Path, target: Path) -> None:
    """Moves a file or a folder and makes the target's folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)


def list_of_parts(version: str, time: int, libraries: dict[str, str] | None = None) -> str:
    """What is inside a package, in SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3).

    `libraries` are shared libraries that the package carries: Debian packages and their versions.
    """
    try:
        resolved = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))
    except FileNotFoundError:
        sys.exit(f"scripts/package: there is no {ROOT}/Package.resolved, which names the packages inside: swift package resolve")
    found = re.search(r"Swift version (\S+)", output("swift", "--version"))
    linked = [("Swift-runtime", found.group(1) if found else "unknown", "https://github.com/swiftlang/swift")]
    linked += [(pin["identity"], pin["state"]["version"], pin["location"]) for pin in resolved["pins"]]
    parts = [("formd", version, "NOASSERTION", "NOASSERTION")]
    parts += [(name, number, place, "Apache-2.0") for name, number, place in sorted(linked)]
    parts += [(name, number, "NOASSERTION", "NOASSERTION") for name, number in sorted((libraries or {}).items())]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-formd")]
    relations += [(f"SPDXRef-{name}", "STATIC_LINK", "SPDXRef-formd") for name, _, _ in sorted(linked)]
    relations += [("SPDXRef-formd", "DYNAMIC_LINK", f"SPDXRef-{name}") for name in sorted(libraries or {})]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"formd-{version}",
        "documentNamespace": f"urn:formd:spdx:{version}",
        "creationInfo": {"created": f"{utc(time):%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: scripts/package"]},
        "packages": [
            {
                "SPDXID": f"SPDXRef-{name}",
                "name": name,
                "versionInfo": number,
                "downloadLocation": place,
                "filesAnalyzed": False,
                "licenseConcluded": licence,
                "licenseDeclared": licence,
                "copyrightText": "NOASSERTION",
            }
            for name, number, place, licence in parts
        ],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    }
    return json.dumps(document, indent=2) + "\n"
