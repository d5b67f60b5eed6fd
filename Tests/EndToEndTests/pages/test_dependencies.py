"""The packages and libraries of formd. A new one fails here, and its reason belongs into CONTRIBUTING.md."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from harness import ROOT, formctl_binary, formd_binary
from web import web_binary

PACKAGES = {
    "swift-argument-parser", "swift-atomics", "swift-collections", "swift-log", "swift-nio", "swift-system",
}  # fmt: skip
BOTH = {"libjansson", "libpcre2-8", "libidn2", "libunistring", "libyaml-0"}
LIBRARIES = {"formd": BOTH | {"libcrypto", "libcurl", "libpq", "libsqlite3", "libssl"}, "formctl": BOTH | {"libxml2"}}
# formd-web reads the daemon's configuration by the modules that the daemon has.
LIBRARIES["formd-web"] = LIBRARIES["formd"]
# formctl studio has the door of formd-web. Installed, all three are one file.
LIBRARIES["formctl"] |= LIBRARIES["formd"]
# The C library, and the runtime of Swift, which is linked into the programs that are installed.
OF_THE_TOOLCHAIN = re.compile(
    r"lib(c|m|gcc_s|stdc\+\+)|ld-linux.*|lib(swift.*|_?Foundation.*|dispatch|BlocksRuntime)"
)


def libraries(program: Path) -> set[str]:
    """The libraries that a program names itself, without their versions."""
    told = subprocess.run(["readelf", "-d", str(program)], capture_output=True, text=True, check=True).stdout
    names = {name.split(".so")[0] for name in re.findall(r"\(NEEDED\).*\[(.*)\]", told)}
    assert names, told
    return {name for name in names if not OF_THE_TOOLCHAIN.fullmatch(name)}


def test_the_packages_are_these() -> None:
    resolved = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))
    assert {pin["identity"] for pin in resolved["pins"]} == PACKAGES


def test_the_programs_need_these_libraries() -> None:
    assert libraries(formd_binary()) == LIBRARIES["formd"]
    assert libraries(formctl_binary()) == LIBRARIES["formctl"]
    assert libraries(web_binary()) == LIBRARIES["formd-web"]


def test_each_has_its_reason() -> None:
    page = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("## Dependencies")[1].split("\n## ")[0]
    for package in PACKAGES:
        assert package in table, package
    for name in ("jansson", "PCRE2", "libidn2", "libunistring", "libxml2", "libyaml", "libcrypto", "libssl", "libcurl", "libpq", "SQLite"):
        assert f"{name}" in table, name


def test_foundation_is_only_what_the_argument_parser_brings() -> None:
    told = subprocess.run(["readelf", "-d", str(formd_binary())], capture_output=True, text=True, check=True).stdout
    assert "libFoundation.so" not in told and "libFoundationInternationalization.so" not in told
