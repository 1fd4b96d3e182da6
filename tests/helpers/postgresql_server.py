"""A server of PostgreSQL for tests, run as an ordinary user in a temporary folder."""

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from simcompare.library.store.backends import OLDEST_VERSION
from simcompare.library.store.library_place import LibraryServer, library_place
from simcompare.library.store.schema import METADATA, SERVER_METADATA, STATE
from tests.helpers.patience import PATIENCE_S

OWNER, DATABASE = "owner", "essays"
HOST = "127.0.0.1"
_DEBIAN = Path("/usr/lib/postgresql")
_PROGRAMS = ("initdb", "postgres", "pg_isready", "psql")
_SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "ssl": "on",
}
_UNPRIVILEGED_USERS = ("postgres", "nobody")


def server_programs() -> Path | None:
    """Folder of the programs of the newest server that is installed; None without one that is new enough."""
    if sys.platform == "win32":
        return None
    found = sorted(_DEBIAN.glob("[0-9]*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    if on_path is not None:
        found.append(Path(on_path).resolve().parent)
    return next(filter(_is_usable, found), None)


def _is_usable(folder: Path) -> bool:
    if not all((folder / program).exists() for program in _PROGRAMS):
        return False
    command = [folder / "initdb", "--version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    number = re.search(r"\d+", version)
    return number is not None and int(number.group()) >= OLDEST_VERSION


class PostgresqlServer:
    """A server on a free port, with TLS; the user OWNER may do everything."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.port = 0
        self.password = secrets.token_hex()
        self.certificate = folder / "server.crt"
        self._programs, self._folder = programs, folder
        self._log, self._data = folder / "log", folder / "data"
        self._user = _ordinary_user()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._numbers = count(1)

    def make(self) -> None:
        """Make the files of the server."""
        password_file, key = self._folder / "password", self._folder / "server.key"
        password_file.write_text(self.password)
        write_certificate(self.certificate, key)
        if self._user is not None:
            for path in (self._folder, password_file, self.certificate, key):
                shutil.chown(path, self._user)
        options = [f"--username={OWNER}", f"--pwfile={password_file}", "--auth=scram-sha-256"]
        options += ["--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata", str(self._data)]
        if self._start("initdb", *options).wait(PATIENCE_S) != 0:
            raise RuntimeError(self._log.read_text())

    def start(self) -> None:
        """Start the server, after the first time on the same port, and wait until it answers."""
        with self._lock:
            for _ in range(5):  # another program may take the port meanwhile
                port = self.port or _free_port()
                files = {"ssl_cert_file": self.certificate, "ssl_key_file": self._folder / "server.key"}
                settings = [
                    f"--{name}={value}" for name, value in {**_SETTINGS, **files, "port": port}.items()
                ]
                self._process = self._start("postgres", "-D", str(self._data), *settings)
                if self._answers(self._process, port):
                    self.port = port
                    return
        raise RuntimeError(self._log.read_text())

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server; `at_once` as after a failure of power, without ending what it does."""
        with self._lock:  # a test starts it as soon as a connection is lost, perhaps before it has ended
            if self._process is not None:
                self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
                self._process.wait(PATIENCE_S)
                self._process = None

    def address(
        self, database: str = DATABASE, *, user: str = OWNER, password: str = "", options: str = ""
    ) -> str:
        """URL of a database, with the password of the owner or another one."""
        secret = password or self.password
        return f"postgresql://{user}:{secret}@{HOST}:{self.port}/{database}{options}"

    def place(
        self, database: str = DATABASE, *, user: str = OWNER, password: str = "", options: str = ""
    ) -> LibraryServer:
        """Place of the library in a database."""
        place = library_place(self.address(database, user=user, password=password, options=options))
        assert isinstance(place, LibraryServer)
        return place

    def run(
        self, statement: str, database: str = DATABASE, *, user: str = OWNER, password: str = ""
    ) -> list[Any]:
        """Run a statement outside transactions; return its rows."""
        import psycopg

        address = self.address(database, user=user, password=password)
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def new_database(self, options: str = "") -> str:
        """Make an empty database for a test that changes tables or rights, and return its name."""
        name = f"other_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} {options}", "postgres")
        return name

    def empty_library(self) -> None:
        """Remove all entries and the log of the library in DATABASE."""
        tables = ", ".join(
            table.name for table in (*METADATA.tables.values(), *SERVER_METADATA.tables.values())
        )
        row = ", ".join("1" if column.primary_key else "0" for column in STATE.c)
        self.run(f"TRUNCATE {tables} RESTART IDENTITY; INSERT INTO state VALUES ({row})")

    def psql(self, script: Path, database: str) -> None:
        """Run a script as the owner with psql, and raise CalledProcessError if it fails."""
        environment = {**os.environ, "PGPASSWORD": self.password}
        options = ["-h", HOST, "-p", str(self.port), "-U", OWNER, "-d", database, "-v", "ON_ERROR_STOP=1"]
        command = [self._programs / "psql", "-q", *options, "-f", script]
        subprocess.run(command, env=environment, check=True, capture_output=True)

    def _answers(self, process: "subprocess.Popen[bytes]", port: int) -> bool:
        ready = [self._programs / "pg_isready", "-q", "-h", HOST, "-p", str(port), "-U", OWNER]
        end = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < end:
            if subprocess.run(ready, check=False).returncode == 0:
                return True
            time.sleep(0.02)
        return False

    def _start(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """Start a program of the server in the process group of the tests, and so ended with them."""
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, *arguments],
                cwd=self._folder,
                user=self._user,
                group=None if self._user is None else _group_of(self._user),
                extra_groups=None if self._user is None else (),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )


@contextmanager
def running_server(programs: Path) -> Iterator[PostgresqlServer]:
    """Run a server, and remove its files at the end."""
    # not in the folder of pytest, which other users may not enter
    with tempfile.TemporaryDirectory(prefix="simcompare-postgresql-", ignore_cleanup_errors=True) as folder:
        server = PostgresqlServer(programs, Path(folder))
        try:
            server.make()
            server.start()
            yield server
        finally:
            server.stop()


def _ordinary_user() -> str | None:
    """User to run the server as, which refuses to be run by the administrator; None for the own user."""
    if os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in _UNPRIVILEGED_USERS if user in names)


def _group_of(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


def write_certificate(certificate: Path, key: Path) -> None:
    """Write a certificate for HOST that signs itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    certificate.write_bytes(signed.public_bytes(pem))
    unencrypted = serialization.NoEncryption()
    key.touch(0o600)
    key.write_bytes(private.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted))
