"""Changes bytes at random: an answer that a peer could send becomes an answer that nobody expects."""

from __future__ import annotations

import random

EDGES = [b"", b"\0", b"\n", b"\r\n", b"\r\n\r\n", b"\xff" * 4, b"\x7f\xff\xff\xff", b"0", b"-1", b"99999999999999999999", b"{", b"]"]


def mutated(random: random.Random, answer: bytes, others: list[bytes]) -> bytes:
    """The answer after some changes; one answer in four stays as it is. Parts of `others` may be put in."""
    data = bytearray(answer)
    for _ in range(random.choice([0, 1, 1, 2])):
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice([0, 1, 4, 40]))
        match random.randrange(5):
            case 0:
                data[start:end] = random.choice(EDGES)
            case 1:
                data[start:end] = random.choice(others)
            case 2:
                data[start:start] = data[start:end] * random.choice([1, 2, 100])
            case 3:
                del data[start:]
            case _:
                data[start:end] = random.randbytes(end - start)
    return bytes(data)
