"""A connection to PostgreSQL that ends if the server stops answering; imports the optional psycopg."""

from threading import Event
from time import monotonic
from typing import Any, Self

from psycopg import Connection, Error, OperationalError, connect
from psycopg.abc import RV, PQGen, PQGenConn
from psycopg.errors import ConnectionTimeout

_SILENT_SECONDS, _ASKING_SECONDS = 10.0, 15
# a server that answers still connects: the last essays that were read are stored in a new connection
_STOPPED_SECONDS = 0.5


class WatchedConnection(Connection[Any]):
    """Asks in a second connection, after each 10 s of silence, whether the server still answers.

    until: the class whose attempts to connect fail after half a second once an event is set.
    """

    _stop: Event

    @classmethod
    def until(cls, stop: Event) -> type[Self]:
        return type(cls.__name__, (cls,), {"_stop": stop})

    @classmethod
    def _connect_gen(cls, *given: Any, **named: Any) -> PQGenConn[Self]:
        # psycopg resumes it ten times a second while the server is silent, and has no other way to stop it
        attempt, began_at = super()._connect_gen(*given, **named), monotonic()
        ready: Any = None
        try:
            while True:
                ready = yield attempt.send(ready)
                if cls._stop.is_set() and monotonic() - began_at > _STOPPED_SECONDS:
                    raise OperationalError("the attempt to connect was stopped")
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def wait(self, gen: PQGen[RV], *limits: Any, **named: Any) -> RV:
        # a statement may take hours, and TCP sets no limit while a frozen server confirms what it receives
        return super().wait(self._watched(gen), *limits, **named)

    def _watched(self, gen: PQGen[RV], ready: Any = None) -> PQGen[RV]:
        heard_at = monotonic()
        try:
            while True:
                ready = yield gen.send(ready)
                if ready or monotonic() - heard_at > _SILENT_SECONDS:
                    heard_at = monotonic() if ready else self._asked_at()
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _asked_at(self) -> float:
        one: Any = {"host": self.info.host, "hostaddr": self.info.hostaddr, "port": self.info.port}
        try:
            connect(self.info.dsn, **one, connect_timeout=_ASKING_SECONDS).close()
        except Error as error:  # a refusal is an answer, as the password is missing here
            if isinstance(error, ConnectionTimeout):
                self.pgconn.finish()
                raise
        return monotonic()
