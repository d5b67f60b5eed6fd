"""Writes the document beside it. Made with fastapi 0.165.0 and pydantic 2.14.4 (pip install), python generate.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, Optional, Union

from fastapi import FastAPI
from pydantic import BaseModel, EmailStr, Field

app = FastAPI(title="Shop", version="1")


class Address(BaseModel):
    city: str
    post_code: str = Field(max_length=10)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    good: bool = True


class Customer(BaseModel):
    name: str = Field(max_length=100, examples=["Kim"])
    mail: EmailStr
    address: Address
    delivery: Optional[Address] = None
    pet: Union[Cat, Dog] = Field(discriminator="kind")


class Item(BaseModel):
    sku: str
    count: int = Field(gt=0)


@app.post("/customers")
def create(customer: Customer) -> Customer:
    return customer


@app.post("/items")
def add(items: list[Item]) -> list[Item]:
    return items


path = Path(__file__).parent / "shop.json"
path.write_text(json.dumps(app.openapi(), indent=2) + "\n", encoding="utf-8")
