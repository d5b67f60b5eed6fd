"""A PostgreSQL server from Debian's package, in a folder of its own and not run by root: for tests and for
demonstrations."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional

JSON = Any

EXAMPLE = Path(__file__).resolve().parents[2] / "protocol" / "examples" / "example.postgresql.sql"
"""The statements that create the database of the example forms."""

NONE = "PostgreSQL is not installed; scripts/setup --tests installs Debian's package postgresql"
"""Why a test or a demonstration is skipped without a server."""


def programs() -> Optional[Path]:
    """The folder of the newest server's programs, which Debian keeps out of PATH; None if no server is installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


class PostgresServer:
    """A server that will listen only at a Unix socket, in `folder`. It is not started yet."""

    def __init__(self, folder: Path, is_durable: bool = False, primary: Optional[PostgresServer] = None) -> None:
        """`is_durable`: a commit survives power loss, as by default in PostgreSQL. Tests are faster without it.
        `primary`: a server that runs, of which this one becomes a standby.
        """
        self.folder = folder
        self.data = folder / "data"
        folder.mkdir()
        # A server must not run as root.
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(folder, "postgres")
            # The folder above may be root's alone; a server has to get through it.
            for parent in folder.parents[:-2]:
                parent.chmod(parent.stat().st_mode | 0o011)
        if primary:
            self._run(
                "pg_basebackup", "-D", self.data, "-h", primary.folder, "-U", "formd", "-R", "-X", "stream",
                "--checkpoint=fast", "--no-sync",
            )  # fmt: skip
        else:
            self._run("initdb", "-D", self.data, "-U", "formd", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-A", "trust")
        settings = f"listen_addresses = ''\nunix_socket_directories = '{folder}'\n" + ("" if is_durable else "fsync = off\n")
        with open(self.data / "postgresql.auto.conf", "a", encoding="ascii") as file:
            # The last value of a setting counts, and a standby's file says where its primary is.
            file.write(settings)
        # A user with a password must give it.
        access = "local all guarded scram-sha-256\nlocal all all trust\nlocal replication all trust\n"
        (self.data / "pg_hba.conf").write_text(access, encoding="ascii")
        # The server ends when the tests end in any way, because then no process holds the other end of this pipe.
        stop = " ".join([*self._as_user, str(self._program("pg_ctl")), "-D", str(self.data), "-m", "immediate", "stop"])
        self._guardian = subprocess.Popen(
            ["sh", "-c", f"cat >/dev/null; {stop} >/dev/null 2>&1"], stdin=subprocess.PIPE, start_new_session=True
        )

    def start(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")

    def crash(self) -> None:
        """Ends the server as a crash does."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def promote(self) -> None:
        """A standby becomes a primary."""
        self._run("pg_ctl", "-D", self.data, "-w", "promote")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All processes of the server are stopped inside the block: it accepts connections, and answers nothing."""
        first = int((self.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
        stopped: list[int] = []
        try:
            # Once it is stopped, the first process makes no others.
            os.kill(first, signal.SIGSTOP)
            stopped.append(first)
            for child in Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split():
                os.kill(int(child), signal.SIGSTOP)
                stopped.append(int(child))
            yield
        finally:
            for process in reversed(stopped):
                os.kill(process, signal.SIGCONT)

    def end(self) -> None:
        self._guardian.communicate()

    def make_example(self, name: str = "example") -> None:
        """Creates the database of the example forms."""
        self.psql(f"CREATE DATABASE {name}", "postgres")
        self.psql(EXAMPLE.read_text(encoding="utf-8"), name)

    def cut_connections(self, database: str) -> int:
        """Ends all connections to the database with `pg_terminate_backend`. Returns their number."""
        others = f"datname = '{database}' AND pid <> pg_backend_pid()"
        return int(self.psql(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {others}", "postgres"))

    def texts(self, database: str) -> list[str]:
        """Every row of the daemons' tables in the database, as text, with bytes in hexadecimal."""
        tables = self.psql("SELECT quote_ident(tablename) FROM pg_tables WHERE tablename LIKE 'formd%'", database).split()
        return [line for table in tables for line in self.psql(f"SELECT t::text FROM {table} t", database).splitlines()]

    def psql(self, statements: str, database: str = "example") -> str:
        """The output of psql: columns with `|` between them, and no warnings between the rows."""
        quiet = "SET client_min_messages = error;\n"
        return self._run("psql", *self._options(database), "-f", "-", standard_input=quiet + statements)

    def _options(self, database: str) -> list[str]:
        """Of psql."""
        return ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", "formd", "-d", database]

    @contextmanager
    def transaction(self, statements: str, database: str) -> Iterator[None]:
        """A client runs the statements. Its transaction stays open inside the block, and is rolled back at its end."""
        with subprocess.Popen(
            [*self._as_user, str(self._program("psql")), *self._options(database), "-f", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/",
        ) as psql:  # fmt: skip
            assert psql.stdin is not None and psql.stdout is not None
            psql.stdin.write(f"BEGIN;\n{statements};\n\\echo begun\n")
            psql.stdin.flush()
            assert psql.stdout.readline() == "begun\n", statements
            yield

    def configuration(self, database: str = "example", user: str = "formd", **options: JSON) -> JSON:
        return {"postgres": {"url": f"postgresql://{user}@/{database}?host={self.folder}", **options}}

    def _program(self, name: str) -> Path:
        folder = programs()
        assert folder is not None
        return folder / name

    def _run(self, program: str, *arguments: object, standard_input: str = "") -> str:
        with open(self.folder.parent / f"{self.folder.name}.out", "w+", encoding="utf-8") as output:
            # The output is a file, because a server that is left behind keeps its output open.
            done = subprocess.run(
                [*self._as_user, str(self._program(program)), *map(str, arguments)],
                input=standard_input, stdout=output, stderr=subprocess.STDOUT, text=True, cwd="/", check=False,
            )  # fmt: skip
            output.seek(0)
            said = output.read()
        assert done.returncode == 0, f"{program}: {said}"
        return said
