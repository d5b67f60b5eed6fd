"""Client and Session for blocking code, over an AsyncClient whose event loop runs on a thread of its own.

The calls that only wait for the call of the same name are in formd.blocking_calls.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
import weakref
from typing import Any, Callable, Coroutine, Mapping, Optional, Sequence, TypeVar, Union

from formd.async_client import PATIENCE_SECONDS, TIMEOUT_SECONDS, AsyncClient
from formd.async_session import AsyncSession
from formd.blocking_calls import CallsOfClient, CallsOfSession
from formd.errors import ConnectionLost
from formd.json_values import JSON

T = TypeVar("T")

CLOSING_SECONDS = 1.0
"""How long the end of a forgotten client may take."""


class _Loop:
    """An event loop on a thread of its own. It has the connection of a blocking client and reads it all the time."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="formd", daemon=True)
        self._process = os.getpid()
        self._thread.start()

    def _work(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    @property
    def is_of_this_process(self) -> bool:
        """False after a fork: the thread is in the parent process only."""
        return self._process == os.getpid()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("a callback must not call its blocking client, because the answer would wait for the callback")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            # Ctrl-C during the wait: the request is cancelled in the daemon, too.
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


_blocking: weakref.WeakSet[Client] = weakref.WeakSet()
"""The blocking clients of this process."""


def _forget_parent() -> None:
    """In a child process after a fork: never collects the parent's clients.

    Their event loops share the kernel's list of awaited files with the parent. Cleaning up would end the parent's
    connection, and would report unfinished tasks.
    """
    try:
        import ctypes
    except ImportError:
        return
    for client in list(_blocking):
        for part in (client._client, client._loop):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(part))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parent)


def _finish(client: AsyncClient, loop: _Loop) -> None:
    """Ends a blocking client that the program has forgotten. The garbage collector calls this, on any thread."""
    if not loop.is_of_this_process or loop._loop.is_closed():
        return

    async def close() -> None:
        try:
            await client.close()
        finally:
            loop._loop.stop()

    asyncio.run_coroutine_threadsafe(close(), loop._loop)
    if threading.current_thread() is not loop._thread:
        loop._thread.join(CLOSING_SECONDS)


class Client(CallsOfClient):
    """One connection to the daemon, for blocking code. Use it as `with Client(path) as client:`.

    Callbacks run on the client's own thread, before the call that caused them returns; they must not call the client.
    AsyncClient describes lost connections, `patience` and `timeout`. A client that the program forgets is closed when
    the garbage collector finds it, and at the end of the program.
    """

    def __init__(
        self,
        path: Union[str, Sequence[str], None] = None,
        *,
        patience: float = PATIENCE_SECONDS,
        timeout: Optional[float] = TIMEOUT_SECONDS,
    ) -> None:
        self._client = AsyncClient(path, patience=patience, timeout=timeout)
        self._loop: Optional[_Loop] = _Loop()
        self._finalizer = weakref.finalize(self, _finish, self._client, self._loop)
        _blocking.add(self)
        try:
            self._run(self._client.connect())
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return repr(self._client).replace(type(self._client).__name__, type(self).__name__, 1)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            coroutine.close()
            raise ConnectionLost("the client is closed")
        if not self._loop.is_of_this_process:
            coroutine.close()
            self._client._check_process()
        return self._loop.run(coroutine)

    def close(self) -> None:
        """Closes the connection, and with it its sessions that are not kept. A second call has no effect."""
        if self._loop is not None:
            self._finalizer.detach()
            if self._loop.is_of_this_process:
                self._loop.run(self._client.close())
                self._loop.stop()
            self._loop = None

    def open(
        self,
        form: Optional[str] = None,
        *,
        definition: Optional[Mapping[str, JSON]] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        values: Optional[Mapping[str, JSON]] = None,
        context: Optional[Mapping[str, JSON]] = None,
        show: Optional[str] = None,
        watch: Optional[Sequence[str]] = None,
        keep: Optional[str] = None,
    ) -> Session:
        """See AsyncClient.open."""
        opening = self._client.open(
            form, definition=definition, locale=locale, zone=zone, values=values, context=context, show=show,
            watch=watch, keep=keep,
        )  # fmt: skip
        return Session(self, self._run(opening))

    def attach(self, key: str, *, seq: Optional[int] = None, rotate: bool = False, take: bool = False) -> Session:
        """See AsyncClient.attach."""
        return Session(self, self._run(self._client.attach(key, seq=seq, rotate=rotate, take=take)))

    def provider(
        self, name: str, handler: Callable[..., Any], token: Optional[str] = None, *, keyed: bool = False
    ) -> None:
        """Registers the provider `name`. AsyncClient.provider describes `token` and `keyed`.

        The handler is a plain function; it runs in a worker thread, so it may block.
        """
        if inspect.iscoroutinefunction(handler):
            raise TypeError(
                f"the handler of {name!r} is a coroutine function: the blocking Client calls plain functions; "
                "use AsyncClient.provider, or a def without async"
            )

        async def in_thread(*asked: JSON) -> JSON:
            return await asyncio.get_running_loop().run_in_executor(None, handler, *asked)

        self._run(self._client.provider(name, in_thread, token, keyed=keyed))


class Session(CallsOfSession):
    """One live copy of a form, for blocking code; its methods are the methods of AsyncSession without `await`."""

    def __init__(self, client: Client, session: AsyncSession) -> None:
        self.client = client
        self._session = session

    def __repr__(self) -> str:
        return repr(self._session).replace(type(self._session).__name__, type(self).__name__, 1)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_open and self.client.is_connected:
            self.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.client._run(coroutine)

    def wait_until(self, condition: Callable[[AsyncSession], bool], timeout: Optional[float] = None) -> Session:
        """See AsyncSession.wait_until; the condition runs on the client's thread."""
        self.client._run(self._session.wait_until(condition, timeout))
        return self
