"""The Debian package: what scripts/install installs, the services of systemd, a user and an empty configuration.

The libraries that it needs are Debian's own, so it is for the release of Debian or Ubuntu and the processor on which it
was made. A version that is no release has the commit and its time, and sorts before the release:
0.1.0~git20261128T0158.942bcee1.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
from pathlib import Path

from packages import ROOT, commit_name, is_release, list_of_parts, move, output, utc, write

PARTS = ROOT / "scripts" / "debian"
MAINTAINER = "The formd authors <formd@localhost>"


def version_of_commit(release: str, time: int) -> str:
    """The version of the package that is made of the current commit."""
    return release if is_release(release) else f"{release}~git{utc(time):%Y%m%dT%H%M}.{commit_name()}"


def compressed(content: bytes) -> bytes:
    """As `gzip -9n` compresses: without a name and a time."""
    return gzip.compress(content, 9, mtime=0)


def dependencies(program: Path) -> str:
    """The Debian packages whose libraries the program needs, as dpkg-shlibdeps finds them."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "debian", "control"), "Source: formd\n\nPackage: formd\nArchitecture: any\n")
        found = output("dpkg-shlibdeps", "-O", f"-e{program}", cwd=folder)
    return found.removeprefix("shlibs:Depends=")


def fill(tree: Path, programs: Path, version: str, time: int) -> None:
    """Writes the files of the package."""
    output(ROOT / "scripts" / "install", "--root", tree, "--programs", programs, "/usr")
    share = tree / "usr" / "share"
    move(share / "zsh" / "site-functions", share / "zsh" / "vendor-completions")
    for kind, folder in (("system", "lib/systemd/system"), ("user", "usr/lib/systemd/user")):
        move(share / "formd" / "systemd" / kind, tree / folder)
    (share / "formd" / "systemd").rmdir()
    for page in sorted((share / "man").glob("*/*")):
        write(page.with_name(f"{page.name}.gz"), compressed(page.read_bytes()))
        page.unlink()

    about = share / "doc" / "formd"
    write(
        about / "changelog.gz",
        compressed(
            f"formd ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n"
            f" -- {MAINTAINER}  {utc(time):%a, %d %b %Y %H:%M:%S} +0000\n".encode()
        ),
    )
    write(about / "CHANGELOG.md.gz", compressed((ROOT / ".github" / "CHANGELOG.md").read_bytes()))
    write(about / "copyright", (PARTS / "copyright").read_bytes())
    write(about / "formd.spdx.json", list_of_parts(version, time))
    write(share / "lintian" / "overrides" / "formd", (PARTS / "lintian-overrides").read_bytes())
    write(tree / "etc" / "formd" / "formd.json", (PARTS / "formd.json").read_bytes())
    (tree / "etc" / "formd" / "forms").mkdir()


def describe(tree: Path, version: str, architecture: str) -> None:
    """Writes what dpkg wants to know about the package."""
    for script in ("postinst", "prerm", "postrm"):
        write(tree / "DEBIAN" / script, (PARTS / script).read_bytes(), 0o755)
    write(tree / "DEBIAN" / "conffiles", "/etc/formd/formd.json\n")
    files = [path for path in sorted(tree.rglob("*")) if path.is_file() and "DEBIAN" not in path.parts]
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files]
    write(tree / "DEBIAN" / "md5sums", "".join(sums))
    # A file with several names counts once.
    sizes = {path.stat().st_ino: path.stat().st_size for path in files}
    kilobytes = sum(-(-size // 1024) for size in sizes.values())
    needed = dependencies(tree / "usr" / "bin" / "formd")
    write(
        tree / "DEBIAN" / "control",
        f"""Package: formd
Version: {version}
Architecture: {architecture}
Maintainer: {MAINTAINER}
Installed-Size: {kilobytes}
Depends: adduser, init-system-helpers (>= 1.54~), {needed}
Section: misc
Priority: optional
Description: daemon that keeps live form sessions
 A form is data: fields, rules, formulas and actions, defined once in a JSON
 file. A client opens a session on a Unix socket, sends what its user does, and
 receives what changed: messages, enabled buttons, results.
 .
 The package has the daemon formd, the command-line client formctl, and
 formd-web, which serves browsers.
""",
    )


def make(programs: Path, folder: Path, version: str, time: int) -> Path:
    """Makes the package in a folder and returns its path.

    - Parameters `programs`: the folder of the programs; `version`: of the package; `time`: of its files, in seconds
      since 1970.
    """
    os.environ["SOURCE_DATE_EPOCH"] = str(time)
    architecture = output("dpkg", "--print-architecture")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        tree.mkdir()
        fill(tree, programs, version, time)
        describe(tree, version, architecture)
        for path in [tree, *tree.rglob("*")]:
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        package = folder / f"formd_{version}_{architecture}.deb"
        output("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, package)
    return package
