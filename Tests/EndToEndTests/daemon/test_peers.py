"""A short version of `scripts/fuzz peers`: a service, a PostgreSQL server and a provider answer at random."""

from __future__ import annotations

import asyncio
import sys

import pytest

import harness

sys.path.insert(0, str(harness.ROOT / "scripts" / "bench.d"))

from peers.play import RUNS, Player  # noqa: E402

ROUNDS = 60


@pytest.mark.parametrize("seed", [1, 2])
def test_every_tap_has_an_end_whatever_the_peers_answer(seed: int) -> None:
    player = Player(harness.formd_binary(), seed)
    asyncio.run(player.play(None, ROUNDS))
    assert player.kinds.total() == ROUNDS * len(RUNS)
    for peer in RUNS:
        assert player.kinds[f"{peer}: succeeded"], player.kinds
        assert player.kinds.total() > player.kinds[f"{peer}: succeeded"]
