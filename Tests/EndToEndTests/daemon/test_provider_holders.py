"""Several programs answer for one provider: killed, replaced and told keys while clients ask."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

from harness import PATIENCE_SECONDS, Daemon, formctl, formd

PROGRAM = """
import asyncio, os, signal, sys
sys.path.insert(0, sys.argv[2])
import formd
mode = sys.argv[3]

async def stock(arguments, key):
    if mode == "mute":
        print("asked", flush=True)
        await asyncio.Event().wait()
    if mode == "crash":
        print(key, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "tell":
        print(key, flush=True)
    return {"left": 3}

async def main():
    async with formd.AsyncClient(sys.argv[1]) as client:
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        await client.provider("stock", stock, keyed=True)
        print("registered", flush=True)
        await ended.wait()
        await client.withdraw_provider("stock")

asyncio.run(main())
"""

ASK = {"provider": {"name": "stock", "arguments": {"item": "values.item"}}}
OUTCOMES = [{"when": "response.kind == 'ok'", "success": "response.body.left"}, {"failure": "response.kind"}]
FORM = {
    "form": "order",
    "schema": {"type": "object", "properties": {"item": {"type": "string", "maxLength": 100}}},
    "checks": [
        {
            "id": "inStock",
            "field": "item",
            "timeout": "60s",
            "run": {"provider": {"name": "stock", "arguments": {"item": "self"}}},
            "outcomes": [{"when": "response.body.left > 0", "valid": True}, {"code": "soldOut"}],
        }
    ],
    "actions": {
        "look": {"scope": "none", "enabled": "true", "timeout": "60s", "run": ASK, "outcomes": OUTCOMES},
        "take": {
            "scope": "none", "enabled": "true", "timeout": "60s", "idempotency": True, "run": ASK, "outcomes": OUTCOMES,
        },
    },
}  # fmt: skip


class Program:
    """One that answers for `stock`, in a process of its own."""

    def __init__(self, daemon: Daemon, mode: str = "good") -> None:
        clients = str(Path(formd.__file__).parent.parent)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(daemon.path), clients, mode], stdout=subprocess.PIPE, text=True
        )
        assert self.line() == "registered"

    def line(self) -> str:
        """The next line that it writes; nothing when it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self, number: int) -> int:
        """Its status."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(PATIENCE_SECONDS)


Run = Callable[..., Program]


@pytest.fixture
def shop(start: Callable[..., Daemon], folder: Path) -> Daemon:
    """A daemon that three may answer for."""
    forms = folder / "shop"
    forms.mkdir()
    (forms / "order.form.json").write_text(json.dumps(FORM), encoding="utf-8")
    return start({"providers": {"stock": {"holders": 3}}}, forms)


@pytest.fixture
def run(shop: Daemon) -> Iterator[Run]:
    """Starts a program: `run(mode="good")`."""
    started: list[Program] = []

    def run(mode: str = "good") -> Program:
        started.append(Program(shop, mode))
        return started[-1]

    yield run
    for program in started:
        if program.process.poll() is None:
            program.end(signal.SIGKILL)


def asking(daemon: Daemon, count: int, story: Callable[[Any, list[Any]], Any]) -> None:
    """Plays a story with a client and so many sessions."""

    async def play() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client, AsyncExitStack() as stack:
            sessions = [await stack.enter_async_context(await client.open("order")) for _ in range(count)]
            await story(client, sessions)

    asyncio.run(asyncio.wait_for(play(), 4 * PATIENCE_SECONDS))


async def check(session: Any, item: str) -> None:
    """The item is checked, and found."""
    await session.change("item", item)
    await session.wait_until(lambda session: not session.is_pending, PATIENCE_SECONDS)
    assert session.is_valid, session.field("item")


def test_one_that_is_killed_loses_no_check(shop: Daemon, run: Run) -> None:
    run()
    mute = run("mute")

    async def story(client: Any, sessions: list[Any]) -> None:
        checks = [asyncio.ensure_future(check(session, f"tea {number}")) for number, session in enumerate(sessions)]
        for _ in range(len(sessions) // 2):
            assert await asyncio.to_thread(mute.line) == "asked"
        assert mute.end(signal.SIGKILL) == -signal.SIGKILL
        await asyncio.gather(*checks)
        statistics = await client.call("server/stats", {"providers": 1})
        assert (statistics["effectsStarted"], statistics["effectsFailed"]) == (len(sessions), 0)
        assert statistics["providers"] == [{"name": "stock", "holders": 1, "holdersMax": 3, "questions": 0}]

    asking(shop, 40, story)


@pytest.mark.parametrize(("number", "ask"), [(signal.SIGKILL, "check"), (signal.SIGTERM, "look")])
def test_programs_are_replaced_under_load_and_nothing_fails(
    shop: Daemon, run: Run, number: signal.Signals, ask: str
) -> None:
    programs = [run(), run()]
    asked = 0

    async def story(client: Any, sessions: list[Any]) -> None:
        is_over = asyncio.Event()

        async def load(session: Any) -> None:
            nonlocal asked
            while not is_over.is_set():
                asked += 1
                if ask == "check":
                    await check(session, f"tea {asked}")
                else:
                    event = (await session.tap("look", wait=True, timeout=PATIENCE_SECONDS)).event
                    assert (event.kind, event.result) == ("succeeded", 3), event

        loads = [asyncio.ensure_future(load(session)) for session in sessions]
        for _ in range(6):
            programs.append(await asyncio.to_thread(run))
            status = await asyncio.to_thread(programs.pop(0).end, number)
            assert status == (-number if number == signal.SIGKILL else 0)
        is_over.set()
        await asyncio.gather(*loads)
        assert (await client.call("server/stats"))["effectsFailed"] == 0
        assert asked > 6 * len(sessions)

    asking(shop, 8, story)


def test_what_may_have_been_done_is_asked_once_and_with_a_key_again(shop: Daemon, run: Run) -> None:
    crashing = run("crash")
    told = run("tell")
    with formd.Client(str(shop.path)) as client:
        session = client.open("order")
        event = session.tap("take", wait=True, timeout=PATIENCE_SECONDS).event
        assert (event.kind, event.result) == ("succeeded", 3)
        key = told.line()
        assert key == crashing.line() and len(key) > 30
        assert crashing.end(signal.SIGKILL) == -signal.SIGKILL
        # The other one comes first now, and this one second.
        crashing = run("crash")
        assert session.tap("look", wait=True, timeout=PATIENCE_SECONDS).event.kind == "succeeded"
        assert told.line() == "None"
        assert session.tap("look", wait=True, timeout=PATIENCE_SECONDS).event.error == "gone"
        assert crashing.line() == "None"
        assert session.tap("take", wait=True, timeout=PATIENCE_SECONDS).event.kind == "succeeded"
        assert told.line() not in ("None", key), "asked about another tap, or twice"


def test_formctl_tells_how_many_answer(shop: Daemon, run: Run) -> None:
    def listing(*options: str) -> Optional[str]:
        done = formctl("providers", "--socket", shop.path, *options)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    assert listing() == "CLIENTS  OF  QUESTIONS  PROVIDER\n"
    run(), run()
    assert listing() == "CLIENTS  OF  QUESTIONS  PROVIDER\n      2   3          0  stock\n"
    assert json.loads(listing("--json") or "") == [{"name": "stock", "holders": 2, "holdersMax": 3, "questions": 0}]
    run()
    with formd.Client(str(shop.path)) as fourth, pytest.raises(formd.DuplicateProvider):
        fourth.provider("stock", lambda arguments: None)
    assert formctl("providers", "--socket", shop.path, "--count", "0").returncode == 2
    metrics = formctl("metrics", "--socket", shop.path).stdout
    assert "\nformd_provider_holders 3\n" in metrics
