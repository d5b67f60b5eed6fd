"""Restoring a lost connection: connecting again, and giving it what the lost connection had."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Optional, Sequence

from formd.callbacks import _deliver
from formd.errors import ConnectionLost, Draining, FormdError, Overloaded, RpcError, UnknownSession
from formd.json_values import JSON

if TYPE_CHECKING:
    from formd.async_client import AsyncClient
    from formd.async_session import AsyncSession

PAUSE_SECONDS_MIN = 0.05
PAUSE_SECONDS_MAX = 2.0
"""The pauses between the tries begin with the first value, double up to the second, and vary by half."""

_GONE = (
    "the daemon no longer has it: it was closed or has expired, its key was replaced, or it was kept in the memory of a daemon "
    "that has ended"
)
"""Why a kept session that this client had is unknown (1001)."""


class _Restoring:
    """Restores the connection of one client, with its kept sessions, its providers and its watch of the forms."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.away: list[AsyncSession] = []
        """Kept sessions that must be attached again."""
        self.was_lost = False
        """Whether a connection was lost since the program was last told of a restored one."""
        self._task: Optional[asyncio.Task[None]] = None
        self._setback = ""
        """Why the connection is not restored yet."""
        self._pause = 0.0
        self._wanted_pause = 0.0
        """How long the daemon wants the client to wait before the next try."""
        self._came_back_at = float("-inf")
        self._patience_ends_at = 0.0

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def cancel(self) -> None:
        """Gives up, because the connection has ended for good."""
        if self._task is not None:
            self._task.cancel()

    async def stop(self) -> None:
        """Gives up, and returns when nothing is tried any longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def lacks_something(self) -> bool:
        """Whether the lost connection had something that is not restored yet."""
        client = self._client
        return bool(self.away or client._providers.unregistered) or client._watches_forms != client._is_watching_forms

    def begin(self, sessions: Sequence[AsyncSession], reason: str) -> None:
        """Attaches these sessions again, over another connection if this one has ended."""
        for session in sessions:
            self._client.sessions.pop(session.id, None)
            self.away.append(session)
        self._setback = reason
        if self._task is None:
            self._task = self._client._start(self._come_back())

    async def _come_back(self) -> None:
        """Tries until everything is back or the patience is used up, and tells the program."""
        loop = asyncio.get_running_loop()
        if loop.time() - self._came_back_at > PAUSE_SECONDS_MAX:
            self._pause = self._wanted_pause = 0.0
            self._patience_ends_at = loop.time() + self._client.patience
        # Else the connection did not last: the pauses and the patience continue from the last time.
        began_with = self._setback
        try:
            await asyncio.wait_for(self._until_back(), self._patience_ends_at - loop.time())
        except asyncio.TimeoutError:
            self._give_up(began_with)
        finally:
            self._task = None
        if not self._client._is_connected:
            if self.lacks_something:
                self.begin([], self._setback)  # The connection was lost again at the last moment.
            return
        self._came_back_at = loop.time()
        if self.was_lost:
            self.was_lost = False
            _deliver(self._client._on_reconnect)

    async def _until_back(self) -> None:
        """Tries, with growing pauses, until a connection has everything that the last one had."""
        while True:
            # The clients that lost their connections do not all come back at once.
            pause = max(self._pause * random.uniform(0.5, 1.5), self._wanted_pause)
            self._wanted_pause = 0.0
            if pause > 0:
                await asyncio.sleep(pause)
            self._pause = min(max(2 * self._pause, PAUSE_SECONDS_MIN), PAUSE_SECONDS_MAX)
            try:
                if not self._client._is_connected:
                    await self._client._connect()
                if self._client._watches_forms and not self._client._is_watching_forms:
                    await self._watch_forms_again()
                for name in list(self._client._providers.unregistered):
                    await self._client._providers.register_again(name)
                attaching = [self._attach_again(session) for session in self.away]
                for failure in await asyncio.gather(*attaching, return_exceptions=True):
                    if failure is not None:
                        raise failure
                if not self.lacks_something:
                    return
            except ConnectionLost as failure:
                self._setback = str(failure)

    async def _watch_forms_again(self) -> None:
        try:
            forms = await self._client._call("forms/watch", comes_back=True)
        except (Draining, Overloaded) as refusal:
            self.held_up(refusal)
            return
        self._client._is_watching_forms = True
        _deliver(self._client._on_forms_changed, forms)

    def held_up(self, refusal: RpcError) -> None:
        """The daemon asks the client to try later."""
        self._setback = str(refusal)
        wanted = ((refusal.data or {}).get("retryAfterMs") or 0) / 1000
        self._wanted_pause = max(self._wanted_pause, wanted)

    async def _attach_again(self, session: AsyncSession) -> None:
        seq = session.last_event
        params = {"key": session.key, "seq": seq}

        def attached(result: JSON) -> None:
            session._attached(result, seq, wants_events=True)

        try:
            await self._client._call("session/attach", params, on_result=attached, comes_back=True)
        except UnknownSession:
            session._closed(_GONE)
        except (Draining, Overloaded) as refusal:
            self.held_up(refusal)
        except ConnectionLost:
            raise
        except FormdError as refusal:
            session._closed(f"it could not be attached again: {refusal}")

    def _give_up(self, began_with: str) -> None:
        """The time for restoring the connection has run out."""
        what = f"the client tried for {self._client.patience:g} s; the last error: {self._setback}"
        if not self._client._is_connected:
            self._client._lost(ConnectionLost(f"{began_with}; the connection could not be restored; {what}"))
            return
        for name in list(self._client._providers.unregistered):
            self._client._providers.forget(name, what)
        self._client._watches_forms = self._client._is_watching_forms
        for session in list(self.away):
            session._closed(f"it could not be attached again; {what}")
