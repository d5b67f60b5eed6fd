"""A form of formd behind a page: checks what the page posts, and answers the requests that need no view."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import weakref
from typing import (
    Any, Awaitable, Callable, Dict, Generator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, TypeVar,
    Union,
)  # fmt: skip

import formd
from formd.types import Document, FieldDescription, FieldState, FormDescription, Validation
from formd.web.html import Html, render
from formd.web.posted import BadPost, Body, Posted, logger, texts_of, tokens_of

JSON = Any
T = TypeVar("T")
Context = Mapping[str, JSON]
"""What the program tells a form of its surroundings: the members that the form's `context` describes."""
Steps = Generator[Tuple[str, Dict[str, JSON]], Any, T]
"""Calls of the daemon, as methods and params, and a result at the end. So both kinds of forms have the same logic."""


class Result:
    """What a form says about a request. Without a post it is empty, so that a page can be drawn with it, too.

    A post that could not be judged has the texts and an error of the form as a whole.
    """

    def __init__(
        self, posted: Optional[Posted] = None, verdict: Optional[Validation] = None, locale: Optional[str] = None
    ) -> None:
        self.is_posted: bool = posted is not None
        self.is_valid: bool = verdict is not None and verdict["isValid"]
        self.values: Dict[str, JSON] = {}
        """The values of the form: normalized, with numbers, booleans and computed values, without hidden fields."""
        self.errors: Dict[str, str] = {}
        """The first message of each control, by its name; "" is the form as a whole."""
        self.texts: Dict[str, List[str]] = posted.texts if posted else {}
        """What the user entered, by the names of the controls."""
        self.action: Optional[str] = posted.action if posted else None
        """The button that was pressed: `<button name="action" value="NAME">`."""
        self.document: Optional[Document] = verdict["document"] if verdict else None
        """The document of the session that the daemon had for the check."""
        self.locale = locale
        self._refusal: Optional[int] = None
        if posted is None or verdict is None:
            return
        self.values = dict(verdict["values"])
        _treat_empty(self.values, posted.fields, posted.is_page)
        _add_secrets(self.values, posted.values, posted.fields, verdict["document"].get("fields", {}))
        for error in verdict["errors"]:
            self.errors.setdefault(posted.name(error["path"]), error["message"])

    @classmethod
    def refused(cls, body: Body, status: int, message: str) -> Result:
        """What the user entered in a post that was not judged, with a message for the form as a whole."""
        result = cls()
        result.is_posted = True
        result.texts = texts_of(body)
        result.action = result.text("action") or None
        result.errors[""] = message
        result._refusal = status
        return result

    @property
    def status(self) -> int:
        """The status of the page: 422 if it shows errors, 400 or 503 if the post was not judged, otherwise 200."""
        return self._refusal or (422 if self.is_posted and not self.is_valid else 200)

    def add_error(self, name: str, message: str) -> None:
        """Adds what the view itself found wrong, such as a name that was taken in the meantime. The status is then 422.

        `name` is the name of a control, or "" for the form as a whole. A message that is there already stays.
        """
        self.errors.setdefault(name, message)
        self.is_valid = False

    def text(self, name: str) -> str:
        """What the user entered in a control; "" if that is nothing."""
        return self.texts.get(name, [""])[-1]

    def __repr__(self) -> str:
        # Values can be secrets.
        return f"<formd.web.Result {'valid' if self.is_valid else 'not valid'}, errors at {sorted(self.errors)}>"


class Headers(Protocol):
    """The headers of a request, by their names in any case."""

    def get(self, name: str, /) -> Any: ...


class Answer(NamedTuple):
    """A whole answer to a request, which needs no view."""

    status: int
    headers: Dict[str, str]
    body: str


_UNAVAILABLE = (formd.ConnectionLost, formd.Overloaded, formd.Draining)
"""Errors after which a user should try again in a moment."""
_DESCRIPTIONS_MAX = 100
_TEXT = {"Content-Type": "text/plain; charset=utf-8"}


