"""The providers of a client: registering them, and answering the daemon's questions."""

from __future__ import annotations

import asyncio
import inspect
import logging
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional

from formd.errors import Draining, DuplicateProvider, Overloaded, ProviderError, RpcError, UnknownProvider
from formd.json_values import JSON, _line, _without_none

if TYPE_CHECKING:
    from formd.async_client import AsyncClient

log = logging.getLogger("formd")


class _Providers:
    """The providers of one client."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._handlers: dict[str, Callable[[JSON, Optional[str]], Any]] = {}
        self._registrations: dict[str, Mapping[str, JSON]] = {}
        """The params of `provider/register`, of the providers that are registered, by name."""
        self.unregistered: set[str] = set()
        """The names of providers that the client has to register again."""
        self._evaluations: dict[Any, tuple[asyncio.Task[None], JSON]] = {}
        """The daemon's open questions, by the id of their request: the task that finds the answer, and the provider's
        name."""

    async def register(self, name: str, handler: Callable[..., Any], token: Optional[str], keyed: bool) -> None:
        """See AsyncClient.provider."""
        if name in self._handlers:
            raise ValueError(f"this client has already registered the provider {name!r}")
        # Before the request is sent, because the daemon may ask as soon as it has written its answer.
        self._handlers[name] = handler if keyed else lambda arguments, key: handler(arguments)
        params = _without_none(name=name, token=token)

        def registered(_: JSON) -> None:
            self._registrations[name] = params

        try:
            await self._client._call("provider/register", params, on_result=registered)
        except BaseException:
            self._handlers.pop(name, None)
            raise

    async def withdraw(self, name: str) -> None:
        """See AsyncClient.withdraw_provider."""
        # From here on, it is not registered again.
        was_registered = self._registrations.pop(name, None) is not None
        self.unregistered.discard(name)
        try:
            await self._client.call("provider/unregister", {"name": name})
        except UnknownProvider:
            # The registration ended with the lost connection.
            if not was_registered:
                raise
        self._handlers.pop(name, None)
        # All questions have arrived: the daemon sends none after its answer.
        answering = [task for task, asked in self._evaluations.values() if asked == name]
        await asyncio.gather(*answering, return_exceptions=True)

    # Questions of the daemon

    def asked(self, number: JSON, params: JSON) -> None:
        """The daemon has sent `provider/evaluate`."""
        name = params.get("name")
        # Now, because the provider may be withdrawn before the task begins.
        task = self._client._start(self._evaluate(number, params, self._handlers.get(name)))
        self._evaluations[number] = (task, name)
        task.add_done_callback(lambda task: self._evaluated(number, task))

    def cancelled(self, number: JSON) -> None:
        """The daemon no longer waits for the answer to a question."""
        task, _ = self._evaluations.get(number, (None, None))
        if task is not None:
            task.cancel()

    def _is_asked(self, number: JSON, task: Optional[asyncio.Task[Any]]) -> bool:
        """Whether the daemon waits for the task's result; false if the daemon asked over a connection that is lost."""
        return self._evaluations.get(number, (None, None))[0] is task

    def _evaluated(self, number: JSON, task: asyncio.Task[None]) -> None:
        if not self._is_asked(number, task):
            return
        del self._evaluations[number]
        # Here and not in the task, because a task that is cancelled before it begins never runs.
        if task.cancelled():
            self._client._write(self._refusal(number, -32800, "Request cancelled", None))

    async def _evaluate(
        self, number: JSON, params: JSON, handler: Optional[Callable[[JSON, Optional[str]], Any]]
    ) -> None:
        answer: dict[str, JSON] = {"jsonrpc": "2.0", "id": number}
        name = params.get("name")
        try:
            if handler is None:
                raise ProviderError(f"this client has no provider {name!r}")
            result = handler(params.get("arguments"), params.get("idempotencyKey"))
            answer["result"] = await result if inspect.isawaitable(result) else result
            line = _line(answer)
        except ProviderError as error:
            line = self._refusal(number, error.code, str(error), error.data)
        except Exception:
            # Only the log has the exception: exceptions quote their arguments, and arguments may contain secrets.
            log.exception("the provider %r failed", name)
            line = self._refusal(number, -32603, "Internal error", None)
        if self._is_asked(number, asyncio.current_task()):
            self._client._write(line)
            await self._client._drain()

    @staticmethod
    def _refusal(number: JSON, code: int, message: str, data: JSON) -> bytes:
        error = {"code": code, "message": message, **({"data": data} if data is not None else {})}
        return _line({"jsonrpc": "2.0", "id": number, "error": error})

    # The end of the connection

    def connection_ended(self) -> None:
        """Nobody waits for answers. All providers must be registered again."""
        evaluations, self._evaluations = self._evaluations, {}
        for task, _ in evaluations.values():
            task.cancel()
        self.unregistered = set(self._registrations)

    async def register_again(self, name: str) -> None:
        """Registers a provider over another connection, unless the program has withdrawn it meanwhile."""
        if name not in self.unregistered:
            return
        try:
            await self._client._call("provider/register", self._registrations[name], comes_back=True)
        except (DuplicateProvider, Draining, Overloaded) as refusal:
            # A duplicate: the daemon may not have seen the end of the last connection yet.
            self._client._restoring.held_up(refusal)
            return
        except RpcError as refusal:
            self.forget(name, str(refusal))
            return
        self.unregistered.discard(name)

    def forget(self, name: str, reason: str) -> None:
        """A provider could not be registered again."""
        log.error("the provider %r could not be registered again: %s", name, reason)
        self.unregistered.discard(name)
        self._registrations.pop(name, None)
        self._handlers.pop(name, None)

    def clear(self) -> None:
        """The connection has ended for good."""
        self._handlers.clear()
        self._registrations.clear()
        self.unregistered.clear()
