"""The wheel: the programs, the client for Python, the pages and examples, and the libraries that the programs need.

A wheel is for every Linux with the same kind of processor and a C library (glibc) that is as new as the one of the
machine on which it was made. A version that is no release has the commit's time and hash, and sorts before the release:
0.1.0.dev20261128015800+942bcee1 (https://packaging.python.org/en/latest/specifications/version-specifiers).
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from packages import ROOT, commit_name, is_release, list_of_parts, move, output, utc, write

PYTHON = ROOT / "protocol" / "clients" / "python"
SYSTEM_LIBRARIES = re.compile(r"ld-linux.*|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so\.\d+")
"""The libraries that every Linux of the wheel's tag has (PEP 600)."""


def version_of_commit(release: str, time: int) -> str:
    """The version of the wheel that is made of the current commit."""
    return release if is_release(release) else f"{release}.dev{utc(time):%Y%m%d%H%M%S}+{commit_name()}"


def tag() -> str:
    """The wheel's tag: any Python 3, the C library and the processor of this machine (PEP 600)."""
    major, minor = platform.libc_ver()[1].split(".")[:2]
    return f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"


OTHER_NAME = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/formd" %s "$@"
"""
"""A program that is another name of `formd`, which takes the name as its first argument."""

ICU_DATA = re.compile(r"libicudata\.so\.(\d+)")
ICU_WITHOUT_DATA = """
struct {
  unsigned short header_size;
  unsigned char magic[2];
  unsigned short size, reserved;
  unsigned char is_big_endian, charset_family, size_of_character, padding, format[4], versions[8], more_padding[8];
  unsigned int count, reserved_too;
} const icudt%s_dat __attribute__((aligned(16))) = {
  .header_size = 32, .magic = {0xda, 0x27}, .size = 20, .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
  .size_of_character = 2, .format = "ToCP", .versions = {1},
};
"""
"""An empty table of contents, as in ICU's own `stubdata.cpp`."""


def needed_libraries(program: Path) -> dict[str, Path]:
    """The shared libraries that a program needs and not every system has, by their names."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", program), re.MULTILINE)
    return {name: Path(path) for name, path in found if not SYSTEM_LIBRARIES.fullmatch(name)}


def carry_libraries(program: Path, folder: Path) -> dict[str, str]:
    """Copies the libraries that the program needs into `folder`, and tells the program and libraries to look there.

    The folder is `lib/formd` beside the program's folder. Returns the Debian packages of the libraries and their
    versions.
    """
    folder.mkdir(parents=True)
    packages = {}
    for name, path in sorted(needed_libraries(program).items()):
        icu = ICU_DATA.fullmatch(name)
        if icu:
            # Debian's libxml2 needs ICU, whose data are 31 MB: half of the libraries. ICU reads them for encodings that
            # are not Unicode's. formctl gives UTF-8 to libxml2.
            options = ("-shared", "-nostdlib", f"-Wl,-soname,{name}", "-x", "c", "-")
            output("clang", *options, "-o", folder / name, input=ICU_WITHOUT_DATA % icu.group(1))
            (folder / name).chmod(0o644)
        else:
            shutil.copyfile(path, folder / name)
        output("patchelf", "--set-rpath", "$ORIGIN", folder / name)
        # dpkg knows some libraries by a path in /lib and others by one in /usr/lib.
        package = output("dpkg-query", "-S", f"*/{path.parent.name}/{name}").split(":")[0]
        packages[package] = output("dpkg-query", "-W", "-f", "${Version}", package)
    output("patchelf", "--set-rpath", "$ORIGIN/../lib/formd", program)
    return packages


def metadata(version: str) -> str:
    """What pip shows of the wheel (https://packaging.python.org/en/latest/specifications/core-metadata)."""
    return f"""Metadata-Version: 2.1
Name: formd
Version: {version}
Summary: The daemon that keeps live form sessions, its command line, and its client for Python
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{(PYTHON / "README.md").read_text(encoding="utf-8")}"""


def fill(tree: Path, programs: Path, version: str, time: int) -> None:
    """Writes the files of the wheel.

    https://packaging.python.org/en/latest/specifications/binary-distribution-format
    """
    data, information = tree / f"formd-{version}.data", tree / f"formd-{version}.dist-info"
    with tempfile.TemporaryDirectory() as installed:
        # The manual pages name the files where pip puts them for root.
        output(ROOT / "scripts" / "install", "--root", installed, "--programs", programs, "/usr/local")
        move(Path(installed, "usr/local/bin"), data / "scripts")
        move(Path(installed, "usr/local/share"), data / "data" / "share")
    # A service of systemd names its program by an absolute path, which pip decides.
    shutil.rmtree(data / "data" / "share" / "formd" / "systemd")
    # A wheel has no links.
    for program in ("formctl", "formd-web"):
        (data / "scripts" / program).unlink()
        write(data / "scripts" / program, OTHER_NAME % program, 0o755)
    libraries = carry_libraries(data / "scripts" / "formd", data / "data" / "lib" / "formd")
    shutil.copytree(PYTHON / "formd", tree / "formd", ignore=shutil.ignore_patterns("__pycache__"))
    write(information / "METADATA", metadata(version))
    write(information / "WHEEL", f"Wheel-Version: 1.0\nGenerator: formd\nRoot-Is-Purelib: false\nTag: {tag()}\n")
    # PEP 770.
    write(information / "sboms" / "formd.spdx.json", list_of_parts(version, time, libraries))
    paths = [path for path in sorted(tree.rglob("*")) if path.is_file()]
    write(information / "RECORD", "".join(record(path, tree) for path in paths) + f"{information.name}/RECORD,,\n")


def record(path: Path, tree: Path) -> str:
    """The line of a file in the list of the wheel's files."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode().rstrip("=")
    return f"{path.relative_to(tree)},sha256={digest},{path.stat().st_size}\n"


def make(programs: Path, folder: Path, version: str, time: int) -> Path:
    """Makes the wheel in a folder and returns its path.

    - Parameters `programs`: the folder of the programs; `version`: of the wheel; `time`: of its files, in seconds since
      1970.
    """
    os.environ["SOURCE_DATE_EPOCH"] = str(time)
    wheel = folder / f"formd-{version}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        fill(tree, programs, version, time)
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            # The list of files is the last: a reader of the stream can check all files at its end.
            paths = [path for path in tree.rglob("*") if path.is_file()]
            for path in sorted(paths, key=lambda path: (path.name == "RECORD", path)):
                entry = zipfile.ZipInfo(str(path.relative_to(tree)), utc(time).timetuple()[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
                archive.writestr(entry, path.read_bytes())
    return wheel