class _FormOf:
    """What the blocking and the asynchronous form have in common."""

    unreadable = "The form could not be read: {reason}"
    """What the page says if the post is no post of this form."""
    unavailable = "The form cannot be checked now. Please try again in a moment."
    """What the page says if there is no daemon."""

    def __init__(
        self,
        name: str,
        *,
        context: Union[Context, Callable[[Any], Context], None] = None,
        locale: Optional[str] = None,
        zone: Optional[str] = None,
        socket: Optional[str] = None,
        timeout: float = 30,
    ) -> None:
        self.name = name
        """The name of a form that the daemon has."""
        self.context = context
        """The form's context, or a function that makes it of a request."""
        self.locale = locale
        self.zone = zone
        self.path = socket or formd.default_socket_path()
        self.timeout = timeout
        """After so many seconds without an answer of the daemon, a call raises TimeoutError. Checks ask services."""
        self._descriptions: Dict[Optional[str], FormDescription] = {}
        """The last descriptions, by locale: they draw the page while there is no daemon."""

    def context_of(self, request: Any) -> Optional[Context]:
        """The context for a request of the framework."""
        return self.context(request) if callable(self.context) else self.context

    def _given_context(self, context: Optional[Context]) -> Optional[Context]:
        if context is None and callable(self.context):
            raise TypeError(f"the context of the form {self.name} depends on the request: give context=")
        return self.context if context is None and not callable(self.context) else context

    def _describing(self, locale: Optional[str]) -> Steps[FormDescription]:
        locale = locale or self.locale
        description: FormDescription = yield "form/describe", _given(form=self.name, locale=locale)
        if locale in self._descriptions or len(self._descriptions) < _DESCRIPTIONS_MAX:
            self._descriptions[locale] = description
        return description

    def _checking(
        self, body: Body, locale: Optional[str], context: Optional[Context], only: Optional[Sequence[str]]
    ) -> Steps[Result]:
        description = yield from self._describing(locale)
        posted = Posted(body, self.name, description["fields"])
        params = _given(
            form=self.name,
            values=posted.values,
            locale=locale or self.locale,
            zone=self.zone,
            context=self._given_context(context),
            checks=True,
            only=None if only is None else posted.addresses(only),
        )
        try:
            verdict = yield "form/validate", params
        except (formd.InvalidRequest, formd.InvalidParams, formd.QuotaExceeded, formd.TooLarge) as error:
            # The program's mistake, and not the user's.
            if any(one["path"].startswith("/context") for one in (error.data or {}).get("errors", [])):
                raise
            raise BadPost(f"formd refuses the values: {error}") from error
        return Result(posted, verdict, description.get("locale"))

    def _opening(
        self, locale: Optional[str], context: Optional[Context], values: Optional[Mapping[str, JSON]], keep: str
    ) -> Steps[str]:
        params = _given(
            form=self.name,
            locale=locale or self.locale,
            zone=self.zone,
            context=self._given_context(context),
            values=values,
            keep=keep,
        )
        opened = yield "session/open", params
        # The browser gets the session. This program does not stay in it.
        yield "session/detach", {"session": opened["session"]}
        return str(opened["key"])

    def _rendering(
        self, result: Optional[Result], locale: Optional[str], options: Mapping[str, Any]
    ) -> Steps[Html]:
        result = result or Result()
        locale = locale or result.locale
        description = self._descriptions.get(locale or self.locale) if result.status == 503 else None
        return render(description or (yield from self._describing(locale)), result, **options)

    def _receiving(
        self, body: Union[Body, bytes], headers: Headers, locale: Optional[str], context: Optional[Context]
    ) -> Steps[Union[Result, Answer]]:
        is_early = headers.get("Precognition") == "true"
        early = {"Precognition": "true"} if is_early else {}
        names = headers.get("Precognition-Validate-Only")
        only = names.split(",") if is_early and names is not None else None
        try:
            read = _readable(body, headers)
        except BadPost as error:
            return Answer(400, {**early, **_TEXT}, str(error))
        is_page = type(read) is not dict
        wants_page = is_page and not is_early and "application/json" not in (headers.get("Accept") or "")
        try:
            result = yield from self._checking(read, locale, context, only)
        except BadPost as error:
            if wants_page:
                logger.warning("the form %s refuses a post: %s", self.name, error)
                return Result.refused(read, 400, self.unreadable.format(reason=error))
            return Answer(400, {**early, **_TEXT}, str(error))
        except (*_UNAVAILABLE, TimeoutError) as error:
            answer = self._unavailable(error)
            if wants_page:
                return Result.refused(read, answer.status, answer.body)
            return answer._replace(headers={**early, **answer.headers})
        if is_early and result.is_valid:
            return Answer(204, {**early, "Precognition-Success": "true"}, "")
        if result.is_valid or wants_page:
            return result
        message = next(iter(result.errors.values()), "")
        errors = result.errors
        if is_early and is_page:
            # Clients of Precognition name places in form data and in JSON alike.
            errors = {".".join(tokens_of(name)): text for name, text in errors.items()}
        told = json.dumps({"message": message, "errors": {name: [text] for name, text in errors.items()}})
        return Answer(422, {**early, "Content-Type": "application/json"}, told)

    def _unavailable(self, error: BaseException) -> Answer:
        logger.error("the form %s cannot be had: %s", self.name, error)
        return Answer(503, {**_TEXT, "Retry-After": "5"}, self.unavailable)


