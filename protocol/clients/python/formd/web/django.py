"""Forms of formd in Django."""

# pyright: reportMissingImports=false
# Django need not be installed where this file is checked.
from __future__ import annotations

import functools
import json
from typing import Any, Callable

from django.http import HttpResponse  # type: ignore[import-untyped]

from formd import web


class Form(web.Form):
    """A form that views of Django show and receive."""

    def view(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A view that gets a Result behind its request: an empty one for GET, and what was posted otherwise.

        Requests that need no view are answered here; see `formd.web.Form.receive`.
        """

        @functools.wraps(function)
        def view(request: Any, *arguments: Any, **named: Any) -> Any:
            result: web.Result | web.Answer = web.Result()
            if request.method in ("POST", "PUT", "PATCH"):
                result = self.receive(_body(request), request.headers)
            if isinstance(result, web.Answer):
                return HttpResponse(result.body, status=result.status, headers=result.headers)
            return function(request, result, *arguments, **named)

        return view


def _body(request: Any) -> web.Body:
    """The form data and the files, or the object of a JSON text."""
    if request.content_type == "application/json":
        try:
            body = json.loads(request.body)
        except ValueError:
            body = None
        if isinstance(body, dict):
            return body
    lists = [*request.POST.lists(), *request.FILES.lists()]
    return [(name, value) for name, values in lists for value in values]
