"""The path of the daemon's socket: where it is by default, and whether its folder can be trusted."""

from __future__ import annotations

import errno
import os
import stat


def default_socket_path() -> str:
    """The path on which the daemon listens by default: `$XDG_RUNTIME_DIR/formd/formd.sock`.

    `FORMD_SOCKET` comes first, so that one setting serves a shell and the programs that it starts. Without
    `XDG_RUNTIME_DIR` the path is `/run/user/UID/formd/formd.sock` if that folder belongs to the user, else
    `/tmp/formd-UID/formd.sock`.
    """
    if os.environ.get("FORMD_SOCKET"):
        return os.environ["FORMD_SOCKET"]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        runtime = f"/run/user/{os.geteuid()}"
        try:
            status = os.lstat(runtime)
        except OSError:
            return os.path.join(_private_folder(), "formd.sock")
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            return os.path.join(_private_folder(), "formd.sock")
    return os.path.join(runtime, "formd", "formd.sock")


def _private_folder() -> str:
    return f"/tmp/formd-{os.geteuid()}"


def _refuse_foreign_folder(path: str) -> None:
    """Every user may make folders in /tmp, so the client checks the private folder before it sends anything to that
    socket."""
    if os.path.dirname(path) != _private_folder():
        return
    status = os.lstat(_private_folder())
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(errno.EACCES, f"the folder {_private_folder()} belongs to another user or is open to other users")
