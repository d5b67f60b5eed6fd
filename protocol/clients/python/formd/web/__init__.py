"""Forms of formd behind pages of a web framework, and forms of web frameworks as forms of formd.

A framework is never imported before its module (`formd.web.flask`, `formd.web.django`, `formd.web.starlette`) or a form
of it is used.
"""

from formd.web.form import Answer, AsyncForm, Form, Result
from formd.web.html import Html
from formd.web.imported import Imported, Loss, from_django
from formd.web.posted import BadPost, Body

__all__ = ["Answer", "AsyncForm", "BadPost", "Body", "Form", "Html", "Imported", "Loss", "Result", "from_django"]
