"""A client for formd, the daemon that keeps live form sessions.

    import formd

    with formd.Client() as client:                       # blocking
        session = client.open("login", locale="ko")
        session.change("email", "kim@example.com")
        session.change("password", "hunter2")
        print(session.is_valid, session.tap("login", wait=True).event)

    async with formd.AsyncClient() as client:            # asyncio
        session = await client.open("login")
        session.on_change("/actions/login/isEnabled", lambda change: print(change.value))
        await session.change("email", "kim@example.com")

The daemon pushes changes as JSON Merge Patches (RFC 7396). A session merges them into its `document`, so the document
is current after every awaited call. A kept session outlives its connection: a client that loses the connection connects
again and attaches its kept sessions by itself. No dependencies; Python 3.9 or later.
"""

from formd.async_client import PATIENCE_SECONDS, TIMEOUT_SECONDS, AsyncClient
from formd.async_session import AsyncSession
from formd.blocking import Client, Session
from formd.errors import (
    AttachedElsewhere, BatchTooLong, ConnectionLost, Disconnected, Draining, DuplicateProvider, FormdError,
    InternalError, InvalidParams, InvalidRequest, MethodNotFound, OutcomeUnknown, Overloaded, ParseError, ProviderError,
    QuotaExceeded, RequestCancelled, RoleNeeded, RpcError, SessionClosed, TooLarge, UnknownAction, UnknownConnection,
    UnknownField, UnknownForm, UnknownProvider, UnknownSession, UnknownStep, WrongToken,
)  # fmt: skip
from formd.json_values import JSON, merge_patch, resolve_pointer
from formd.results import Change, Event, FieldError, Row, TapResult, Update
from formd.socket_path import default_socket_path

__version__ = "0.1.0"
__all__ = [
    "AsyncClient", "AsyncSession", "AttachedElsewhere", "BatchTooLong", "Change", "Client", "ConnectionLost",
    "default_socket_path", "Disconnected", "Draining", "DuplicateProvider", "Event", "FieldError", "FormdError",
    "InternalError", "InvalidParams", "InvalidRequest", "JSON", "merge_patch", "MethodNotFound", "OutcomeUnknown",
    "Overloaded", "ParseError", "PATIENCE_SECONDS", "ProviderError", "QuotaExceeded", "RequestCancelled",
    "resolve_pointer", "RoleNeeded", "Row", "RpcError", "Session", "SessionClosed", "TapResult", "TIMEOUT_SECONDS",
    "TooLarge", "UnknownAction", "UnknownConnection", "UnknownField", "UnknownForm", "UnknownProvider",
    "UnknownSession", "UnknownStep", "Update", "WrongToken",
]  # fmt: skip
