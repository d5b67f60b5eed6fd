"""Writes the schemas beside it. Made with pydantic 2.14.4: pip install pydantic==2.14.4, then python generate.py."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union
from uuid import UUID

from pydantic import BaseModel, ConfigDict, EmailStr, Field, HttpUrl, Json, SecretStr


class Role(Enum):
    ADMIN = "admin"
    MEMBER = "member"


class Address(BaseModel):
    street_name: str = Field(min_length=1, max_length=100, examples=["Main Street"])
    zip: str = Field(pattern=r"^[0-9]{4,5}$")
    country: Literal["CH", "DE", "KR"] = "CH"


class SignUp(BaseModel):
    """What a new user says."""

    email: EmailStr = Field(max_length=254)
    pw: SecretStr = Field(min_length=10)
    firstName: str = Field(max_length=50)
    nick_name: Optional[str] = Field(default=None, max_length=20)
    born: Optional[date] = None
    role: Role = Role.MEMBER
    age: Annotated[int, Field(ge=18, lt=150)]
    home: Address
    work: Optional[Address] = None
    tags: list[Annotated[str, Field(max_length=20)]] = Field(default=[], max_length=5)
    terms: Literal[True]
    site: Optional[HttpUrl] = None
    referrer: Optional[Role] = None


class PageCard(BaseModel):
    model_config = ConfigDict(title="Card")
    by: Literal["card"]
    number: str = Field(pattern=r"^[0-9]{12,19}$")


class PageTransfer(BaseModel):
    model_config = ConfigDict(title="Transfer")
    by: Literal["transfer"]
    iban: str


class User(BaseModel):
    """The model of protocol/import.md."""

    email: EmailStr
    pw: SecretStr = Field(min_length=10)
    firstName: str = Field(max_length=50, examples=["Kim"])
    born: Optional[date] = None
    payment: Union[PageCard, PageTransfer] = Field(discriminator="by")


class Card(BaseModel):
    model_config = ConfigDict(extra="forbid")
    method: Literal["card"]
    number: str = Field(min_length=12, max_length=19)
    holder: str


class Transfer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    method: Literal["transfer"]
    iban: str = Field(min_length=15, max_length=34)
    holder: str


class Order(BaseModel):
    id: UUID
    payment: Union[Card, Transfer] = Field(discriminator="method")
    refunds: list[Annotated[Union[Card, Transfer], Field(discriminator="method")]] = []
    note: Optional[str] = None
    placed: datetime


class Odds(BaseModel):
    """One of everything that a form does not have, or has in another way."""

    price: Decimal
    bounded: Decimal = Field(gt=0, max_digits=8, decimal_places=2)
    scores: dict[str, int] = {}
    place: tuple[float, float]
    extra: Any = None
    raw: bytes = b""
    settings: Json[dict[str, int]]
    both: Union[int, str]
    token: SecretStr = SecretStr("guess")
    old: Optional[str] = Field(default=None, deprecated=True)
    parent: Optional["Odds"] = None
    either: Union[Address, Role]
    shape: Union[Address, "Node"]
    path: str = Field(pattern=r"^[\w\-]+\-\d+$")


class Node(BaseModel):
    name: str
    children: list["Node"] = []


Odds.model_rebuild()
for model in (SignUp, User, Order, Odds, Node):
    path = Path(__file__).parent / f"{model.__name__}.json"
    path.write_text(json.dumps(model.model_json_schema(), indent=2) + "\n", encoding="utf-8")
