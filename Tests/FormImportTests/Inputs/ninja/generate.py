"""Writes the document beside it. Made with django-ninja 1.7.1 and Django 5.2.19 (pip install), python generate.py."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Optional

from django.conf import settings

settings.configure()
from ninja import NinjaAPI, Schema  # noqa: E402
from pydantic import Field  # noqa: E402

api = NinjaAPI(title="Library", urls_namespace="library")


class BookIn(Schema):
    title: str = Field(max_length=200)
    isbn: Optional[str] = Field(None, pattern=r"^[0-9]{13}$")
    published: Optional[date] = None
    pages: int = Field(..., ge=1)


@api.post("/books")
def add(request, book: BookIn):
    return {}


path = Path(__file__).parent / "library.json"
path.write_text(json.dumps(api.get_openapi_schema(path_prefix="/api"), indent=2, default=str) + "\n", encoding="utf-8")