class Form(_FormOf):
    """A form that the daemon has, for blocking code. Make it once; it connects at its first use, in each process.

    `context` is the form's context, or a function that makes it of a request. `locale` is the language of messages, and
    `zone` the time zone of the users; without them, those of the form and of the daemon. `socket` is the daemon's path.
    """

    def check(
        self,
        body: Body,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
        only: Optional[Sequence[str]] = None,
    ) -> Result:
        """Checks what a page has posted: the form data of the framework, or the object of a JSON text.

        The form's checks ask their services. `only` are names of controls; then only these are judged. Raises BadPost
        for a body that no page of the form sends, ConnectionLost if there is no daemon, and RpcError if it refuses.
        """
        return self._run(self._checking(body, locale, context, only))

    def open(
        self,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
        values: Optional[Mapping[str, JSON]] = None,
        keep: str = "30m",
    ) -> str:
        """Opens a kept session for a page, and returns its key, for `<form data-formd="KEY">`."""
        return self._run(self._opening(locale, context, values, keep))

    def render(self, result: Optional[Result] = None, *, locale: Optional[str] = None, **options: Any) -> Html:
        """The form as HTML, with the texts and errors of a result. `formd.web.html.render` describes the options."""
        return self._run(self._rendering(result, locale, options))

    def receive(
        self,
        body: Union[Body, bytes],
        headers: Headers,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
    ) -> Union[Result, Answer]:
        """Checks a request, for the glue of a framework: a Result for the view, or the Answer itself.

        `body` can also be the bytes of a JSON text. Answers are: 204 and 422 of Laravel Precognition, and 422 for a
        program that wants JSON. For a bad body, and if there is no daemon, a program gets the answer 400 or 503, and
        the view of a page gets a result with this status, the texts and a message.
        """
        return self._run(self._receiving(body, headers, locale, context))

    def respond(
        self, view: Callable[[Result], T], request: Any, body: Union[Body, bytes, None], headers: Headers
    ) -> Union[T, Answer]:
        """What a view answers to a request, or the Answer that needs no view; for the glue of a framework.

        `body` is None if the request brings no values. If the view itself needs the daemon and there is none, the
        answer is 503.
        """
        try:
            if body is None:
                return view(Result())
            result = self.receive(body, headers, context=self.context_of(request))
            return result if isinstance(result, Answer) else view(result)
        except _UNAVAILABLE as error:
            return self._unavailable(error)

    def _run(self, steps: Steps[T]) -> T:
        try:
            method, params = next(steps)
            while True:
                try:
                    answer = _call(self.path, method, params, self.timeout)
                except Exception as error:
                    method, params = steps.throw(error)
                else:
                    method, params = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class AsyncForm(_FormOf):
    """A form that the daemon has, for asynchronous code. Its methods are those of Form, to be awaited."""

    async def check(
        self,
        body: Body,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
        only: Optional[Sequence[str]] = None,
    ) -> Result:
        """See Form.check."""
        return await self._run(self._checking(body, locale, context, only))

    async def open(
        self,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
        values: Optional[Mapping[str, JSON]] = None,
        keep: str = "30m",
    ) -> str:
        """See Form.open."""
        return await self._run(self._opening(locale, context, values, keep))

    async def render(self, result: Optional[Result] = None, *, locale: Optional[str] = None, **options: Any) -> Html:
        """See Form.render."""
        return await self._run(self._rendering(result, locale, options))

    async def receive(
        self,
        body: Union[Body, bytes],
        headers: Headers,
        *,
        locale: Optional[str] = None,
        context: Optional[Context] = None,
    ) -> Union[Result, Answer]:
        """See Form.receive."""
        return await self._run(self._receiving(body, headers, locale, context))

    async def respond(
        self, view: Callable[[Result], Awaitable[T]], request: Any, body: Union[Body, bytes, None], headers: Headers
    ) -> Union[T, Answer]:
        """See Form.respond."""
        try:
            if body is None:
                return await view(Result())
            result = await self.receive(body, headers, context=self.context_of(request))
            return result if isinstance(result, Answer) else await view(result)
        except _UNAVAILABLE as error:
            return self._unavailable(error)

    async def _run(self, steps: Steps[T]) -> T:
        try:
            method, params = next(steps)
            while True:
                try:
                    answer = await _async_call(self.path, method, params, self.timeout)
                except Exception as error:
                    method, params = steps.throw(error)
                else:
                    method, params = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


# Connections

_clients: Dict[Tuple[int, str], formd.Client] = {}
"""The connections, by process and socket: a fork needs its own."""
_async_clients: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Dict[str, asyncio.Task[formd.AsyncClient]]]" = (
    weakref.WeakKeyDictionary()
)
_lock = threading.Lock()


def _call(path: str, method: str, params: Mapping[str, JSON], timeout: float) -> JSON:
    for is_last in (False, True):
        with _lock:
            place = (os.getpid(), path)
            client = _clients.get(place)
            is_new = client is None
            if client is None:
                client = _clients[place] = formd.Client(path, patience=0)
        try:
            return client.call(method, params, timeout)
        except formd.ConnectionLost:
            with _lock:
                if _clients.get(place) is client:
                    del _clients[place]
            # The daemon was started again since the last call.
            if is_new or is_last:
                raise
    raise AssertionError


async def _async_call(path: str, method: str, params: Mapping[str, JSON], timeout: float) -> JSON:
    clients = _async_clients.setdefault(asyncio.get_running_loop(), {})
    for is_last in (False, True):
        connecting = clients.get(path)
        is_new = connecting is None
        if connecting is None:
            connecting = clients[path] = asyncio.ensure_future(_connected(path))
        try:
            client = await asyncio.shield(connecting)
            return await client.call(method, params, timeout)
        except formd.ConnectionLost:
            if clients.get(path) is connecting:
                del clients[path]
            if is_new or is_last:
                raise
    raise AssertionError


async def _connected(path: str) -> formd.AsyncClient:
    client = formd.AsyncClient(path, patience=0)
    await client.connect()
    return client


def _readable(body: Union[Body, bytes], headers: Headers) -> Body:
    """The body, if it is of a kind that pages and programs send."""
    kind = (headers.get("Content-Type") or "").partition(";")[0].strip().lower()
    if kind not in ("", "application/json", "application/x-www-form-urlencoded", "multipart/form-data"):
        raise BadPost(f"the body is {kind}: send application/x-www-form-urlencoded, multipart/form-data or application/json")
    if not isinstance(body, bytes):
        return body
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadPost(f"the body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadPost("the body is JSON, but not an object")
    return value


def _given(**members: JSON) -> Dict[str, JSON]:
    return {name: value for name, value in members.items() if value is not None}


def _treat_empty(values: Dict[str, JSON], fields: Sequence[FieldDescription], is_page: bool) -> None:
    """Has the objects of which all values are hidden as a session has them.

    A post of a page names only the values, so such an object is left out. A row stays.
    """
    for field in fields:
        inner = values.get(field["name"])
        of_row = field["items"].get("fields") if "items" in field else None
        if "fields" in field and isinstance(inner, dict):
            _treat_empty(inner, field["fields"], is_page)
            if is_page and not inner:
                del values[field["name"]]
        elif of_row and isinstance(inner, list):
            for row in inner:
                if isinstance(row, dict):
                    _treat_empty(row, of_row, is_page)


def _add_secrets(
    values: Dict[str, JSON],
    sent: Mapping[str, JSON],
    fields: Sequence[FieldDescription],
    states: Mapping[str, FieldState],
) -> None:
    """Adds the secrets that were sent, as they were sent: the daemon never tells a secret."""
    for field in fields:
        name = field["name"]
        given = sent.get(name)
        state: Mapping[str, Any] = states.get(name, {})
        if given in (None, "") or not state.get("isVisible", True):
            continue
        items = field.get("items")
        if field["isSecret"]:
            values[name] = given
        elif isinstance(given, dict) and field.get("fields"):
            inner = values.get(name, {})
            if isinstance(inner, dict):
                _add_secrets(inner, given, field.get("fields", []), state.get("fields", {}))
                if inner:
                    values[name] = inner
        elif isinstance(given, list) and items is not None and state.get("order"):
            states_of_rows = state.get("rows", {})
            rows = [states_of_rows[row] for row in state.get("order", [])]
            shown = [(one, row) for one, row in zip(given, rows) if row.get("isVisible", True)]
            if items["isSecret"]:
                values[name] = [one for one, _ in shown]
            for value, (one, row) in zip(values.get(name, []), shown):
                if isinstance(value, dict) and isinstance(one, dict):
                    _add_secrets(value, one, items.get("fields", []), row.get("fields", {}))
